/*
 * Recursive doubling and Bruck's allgather in an order of processes in which those that exchange much share a node (topo/mapping).
 *
 * "exchange" first gives each process the block whose number is its place, so that blocks end up in the order of ranks. "reorder" leaves out
 * this message and moves blocks in memory at the end.
 */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/table.h"

#include <limits.h>

static bool fits(const struct coll_comm *c, size_t bytes)
{
	return bytes <= COLL_SCRATCH_MAX / ((size_t)c->size + 1);
}

static bool is_power_of_two(int n)
{
	return (n & (n - 1)) == 0;
}

bool allgather_doubling_exchange_applies(const struct coll_comm *c, const struct coll_call *call,
                                         size_t bytes)
{
	(void)call;
	return is_power_of_two(c->size) && bytes <= (size_t)(INT_MAX / c->size);
}

bool allgather_doubling_reorder_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return is_power_of_two(c->size) && fits(c, bytes);
}

bool allgather_bruck_exchange_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return fits(c, bytes);
}

bool allgather_bruck_reorder_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	return fits(c, bytes);
}

int allgather_doubling_exchange(struct coll_comm *c, const struct coll_call *call)
{
	const struct mapping *map;
	struct coll_target t = coll_target_of(call);
	bool in_place = call->send == MPI_IN_PLACE;

	COLL_TRY(coll_mapping(c, GRAPH_RECURSIVE_DOUBLING, &map));
	int place = mapping_place(map, c->rank);
	if (place == c->rank)
		COLL_TRY(target_copy_own(c, &t));
	else
		COLL_TRY(PMPI_Sendrecv(in_place ? target_address(&t, c->rank) : call->send,
		                       in_place ? call->receive_count : call->send_count,
		                       in_place ? call->receive_type : call->send_type,
		                       mapping_rank(map, c->rank), COLL_TAG, target_address(&t, place),
		                       call->receive_count, call->receive_type, place, COLL_TAG, c->comm,
		                       MPI_STATUS_IGNORE));
	for (int held = 1; held < c->size; held *= 2) {
		int partner = place ^ held;
		int peer = mapping_rank(map, partner);
		/* The blocks of this process begin at the last multiple of `held`, the partner's at its own. */
		COLL_TRY(PMPI_Sendrecv(target_address(&t, place & ~(held - 1)), call->receive_count * held,
		                       call->receive_type, peer, COLL_TAG,
		                       target_address(&t, partner & ~(held - 1)), call->receive_count * held,
		                       call->receive_type, peer, COLL_TAG, c->comm, MPI_STATUS_IGNORE));
	}
	return MPI_SUCCESS;
}

int allgather_doubling_reorder(struct coll_comm *c, const struct coll_call *call)
{
	const struct mapping *map;
	struct coll_target t = coll_target_of(call);
	size_t bytes = coll_bytes(c, call);

	COLL_TRY(coll_mapping(c, GRAPH_RECURSIVE_DOUBLING, &map));
	COLL_TRY(coll_scratch(c, bytes * (size_t)c->size));
	char *blocks = c->scratch;
	int place = mapping_place(map, c->rank);
	COLL_TRY(target_pack_own(c, &t, blocks + (size_t)place * bytes));
	for (int held = 1; held < c->size; held *= 2) {
		int partner = place ^ held;
		int peer = mapping_rank(map, partner);
		COLL_TRY(coll_exchange(
			c, blocks + (size_t)(place & ~(held - 1)) * bytes, bytes * (size_t)held, peer,
			blocks + (size_t)(partner & ~(held - 1)) * bytes, bytes * (size_t)held, peer));
	}
	for (int i = 0; i < c->size; i++)
		COLL_TRY(target_store(c, &t, mapping_rank(map, i), blocks + (size_t)i * bytes, bytes));
	return MPI_SUCCESS;
}

/* From one block on, blocks of the following places. */
static int bruck_steps(struct coll_comm *c, const struct mapping *map, char *blocks, size_t bytes)
{
	int place = mapping_place(map, c->rank);

	for (int held = 1; held < c->size; held *= 2) {
		int sent = held < c->size - held ? held : c->size - held;
		int to = mapping_rank(map, (place + c->size - held) % c->size);
		int from = mapping_rank(map, (place + held) % c->size);
		COLL_TRY(coll_exchange(c, blocks, bytes * (size_t)sent, to, blocks + (size_t)held * bytes,
		                       bytes * (size_t)sent, from));
	}
	return MPI_SUCCESS;
}

int allgather_bruck_exchange(struct coll_comm *c, const struct coll_call *call)
{
	const struct mapping *map;
	struct coll_target t = coll_target_of(call);
	size_t bytes = coll_bytes(c, call);

	COLL_TRY(coll_mapping(c, GRAPH_BRUCK, &map));
	COLL_TRY(coll_scratch(c, bytes * ((size_t)c->size + 1)));
	char *blocks = c->scratch;
	int place = mapping_place(map, c->rank);
	char *own = place == c->rank ? blocks : blocks + (size_t)c->size * bytes;
	COLL_TRY(target_pack_own(c, &t, own));
	if (place != c->rank)
		COLL_TRY(coll_exchange(c, own, bytes, mapping_rank(map, c->rank), blocks, bytes, place));
	COLL_TRY(bruck_steps(c, map, blocks, bytes));
	for (int i = 0; i < c->size; i++)
		COLL_TRY(target_store(c, &t, (i + place) % c->size, blocks + (size_t)i * bytes, bytes));
	return MPI_SUCCESS;
}

int allgather_bruck_reorder(struct coll_comm *c, const struct coll_call *call)
{
	const struct mapping *map;
	struct coll_target t = coll_target_of(call);
	size_t bytes = coll_bytes(c, call);

	COLL_TRY(coll_mapping(c, GRAPH_BRUCK, &map));
	COLL_TRY(coll_scratch(c, bytes * (size_t)c->size));
	char *blocks = c->scratch;
	int place = mapping_place(map, c->rank);
	COLL_TRY(target_pack_own(c, &t, blocks));
	COLL_TRY(bruck_steps(c, map, blocks, bytes));
	for (int i = 0; i < c->size; i++)
		COLL_TRY(target_store(c, &t, mapping_rank(map, (i + place) % c->size),
		                      blocks + (size_t)i * bytes, bytes));
	return MPI_SUCCESS;
}
