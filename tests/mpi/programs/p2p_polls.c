/* tarry-test: ranks=2
 *
 * A run of unsuccessful tests is one record with a count: rank 0 polls exactly 500 times for a message
 * that rank 1 cannot have sent yet, then says so, and polls until it is there. */
#include "checksum.h"

#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, flag, value = 0;
	MPI_Request request;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		MPI_Irecv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
		/* @0 peer=1 tag=1 request=0 room=4 */
		for (int i = 0; i < 500; i++)
			MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
		/* @0 x1 polls=500 flag=0 */
		MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
		/* @0 peer=1 tag=2 sent=4 */
		for (flag = 0; !flag;)
			MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
		/* @0 polls flag=0
			 * @0 x1 flag=1 done=0 received=4 source=1 */
		for (int i = 0; i < 300; i++)
			MPI_Iprobe(1, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
		/* @0 x1 polls=300 flag=0 peer=1 tag=99 */
	} else {
		MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		/* @1 peer=0 tag=2 received=4 */
		value = 4711;
		MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
		/* @1 peer=0 tag=1 sent=4 */
	}
	checksum_add(&value, sizeof(value));
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
