/* pair: check=argument.null-buffer ranks=2 notes at=0 dies
 *
 * NULL and MPI_BOTTOM are the same address. It is right without data, and with a type that holds addresses. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[2] = {5, 6};
	MPI_Aint address;
	MPI_Datatype absolute, nothing;

	start(&argc, &argv);
	return_errors();
	MPI_Get_address(values, &address);
	MPI_Type_create_hindexed(1, (int[]){2}, &address, MPI_INT, &absolute);
	MPI_Type_contiguous(0, MPI_INT, &nothing);
	MPI_Type_commit(&absolute);
	MPI_Type_commit(&nothing);
	if (rank == 0) {
		MPI_Send(MPI_BOTTOM, 1, absolute, 1, 0, MPI_COMM_WORLD);
		MPI_Send(NULL, 3, nothing, 1, 0, MPI_COMM_WORLD);
		MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
		MPI_Send(NULL, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
#ifdef WRONG
		MPI_Send(NULL, 1, MPI_INT, 1, 7, MPI_COMM_WORLD); /* FOUND */
#endif
	} else {
		values[0] = values[1] = 0;
		MPI_Recv(MPI_BOTTOM, 1, absolute, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(NULL, 9, nothing, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(values[0] == 5 && values[1] == 6);
	}
	MPI_Type_free(&absolute);
	MPI_Type_free(&nothing);
	return finish();
}
