/* pair: check=message.truncated ranks=2 at=0,1
 *
 * What arrives may end within an element of the receiver's type. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[6] = {1, 2, 3, 4, 5, 6}, room = 2, count, elements;
	MPI_Datatype three;
	MPI_Status status;

	start(&argc, &argv);
	return_errors();
	MPI_Type_contiguous(3, MPI_INT, &three);
	MPI_Type_commit(&three);
#ifdef WRONG
	room = 1;
#endif
	if (rank == 0) {
		MPI_Send(values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD); /* FOUND */
	} else {
		MPI_Recv(values, room, three, 0, 0, MPI_COMM_WORLD, &status); /* FOUND */
		MPI_Get_count(&status, three, &count);
		MPI_Get_elements(&status, three, &elements);
		expect(count == MPI_UNDEFINED && elements == 4);
	}
	MPI_Type_free(&three);
	return finish();
}
