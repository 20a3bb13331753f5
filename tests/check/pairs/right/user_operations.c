/* pair: check=none ranks=3
 *
 * An operation on a derived type that asks MPI about it, in calls of all kinds, and one that does not commute. */
#include "../pair.h"

static void join(void *in, void *inout, int *count, MPI_Datatype *type)
{
	int bytes;
	int *a = in, *b = inout;

	MPI_Type_size(*type, &bytes);
	for (int i = 0; i < *count * bytes / 8; i++) {
		b[2 * i] = a[2 * i];
		b[2 * i + 1] += a[2 * i + 1];
	}
}

int main(int argc, char **argv)
{
	int mine[2], result[2] = {0}, scan[2] = {0}, part[6], own[2];
	MPI_Datatype pair;
	MPI_Op op;
	MPI_Request request;

	start(&argc, &argv);
	mine[0] = mine[1] = rank;
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_Op_create(join, 0, &op);
	MPI_Iallreduce(mine, result, 1, pair, op, MPI_COMM_WORLD, &request);
	MPI_Scan(mine, scan, 1, pair, op, MPI_COMM_WORLD);
	for (int i = 0; i < 6; i++)
		part[i] = rank;
	MPI_Reduce_scatter(part, own, (int[]){1, 1, 1}, pair, op, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(result[0] == 0 && result[1] == 3 && scan[1] == rank * (rank + 1) / 2 && own[1] == 3);
	MPI_Op_free(&op);
	MPI_Type_free(&pair);
	return finish();
}
