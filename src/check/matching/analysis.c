#include "check/matching/analysis.h"

#include "calls/ids.h"

static void matched(void *owner, struct executed_operation *send, struct executed_operation *receive)
{
	struct checked_run *run = owner;
	const bool is_certain = match_is_certain(send, receive);

	if (!is_certain)
		channel_unordered(run, send->call, send->call->peer, send->call->tag);
	if (receive->call->operation == OPERATION_RECEIVE) {
		if (send->call->partner != receive->call->serial)
			check_message(run, send->call, receive->call, is_certain);
		else if (send->call->finding != FINDING_NONE && is_certain)
			findings_log_repeat(run->log, send->call->finding);
	}
	content_matched(run, send, receive);
}

static void unordered(void *owner, const struct analysed_call *call, int32_t peer, int32_t tag)
{
	channel_unordered(owner, call, peer, tag);
}

static void cancelled(void *owner, struct executed_operation *operation)
{
	content_cancelled(owner, operation);
}

static void all_there(void *owner, struct executed_collective *collective)
{
	(void)owner;
	collective->disagrees |= collective_disagrees(collective);
}

static void gathered(void *owner, struct executed_collective *collective)
{
	check_collective(owner, collective);
}

struct checked_run *analysis_new(struct findings_log *log)
{
	struct checked_run *run = memory_new(1, sizeof *run);

	run->log = log;
	run->execution = execution_new(&run->known);
	execution_listen(run->execution, &(struct execution_listener){.owner = run,
	                                                              .matched = matched,
	                                                              .unordered = unordered,
	                                                              .cancelled = cancelled,
	                                                              .all_there = all_there,
	                                                              .gathered = gathered});
	run->ordering = ordering_new(run->execution, log);
	run->races = window_races_new(run->execution, run->ordering, log);
	run->assertions = window_assertions_new(run->execution, run->ordering, log);
	run->buffered = buffered_sends_new(run->execution, run->ordering, log);
	return run;
}

static void drop_forgotten(struct checked_run *run)
{
	for (size_t i = 0; i < run->forgotten.count; i++) {
		struct forgotten_calls *forgotten = &run->forgotten.items[i];

		for (size_t j = 0; j < forgotten->calls.count; j++)
			if (forgotten->calls.items[j])
				call_drop(&run->known, forgotten->calls.items[j]);
		array_release(&forgotten->calls);
	}
	array_release(&run->forgotten);
}

void analysis_release(struct checked_run *run)
{
	if (!run->execution)
		return;
	execution_free(run->execution);
	run->execution = NULL;
	buffered_sends_free(run->buffered);
	window_assertions_free(run->assertions);
	window_races_free(run->races);
	ordering_free(run->ordering);
	for (size_t i = 0; i < run->known.processes.count; i++) {
		struct analysed_process *process = run->known.processes.items[i];
		/* The last call of a vanished process is kept; for other processes it
		 * is one of their calls. */
		if (process->last && !process->calls.count)
			call_drop(&run->known, process->last);
		process_forget(&run->known, process);
	}
	contents_free(run);
	array_release(&run->gone);
	drop_forgotten(run);
}

void analysis_free(struct checked_run *run)
{
	analysis_release(run);
	known_release(&run->known);
	free(run);
}

/* Events that already arrived, and are sent again */

/* The number of values of a change. */
static const struct {
	uint8_t numbers;
	bool counts_more; /* the last of the values says how many follow */
} change_numbers[] = {
	[CHANGE_RECEIVES] = {2, false},     [CHANGE_POSITION] = {1, false}, [CHANGE_REJECTED] = {1, false},
	[CHANGE_TAKES] = {3, false},        [CHANGE_WAITS] = {2, true},     [CHANGE_COMPLETES] = {1, true},
	[CHANGE_DROPS] = {2, false},        [CHANGE_THREAD] = {1, false},   [CHANGE_WINDOW] = {2, false},
	[CHANGE_ENDS] = {1, false},         [CHANGE_CONTENT] = {4, false},  [CHANGE_LEFT] = {1, false},
	[CHANGE_RESUMES_COMM] = {3, false}, [CHANGE_RESUMES] = {5, false},  [CHANGE_RESUMED] = {3, false},
	[CHANGE_AWAITS] = {7, false},       [CHANGE_CHANGED] = {7, false},  [CHANGE_CHANNEL] = {5, false},
};

/* Events */

static bool call_event(struct checked_run *run, struct analysed_process *process, uint64_t number,
                       bool is_old, struct cursor *in)
{
	struct analysed_call *call = process_call(process, number);

	if (!call || !call->member)
		return false;
	process->last = call;
	call->member->comm->has_collectives |= call->operation == OPERATION_COLLECTIVE;
	if (!is_old) {
		call->member->collective_count += call->operation == OPERATION_COLLECTIVE;
		return execution_event(run->execution, process, 0, call, in);
	}
	if (call_has_hash(call))
		take_varint(in);
	return true;
}

/* For the comparison alone. */
static bool compared_event(struct checked_run *run, struct analysed_process *process, uint64_t change,
                           struct cursor *in)
{
	struct analysed_call *call = process_call(process, take_varint(in));
	const uint64_t begun = executed_operations_of(process);
	const uint64_t distance = take_varint(in);
	uint64_t bytes, hash;

	if (change == CHANGE_RECEIVES)
		return !in->bad && distance && distance <= begun &&
		       receives_event(run, process, begun - distance, call);
	bytes = take_varint(in);
	hash = take_varint(in);
	return !in->bad && content_event(run, call, distance, bytes, hash);
}

/* The messages of a channel to this process, according to another analyser. */
static bool channel_handed(struct checked_run *run, struct analysed_process *process, struct cursor *in)
{
	const struct comm_member *member = process_membership(process, take_varint(in));
	const uint64_t source = take_varint(in), tag = take_varint(in), sent = take_varint(in),
		       flags = take_varint(in);

	if (in->bad || !member || tag > INT32_MAX ||
	    source >= member->comm->size[comm_is_inter(member->comm) ? !member->side : member->side])
		return false;
	message_channel_resume(run->execution, member, (uint32_t)source, (uint32_t)tag, sent,
	                       flags & CHANNEL_UNORDERED);
	if (flags & CHANNEL_UNCOMPARED)
		*map_put(&run->contents.unordered,
		         message_channel_to(member, (uint32_t)source, (uint32_t)tag)) = 0;
	return true;
}

static bool change_event(struct checked_run *run, struct analysed_process *process, struct cursor *in,
                         bool *is_old)
{
	const uint64_t change = take_varint(in);
	struct analysed_call *call;
	uint64_t position;

	if (change >= sizeof change_numbers / sizeof *change_numbers || !change_numbers[change].numbers)
		return false;
	if (change == CHANGE_POSITION) {
		position = take_varint(in);
		*is_old = position < process->received_until;
		process->received_until = *is_old ? process->received_until : position;
		run->event_count--; /* not an event */
		return true;
	}
	if (*is_old) {
		uint64_t number = 0;
		for (int i = 0; i < change_numbers[change].numbers; i++)
			number = take_varint(in);
		for (; change_numbers[change].counts_more && number && !in->bad; number--)
			take_varint(in);
		return !in->bad;
	}
	switch (change) {
	case CHANGE_RECEIVES:
	case CHANGE_CONTENT:
		return compared_event(run, process, change, in);
	case CHANGE_AWAITS:
	case CHANGE_CHANGED:
		return content_handed(run, process, (enum event_change)change, in);
	case CHANGE_CHANNEL:
		return channel_handed(run, process, in);
	case CHANGE_REJECTED:
		call = process_call(process, take_varint(in));
		if (!call || !call->member || call->operation != OPERATION_COLLECTIVE)
			return false;
		process->last = call;
		rejection_add(call->member);
		return true;
	default:
		return execution_event(run->execution, process, change, NULL, in);
	}
}

/* True if an execution of some of the processes can handle the next change. */
static bool is_plain_change(const struct analysed_process *process, struct cursor in)
{
	uint64_t distance;

	switch (take_varint(&in)) {
	case CHANGE_RECEIVES:
	case CHANGE_POSITION:
	case CHANGE_TAKES:
	case CHANGE_WAITS:
	case CHANGE_COMPLETES:
	case CHANGE_ENDS:
	case CHANGE_LEFT:
	case CHANGE_CONTENT:
		return true;
	case CHANGE_THREAD:
		return !take_varint(&in);
	case CHANGE_DROPS:
		distance = take_varint(&in);
		return !take_varint(&in) || receive_lacks_message(process, distance);
	default:
		return false;
	}
}

static bool take_events(struct checked_run *run, struct analysed_process *process, struct cursor *in)
{
	bool is_old = false; /* the following events already arrived */

	while (cursor_left(in)) {
		const uint8_t *at = in->at;
		const uint64_t number = take_varint(in);

		if (!number && run->is_part && !is_old && !is_plain_change(process, *in)) {
			in->at = at;
			run->is_stopped = true;
			return true;
		}
		run->event_count++;
		if (!(number ? call_event(run, process, number, is_old, in)
		             : change_event(run, process, in, &is_old)) ||
		    in->bad)
			return false;
	}
	return true;
}

/* Other analysers may refer to them. Calls with later numbers are unknown to these analysers. */
static void keep_calls(struct checked_run *run, struct analysed_process *process)
{
	struct forgotten_calls *forgotten;

	for (size_t i = 0; i < run->forgotten.count; i++)
		if (run->forgotten.items[i].process == process)
			return;
	forgotten = array_new_item(&run->forgotten);
	forgotten->process = process;
	for (size_t i = 0; i < process->calls.count; i++) {
		struct analysed_call *call = process->calls.items[i];

		array_add(&forgotten->calls, call ? call_keep(call) : NULL);
	}
}

bool analysis_frame(struct checked_run *run, struct analysed_process *process, enum message_kind kind,
                    struct cursor *in)
{
	switch (kind) {
	case MESSAGE_EVENTS:
		return take_events(run, process, in);
	case MESSAGE_COMM:
		return known_comm_add(&run->known, process, in);
	case MESSAGE_TYPE:
		return known_type_add(&run->known, process, in);
	case MESSAGE_CALL:
		return known_call_add(&run->known, process, in);
	case MESSAGE_ORDER:
		return run->is_gathering && ordering_hear_items(run->ordering, process, in);
	case MESSAGE_FORGET:
		if (run->is_gathering)
			keep_calls(run, process);
		process_forget(&run->known, process);
		return true;
	default:
		return false;
	}
}

/* Its calls are not needed any more, but for the last. */
static void forget(struct checked_run *run, struct analysed_process *process)
{
	struct analysed_call *last = process->last ? call_keep(process->last) : NULL;

	process_forget(&run->known, process);
	process->last = last;
}

void analysis_process_gone(struct checked_run *run, struct analysed_process *process, enum process_end end)
{
	executed_process_ended(run->execution, process, end);
	if (run->is_gathering)
		array_add(&run->gone, process);
	else if (!run->is_part)
		forget(run, process);
}

void analysis_gathered(struct checked_run *run)
{
	contents_gathered(run);
	run->is_gathering = false;
	for (size_t i = 0; i < run->gone.count; i++)
		forget(run, run->gone.items[i]);
	array_release(&run->gone);
	drop_forgotten(run);
}

bool process_is_in_finalize(const struct analysed_process *process)
{
	return process->last &&
	       (process->last->function == CALL_Finalize || process->last->function == CALL_shmem_finalize);
}

/* A word of mpi.checks. */
#define UNKNOWN_CAUSE \
	"it crashed, was killed, called _exit() or exec(), or MPI ended it after an error that MPI printed"

static void report_vanished(struct checked_run *run, const struct process_ends *ends)
{
	for (size_t i = 0; i < run->known.processes.count; i++) {
		const struct analysed_process *process = run->known.processes.items[i];
		struct report_draft report;
		if (!process_vanished_first(ends, process->world, process->rank))
			continue;
		report_begin(&report, CHECK_END_CRASH);
		report_value(&report, "cause", "%s", process->crash ? process->crash->cause : UNKNOWN_CAUSE);
		if (process->crash && process->crash->call.stack_count &&
		    call_copy(&report.calls[report.finding.call_count], &process->crash->call))
			report.finding.call_count++;
		if (process->last)
			report_call(&report, process->last,
			            report.finding.call_count ? NOTE_EARLIER : NOTE_HERE);
		else if (!report.finding.call_count) /* as in MPI_Init */
			report.calls[report.finding.call_count++] = (struct check_call){
				.world = process->world,
				.rank = process->rank,
				.function = CALL_Init,
				.note = memory_copy_text(NOTE_HERE),
				.arguments = memory_copy_text("")};
		report_end(&report, run->log);
	}
}

void analysis_end(struct checked_run *run, const struct process_ends *ends)
{
	window_races_end(run->races);
	window_assertions_end(run->assertions);
	ordering_end(run->ordering);
	execution_finish(run->execution, run);
	if (run->is_gathering) /* an analyser is gone */
		analysis_gathered(run);
	check_changed_data(run);
	if (ends->is_known) {
		report_vanished(run, ends);
		check_leftover_messages(run, ends);
	}
	check_leftover_collectives(run, ends);
}
