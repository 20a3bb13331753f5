/* Barrier: a tree or shared memory inside nodes, and between leaders the steps of Bruck's algorithm, without data. */
#include "coll/algorithms/frame.h"
#include "coll/algorithms/group.h"
#include "coll/algorithms/shared.h"
#include "coll/algorithms/table.h"
#include "coll/algorithms/window.h"

COLL_APPLIES(barrier_leaders_applies, true)

/* A barrier among the leaders of nodes. */
typedef int leaders_meet(const struct coll_group *leaders);

static int meet_by_bruck(const struct coll_group *leaders)
{
	char none[1];

	return group_bruck(leaders, none);
}

static int run_barrier(struct coll_comm *c, leaders_meet *meet)
{
	struct coll_blocks nothing = {.bytes = 0};
	struct coll_group node = group_of_node(c, &nothing);
	struct coll_group leaders = group_of_heads(c, &nothing, -1);
	char none[1];

	COLL_TRY(group_gather(&node, 0, none));
	if (c->my_index == 0)
		COLL_TRY(meet(&leaders));
	return group_bcast(&node, 0, none, 0);
}

COLL_RUNS(barrier_leaders, run_barrier(c, meet_by_bruck))
COLL_APPLIES(barrier_shared_applies, shared_may_be_used(c) && c->layout.nodes < c->size)

int barrier_shared(struct coll_comm *c, const struct coll_call *call)
{
	struct coll_blocks nothing = {.bytes = 0};
	struct coll_group leaders = group_of_heads(c, &nothing, -1);

	(void)call;
	COLL_TRY(shared_begin(c));
	COLL_TRY(shared_wait(c));
	if (c->layout.nodes == 1)
		return MPI_SUCCESS;
	if (c->my_index == 0)
		COLL_TRY(meet_by_bruck(&leaders));
	return shared_wait(c);
}

COLL_APPLIES(barrier_direct_applies, c->layout.nodes > 2 && c->layout.nodes <= 256)

/* Each leader sends a message to each other leader. */
static int meet_directly(const struct coll_group *leaders)
{
	struct coll_window w;

	coll_window_init(&w, leaders->c);
	for (int i = 1; i < leaders->count; i++) {
		int from = leaders->rank(leaders, (leaders->me + leaders->count - i) % leaders->count);
		int to = leaders->rank(leaders, (leaders->me + i) % leaders->count);
		COLL_TRY(coll_window_receive(&w, NULL, 0, MPI_BYTE, from));
		COLL_TRY(coll_window_send(&w, NULL, 0, MPI_BYTE, to));
	}
	return coll_window_wait(&w);
}

COLL_RUNS(barrier_direct, run_barrier(c, meet_directly))
