/* pair: check=message.type-mismatch ranks=2 at=0,1
 *
 * Only the sequence of basic types counts, not how they lie in memory. */
#include "../pair.h"

enum { LAYOUTS = 6 };

static void make(MPI_Datatype types[LAYOUTS])
{
	MPI_Datatype one, gap;

	MPI_Type_contiguous(4, MPI_INT, &types[0]);
	MPI_Type_vector(2, 2, 5, MPI_INT, &types[1]);
	MPI_Type_indexed(3, (int[]){1, 0, 3}, (int[]){9, 2, 4}, MPI_INT, &types[2]);
	MPI_Type_create_subarray(2, (int[]){4, 4}, (int[]){2, 2}, (int[]){1, 1}, MPI_ORDER_C, MPI_INT,
	                         &types[3]);
	MPI_Type_create_resized(MPI_INT, 0, 8, &gap);
	MPI_Type_contiguous(4, gap, &types[4]);
	MPI_Type_contiguous(2, MPI_INT, &one);
	MPI_Type_create_hvector(2, 1, 20, one, &types[5]);
	MPI_Type_free(&gap);
	MPI_Type_free(&one);
	for (int i = 0; i < LAYOUTS; i++)
		MPI_Type_commit(&types[i]);
}

int main(int argc, char **argv)
{
	int values[16] = {0}, count;
	MPI_Datatype types[LAYOUTS];
	MPI_Status status;

	start(&argc, &argv);
	make(types);
	for (int i = 0; i < LAYOUTS; i++) {
		int other = (i + 1) % LAYOUTS;

		MPI_Sendrecv_replace(values, 1, types[i], !rank, i, !rank, i, MPI_COMM_WORLD, &status);
		if (rank == 0)
			MPI_Send(values, 1, types[i], 1, i, MPI_COMM_WORLD);
		else
			MPI_Recv(values, 1, types[other], 0, i, MPI_COMM_WORLD, &status);
		MPI_Get_elements(&status, types[other], &count);
		expect(count == 4);
	}
	if (rank == 0)
		MPI_Send(values, 2, types[2], 1, 9, MPI_COMM_WORLD); /* FOUND */
#ifdef WRONG
	else
		MPI_Recv(values, 16, MPI_UNSIGNED_SHORT, 0, 9, MPI_COMM_WORLD, &status); /* FOUND */
#else
	else
		MPI_Recv(values, 2, types[5], 0, 9, MPI_COMM_WORLD, &status);
#endif
	for (int i = 0; i < LAYOUTS; i++)
		MPI_Type_free(&types[i]);
	return finish();
}
