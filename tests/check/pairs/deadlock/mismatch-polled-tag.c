/* pair: check=deadlock.mismatch also=message.tag-mismatch ranks=2 at=0,1 */
#include "../pair.h"

#include <unistd.h>

enum { QUESTION = 1, OTHER = 2, END = 3 };

int main(int argc, char **argv)
{
	int value = 0, flag = 0;

	start(&argc, &argv);
	if (rank == 0) {
#ifdef WRONG
		MPI_Send(&value, 1, MPI_INT, 1, QUESTION,
		         MPI_COMM_WORLD); /* MAY FOUND: message.tag-mismatch */
#else
		MPI_Send(&value, 1, MPI_INT, 1, OTHER, MPI_COMM_WORLD);
#endif
		while (!flag)
			MPI_Iprobe(1, END, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE), usleep(99); /* FOUND */
		MPI_Recv(&value, 1, MPI_INT, 1, END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(&value, 1, MPI_INT, 0, OTHER, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE); /* FOUND FOUND: message.tag-mismatch */
		MPI_Send(&value, 1, MPI_INT, 0, END, MPI_COMM_WORLD);
	}
	return finish();
}
