/* Calls that were made but not recorded (SKIPPED records): they have no times and are in no rows, but take
 * their places in the order of messages and collective calls, and begin and end requests. So later recorded
 * calls are matched correctly. */
#include "analysis/model/operation.h"

/* Limits for requests that may have been begun in this way: request numbers of a damaged
 * trace are not believed. */
enum { MADE_AT_ONCE = 1 << 12, MADE_MAX = 1 << 20 };

static void skip_sends(struct replay *replay, struct call_semantics *semantics, uint64_t count)
{
	struct envelope_queue *queue;
	struct match *match;

	if (semantics->dest_process == NO_PROCESS)
		return;
	if (!semantics->sends_to)
		semantics->sends_to = 1 + queue_number(&replay->matcher, sent_envelope(semantics));
	queue = queue_at(&replay->matcher, semantics->sends_to - 1);
	while ((match = match_skip_sends(&replay->matcher, queue, &count)))
		wake_receiver(replay, match);
}

void skip_receives(struct replay *replay, struct envelope_queue *queue, uint64_t count)
{
	struct match *match;

	while ((match = match_skip_receives(&replay->matcher, queue, &count)))
		leave_unreceived(replay, match);
}

static void skip_receives_of(struct replay *replay, struct call_semantics *semantics, int32_t source,
                             int32_t tag, uint64_t count)
{
	if (source >= 0 && tag != TAG_ANY)
		skip_receives(replay, find_queue(replay, semantics, source, tag), count);
}

void skip_open_receive(struct replay *replay, struct replay_operation *operation,
                       const struct outcome *outcome)
{
	operation->is_under_way = operation->is_skipped = false;
	if (!outcome->cancelled)
		skip_receives_of(replay, operation->semantics, outcome->source, outcome->source_tag, 1);
}

/* Requests */

/* The current request with this number is unknown. */
static struct replay_operation *clear_request(struct replay *replay, struct replay_process *proc,
                                              const struct thread *thread, int64_t number)
{
	struct replay_operation *request = number < 0 ? NULL : new_request(replay, proc, thread, number);

	if (request)
		*request = (struct replay_operation){.collective = NO_COLLECTIVE,
		                                     .thread = thread->now.thread};
	return request;
}

/* The end of a recorded request was not recorded. */
static void end_unseen(struct replay *replay, struct replay_process *proc, struct thread *thread,
                       struct replay_operation *operation, const struct outcome *outcome)
{
	settle_parked(replay, thread, operation, outcome);
	if (outcome->cancelled) {
		cancel(replay, proc, operation);
		return;
	}
	if (operation->collective != NO_COLLECTIVE)
		collective_leave(&replay->collectives, operation->collective);
	operation->collective = NO_COLLECTIVE;
	request_abandon(replay, operation);
	operation->sent = operation->receive = NULL;
}

static void skip_completion(struct replay *replay, struct replay_process *proc, struct thread *thread,
                            const struct outcome *outcome, uint64_t count)
{
	struct replay_operation *operation = find_request(proc, thread, outcome->request);

	if (!operation || !operation->semantics)
		return;
	if (operation->is_under_way) {
		count--;
		if (operation->is_skipped)
			skip_open_receive(replay, operation, outcome);
		else
			end_unseen(replay, proc, thread, operation, outcome);
	}
	/* It was started and completed more often. */
	if (count && operation->semantics->does & CALL_PREPARES && is_open(operation->semantics) &&
	    !outcome->cancelled)
		skip_receives_of(replay, operation->semantics, outcome->source, outcome->source_tag, count);
}

static void skip_start(struct replay *replay, struct replay_operation *operation, uint64_t count)
{
	struct call_semantics *semantics = operation->semantics;

	request_abandon(replay, operation);
	if (semantics->does & CALL_SENDS)
		skip_sends(replay, semantics, count);
	if (is_open(semantics))
		operation->is_under_way = operation->is_skipped = true;
	else if (semantics->does & CALL_RECEIVES)
		skip_receives_of(replay, semantics, semantics->source, semantics->kind->source_tag, count);
	if (semantics->does & CALL_IS_COLLECTIVE)
		collective_skip(&replay->collectives, operation->member, semantics->kind->own_side, count);
}

/* It begins when it is started, and may have ended already. */
static void skip_preparation(struct replay *replay, struct replay_process *proc, const struct thread *thread,
                             const struct call_skip *skip)
{
	struct call_semantics *semantics = skip->semantics;
	struct replay_operation *request = clear_request(replay, proc, thread, semantics->request);
	uint32_t member = 0;

	/* A damaged trace may count more than fits into memory. */
	for (uint64_t i = 0; semantics->does & CALL_IS_COLLECTIVE && i < skip->count && i < MADE_AT_ONCE; i++)
		member = collective_prepare(&replay->collectives, semantics->kind->own_comm, proc->process);
	if (!request)
		return;
	request->semantics = semantics;
	request->member = member;
}

static void skip_begins(struct replay *replay, struct replay_process *proc, struct thread *thread,
                        const struct call_skip *skip)
{
	struct call_semantics *semantics = skip->semantics;
	bool gets = semantics->does & CALL_RECEIVES || semantics->does & CALL_TAKES;
	struct match *found = semantics->does & CALL_BY_NUMBER
	                              ? take_message(proc, thread, semantics->kind->message)
	                              : NULL;

	if (semantics->does & CALL_SENDS)
		skip_sends(replay, semantics, skip->count);
	if (is_open(semantics)) {
		struct replay_operation *request = clear_request(replay, proc, thread, semantics->request);
		struct outcome outcome;
		/* The source of its message is known when it is complete, or by looking ahead. */
		if (look_ahead(&thread->calls, source_of(replay, proc, thread), semantics->request,
		               &outcome)) {
			if (!outcome.cancelled)
				skip_receives_of(replay, semantics, outcome.source, outcome.source_tag, 1);
		} else if (request) {
			request->semantics = semantics;
			request->is_under_way = request->is_skipped = true;
		}
	} else if (gets) {
		skip_receives_of(replay, semantics, semantics->source, semantics->kind->source_tag,
		                 skip->count);
	}
	if (found)
		leave_unreceived(replay, found);
	if (semantics->does & CALL_IS_COLLECTIVE)
		collective_skip(&replay->collectives, member_of(replay, semantics), semantics->kind->own_side,
		                skip->count);
	if (semantics->does & CALL_HAS_REQUEST && !is_open(semantics))
		clear_request(replay, proc, thread, semantics->request);
}

static void skip_call(struct replay *replay, struct replay_process *proc, struct thread *thread,
                      const struct call_skip *skip)
{
	const struct call_semantics *semantics = skip->semantics;
	uint64_t made = skip->count < MADE_AT_ONCE ? skip->count : MADE_AT_ONCE;

	if (!semantics->kind->info)
		return;
	replay->has_skipped = true;
	if (proc->requests_skipped < MADE_MAX) {
		proc->requests_skipped += made;
		proc->requests_made += made;
	}
	if (semantics->does & CALL_COMPLETES) {
		struct outcome outcome;
		uint32_t at = 0;
		while (next_outcome(skip->semantics->call, &at, &outcome))
			skip_completion(replay, proc, thread, &outcome, skip->count);
	}
	if (semantics->kind->info->persistent) {
		skip_preparation(replay, proc, thread, skip);
	} else if (semantics->does & CALL_STARTS) {
		const struct call *call = skip->semantics->call;
		for (uint32_t i = 0; i < field_count(call); i++) {
			struct replay_operation *operation = field_key_at(call, i) == FIELD_REQUEST
			                                             ? find_request(proc, thread,
			                                                            field_value_at(call, i))
			                                             : NULL;
			if (operation && operation->semantics && operation->semantics->does & CALL_PREPARES)
				skip_start(replay, operation, skip->count);
		}
	} else {
		skip_begins(replay, proc, thread, skip);
	}
}

void skip_calls_before(struct replay *replay, struct replay_process *proc, uint64_t tick)
{
	for (uint32_t i = 0; i < proc->thread_count; i++) {
		struct thread *thread = &proc->threads[i];
		struct lookahead *calls = &thread->calls;
		while (calls->skipped_at < calls->skipped_count &&
		       calls->skipped[calls->skipped_at].tick <= tick) {
			/* Looking ahead may move the list. */
			struct call_skip skip = calls->skipped[calls->skipped_at++];
			skip_call(replay, proc, thread, &skip);
		}
	}
	wake_members(replay);
}
