#include "analyze/mpi_peers.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/message_pieces.h"

#include <stdlib.h>
#include <time.h>

enum { BLOCK_TAG = 1 };

static void make_room(struct text *block, uint64_t bytes)
{
	/* Not zeroed: process 0 receives gigabytes of a large trace. */
	block->bytes = memory_grow(NULL, bytes + 1, 1);
	block->bytes[bytes] = 0;
	block->length = bytes;
	block->capacity = bytes + 1;
}

/* MPI libraries spin while they wait. Processes that share cores with others would take time from those that they wait for, so a wait that is not over
 * soon sleeps: each time for a sixteenth of the time that it took so far. */
static void wait_all(int count, MPI_Request *requests)
{
	enum { SPIN_NS = 20000, PART = 16, SLEEP_NS_MAX = 20000000 };
	uint64_t began = clock_system_ns(CLOCK_MONOTONIC);
	int is_over = 0;

	for (;;) {
		uint64_t waited, pause;
		MPI_Testall(count, requests, &is_over, MPI_STATUSES_IGNORE);
		if (is_over)
			return;
		waited = clock_system_ns(CLOCK_MONOTONIC) - began;
		pause = waited / PART < SLEEP_NS_MAX ? waited / PART : SLEEP_NS_MAX;
		if (waited > SPIN_NS)
			nanosleep(&(struct timespec){.tv_nsec = (long)pause}, NULL);
	}
}

static void exchange(void *context, const struct text *out, struct text *in)
{
	MPI_Comm comm = *(MPI_Comm *)context;
	uint64_t *sizes, *sent;
	MPI_Request *requests, request;
	int count, own, pieces = 0, started = 0;

	MPI_Comm_size(comm, &count);
	MPI_Comm_rank(comm, &own);
	sizes = memory_new((size_t)count, sizeof *sizes);
	sent = memory_new((size_t)count, sizeof *sent);
	for (int i = 0; i < count; i++)
		sent[i] = out[i].length;
	MPI_Ialltoall(sent, 1, MPI_UINT64_T, sizes, 1, MPI_UINT64_T, comm, &request);
	wait_all(1, &request);
	for (int i = 0; i < count; i++)
		pieces += pieces_of(sizes[i]) + pieces_of(sent[i]);
	requests = memory_new((size_t)pieces + 1, sizeof(MPI_Request));
	for (int i = 0; i < count; i++) {
		if (sizes[i])
			make_room(&in[i], sizes[i]);
		for (int j = 0; j < pieces_of(sizes[i]); j++)
			MPI_Irecv(in[i].bytes + (size_t)j * PIECE_BYTES, piece_bytes(sizes[i], j), MPI_BYTE,
			          i, BLOCK_TAG, comm, &requests[started++]);
	}
	/* Each begins with its neighbour, so that they do not all send to the same process at once. */
	for (int i = 0; i < count; i++) {
		int to = (own + i) % count;
		for (int j = 0; j < pieces_of(sent[to]); j++)
			MPI_Isend(out[to].bytes + (size_t)j * PIECE_BYTES, piece_bytes(sent[to], j), MPI_BYTE,
			          to, BLOCK_TAG, comm, &requests[started++]);
	}
	wait_all(started, requests);
	free(requests);
	free(sent);
	free(sizes);
}

struct session_peers mpi_peers(MPI_Comm *comm)
{
	int count, own;

	MPI_Comm_size(*comm, &count);
	MPI_Comm_rank(*comm, &own);
	return (struct session_peers){
		.own = (uint32_t)own, .count = (uint32_t)count, .context = comm, .exchange = exchange};
}
