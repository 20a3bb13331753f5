#include "coll/algorithms/order.h"

#include "coll/algorithms/frame.h"

#include <stdlib.h>

/* Number of processes that compute a mapping, on different nodes if possible. */
enum { WORKERS = 8 };

/* Workers that use MPI */

static bool mpi_min(void *context, int64_t *value, int64_t *task)
{
	MPI_Comm comm = *(MPI_Comm *)context;
	int64_t least, number, none = INT64_MAX;

	if (PMPI_Allreduce(value, &least, 1, MPI_INT64_T, MPI_MIN, comm) != MPI_SUCCESS || least < 0 ||
	    PMPI_Allreduce(*value == least ? task : &none, &number, 1, MPI_INT64_T, MPI_MIN, comm) !=
	            MPI_SUCCESS)
		return false;
	*value = least;
	*task = number;
	return true;
}

static bool mpi_share(void *context, int worker, void *data, size_t bytes)
{
	return PMPI_Bcast(data, (int)bytes, MPI_BYTE, worker, *(MPI_Comm *)context) == MPI_SUCCESS;
}

static bool mpi_merge(void *context, int *numbers, int count)
{
	return PMPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_INT, MPI_MAX, *(MPI_Comm *)context) ==
	       MPI_SUCCESS;
}

/* State while an order is built. Processes that are not workers only use the communicator's description. */
struct order_building {
	MPI_Comm workers; /* MPI_COMM_NULL: not a worker */
	struct rank_tree tree;
	bool owned[TREE_LEVELS_MAX]; /* level tables that were allocated here */
	int *keys;                   /* of all ranks, at one level */
	int *pairs; /* on the first process: the place of each rank, and the rank at each place */
	struct mapping mapping;
	bool is_made;
};

static bool needs_table(const struct order_building *b, int level)
{
	return level != b->tree.node_level && !layout_is_regular(&b->tree.layouts[level]);
}

static int find_workers(const struct coll_comm *c, struct order_building *b)
{
	int64_t number = (int64_t)c->my_index * c->layout.nodes + c->my_node;

	COLL_TRY(PMPI_Comm_split(c->comm, number < WORKERS ? 0 : MPI_UNDEFINED,
	                         number < WORKERS ? (int)number : 0, &b->workers));
	if (b->workers == MPI_COMM_NULL)
		return MPI_SUCCESS;
	b->keys = malloc((size_t)c->size * sizeof *b->keys);
	if (c->rank == 0)
		b->pairs = malloc(2 * (size_t)c->size * sizeof *b->pairs);
	return PMPI_Comm_set_errhandler(b->workers, MPI_ERRORS_RETURN);
}

static bool has_tables(const struct order_building *b)
{
	for (int level = 0; level < b->tree.levels; level++)
		if (needs_table(b, level) && !b->owned[level])
			return false;
	return true;
}

/* Each process manages the place whose number is its rank: it knows the rank at that place, asks the managers of the places 2^k
 * ahead and behind for theirs, and sends the answers to the process at its place. */
static int find_neighbours(const struct coll_comm *c, struct coll_order *order)
{
	int found[2 * ORDER_STEPS], mine[2 * ORDER_STEPS], steps = 0;

	for (; steps < ORDER_STEPS && 1 << steps < c->size; steps++) {
		int above = (int)(((int64_t)c->rank + (1 << steps)) % c->size);
		int below = (c->rank - (1 << steps) + c->size) % c->size;
		COLL_TRY(coll_exchange(c, &order->holder, sizeof(int), below, &found[2 * steps], sizeof(int),
		                       above));
		COLL_TRY(coll_exchange(c, &order->holder, sizeof(int), above, &found[2 * steps + 1],
		                       sizeof(int), below));
	}
	size_t bytes = 2 * (size_t)steps * sizeof(int);
	COLL_TRY(coll_exchange(c, found, bytes, order->holder, mine, bytes, order->place));
	for (int step = 0; step < steps; step++) {
		order->ahead[step] = mine[2 * step];
		order->behind[step] = mine[2 * step + 1];
	}
	return MPI_SUCCESS;
}

static int build_with(struct coll_comm *c, enum mapping_graph graph, struct order_building *b,
                      struct coll_order *order)
{
	int mine[2];

	COLL_TRY(find_workers(c, b));
	COLL_TRY(coll_agree(c, b->workers == MPI_COMM_NULL || (b->keys && (c->rank || b->pairs))));
	/* Makes the tables of levels other than nodes, on workers only. */
	for (int level = 0; level < b->tree.levels; level++) {
		if (!needs_table(b, level))
			continue;
		COLL_TRY(PMPI_Gather(&c->lowest[level], 1, MPI_INT, b->keys, 1, MPI_INT, 0, c->comm));
		if (b->workers == MPI_COMM_NULL)
			continue;
		COLL_TRY(PMPI_Bcast(b->keys, c->size, MPI_INT, 0, b->workers));
		b->owned[level] = layout_make(&b->tree.layouts[level], c->size, b->keys);
	}
	if (b->workers != MPI_COMM_NULL) {
		struct mapping_workers workers = {
			.context = &b->workers, .min = mpi_min, .share = mpi_share, .merge = mpi_merge};
		PMPI_Comm_rank(b->workers, &workers.me);
		PMPI_Comm_size(b->workers, &workers.count);
		b->is_made = workers_agree(&workers, has_tables(b)) &&
		             mapping_make_tree(&b->mapping, &b->tree, graph, &workers);
		for (int rank = 0; b->is_made && b->pairs && rank < c->size; rank++) {
			b->pairs[2 * rank] = mapping_place(&b->mapping, rank);
			b->pairs[2 * rank + 1] = mapping_rank(&b->mapping, rank);
		}
	}
	COLL_TRY(coll_agree(c, b->workers == MPI_COMM_NULL || b->is_made));
	COLL_TRY(PMPI_Scatter(b->pairs, 2, MPI_INT, mine, 2, MPI_INT, 0, c->comm));
	order->place = mine[0];
	order->holder = mine[1];
	return find_neighbours(c, order);
}

int coll_order(struct coll_comm *c, enum mapping_graph graph, const struct coll_order **order)
{
	struct coll_order *mine = &c->orders[graph];

	*order = mine;
	if (c->ordered[graph])
		return MPI_SUCCESS;
	*mine = (struct coll_order){0};
	if (mapping_make_closed(&mine->whole, &c->tree, graph)) {
		mine->has_whole = true;
		mine->place = mapping_place(&mine->whole, c->rank);
		mine->holder = mapping_rank(&mine->whole, c->rank);
		for (int step = 0; step < ORDER_STEPS && 1 << step < c->size; step++) {
			mine->ahead[step] = mapping_rank(
				&mine->whole, (int)(((int64_t)mine->place + (1 << step)) % c->size));
			mine->behind[step] = mapping_rank(&mine->whole,
			                                  (mine->place - (1 << step) + c->size) % c->size);
		}
	} else {
		/* Some processes compute the order for all, and each process keeps only its own part. */
		struct order_building b = {.workers = MPI_COMM_NULL, .tree = c->tree};
		int code = build_with(c, graph, &b, mine);
		if (b.is_made)
			mapping_release(&b.mapping);
		for (int level = 0; level < TREE_LEVELS_MAX; level++)
			if (b.owned[level])
				layout_release(&b.tree.layouts[level]);
		free(b.keys);
		free(b.pairs);
		if (b.workers != MPI_COMM_NULL)
			PMPI_Comm_free(&b.workers);
		COLL_TRY(code);
	}
	c->ordered[graph] = true;
	return MPI_SUCCESS;
}

void coll_order_plain(const struct coll_comm *c, struct coll_order *order)
{
	*order = (struct coll_order){.place = c->rank, .holder = c->rank};
	for (int step = 0; step < ORDER_STEPS && 1 << step < c->size; step++) {
		order->ahead[step] = (int)(((int64_t)c->rank + (1 << step)) % c->size);
		order->behind[step] = (c->rank - (1 << step) + c->size) % c->size;
	}
}

void coll_order_release(struct coll_order *order)
{
	if (order->has_whole)
		mapping_release(&order->whole);
	*order = (struct coll_order){0};
}
