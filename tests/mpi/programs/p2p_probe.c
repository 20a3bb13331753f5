/* tarry-test: ranks=2
 *
 * Probes of all kinds: rank 1 sends, rank 0 looks before it receives. */
#include "checksum.h"

#include <mpi.h>

static int out[4] = {21, 22, 23, 24};
static int in[8];

static void probe(void)
{
	MPI_Status status;
	int flag = 0;

	MPI_Probe(1, 1, MPI_COMM_WORLD, &status);
	/* @0 comm=$world peer=1 tag=1 received=4 */
	MPI_Recv(in, 8, MPI_INT, 1, 1, MPI_COMM_WORLD, &status);
	/* @0 peer=1 tag=1 received=4 */
	MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	/* @0 peer=any tag=-1 source=1 source_tag=2 received=8 */
	MPI_Recv(in, 8, MPI_INT, 1, 2, MPI_COMM_WORLD, &status);
	/* @0 peer=1 tag=2 received=8 */
	checksum_add(in, sizeof(in));
	while (!flag)
		MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &flag, &status);
	/* @0 polls peer=any tag=3 flag=0
		 * @0 peer=any tag=3 flag=1 source=1 received=12 */
	MPI_Recv(in, 8, MPI_INT, status.MPI_SOURCE, 3, MPI_COMM_WORLD, &status);
	/* @0 peer=1 tag=3 received=12 */
	MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	/* @0 peer=any tag=77 flag=0 */
	MPI_Iprobe(MPI_PROC_NULL, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	/* @0 peer=null tag=77 flag=1 */
	checksum_add(in, sizeof(in));
}

static void matched(void)
{
	MPI_Status status;
	MPI_Message message;
	MPI_Request request;
	int flag = 0;

	MPI_Mprobe(1, 4, MPI_COMM_WORLD, &message, &status);
	/* @0 comm=$world peer=1 tag=4 received=16 message=%first */
	MPI_Mrecv(in, 8, MPI_INT, &message, MPI_STATUS_IGNORE);
	/* @0 message=%first room=32 received=16 source=1 source_tag=4 */
	checksum_add(in, sizeof(in));
	while (!flag)
		MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
	/* @0 polls peer=any tag=-1 flag=0
		 * @0 peer=any tag=-1 flag=1 source=1 source_tag=5 message=%second */
	MPI_Imrecv(in, 8, MPI_INT, &message, &request);
	/* @0 message=%second request=0 room=32 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @0 done=0 received=8 source=1 source_tag=5 */
	checksum_add(in, sizeof(in));
	MPI_Mprobe(MPI_PROC_NULL, 4, MPI_COMM_WORLD, &message, &status);
	/* @0 peer=null tag=4 */
	MPI_Mrecv(in, 8, MPI_INT, &message, MPI_STATUS_IGNORE);
	/* @0 received=0 */
}

static void send_all(void)
{
	MPI_Send(out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	/* @1 peer=0 tag=1 sent=4 */
	MPI_Send(out, 2, MPI_INT, 0, 2, MPI_COMM_WORLD);
	/* @1 peer=0 tag=2 sent=8 */
	MPI_Ssend(out, 3, MPI_INT, 0, 3, MPI_COMM_WORLD);
	/* @1 peer=0 tag=3 sent=12 */
	MPI_Ssend(out, 4, MPI_INT, 0, 4, MPI_COMM_WORLD);
	/* @1 peer=0 tag=4 sent=16 */
	MPI_Ssend(out, 2, MPI_INT, 0, 5, MPI_COMM_WORLD);
	/* @1 peer=0 tag=5 sent=8 */
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 1) {
		send_all();
	} else {
		probe();
		matched();
	}
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
