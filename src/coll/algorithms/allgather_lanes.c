/* Allgather and allgatherv for long blocks: nodes form a ring, and the processes of a node share the transfers to the next node.
 *
 * Block i of a node (that of its process i) travels from node to node. On each node, process i modulo the node's size receives
 * it, passes it on, and distributes it inside the node around a second ring. While blocks arrive from the previous node, earlier
 * blocks circulate inside. Each block crosses each link between nodes once, and these links never wait for transfers inside a node.
 * All data is sent from and received into the program's receive buffer. */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/table.h"

/* Concurrent messages between nodes per process; the blocks of a node may need several waves. */
#define LANES_MAX 16

struct lane_ring {
	struct coll_comm *c;
	struct coll_target target;
	int count;          /* processes of this node */
	int next, previous; /* nodes */
};

bool allgather_lanes_applies(const struct coll_comm *c, const struct coll_call *call, size_t bytes)
{
	(void)call;
	(void)bytes;
	const struct layout *l = &c->layout;
	int largest = 1, smallest = c->size;

	for (int i = 0; i < l->nodes; i++) {
		int count = layout_node_size(l, i);
		largest = count > largest ? count : largest;
		smallest = count < smallest ? count : smallest;
	}
	return l->nodes > 1 && (largest + smallest - 1) / smallest <= LANES_MAX / 2;
}

static int send_block(const struct lane_ring *r, int block, int to, int tag, MPI_Request *request)
{
	return PMPI_Isend(target_address(&r->target, block), target_count(&r->target, block),
	                  r->target.call->receive_type, to, tag, r->c->comm, request);
}

static int receive_block(const struct lane_ring *r, int block, int from, int tag, MPI_Request *request)
{
	return PMPI_Irecv(target_address(&r->target, block), target_count(&r->target, block),
	                  r->target.call->receive_type, from, tag, r->c->comm, request);
}

/* Starts this process's transfers of one step: sends blocks of node `sent`, receives those of `received`. */
static int begin_step(const struct lane_ring *r, int sent, int received, MPI_Request *requests, int *count)
{
	const struct layout *l = &r->c->layout;
	int there = layout_node_size(l, r->next);
	int before = layout_node_size(l, r->previous);

	*count = 0;
	for (int i = r->c->my_index; i < layout_node_size(l, received); i += r->count)
		COLL_TRY(receive_block(r, layout_rank(l, received, i),
		                       layout_rank(l, r->previous, i % before), COLL_TAG,
		                       &requests[(*count)++]));
	for (int i = r->c->my_index; i < layout_node_size(l, sent); i += r->count)
		COLL_TRY(send_block(r, layout_rank(l, sent, i), layout_rank(l, r->next, i % there), COLL_TAG,
		                    &requests[(*count)++]));
	return MPI_SUCCESS;
}

/* Distributes blocks `first`, `first` + 1, ... of a node, one from each process here, to the whole node. */
static int share_wave(const struct lane_ring *r, int node, int first)
{
	const struct layout *l = &r->c->layout;
	int here = layout_node_size(l, node) - first;
	int me = r->c->my_index;
	int next = layout_rank(l, r->c->my_node, (me + 1) % r->count);
	int previous = layout_rank(l, r->c->my_node, (me + r->count - 1) % r->count);

	for (int step = 1; step < r->count; step++) {
		int sent = (me - step + 1 + r->count) % r->count;
		int received = (me - step + r->count) % r->count;
		MPI_Request requests[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
		if (received < here)
			COLL_TRY(receive_block(r, layout_rank(l, node, first + received), previous,
			                       COLL_TAG_DOWN, &requests[0]));
		if (sent < here)
			COLL_TRY(send_block(r, layout_rank(l, node, first + sent), next, COLL_TAG_DOWN,
			                    &requests[1]));
		COLL_TRY(PMPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
	}
	return MPI_SUCCESS;
}

static int share(const struct lane_ring *r, int node)
{
	for (int first = 0; first < layout_node_size(&r->c->layout, node); first += r->count)
		COLL_TRY(share_wave(r, node, first));
	return MPI_SUCCESS;
}

int allgather_lanes(struct coll_comm *c, const struct coll_call *call)
{
	int nodes = c->layout.nodes;
	struct lane_ring r = {.c = c,
	                      .target = coll_target_of(call),
	                      .count = layout_node_size(&c->layout, c->my_node),
	                      .next = (c->my_node + 1) % nodes,
	                      .previous = (c->my_node + nodes - 1) % nodes};

	COLL_TRY(target_copy_own(c, &r.target));
	int sent = c->my_node;
	for (int step = 1; step < nodes; step++) {
		int received = (sent + nodes - 1) % nodes;
		MPI_Request requests[LANES_MAX];
		int count;
		COLL_TRY(begin_step(&r, sent, received, requests, &count));
		COLL_TRY(share(&r, sent));
		COLL_TRY(PMPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
		sent = received;
	}
	return share(&r, sent);
}
