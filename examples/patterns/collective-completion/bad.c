/* Rank 1 takes long for its part of a reduction after all have arrived, because its own reduction function is slow.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { STEPS = 5, WORK_US = 60000, SLOW_OP_US = 50000 };

static int rank;

static void add(void *in, void *sum, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *count; i++)
		((int *)sum)[i] += ((int *)in)[i];
	if (rank == 1)
		usleep(SLOW_OP_US);
}

int main(int argc, char **argv)
{
	int own = 1, sum = 0;
	MPI_Op op;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Op_create(add, 1, &op);
	usleep(WORK_US);
	for (int step = 0; step < STEPS; step++) {
		MPI_Reduce(&own, &sum, 1, MPI_INT, op, 1, MPI_COMM_WORLD);
		/* @mpi.collective-completion rank=1 total=0.25 */
		usleep(rank == 1 ? WORK_US - SLOW_OP_US : WORK_US);
	}
	MPI_Op_free(&op);
	MPI_Finalize();
	return 0;
}
