#include "check/execution/knot_finding.h"

#include "calls/ids.h"
#include "check/execution/blocked_graph.h"

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

/* The calls that began what a wait waits for; those of one call are shown by it. */
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
	/* The knot does not wait because of those that wait for it. */
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
	/* Of a process that waits for itself, too. */
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

static int compare_ranks(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void ranks_text(struct shown_ranks *ranks, char text[RANKS_TEXT])
{
	size_t used = 0;

	text[0] = '\0';
	if (ranks->count)
		qsort(ranks->items, ranks->count, sizeof *ranks->items, compare_ranks);
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
