#include "check/matching/analysis.h"

#include "calls/ids.h"

struct checked_run *analysis_new(struct findings_log *log)
{
	struct checked_run *analysis = memory_new(1, sizeof *analysis);

	analysis->log = log;
	analysis->known.release_queue = message_queue_release;
	analysis->known.queue_owner = analysis;
	return analysis;
}

void analysis_follow_courses(struct checked_run *analysis)
{
	if (analysis->course)
		return;
	analysis->course = course_new(&analysis->known);
	analysis->ordering = ordering_new(analysis->course, analysis->log);
	analysis->races = window_races_new(analysis->course, analysis->ordering, analysis->log);
	analysis->assertions = window_assertions_new(analysis->course, analysis->ordering, analysis->log);
	analysis->buffered = buffered_sends_new(analysis->course, analysis->ordering, analysis->log);
}

static void free_courses(struct checked_run *analysis)
{
	if (!analysis->course)
		return;
	course_free(analysis->course);
	buffered_sends_free(analysis->buffered);
	window_assertions_free(analysis->assertions);
	window_races_free(analysis->races);
	ordering_free(analysis->ordering);
}

/* What was kept of a process that is gone; the calls of one that is not hold theirs. */
static void free_last(struct checked_run *analysis, struct analysed_process *process)
{
	if (process->last && !process->calls.count)
		call_drop(&analysis->known, process->last);
	process->last = NULL;
	process_forget(&analysis->known, process);
}

void analysis_free(struct checked_run *analysis)
{
	free_courses(analysis);
	for (size_t i = 0; i < analysis->known.processes.count; i++)
		free_last(analysis, analysis->known.processes.items[i]);
	contents_free(analysis);
	broadcasts_free(analysis);
	message_queues_free(analysis);
	collectives_free(analysis);
	known_release(&analysis->known);
	free(analysis);
}

/* What came before, and comes once more. */
static void pass_over_event(const struct analysed_call *call, struct cursor *in)
{
	for (int i = 0; call->flags & CHECK_CALL_WILDCARD && i < 3; i++)
		take_signed(in);
	if (call->flags & CHECK_CALL_CONTENT)
		take_varint(in);
}

/* How many numbers a change of the course has; of those that count some themselves, how many come before these. */
static const struct {
	uint8_t numbers;
	bool counts_more; /* the last of the numbers says how many follow */
} course_changes[] = {
	[CHANGE_BEGINS] = {1, false},   [CHANGE_TAKES] = {3, false}, [CHANGE_WAITS] = {2, true},
	[CHANGE_COMPLETES] = {1, true}, [CHANGE_DROPS] = {2, false}, [CHANGE_THREAD] = {1, false},
	[CHANGE_WINDOW] = {2, false},   [CHANGE_ENDS] = {1, false},
};

static bool pass_over_change(uint64_t change, struct cursor *in)
{
	uint64_t number = 0;

	for (int i = 0; i < course_changes[change].numbers; i++)
		number = take_varint(in);
	for (; course_changes[change].counts_more && number && !in->bad; number--)
		take_varint(in);
	return !in->bad;
}

static bool event_of(struct checked_run *analysis, struct analysed_call *call, struct cursor *in, bool is_old,
                     bool is_in_course)
{
	if (!call || call->operation == OPERATION_NONE || call->operation > OPERATION_COLLECTIVE)
		return false;
	call->process->last = call;
	if (is_old) {
		pass_over_event(call, in);
		return true;
	}
	if (is_in_course && analysis->course && !(call->flags & CHECK_CALL_WILDCARD) &&
	    !course_event(analysis->course, call->process, 0, call, in))
		return false;
	if (call->operation != OPERATION_COLLECTIVE)
		return message_event(analysis, call, in);
	collective_event(analysis, call);
	return true;
}

/* For the course, and for what is known of it everywhere. */
static bool end_of_comm(struct checked_run *analysis, struct analysed_process *process, struct cursor *in,
                        bool is_old)
{
	struct cursor ahead = *in;
	const uint64_t identity = take_varint(&ahead);

	if (ahead.bad)
		return false;
	if (is_old || !analysis->course)
		*in = ahead;
	else if (!course_event(analysis->course, process, CHANGE_ENDS, NULL, in))
		return false;
	if (!is_old)
		known_comm_ended(&analysis->known, process, identity);
	return true;
}

/* `is_old`: what follows came before. */
static bool change_event(struct checked_run *analysis, struct analysed_process *process, struct cursor *in,
                         bool *is_old)
{
	const uint64_t change = take_varint(in);
	uint64_t number;

	if (change == CHANGE_ENDS)
		return end_of_comm(analysis, process, in, *is_old);
	if (change >= CHANGE_BEGINS && change < CHANGE_ENDS)
		return *is_old || !analysis->course
		               ? pass_over_change(change, in)
		               : course_event(analysis->course, process, change, NULL, in);
	number = take_varint(in);
	switch (change) {
	case CHANGE_POSITION:
		*is_old = number < process->received_until;
		process->received_until = *is_old ? process->received_until : number;
		analysis->event_count--; /* nothing happened */
		return true;
	case CHANGE_MATCHES:
		return event_of(analysis, process_call(process, number), in, *is_old, false);
	case CHANGE_CONTENT:
		return content_event(analysis, process_call(process, number), *is_old, in);
	case CHANGE_CANCELLED:
		return process_call(process, number) &&
		       (*is_old || message_cancelled(analysis, process_call(process, number)));
	default:
		return false;
	}
}

static bool take_events(struct checked_run *analysis, struct analysed_process *process, struct cursor *in)
{
	bool is_old = false;

	while (cursor_left(in)) {
		const uint64_t number = take_varint(in);

		analysis->event_count++;
		if (!(number ? event_of(analysis, process_call(process, number), in, is_old, true)
		             : change_event(analysis, process, in, &is_old)) ||
		    in->bad)
			return false;
	}
	return true;
}

bool analysis_frame(struct checked_run *analysis, struct analysed_process *process, enum message_kind kind,
                    struct cursor *in)
{
	switch (kind) {
	case MESSAGE_EVENTS:
		return take_events(analysis, process, in);
	case MESSAGE_COMM:
		return known_comm_add(&analysis->known, process, in);
	case MESSAGE_TYPE:
		return known_type_add(&analysis->known, process, in);
	case MESSAGE_CALL:
		return known_call_add(&analysis->known, process, in);
	case MESSAGE_FORGET:
		process_forget(&analysis->known, process);
		return true;
	default:
		return false;
	}
}

void analysis_process_gone(struct checked_run *analysis, struct analysed_process *process,
                           enum process_end end)
{
	struct analysed_call *last = process->last ? call_keep(process->last) : NULL;

	if (analysis->course)
		course_process_ended(analysis->course, process, end);
	process_forget(&analysis->known, process);
	process->last = last;
}

bool process_is_in_finalize(const struct analysed_process *process)
{
	return process->last && process->last->function == CALL_Finalize;
}

static void report_vanished(struct checked_run *analysis, const struct process_ends *ends)
{
	for (size_t i = 0; i < analysis->known.processes.count; i++) {
		const struct analysed_process *process = analysis->known.processes.items[i];
		struct report_draft report;
		if (!process->is_home || !process_vanished_first(ends, process->world, process->rank))
			continue;
		report_begin(&report, CHECK_END_CRASH);
		if (process->last)
			report_call(&report, process->last, NOTE_HERE);
		else
			report_process(&report, process);
		report_end(&report, analysis->log);
	}
}

void analysis_end(struct checked_run *analysis, const struct process_ends *ends)
{
	if (analysis->course) {
		window_races_end(analysis->races);
		window_assertions_end(analysis->assertions);
		ordering_end(analysis->ordering);
	}
	check_changed_messages(analysis);
	check_changed_broadcasts(analysis);
	if (ends->is_known) {
		report_vanished(analysis, ends);
		check_leftover_messages(analysis, ends);
	}
	check_leftover_collectives(analysis, ends);
}
