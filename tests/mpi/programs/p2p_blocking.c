/* tarry-test: ranks=2
 *
 * Blocking point-to-point in all modes, with wildcards, MPI_PROC_NULL and MPI_STATUS_IGNORE. Rank 1 sends
 * more than rank 0 needs to match: what arrives is shorter than the room for it. */
#include "checksum.h"

#include <mpi.h>
#include <stdlib.h>

enum { COUNT = 6, ROOM = 10 };

static int out[ROOM] = {11, 12, 13, 14, 15, 16};
static int in[ROOM];

static void receive_all(void)
{
	MPI_Status status;

	MPI_Recv(in, ROOM, MPI_INT, 1, 1, MPI_COMM_WORLD, &status);
	/* @0 comm=$world peer=1 tag=1 room=40 size=4 received=24 */
	checksum_add(in, sizeof(in));
	MPI_Recv(in, ROOM, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
	/* @0 comm=$world peer=any tag=2 room=40 received=20 source=1 */
	checksum_add(in, sizeof(in));
	MPI_Recv(in, ROOM, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	/* @0 peer=1 tag=-1 room=40 received=16 source_tag=3 */
	checksum_add(in, sizeof(in));
	MPI_Send(out, 0, MPI_INT, 1, 40, MPI_COMM_WORLD);
	/* @0 peer=1 tag=40 sent=0 */
	MPI_Recv(in, ROOM, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	/* @0 peer=any tag=-1 room=40 received=12 source=1 source_tag=4 */
	checksum_add(in, sizeof(in));
}

static void send_all(void)
{
	char *space = malloc(1000 + MPI_BSEND_OVERHEAD);
	int size;

	MPI_Send(out, COUNT, MPI_INT, 0, 1, MPI_COMM_WORLD);
	/* @1 comm=$world peer=0 tag=1 sent=24 size=4 */
	MPI_Buffer_attach(space, 1000 + MPI_BSEND_OVERHEAD);
	MPI_Bsend(out, COUNT - 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
	/* @1 comm=$world peer=0 tag=2 sent=20 size=4 */
	MPI_Ssend(out, COUNT - 2, MPI_INT, 0, 3, MPI_COMM_WORLD);
	/* @1 comm=$world peer=0 tag=3 sent=16 size=4 */
	MPI_Recv(in, ROOM, MPI_INT, 0, 40, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	/* @1 peer=0 tag=40 room=40 received=0 */
	MPI_Rsend(out, COUNT - 3, MPI_INT, 0, 4, MPI_COMM_WORLD);
	/* @1 comm=$world peer=0 tag=4 sent=12 size=4 */
	MPI_Buffer_detach(&space, &size);
	free(space);
}

static void exchange(int rank)
{
	MPI_Status status;
	int peer = 1 - rank;

	MPI_Sendrecv(out, 2, MPI_INT, peer, 5, in, ROOM, MPI_INT, peer, 5, MPI_COMM_WORLD, &status);
	/* @0 peer=1 tag=5 sent=8 recv_peer=1 recv_tag=5 room=40 received=8
	 * @1 peer=0 tag=5 sent=8 recv_peer=0 recv_tag=5 room=40 received=8 */
	MPI_Sendrecv(out, 3, MPI_INT, peer, 6, in, ROOM, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	/* @0 peer=1 tag=6 sent=12 recv_peer=any recv_tag=-1 received=12 source=1 source_tag=6
	 * @1 peer=0 tag=6 sent=12 recv_peer=any recv_tag=-1 received=12 source=0 source_tag=6 */
	MPI_Sendrecv_replace(in, 3, MPI_INT, peer, 7, peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	/* @0 peer=1 tag=7 sent=12 recv_peer=1 recv_tag=7 room=12 received=12
	 * @1 peer=0 tag=7 sent=12 recv_peer=0 recv_tag=7 room=12 received=12 */
	checksum_add(in, sizeof(in));
}

static void nobody(void)
{
	MPI_Status status;

	MPI_Send(out, 1, MPI_INT, MPI_PROC_NULL, 8, MPI_COMM_WORLD);
	/* @* peer=null tag=8 sent=4 */
	MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 8, MPI_COMM_WORLD, &status);
	/* @* peer=null tag=8 received=0 */
	MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	/* @* peer=null tag=-1 received=0 */
	MPI_Sendrecv(out, 1, MPI_INT, MPI_PROC_NULL, 8, in, 1, MPI_INT, MPI_PROC_NULL, 8, MPI_COMM_WORLD,
	             &status);
	/* @* peer=null tag=8 sent=4 recv_peer=null received=0 */
	for (int i = 0; i < 1000; i++)
		MPI_Send(out, 1, MPI_INT, MPI_PROC_NULL, i % 10, MPI_COMM_WORLD);
	/* @* x100 peer=null tag=0
		 * @* x900 peer=null tag=1..9 */
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		receive_all();
	else
		send_all();
	exchange(rank);
	nobody();
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
/* @comm $world size=2 kind=intra members=0,1 */
