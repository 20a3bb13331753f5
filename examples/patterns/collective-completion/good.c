/* The reduction function is fast.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { STEPS = 5, WORK_US = 60000 };

static void add(void *in, void *sum, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *count; i++)
		((int *)sum)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
	int own = 1, sum = 0;
	MPI_Op op;

	MPI_Init(&argc, &argv);
	MPI_Op_create(add, 1, &op);
	usleep(WORK_US);
	for (int step = 0; step < STEPS; step++) {
		MPI_Reduce(&own, &sum, 1, MPI_INT, op, 1, MPI_COMM_WORLD);
		usleep(WORK_US);
	}
	MPI_Op_free(&op);
	MPI_Finalize();
	return 0;
}
