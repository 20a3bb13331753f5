/* tarry-test: ranks=2
 *
 * Persistent requests in all modes, begun one by one and all at once, inactive ones among them. */
#include "checksum.h"

#include <mpi.h>

enum { ROUNDS = 3 };

static int out[4] = {31, 32, 33, 34};
static int in[4][8];

static void prepare_sends(MPI_Request *request)
{
	MPI_Send_init(out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request[0]);
	/* @1 comm=$world peer=0 tag=1 sent=4 request=0 persistent=1 */
	MPI_Bsend_init(out, 2, MPI_INT, 0, 2, MPI_COMM_WORLD, &request[1]);
	/* @1 peer=0 tag=2 sent=8 request=1 persistent=1 */
	MPI_Ssend_init(out, 3, MPI_INT, 0, 3, MPI_COMM_WORLD, &request[2]);
	/* @1 peer=0 tag=3 sent=12 request=2 persistent=1 */
	MPI_Rsend_init(out, 4, MPI_INT, 0, 4, MPI_COMM_WORLD, &request[3]);
	/* @1 peer=0 tag=4 sent=16 request=3 persistent=1 */
}

static void prepare_receives(MPI_Request *request)
{
	for (int i = 0; i < 4; i++)
		MPI_Recv_init(in[i], 8, MPI_INT, MPI_ANY_SOURCE, i + 1, MPI_COMM_WORLD, &request[i]);
	/* @0 peer=any tag=1 room=32 request=0 persistent=1
		 * @0 tag=2 request=1 persistent=1
		 * @0 tag=3 request=2
		 * @0 tag=4 request=3 */
}

static void exchange(int rank, MPI_Request *request)
{
	if (rank == 0)
		MPI_Startall(4, request);
	/* @0 x3 count=4 request=0,1,2,3 */
	MPI_Barrier(MPI_COMM_WORLD);
	/* @* x3 comm=$world */
	for (int i = 0; i < 4 && rank == 1; i++)
		MPI_Start(&request[i]);
	/* @1 x3 request=0
		 * @1 x3 request=1
		 * @1 x3 request=2
		 * @1 x3 request=3 */
	MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
	/* @0 x3 count=4 done=0 received=4 source=1 done=1 received=8 done=2 received=12 done=3
	 * received=16 source_tag=4
	 * @1 x3 count=4 done=0 done=1 done=2 done=3 */
	checksum_add(in, sizeof(in));
}

/* The second request is not active, so only the first completes. */
static void half_active(int rank, MPI_Request *request)
{
	MPI_Start(&request[0]);
	/* @* request=0 */
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	/* @0 count=2 done=0 received=4 source=1
	 * @1 count=2 done=0 */
	checksum_add(in, rank == 0 ? sizeof(in) : 0);
}

int main(int argc, char **argv)
{
	static char space[4000 + 4 * MPI_BSEND_OVERHEAD];
	char *attached;
	int rank, size;
	MPI_Request request[4];

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Buffer_attach(space, sizeof(space));
	if (rank == 0)
		prepare_receives(request);
	else
		prepare_sends(request);
	for (int i = 0; i < ROUNDS; i++)
		exchange(rank, request);
	half_active(rank, request);
	for (int i = 0; i < 4; i++)
		MPI_Request_free(&request[i]);
	/* @* request=0
		 * @* request=1
		 * @* request=2
		 * @* request=3 */
	MPI_Buffer_detach(&attached, &size);
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
