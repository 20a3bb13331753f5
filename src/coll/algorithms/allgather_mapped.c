/* Recursive doubling and Bruck's allgather with a mapping that puts heavy edges inside nodes (topo/mapping).
 *
* "exchange" first gives each process the block whose number is its place, so that blocks end up in rank order. "reorder" saves this
 * message and moves blocks in memory at the end. For comparison, both algorithms also exist in rank order. */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/order.h"
#include "coll/algorithms/table.h"

#include <limits.h>
#include <string.h>

/* The size of the label with the rank of a block. */
enum { LABEL_BYTES = sizeof(int) };

static bool fits(const struct coll_comm *c, size_t bytes)
{
	return bytes + LABEL_BYTES <= COLL_SCRATCH_MAX / ((size_t)c->size + 1);
}

static bool is_power_of_two(int n)
{
	return (n & (n - 1)) == 0;
}

COLL_APPLIES(allgather_power_of_two_applies, is_power_of_two(c->size) && bytes <= (size_t)(INT_MAX / c->size))
COLL_APPLIES(allgather_doubling_reorder_applies, is_power_of_two(c->size) && fits(c, bytes))
COLL_APPLIES(allgather_bruck_applies, fits(c, bytes))

static int doubling_in_place(const struct coll_comm *c, const struct coll_call *call,
                             const struct coll_order *order)
{
	struct coll_target t = coll_target_of(call);
	bool in_place = call->send == MPI_IN_PLACE;
	int place = order->place;

	if (place == c->rank)
		COLL_TRY(target_copy_own(c, &t));
	else
		COLL_TRY(PMPI_Sendrecv(in_place ? target_address(&t, c->rank) : call->send,
		                       in_place ? call->receive_count : call->send_count,
		                       in_place ? call->receive_type : call->send_type, order->holder,
		                       COLL_TAG, target_address(&t, place), call->receive_count,
		                       call->receive_type, place, COLL_TAG, c->comm, MPI_STATUS_IGNORE));
	for (int step = 0, held = 1; held < c->size; step++, held *= 2) {
		int partner = place ^ held, peer = order_partner(order, step);
		/* Blocks of this process start at the last multiple of `held`, the partner's at its own. */
		COLL_TRY(PMPI_Sendrecv(target_address(&t, place & ~(held - 1)), call->receive_count * held,
		                       call->receive_type, peer, COLL_TAG,
		                       target_address(&t, partner & ~(held - 1)), call->receive_count * held,
		                       call->receive_type, peer, COLL_TAG, c->comm, MPI_STATUS_IGNORE));
	}
	return MPI_SUCCESS;
}

int allgather_doubling_exchange(struct coll_comm *c, const struct coll_call *call)
{
	const struct coll_order *order;

	COLL_TRY(coll_order(c, GRAPH_RECURSIVE_DOUBLING, &order));
	return doubling_in_place(c, call, order);
}

int allgather_doubling(struct coll_comm *c, const struct coll_call *call)
{
	struct coll_order order;

	coll_order_plain(c, &order);
	return doubling_in_place(c, call, &order);
}

/* Blocks in scratch memory, `stride` bytes apart, each with a label if places cannot be computed. */
struct order_blocks {
	const struct coll_order *order;
	char *at;
	size_t bytes, stride;
};

static int blocks_begin(struct coll_comm *c, const struct coll_call *call, const struct coll_order *order,
                        struct order_blocks *blocks)
{
	size_t bytes = coll_bytes(c, call);

	*blocks = (struct order_blocks){
		.order = order, .bytes = bytes, .stride = bytes + (order->has_whole ? 0 : LABEL_BYTES)};
	COLL_TRY(coll_scratch(c, blocks->stride * (size_t)c->size));
	blocks->at = c->scratch;
	return MPI_SUCCESS;
}

static char *block_at(const struct order_blocks *blocks, int number)
{
	return blocks->at + (size_t)number * blocks->stride;
}

static int block_put_own(const struct coll_comm *c, const struct coll_target *t,
                         const struct order_blocks *blocks, int number)
{
	if (!blocks->order->has_whole)
		memcpy(block_at(blocks, number) + blocks->bytes, &c->rank, LABEL_BYTES);
	return target_pack_own(c, t, block_at(blocks, number));
}

/* Stores the block of a place. */
static int block_store(const struct coll_comm *c, const struct coll_target *t,
                       const struct order_blocks *blocks, int number, int place)
{
	const char *block = block_at(blocks, number);
	int rank;

	if (blocks->order->has_whole)
		rank = mapping_rank(&blocks->order->whole, place);
	else
		memcpy(&rank, block + blocks->bytes, LABEL_BYTES);
	return target_store(c, t, rank, block, blocks->bytes);
}

int allgather_doubling_reorder(struct coll_comm *c, const struct coll_call *call)
{
	const struct coll_order *order;
	struct coll_target t = coll_target_of(call);
	struct order_blocks blocks;

	COLL_TRY(coll_order(c, GRAPH_RECURSIVE_DOUBLING, &order));
	COLL_TRY(blocks_begin(c, call, order, &blocks));
	int place = order->place;
	COLL_TRY(block_put_own(c, &t, &blocks, place));
	for (int step = 0, held = 1; held < c->size; step++, held *= 2) {
		int partner = place ^ held, peer = order_partner(order, step);
		COLL_TRY(coll_exchange(
			c, block_at(&blocks, place & ~(held - 1)), blocks.stride * (size_t)held, peer,
			block_at(&blocks, partner & ~(held - 1)), blocks.stride * (size_t)held, peer));
	}
	for (int i = 0; i < c->size; i++)
		COLL_TRY(block_store(c, &t, &blocks, i, i));
	return MPI_SUCCESS;
}

/* Collects the blocks in the order of places, beginning with this process's. */
static int bruck_steps(const struct coll_comm *c, const struct coll_order *order, char *blocks, size_t bytes)
{
	for (int step = 0, held = 1; held < c->size; step++, held *= 2) {
		int sent = held < c->size - held ? held : c->size - held;
		COLL_TRY(coll_exchange(c, blocks, bytes * (size_t)sent, order->behind[step],
		                       blocks + (size_t)held * bytes, bytes * (size_t)sent,
		                       order->ahead[step]));
	}
	return MPI_SUCCESS;
}

static int bruck_rotated(struct coll_comm *c, const struct coll_call *call, const struct coll_order *order)
{
	struct coll_target t = coll_target_of(call);
	size_t bytes = coll_bytes(c, call);

	COLL_TRY(coll_scratch(c, bytes * ((size_t)c->size + 1)));
	char *blocks = c->scratch;
	int place = order->place;
	char *own = place == c->rank ? blocks : blocks + (size_t)c->size * bytes;
	COLL_TRY(target_pack_own(c, &t, own));
	if (place != c->rank)
		COLL_TRY(coll_exchange(c, own, bytes, order->holder, blocks, bytes, place));
	COLL_TRY(bruck_steps(c, order, blocks, bytes));
	for (int i = 0; i < c->size; i++)
		COLL_TRY(target_store(c, &t, (i + place) % c->size, blocks + (size_t)i * bytes, bytes));
	return MPI_SUCCESS;
}

int allgather_bruck_exchange(struct coll_comm *c, const struct coll_call *call)
{
	const struct coll_order *order;

	COLL_TRY(coll_order(c, GRAPH_BRUCK, &order));
	return bruck_rotated(c, call, order);
}

int allgather_bruck(struct coll_comm *c, const struct coll_call *call)
{
	struct coll_order order;

	coll_order_plain(c, &order);
	return bruck_rotated(c, call, &order);
}

int allgather_bruck_reorder(struct coll_comm *c, const struct coll_call *call)
{
	const struct coll_order *order;
	struct coll_target t = coll_target_of(call);
	struct order_blocks blocks;

	COLL_TRY(coll_order(c, GRAPH_BRUCK, &order));
	COLL_TRY(blocks_begin(c, call, order, &blocks));
	COLL_TRY(block_put_own(c, &t, &blocks, 0));
	COLL_TRY(bruck_steps(c, order, blocks.at, blocks.stride));
	for (int i = 0; i < c->size; i++)
		COLL_TRY(block_store(c, &t, &blocks, i, (i + order->place) % c->size));
	return MPI_SUCCESS;
}
