/* Messages between the first and the last process, as the baseline. Runs have a common start, so one-way
 * times are right: from the start to the arrival. */
#include "bench/run/collectives.h"

#include "base/memory.h"
#include "bench/run/parts.h"

#include <stdlib.h>

enum { WINDOW = MESSAGES_AT_ONCE, TAG = 1, TAG_BACK = 2 };

static int last(const struct trial *t)
{
	return t->ranks - 1;
}

static bool is_in_pair(const struct trial *t)
{
	return t->rank == 0 || t->rank == last(t);
}

static int send_to(struct trial *t, int rank, int tag)
{
	return MPI_Send(t->send, t->count, t->type, rank, tag, t->comm);
}

static int receive_from(struct trial *t, int rank, int tag)
{
	return MPI_Recv(t->receive, t->count, t->type, rank, tag, t->comm, MPI_STATUS_IGNORE);
}

static int run_latency(struct trial *t)
{
	if (t->rank == 0)
		return send_to(t, last(t), TAG);
	return t->rank == last(t) ? receive_from(t, 0, TAG) : MPI_SUCCESS;
}

static int run_ping_pong(struct trial *t)
{
	int code;

	if (t->rank == 0) {
		code = send_to(t, last(t), TAG);
		return code ? code : receive_from(t, last(t), TAG_BACK);
	}
	if (t->rank != last(t))
		return MPI_SUCCESS;
	code = receive_from(t, 0, TAG);
	return code ? code : send_to(t, 0, TAG_BACK);
}

static enum status prepare_window(struct trial *t)
{
	t->own = memory_new(2 * WINDOW, sizeof(MPI_Request));
	return OK;
}

static void release_window(struct trial *t)
{
	free(t->own);
	t->own = NULL;
}

/* Starts all messages of a window in one direction. */
static int start(struct trial *t, bool sends, int partner, MPI_Request *requests)
{
	size_t block = (size_t)t->count * t->datatype.extent;
	int code = MPI_SUCCESS;

	for (size_t i = 0; i < WINDOW && code == MPI_SUCCESS; i++)
		if (sends)
			code = MPI_Isend((char *)t->send + i * block, t->count, t->type, partner, TAG,
			                 t->comm, &requests[i]);
		else
			code = MPI_Irecv((char *)t->receive + i * block, t->count, t->type, partner, TAG,
			                 t->comm, &requests[i]);
	return code;
}

static int run_bandwidth(struct trial *t)
{
	int code;

	if (!is_in_pair(t))
		return MPI_SUCCESS;
	code = start(t, t->rank == 0, t->rank ? 0 : last(t), t->own);
	return code ? code : MPI_Waitall(WINDOW, t->own, MPI_STATUSES_IGNORE);
}

static int run_both_ways(struct trial *t)
{
	int partner = t->rank ? 0 : last(t), code;
	MPI_Request *requests = t->own;

	if (!is_in_pair(t))
		return MPI_SUCCESS;
	code = start(t, false, partner, requests);
	if (!code)
		code = start(t, true, partner, requests + WINDOW);
	return code ? code : MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE);
}

#define ENTRY(name, help, blocks, sources, ...) \
	{ \
		name, "point-to-point", help, HAS_SIZE | IS_PAIR, 2, blocks, blocks, sources, __VA_ARGS__ \
	}
#define WINDOW_ENTRY(name, help, sources, count, run_) \
	ENTRY(name, help, BLOCK_A_MESSAGE, sources, .messages = count, .prepare = prepare_window, \
	      .run = run_, .release = release_window)

const struct bench_operation pair_operations[] = {
	ENTRY("Latency", "the message; one-way time", ONE_BLOCK, FROM_FIRST, .run = run_latency),
	ENTRY("PingPong", "the message; round-trip time", ONE_BLOCK, FROM_PARTNER, .run = run_ping_pong),
	WINDOW_ENTRY("Bandwidth", "one of 64 concurrent messages", FROM_FIRST, WINDOW, run_bandwidth),
	WINDOW_ENTRY("Bidirectional", "one of 64 concurrent messages in each direction", FROM_PARTNER,
                     2 * WINDOW, run_both_ways),
	{0},
};
