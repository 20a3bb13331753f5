/* Allgather around a ring that goes through one node after the other: of each node one process sends to the next node. */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/table.h"

#include <limits.h>

/* The process `distance` places further in the order of nodes. */
static int neighbour(const struct coll_comm *c, int distance)
{
	const struct layout *l = &c->layout;
	int node = c->my_node;
	int index = c->my_index + distance;

	while (index >= layout_node_size(l, node)) {
		index -= layout_node_size(l, node);
		node = (node + 1) % l->nodes;
	}
	while (index < 0) {
		node = (node + l->nodes - 1) % l->nodes;
		index += layout_node_size(l, node);
	}
	return layout_rank(l, node, index);
}

bool allgather_ring_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)c;
	(void)call;
	return bytes <= INT_MAX;
}

/* A process that is in the ring's order after another one. */
static void step_back(const struct coll_comm *c, int *node, int *index)
{
	if (--*index >= 0)
		return;
	*node = (*node + c->layout.nodes - 1) % c->layout.nodes;
	*index = layout_node_size(&c->layout, *node) - 1;
}

int allgather_ring(struct coll_comm *c, const struct coll_call *call)
{
	char *receive = call->receive;
	MPI_Aint stride = coll_stride(call->receive_count, call->receive_type);
	int next = neighbour(c, 1);
	int previous = neighbour(c, -1);
	int node = c->my_node;
	int index = c->my_index;
	int block = c->rank;

	if (call->send != MPI_IN_PLACE)
		COLL_TRY(coll_copy(c, call->send, call->send_count, call->send_type, receive + block * stride,
		                   call->receive_count, call->receive_type));
	for (int step = 1; step < c->size; step++) {
		int sent = block;
		step_back(c, &node, &index);
		block = layout_rank(&c->layout, node, index);
		COLL_TRY(PMPI_Sendrecv(receive + sent * stride, call->receive_count, call->receive_type, next,
		                       COLL_TAG, receive + block * stride, call->receive_count,
		                       call->receive_type, previous, COLL_TAG, c->comm, MPI_STATUS_IGNORE));
	}
	return MPI_SUCCESS;
}
