#include "analyze/mpi_peers.h"

#include "base/memory.h"

#include <stdlib.h>

/* Of one message: counts are of type int. */
enum { PIECE_BYTES = 1 << 30, BLOCK_TAG = 1 };

static int pieces_of(uint64_t bytes)
{
	return (int)((bytes + PIECE_BYTES - 1) / PIECE_BYTES);
}

static int piece_bytes(uint64_t bytes, int piece)
{
	uint64_t before = (uint64_t)piece * PIECE_BYTES;

	return (int)(bytes - before < PIECE_BYTES ? bytes - before : PIECE_BYTES);
}

static void make_room(struct text *block, uint64_t bytes)
{
	block->bytes = memory_new(bytes + 1, 1);
	block->length = bytes;
	block->capacity = bytes + 1;
}

static void exchange(void *context, const struct text *out, struct text *in)
{
	MPI_Comm comm = *(MPI_Comm *)context;
	uint64_t *sizes, *sent;
	MPI_Request *requests;
	int count, own, pieces = 0, started = 0;

	MPI_Comm_size(comm, &count);
	MPI_Comm_rank(comm, &own);
	sizes = memory_new((size_t)count, sizeof *sizes);
	sent = memory_new((size_t)count, sizeof *sent);
	for (int i = 0; i < count; i++)
		sent[i] = out[i].length;
	MPI_Alltoall(sent, 1, MPI_UINT64_T, sizes, 1, MPI_UINT64_T, comm);
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
	MPI_Waitall(started, requests, MPI_STATUSES_IGNORE);
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
