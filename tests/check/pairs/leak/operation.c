/* pair: check=leak.operation ranks=2 at=0,1
 *
 * An operation may be freed as soon as the call that uses it has begun. */
#include "../pair.h"

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *count; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
	int sum = 0;
	MPI_Op op;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Op_create(add, 1, &op); /* FOUND */
	MPI_Iallreduce(&size, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &request);
#ifndef WRONG
	MPI_Op_free(&op);
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(sum == 4);
	return finish();
}
