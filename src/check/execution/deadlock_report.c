#include "check/execution/deadlock_parts.h"

#include "calls/calls.h"

#include <inttypes.h>

uint32_t thread_wait_kinds(const struct executed_thread *thread)
{
	uint32_t kinds = thread->blocked == BLOCKED_WINDOW ? WAITS_WINDOW : 0;

	for (size_t i = 0; thread->blocked == BLOCKED_OPERATIONS && i < thread->waits.count; i++) {
		const struct executed_operation *operation = thread->waits.items[i];
		if (!operation_is_open(operation))
			continue;
		if (operation->call->operation == OPERATION_SEND &&
		    !(operation->call->flags & CHECK_CALL_SYNCHRONOUS))
			kinds |= WAITS_SEND;
		/* Those that need everybody cannot be left early. */
		if (operation->call->operation == OPERATION_COLLECTIVE &&
		    all_calls[operation->call->function].collective != COLLECTIVE_ALL)
			kinds |= WAITS_COLLECTIVE;
	}
	return kinds;
}

size_t knot_first(const struct waiting_knot *knot, uint32_t kinds, bool was_left)
{
	const struct executed_thread *first = NULL;
	size_t number = 0;

	for (size_t i = 0; i < knot->threads.count; i++) {
		const struct executed_thread *thread = knot->threads.items[i].thread;
		if (thread_is_in_finalize(thread) || (kinds && !(thread_wait_kinds(thread) & kinds)) ||
		    (was_left && !thread_has_left(thread)))
			continue;
		if (first && (first->process->known->world < thread->process->known->world ||
		              (first->process->known->world == thread->process->known->world &&
		               first->process->known->rank <= thread->process->known->rank)))
			continue;
		first = thread;
		number = i;
	}
	return number;
}

/* The walk around the knot, from the one that comes first. */
void knot_finding_threads(struct knot_finding *finding, const struct waiting_knot *knot, size_t first)
{
	for (size_t i = 0; i < knot->threads.count && i < KNOT_CALLS; i++) {
		struct executed_thread *thread =
			knot->threads.items[(first + i) % knot->threads.count].thread;
		if (!thread_is_in_finalize(thread))
			knot_finding_thread(finding, thread, NOTE_WAITS);
	}
	for (size_t i = 0; i < knot->threads.count && i < KNOT_CALLS; i++)
		if (thread_is_in_finalize(knot->threads.items[i].thread))
			knot_finding_thread(finding, knot->threads.items[i].thread, NOTE_ENDED);
	for (size_t i = 0; i < knot->ended.count && i < KNOT_CALLS; i++)
		knot_finding_ended(finding, knot->ended.items[i]);
}

size_t knot_process_count(const struct waiting_knot *knot)
{
	struct map known = {0};
	size_t count;

	for (size_t i = 0; i < knot->threads.count; i++)
		*map_put(&known, map_key((uintptr_t)knot->threads.items[i].thread->process, 0)) = 0;
	for (size_t i = 0; i < knot->ended.count; i++)
		*map_put(&known, map_key((uintptr_t)knot->ended.items[i], 0)) = 0;
	count = known.count;
	map_release(&known);
	return count;
}

/* Those who would go on if the knot did. Setting it free changes the graph. */
static void add_behind(struct deadlocks *deadlocks, struct knot_finding *finding,
                       const struct waiting_knot *knot)
{
	struct blocked_graph *graph = &deadlocks->graph;
	struct shown_ranks ranks = {0};
	struct map in_knot = waiting_knot_threads(knot);
	ARRAY(uint32_t) stuck = {0};
	char text[RANKS_TEXT];
	uint32_t shown = 0;

	for (uint32_t i = 1; i < graph->nodes.count; i++) {
		const struct blocked_node *node = &graph->nodes.items[i];
		if (!wait_graph_is_stuck(&graph->waits, i))
			continue;
		if (node->kind == NODE_THREAD && !thread_is_among(&in_knot, node->thread))
			array_add(&stuck, i);
		else if (node->kind == NODE_THREAD || node->kind == NODE_ENDED)
			graph->waits.nodes.items[i].is_free = true;
	}
	wait_graph_solve(&graph->waits);
	for (size_t i = 0; i < stuck.count; i++) {
		const struct blocked_node *node = &graph->nodes.items[stuck.items[i]];
		if (wait_graph_is_stuck(&graph->waits, stuck.items[i]))
			continue;
		if (shown++ < KNOT_BEHIND)
			knot_finding_thread(finding, node->thread, NOTE_BEHIND);
		array_add(&ranks, node->process->known->rank);
	}
	ranks_text(&ranks, text);
	report_value(&finding->report, "behind", "%s", text);
	array_release(&ranks);
	array_release(&stuck);
	map_release(&in_knot);
}

static bool list_finished(const struct waiting_knot *knot, char text[RANKS_TEXT])
{
	struct shown_ranks ranks = {0};
	bool any;

	for (size_t i = 0; i < knot->ended.count; i++)
		array_add(&ranks, knot->ended.items[i]->known->rank);
	for (size_t i = 0; i < knot->threads.count; i++)
		if (thread_is_in_finalize(knot->threads.items[i].thread))
			array_add(&ranks, knot->threads.items[i].thread->process->known->rank);
	any = ranks.count;
	ranks_text(&ranks, text);
	array_release(&ranks);
	return any;
}

void report_deadlock(struct deadlocks *deadlocks, const struct waiting_knot *knot)
{
	char finished[RANKS_TEXT];
	bool is_finished = list_finished(knot, finished);
	struct knot_finding *finding = knot_finding_new(is_finished ? CHECK_DEADLOCK_FINISHED_PROCESS
	                                                            : CHECK_DEADLOCK_CYCLE);

	knot_finding_threads(finding, knot, knot_first(knot, 0, false));
	report_value(&finding->report, "processes", "%zu", knot_process_count(knot));
	add_behind(deadlocks, finding, knot);
	if (is_finished)
		report_value(&finding->report, "finished", "%s", finished);
	knot_finding_waits(finding, deadlocks->execution);
	knot_finding_end(finding, deadlocks->log);
	findings_log_flush(deadlocks->log);
}
