#include "check/analyser/analysis.h"

struct checked_run *analysis_new(struct findings_log *log)
{
	struct checked_run *analysis = memory_new(1, sizeof *analysis);

	analysis->log = log;
	analysis->known.release_queue = message_queue_release;
	analysis->known.queue_owner = analysis;
	return analysis;
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
	for (size_t i = 0; i < analysis->known.processes.count; i++)
		free_last(analysis, analysis->known.processes.items[i]);
	message_queues_free(analysis);
	collectives_free(analysis);
	known_release(&analysis->known);
	free(analysis);
}

/* `is_old`: what follows was told before. */
static bool change_event(struct checked_run *analysis, struct analysed_process *process, struct cursor *in,
                         bool *is_old)
{
	uint64_t change = take_varint(in), number = take_varint(in);
	struct analysed_call *call = process_call(process, number);

	if (change == CHANGE_POSITION) {
		*is_old = number < process->told_until;
		process->told_until = *is_old ? process->told_until : number;
		return true;
	}
	return call && change == CHANGE_CANCELLED && (*is_old || message_cancelled(analysis, call));
}

static void pass_over(const struct analysed_call *call, struct cursor *in)
{
	for (int i = 0; call->flags & CHECK_CALL_WILDCARD && i < 3; i++)
		take_signed(in);
}

static bool take_events(struct checked_run *analysis, struct analysed_process *process, struct cursor *in)
{
	bool is_old = false;

	while (cursor_left(in)) {
		uint64_t number = take_varint(in);
		struct analysed_call *call = process_call(process, number);
		bool right = true;
		analysis->event_count++;
		process->last = call ? call : process->last;
		if (!number)
			right = change_event(analysis, process, in, &is_old);
		else if (!call)
			right = false;
		else if (is_old)
			pass_over(call, in);
		else if (call->operation == OPERATION_COLLECTIVE)
			collective_event(analysis, call);
		else if (call->operation != OPERATION_NONE)
			right = message_event(analysis, call, in);
		if (!right || in->bad)
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
		return known_comm_told(&analysis->known, process, in);
	case MESSAGE_TYPE:
		return known_type_told(&analysis->known, process, in);
	case MESSAGE_CALL:
		return known_call_told(&analysis->known, process, in);
	case MESSAGE_FORGET:
		process_forget(&analysis->known, process);
		return true;
	default:
		return false;
	}
}

void analysis_process_gone(struct checked_run *analysis, struct analysed_process *process)
{
	struct analysed_call *last = process->last ? call_keep(process->last) : NULL;

	process_forget(&analysis->known, process);
	process->last = last;
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
	if (ends->is_known) {
		report_vanished(analysis, ends);
		check_leftover_messages(analysis, ends);
	}
	check_leftover_collectives(analysis, ends);
}
