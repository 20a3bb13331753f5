/* Allgather and allgatherv around a ring that visits one node after another: only one process of each node sends to the next node. */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/table.h"

/* A process by node and index. */
struct ring_place {
	int node, index;
};

static int next_rank(const struct coll_comm *c)
{
	const struct layout *l = &c->layout;

	if (c->my_index + 1 < layout_node_size(l, c->my_node))
		return layout_rank(l, c->my_node, c->my_index + 1);
	return layout_rank(l, (c->my_node + 1) % l->nodes, 0);
}

/* Moves to the previous process in the ring. */
static int step_back(const struct layout *l, struct ring_place *place)
{
	if (--place->index < 0) {
		place->node = (place->node + l->nodes - 1) % l->nodes;
		place->index = layout_node_size(l, place->node) - 1;
	}
	return layout_rank(l, place->node, place->index);
}

COLL_APPLIES(allgather_ring_applies, true)

int allgather_ring(struct coll_comm *c, const struct coll_call *call)
{
	struct coll_target t = coll_target_of(call);
	struct ring_place place = {c->my_node, c->my_index};
	int previous = step_back(&c->layout, &place);
	int next = next_rank(c);
	int sent = c->rank;

	COLL_TRY(target_copy_own(c, &t));
	place = (struct ring_place){c->my_node, c->my_index};
	for (int step = 1; step < c->size; step++) {
		int received = step_back(&c->layout, &place);
		COLL_TRY(PMPI_Sendrecv(target_address(&t, sent), target_count(&t, sent), call->receive_type,
		                       next, COLL_TAG, target_address(&t, received),
		                       target_count(&t, received), call->receive_type, previous, COLL_TAG,
		                       c->comm, MPI_STATUS_IGNORE));
		sent = received;
	}
	return MPI_SUCCESS;
}
