/* pair: check=collective.operation-mismatch ranks=2 at=0,1
 *
 * The same function, made an operation in different lines and as another handle, is the same operation. */
#include "../pair.h"

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *count; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

static void multiply(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *count; i++)
		((int *)inout)[i] *= ((int *)in)[i];
}

int main(int argc, char **argv)
{
	int sum = 0;
	MPI_Op other, op;

	start(&argc, &argv);
	MPI_Op_create(multiply, 1, &other);
	if (rank == 0)
		MPI_Op_create(add, 1, &op);
	else
		MPI_Op_create(add, 1, &op);
	if (rank == 0)
		MPI_Op_free(&other);
#ifdef WRONG
	MPI_Allreduce(&size, &sum, 1, MPI_INT, rank ? other : op, MPI_COMM_WORLD); /* FOUND */
#else
	MPI_Allreduce(&size, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
	expect(sum == 4);
#endif
	if (rank)
		MPI_Op_free(&other);
	MPI_Op_free(&op);
	return finish();
}
