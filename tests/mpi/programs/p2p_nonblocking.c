/* tarry-test: ranks=2
 *
 * Non-blocking sends in all modes, completed in all ways; rank 1 sends, rank 0 receives. A barrier before
 * each Test* makes its success certain in the end; unsuccessful tries before it may or may not happen. */
#include "checksum.h"

#include <mpi.h>
#include <stdbool.h>

enum { REQUESTS = 4 };

static int out[REQUESTS][8] = {{1}, {2}, {3}, {4}};
static int in[REQUESTS][8];

/* Posts receives of 32 bytes with tags 0 … 3 on rank 0, and sends of 4, 8, 12 and 16 bytes on rank 1. */
static void post(int rank, MPI_Request *request)
{
	for (int i = 0; i < REQUESTS && rank == 0; i++)
		MPI_Irecv(in[i], 8, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]);
	/* @0 x7 request=0 tag=0 peer=1 room=32
		 * @0 x7 request=1 tag=1 peer=1
		 * @0 x7 request=2 tag=2 peer=1
		 * @0 x7 request=3 tag=3 comm=$world */
	for (int i = 0; i < REQUESTS && rank == 1; i++)
		MPI_Isend(out[i], i + 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request[i]);
	/* @1 x7 request=0 tag=0 peer=0 sent=4
		 * @1 x7 request=1 tag=1 sent=8
		 * @1 x7 request=2 tag=2 sent=12
		 * @1 x7 request=3 tag=3 sent=16 comm=$world */
}

static void wait_each(MPI_Request *request)
{
	MPI_Status status;

	MPI_Wait(&request[2], &status);
	/* @0 done=2 received=12 source=1 source_tag=2
	 * @1 done=2 */
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	/* @0 done=0 received=4 source=1 source_tag=0
	 * @1 done=0 */
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	/* @* */
	MPI_Waitall(REQUESTS, request, MPI_STATUSES_IGNORE);
	/* @0 count=4 done=1 received=8 source=1 done=3 received=16 source=1 source_tag=3
	 * @1 count=4 done=1 done=3 */
}

static void wait_all(MPI_Request *request)
{
	MPI_Status status[REQUESTS];

	MPI_Waitall(REQUESTS, request, status);
	/* @0 count=4 done=0 received=4 done=1 received=8 done=2 received=12 done=3 received=16
	 * @1 count=4 done=0 done=1 done=2 done=3 */
}

static void wait_any(MPI_Request *request)
{
	int index;

	for (int i = 0; i < REQUESTS; i++)
		MPI_Waitany(REQUESTS, request, &index, MPI_STATUS_IGNORE);
	/* @0 count=4 done=0 received=4 source=1
		 * @0 count=4 done=1 received=8
		 * @0 count=4 done=2 received=12
		 * @0 count=4 done=3 received=16 source_tag=3
		 * @1 count=4 done=0
		 * @1 count=4 done=1
		 * @1 count=4 done=2
		 * @1 count=4 done=3 */
	MPI_Waitany(REQUESTS, request, &index, MPI_STATUS_IGNORE);
	/* @* count=4 */
}

static void wait_some(MPI_Request *request)
{
	int done, indices[REQUESTS];

	for (int left = REQUESTS; left > 0; left -= done)
		MPI_Waitsome(REQUESTS, request, &done, indices, MPI_STATUSES_IGNORE);
	/* @* x+ dones=4 count=4 */
}

static void test_each(MPI_Request *request)
{
	for (int i = 0; i < REQUESTS; i++)
		for (int flag = false; !flag;)
			MPI_Test(&request[i], &flag, MPI_STATUS_IGNORE);
	/* @* polls flag=0
			 * @0 flag=1 done=0 received=4 source=1
			 * @0 flag=1 done=1 received=8
			 * @0 flag=1 done=2 received=12
			 * @0 flag=1 done=3 received=16
			 * @1 flag=1 done=0
			 * @1 flag=1 done=1
			 * @1 flag=1 done=2
			 * @1 flag=1 done=3 */
}

static void test_all(MPI_Request *request)
{
	for (int flag = false; !flag;)
		MPI_Testall(REQUESTS, request, &flag, MPI_STATUSES_IGNORE);
	/* @* polls flag=0
		 * @0 count=4 flag=1 done=0 received=4 done=1 received=8 done=2 received=12 done=3
		 * received=16
		 * @1 count=4 flag=1 done=0 done=1 done=2 done=3 */
}

static void test_some(MPI_Request *request)
{
	int done = 0, indices[REQUESTS];

	for (int left = REQUESTS; left > 0; left -= done)
		MPI_Testsome(REQUESTS, request, &done, indices, MPI_STATUSES_IGNORE);
	/* @* polls
		 * @* x+ dones=4 count=4 */
}

static void test_any(int rank, MPI_Request *request)
{
	int index, flag, left = REQUESTS;

	post(rank, request);
	while (left > 0) {
		MPI_Testany(REQUESTS, request, &index, &flag, MPI_STATUS_IGNORE);
		/* @* polls flag=0
		 * @0 flag=1 done=0 received=4 source=1
		 * @0 flag=1 done=1 received=8
		 * @0 flag=1 done=2 received=12
		 * @0 flag=1 done=3 received=16
		 * @1 flag=1 done=0
		 * @1 flag=1 done=1
		 * @1 flag=1 done=2
		 * @1 flag=1 done=3 */
		left -= flag;
	}
}

static void other_modes(int rank)
{
	static char space[1000 + MPI_BSEND_OVERHEAD];
	char *attached;
	MPI_Request request[3];
	int size;

	for (int i = 0; i < 3 && rank == 0; i++)
		MPI_Irecv(in[i], 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[i]);
	/* @0 request=0 peer=any tag=-1 room=32
		 * @0 request=1 peer=any
		 * @0 request=2 tag=-1 */
	MPI_Barrier(MPI_COMM_WORLD);
	/* @* comm=$world */
	if (rank == 1) {
		MPI_Buffer_attach(space, sizeof(space));
		MPI_Ibsend(out, 1, MPI_INT, 0, 21, MPI_COMM_WORLD, &request[0]);
		/* @1 request=0 peer=0 tag=21 sent=4 comm=$world */
		MPI_Issend(out, 2, MPI_INT, 0, 22, MPI_COMM_WORLD, &request[1]);
		/* @1 request=1 peer=0 tag=22 sent=8 comm=$world */
		MPI_Irsend(out, 3, MPI_INT, 0, 23, MPI_COMM_WORLD, &request[2]);
		/* @1 request=2 peer=0 tag=23 sent=12 comm=$world */
	}
	MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
	/* @0 count=3 done=0 received=4 source=1 source_tag=21 done=1 received=8 source=1
	 * source_tag=22 done=2 received=12 source=1 source_tag=23
	 * @1 count=3 done=0 done=1 done=2 */
	if (rank == 1)
		MPI_Buffer_detach(&attached, &size);
}

static void odd_ends(int rank)
{
	MPI_Request request;
	MPI_Status status;
	int flag = 0;

	MPI_Irecv(in, 8, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &request);
	/* @* request=0 peer=null tag=9 room=32 */
	MPI_Wait(&request, &status);
	/* @* done=0 received=0 */
	MPI_Irecv(in, 8, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &request);
	/* @* request=0 peer=any tag=99 */
	MPI_Cancel(&request);
	/* @* request=0 */
	MPI_Wait(&request, &status);
	/* @* done=0 cancelled=1 */
	if (rank == 1) {
		MPI_Isend(out, 5, MPI_INT, 0, 30, MPI_COMM_WORLD, &request);
		/* @1 request=0 peer=0 tag=30 sent=20 */
		MPI_Request_free(&request);
		/* @1 request=0 */
	} else {
		MPI_Irecv(in, 8, MPI_INT, 1, 30, MPI_COMM_WORLD, &request);
		/* @0 request=0 peer=1 tag=30 */
		while (!flag)
			MPI_Request_get_status(request, &flag, &status);
		/* @0 polls
			 * @0 x1 flag=1 request=0 */
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		/* @0 done=0 received=20 source=1 source_tag=30 */
		MPI_Irecv(in, 8, MPI_INT, 1, 31, MPI_COMM_WORLD, &request);
		/* @0 request=0 peer=1 tag=31 */
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		/* @0 done=0 received=4 source=1 */
	}
	if (rank == 1)
		MPI_Send(out, 1, MPI_INT, 0, 31, MPI_COMM_WORLD);
	/* @1 peer=0 tag=31 sent=4 */
}

int main(int argc, char **argv)
{
	static void (*const complete[])(MPI_Request *) = {wait_each, wait_all,  wait_any,
	                                                  wait_some, test_each, test_all};
	MPI_Request request[REQUESTS];
	int rank;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (size_t i = 0; i < sizeof(complete) / sizeof(complete[0]); i++) {
		post(rank, request);
		complete[i](request);
		checksum_add(in, sizeof(in));
	}
	test_any(rank, request);
	other_modes(rank);
	odd_ends(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	/* @* comm=$world */
	for (int i = 0; i < REQUESTS && rank == 0; i++)
		MPI_Irecv(in[i], 8, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]);
	/* @0 x4 request=0..3 tag=0..3 */
	for (int i = 0; i < REQUESTS && rank == 1; i++)
		MPI_Isend(out[i], i + 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request[i]);
	/* @1 x4 request=0..3 tag=0..3 */
	test_some(request);
	checksum_add(in, sizeof(in));
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
