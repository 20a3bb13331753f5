/* pair: check=message.type-mismatch ranks=2 at=0,1 mpi=mpich */
#include "../pair.h"

/* Types that were made with large counts: they have signatures like all others, and nothing of what reads them ends the program. */
int main(int argc, char **argv)
{
	const MPI_Count blocks[] = {2, 1}, places[] = {0, 8};
	const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
	MPI_Datatype pair, pairs, parts[2];
	MPI_Count integers, addresses, counts, inner, sizes[5];
	double memory[16] = {0};
	int combiner;

	start(&argc, &argv);
	MPI_Type_create_struct_c(2, blocks, places, types, &pair);
	MPI_Type_contiguous_c(2, pair, &pairs);
	MPI_Type_commit(&pair);
	MPI_Type_commit(&pairs);
	MPI_Type_get_envelope_c(pair, &integers, &addresses, &counts, &inner, &combiner);
	expect(combiner == MPI_COMBINER_STRUCT && counts == 5 && inner == 2);
	MPI_Type_get_contents_c(pair, integers, addresses, counts, inner, NULL, NULL, sizes, parts);
	expect(sizes[0] == 2 && parts[1] == MPI_DOUBLE);
	if (rank == 0) {
		MPI_Send_c(memory, 1, pairs, 1, 0, MPI_COMM_WORLD); /* FOUND */
	} else {
#ifdef WRONG
		MPI_Recv(memory, 8, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#else
		MPI_Recv(memory, 2, pair, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	}
	MPI_Type_free(&pairs);
	MPI_Type_free(&pair);
	return finish();
}
