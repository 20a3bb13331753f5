/* pair: check=message.tag-mismatch also=leak.request ranks=2 at=0,1 */
#include "../pair.h"

enum { HERE = 5, THERE = 6 };

int main(int argc, char **argv)
{
	static int value;
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 1) {
#ifdef WRONG
		MPI_Irecv(&value, 1, MPI_INT, 0, THERE, MPI_COMM_WORLD,
		          &request); /* FOUND FOUND: leak.request */
#else
		MPI_Irecv(&value, 1, MPI_INT, 0, HERE, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		expect(value == 2);
#endif
	} else {
		MPI_Send(&size, 1, MPI_INT, 1, HERE, MPI_COMM_WORLD); /* FOUND */
	}
	(void)THERE;
	return finish();
}
