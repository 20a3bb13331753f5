/* pair: check=message.type-mismatch ranks=3 at=0,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Comm part, across;
	double value = 1;
	int numbers[2];
	MPI_Message message;

	start(&argc, &argv);
	MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &part);
	MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank == 0, 1, &across);
	MPI_Comm_set_name(across, "across"); /* SHOWS: comm = 'across' */
	if (rank == 2)
		MPI_Send(&value, 1, MPI_DOUBLE, 0, 5, across); /* FOUND */
	if (rank == 0) {
		MPI_Mprobe(1, MPI_ANY_TAG, across, &message, MPI_STATUS_IGNORE); /* MAY */
#ifdef WRONG
		MPI_Mrecv(numbers, 2, MPI_INT, &message, MPI_STATUS_IGNORE); /* FOUND */
#else
		MPI_Mrecv(&value, 1, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
#endif
	}
	(void)numbers;
	MPI_Comm_free(&across);
	MPI_Comm_free(&part);
	return finish();
}
