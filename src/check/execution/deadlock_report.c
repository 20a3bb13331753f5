#include "base/sort.h"
#include "check/execution/deadlock_parts.h"

#include "calls/calls.h"
#include "calls/ids.h"

#include <inttypes.h>
#include <stdio.h>

struct knot_finding *knot_finding_new(enum check check)
{
	struct knot_finding *finding = memory_new(1, sizeof *finding);

	report_begin(&finding->report, check);
	finding->report.finding.waits = finding->waits;
	return finding;
}

bool knot_finding_has_room(const struct knot_finding *finding)
{
	return finding->report.finding.call_count + 1 + KNOT_BEGAN <= FINDING_CALLS_MAX;
}

static void note_position(struct knot_finding *finding, const struct analysed_process *process)
{
	uint32_t *position = map_put(&finding->positions, map_key((uintptr_t)process, 0));

	finding->processes[finding->report.finding.call_count] = process;
	if (*position == MAP_NONE)
		*position = finding->report.finding.call_count;
}

/* The calls that began the awaited operations; operations of the waiting call itself are
 * not listed separately. */
static void add_beginnings(struct knot_finding *finding, const struct executed_thread *thread)
{
	uint32_t added = 0;

	if (thread->blocked != BLOCKED_OPERATIONS || thread->call->operation != OPERATION_WAIT)
		return;
	for (size_t i = 0; i < thread->waits.count && added < KNOT_BEGAN; i++) {
		const struct executed_operation *operation = thread->waits.items[i];
		if (!operation_is_open(operation) || operation->call->flags & CHECK_CALL_TOGETHER)
			continue;
		report_call(&finding->report, operation->call, NOTE_BEGAN);
		added++;
	}
}

void knot_finding_thread(struct knot_finding *finding, struct executed_thread *thread, const char *note)
{
	if (!thread->call || !knot_finding_has_room(finding))
		return;
	note_position(finding, thread->process->known);
	finding->threads[finding->report.finding.call_count] = thread;
	report_call(&finding->report, thread->call, note);
	add_beginnings(finding, thread);
}

void knot_finding_call(struct knot_finding *finding, const struct analysed_process *process,
                       struct check_call *call, const char *note)
{
	if (!knot_finding_has_room(finding))
		return;
	note_position(finding, process);
	free((char *)call->note);
	call->note = memory_copy_text(note);
	finding->report.calls[finding->report.finding.call_count++] = *call;
	*call = (struct check_call){0};
}

void knot_finding_ended(struct knot_finding *finding, const struct executed_process *process)
{
	struct check_call call = {.world = process->known->world,
	                          .rank = process->known->rank,
	                          .function = CALL_Finalize,
	                          .arguments = memory_copy_text("")};

	for (size_t i = 0; i < process->threads.count; i++) {
		struct executed_thread *thread = process->threads.items[i];
		if (thread && thread->call && thread_is_in_finalize(thread)) {
			call_release(&call);
			knot_finding_thread(finding, thread, NOTE_ENDED);
			return;
		}
	}
	knot_finding_call(finding, process->known, &call, NOTE_ENDED);
	call_release(&call);
}

static void add_edge(struct knot_finding *finding, uint32_t from, uint32_t to, bool is_one_of,
                     const char *why)
{
	struct check_finding *shown = &finding->report.finding;

	if (shown->wait_count == FINDING_WAITS_MAX)
		return;
	/* Threads that wait for the knot are not a reason for the knot's own waits. */
	if (strcmp(shown->calls[to].note, NOTE_BEHIND) == 0 &&
	    strcmp(shown->calls[from].note, NOTE_BEHIND) != 0)
		return;
	for (uint32_t i = shown->wait_count; i-- > 0 && shown->waits[i].from == from;)
		if (shown->waits[i].to == to && strcmp(shown->waits[i].why, why) == 0)
			return;
	shown->waits[shown->wait_count++] = (struct check_wait){
		.from = from, .to = to, .is_one_of = is_one_of, .why = why};
}

struct wait_drawing {
	struct knot_finding *finding;
	uint32_t from;
};

static void draw_wait(void *owner, struct executed_thread *thread, uint32_t group, bool is_one_of,
                      struct executed_process *process, const struct analysed_comm *comm, const char *why,
                      struct executed_operation *operation)
{
	const struct wait_drawing *drawing = owner;
	struct knot_finding *finding = drawing->finding;
	const uint32_t *to = process ? map_find(&finding->positions, map_key((uintptr_t)process->known, 0))
	                             : NULL;

	(void)group;
	(void)operation;
	/* Also for a process that waits for itself. */
	if (to)
		add_edge(finding, drawing->from, *to, is_one_of, why);
	for (uint32_t i = 0; !process && comm && i < finding->report.finding.call_count; i++)
		if (finding->processes[i] && finding->processes[i] != thread->process->known &&
		    map_find(&finding->processes[i]->by_comm, map_key(comm->identity, 0)))
			add_edge(finding, drawing->from, i, true, why);
}

void knot_finding_waits(struct knot_finding *finding, struct execution *execution)
{
	for (uint32_t i = 0; i < finding->report.finding.call_count; i++) {
		struct wait_drawing drawing = {.finding = finding, .from = i};
		if (finding->threads[i] && finding->threads[i]->blocked != BLOCKED_NOT)
			execution_waits(execution, finding->threads[i], draw_wait, &drawing);
	}
}

uint32_t knot_finding_end(struct knot_finding *finding, struct findings_log *log)
{
	uint32_t number = report_end(&finding->report, log);

	map_release(&finding->positions);
	free(finding);
	return number;
}

void knot_finding_discard(struct knot_finding *finding)
{
	report_release(&finding->report);
	map_release(&finding->positions);
	free(finding);
}

void ranks_text(struct shown_ranks *ranks, char text[RANKS_TEXT])
{
	size_t used = 0;

	text[0] = '\0';
	if (ranks->count)
		sort_u32(ranks->items, ranks->count);
	for (size_t i = 0, end; i < ranks->count; i = end) {
		const char *separator = used ? ", " : "";
		uint32_t first = ranks->items[i], last = first;
		for (end = i + 1; end < ranks->count && ranks->items[end] <= last + 1; end++)
			last = ranks->items[end];
		if (used + 32 > RANKS_TEXT) {
			snprintf(text + used, RANKS_TEXT - used, ", …");
			return;
		}
		used += (size_t)(first == last ? snprintf(text + used, RANKS_TEXT - used, "%s%" PRIu32,
		                                          separator, first)
		                               : snprintf(text + used, RANKS_TEXT - used,
		                                          "%s%" PRIu32 "-%" PRIu32, separator, first, last));
	}
}

/* Knots */

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
		/* Collective calls that need all members cannot be left early. */
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

/* Walks around the knot, from the thread that is shown first. */
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

const struct executed_operation *knot_mismatch(const struct waiting_knot *knot)
{
	for (size_t i = 0; i < knot->threads.count; i++) {
		const struct executed_thread *thread = knot->threads.items[i].thread;
		for (size_t j = 0; thread->blocked == BLOCKED_OPERATIONS && j < thread->waits.count; j++)
			if (operation_is_open(thread->waits.items[j]) &&
			    collective_is_wrong(thread->waits.items[j]->collective))
				return thread->waits.items[j];
	}
	return NULL;
}

/* Threads that would continue if the knot did. Freeing the knot changes the graph. */
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

void report_deadlock(struct deadlocks *deadlocks, const struct waiting_knot *knot)
{
	struct shown_ranks ended = {0};
	struct knot_finding *finding;
	char finished[RANKS_TEXT];

	for (size_t i = 0; i < knot->ended.count; i++)
		array_add(&ended, knot->ended.items[i]->known->rank);
	for (size_t i = 0; i < knot->threads.count; i++)
		if (thread_is_in_finalize(knot->threads.items[i].thread))
			array_add(&ended, knot->threads.items[i].thread->process->known->rank);
	finding = knot_finding_new(ended.count           ? CHECK_DEADLOCK_FINISHED_PROCESS
	                           : knot_mismatch(knot) ? CHECK_DEADLOCK_MISMATCH
	                                                 : CHECK_DEADLOCK_CYCLE);
	ranks_text(&ended, finished);
	knot_finding_threads(finding, knot, knot_first(knot, 0, false));
	report_value(&finding->report, "processes", "%zu", knot_process_count(knot));
	add_behind(deadlocks, finding, knot);
	if (ended.count) {
		report_value(&finding->report, "finished", "%s", finished);
		report_value(&finding->report, "ended", "%zu", ended.count);
	}
	array_release(&ended);
	knot_finding_waits(finding, deadlocks->execution);
	knot_finding_end(finding, deadlocks->log);
	findings_log_flush(deadlocks->log);
}
