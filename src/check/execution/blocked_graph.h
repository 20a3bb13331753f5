/* The blocked threads of the execution as a wait-for graph (wait_graph.h). Its nodes are threads, processes
 * with several threads (any of which could end a wait), finalized processes, collective calls, and "any
 * member of a communicator". These keep the number of edges proportional to the number of threads.
 *
 *	struct blocked_graph graph = {0};
 *	blocked_graph_build(&graph, execution, seen);
 *	wait_graph_solve(&graph.waits);
 *	uint32_t count = blocked_graph_knot(&graph, number, &knot);
 *	blocked_graph_release(&graph); */
#ifndef TARRY_CHECK_EXECUTION_BLOCKED_GRAPH_H
#define TARRY_CHECK_EXECUTION_BLOCKED_GRAPH_H

#include "check/execution/execution.h"
#include "check/execution/wait_graph.h"

enum blocked_kind {
	NODE_FREE, /* represents everything that can continue */
	NODE_THREAD,
	NODE_PROCESS,
	NODE_ENDED, /* a finalized process */
	NODE_COLLECTIVE,
	NODE_ANYBODY,
};

struct blocked_node {
	enum blocked_kind kind;
	struct executed_thread *thread;   /* NODE_THREAD */
	struct executed_process *process; /* of NODE_THREAD, NODE_PROCESS, NODE_ENDED */
	bool has_others; /* NODE_THREAD: its process has other threads that are not blocked and may help */
};

struct blocked_graph {
	struct execution *execution;
	struct wait_graph waits;
	ARRAY(struct blocked_node) nodes;
	struct map numbers;                       /* of processes, collective calls and communicators */
	ARRAY(struct executed_process *) ordered; /* by rank */
	uint64_t seen;
};

struct blocked_nodes {
	uint32_t *items;
	size_t count, room;
};

/* For threads that have been blocked since execution->now was `seen`, or longer. */
void blocked_graph_build(struct blocked_graph *graph, struct execution *execution, uint64_t seen);
/* The nodes of a knot that `number` waits for or belongs to. */
void blocked_graph_knot(const struct blocked_graph *graph, uint32_t number, struct blocked_nodes *knot);
void blocked_graph_release(struct blocked_graph *graph);

/* True if it was blocked when execution->now was `seen`, and still is. */
static inline bool thread_is_blocked(const struct executed_thread *thread, uint64_t seen)
{
	return thread && thread->blocked != BLOCKED_NOT && !thread->is_tested &&
	       thread->blocked_since <= seen;
}

/* The awaited operation is not complete yet. */
static inline bool operation_is_open(const struct executed_operation *operation)
{
	return !(operation->state &
	         (OPERATION_MATCHED | OPERATION_OVER | OPERATION_VOID | OPERATION_BUFFERED));
}

bool thread_is_in_finalize(const struct executed_thread *thread);
/* For qsort of pointers to processes: by world and rank, so that findings do not depend on the order of arrival. */
int compare_executed_processes(const void *a, const void *b);
bool process_has_left(const struct executed_process *process);
/* The program has left the call in which its thread is blocked. */
static inline bool thread_has_left(const struct executed_thread *thread)
{
	return thread->has_more || thread->is_tested || process_has_left(thread->process);
}
/* True if a thread waits for finalized processes, whatever the others do. */
bool blocked_graph_waits_for_ended(const struct blocked_graph *graph, uint32_t number);

#endif
