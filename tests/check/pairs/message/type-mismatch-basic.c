/* pair: check=message.type-mismatch ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	float values[2] = {1, 2};
	char packed[64];
	int count = 7, position = 0;
	MPI_Status status;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Send(&count, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);   /* FOUND */
		MPI_Send(values, 2, MPI_FLOAT, 1, 1, MPI_COMM_WORLD); /* fewer than there is room for */
		MPI_Send(values, 2, MPI_FLOAT, 1, 2, MPI_COMM_WORLD); /* received packed */
		MPI_Send(&count, 1, MPI_LONG_LONG, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
		MPI_Pack(&count, 1, MPI_INT, packed, 64, &position, MPI_COMM_WORLD);
		MPI_Send(packed, position, MPI_PACKED, 1, 4, MPI_COMM_WORLD);
	} else {
#ifdef WRONG
		MPI_Recv(values, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#else
		MPI_Recv(&count, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
		float more[9];
		MPI_Recv(more, 9, MPI_FLOAT, 0, 1, MPI_COMM_WORLD, &status);
		MPI_Get_count(&status, MPI_FLOAT, &position);
		expect(position == 2 && more[1] == 2);
		MPI_Recv(packed, 64, MPI_PACKED, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&count, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(count == 7);
	}
	return finish();
}
