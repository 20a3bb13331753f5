/* pair: check=none ranks=4
 *
 * A distributed array against plain numbers, external packing, and queries of the contents of types. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int matrix[16], got[4] = {0}, bytes;
	char packed[256];
	MPI_Aint room, at = 0;
	MPI_Datatype part, indexed;

	start(&argc, &argv);
	for (int i = 0; i < 16; i++)
		matrix[i] = i;
	MPI_Type_create_darray(4, rank, 2, (int[]){4, 4},
	                       (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC},
	                       (int[]){MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){2, 2},
	                       MPI_ORDER_C, MPI_INT, &part);
	MPI_Type_commit(&part);
	MPI_Type_size(part, &bytes);
	expect(bytes == 16);
	MPI_Sendrecv(matrix, 1, part, 3 - rank, 0, got, 4, MPI_INT, 3 - rank, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	expect(got[0] == (3 - rank) / 2 * 8 + (3 - rank) % 2);
	MPI_Pack_external_size("external32", 1, part, &room);
	expect(room <= (MPI_Aint)sizeof(packed));
	MPI_Pack_external("external32", matrix, 1, part, packed, sizeof(packed), &at);
	MPI_Bcast(packed, 16, MPI_PACKED, 0, MPI_COMM_WORLD);
	MPI_Type_create_hindexed_block(2, 2, (MPI_Aint[]){0, 32}, MPI_INT, &indexed);
	MPI_Type_commit(&indexed);
	MPI_Alltoall(MPI_IN_PLACE, 7, indexed, matrix, 4, MPI_INT, MPI_COMM_WORLD);
	MPI_Type_free(&indexed);
	MPI_Type_free(&part);
	return finish();
}
