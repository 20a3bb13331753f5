/* pair: check=leak.communicator ranks=4 at=0,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Comm part, none, shared;
	MPI_Group world, some;

	start(&argc, &argv);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2 ? MPI_UNDEFINED : 0, rank, &part); /* FOUND */
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_excl(world, 1, (int[]){3}, &some);
	if (rank < 3) {
		MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &none);
		MPI_Comm_free(&none);
	}
	MPI_Comm_create(MPI_COMM_WORLD, some, &none);
	expect((none == MPI_COMM_NULL) == (rank == 3));
	if (none != MPI_COMM_NULL)
		MPI_Comm_free(&none);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
	MPI_Comm_free(&shared);
	MPI_Group_free(&some);
	MPI_Group_free(&world);
#ifndef WRONG
	if (part != MPI_COMM_NULL)
		MPI_Comm_free(&part);
#endif
	return finish();
}
