/* The calls of a process, one after the other: the operations that each begins and completes, and the sinks
 * and followers that receive it.
 *
 * A process with one thread executes whole calls, from begin to end, unless the sink takes raw ticks. The
 * most frequent calls, messages and their completion, bypass the general case of operation.c: each of these
 * saves a fifth of the time of a replay. */
#include "analysis/model/gaps.h"
#include "analysis/model/marks.h"
#include "analysis/model/site_add.h"

static uint64_t earlier(uint64_t x, uint64_t y)
{
	return x < y ? x : y;
}

/* The first pause or skipped call that the thread has not reached. */
static uint64_t next_stop(const struct thread *thread)
{
	const struct lookahead *calls = &thread->calls;
	uint64_t tick = UINT64_MAX;

	if (thread->pauses < thread->stream->pause_count)
		tick = thread->stream->pauses[thread->pauses].tick;
	return calls->skipped_at < calls->skipped_count
	               ? earlier(tick, calls->skipped[calls->skipped_at].tick)
	               : tick;
}

/* For a thread that may have read more events. */
static void note_gap(struct replay_process *proc, const struct thread *thread)
{
	/* With many processes the stream is not in a cache. */
	if (thread->iter.stream && !thread->iter.is_interrupted)
		return;
	proc->gap = earlier(proc->gap, unrecorded_since(thread->stream));
	proc->stop = earlier(proc->stop, next_stop(thread));
}

/* Whole calls */

/* No completion of this process must be written before. */
static bool can_write(const struct replay *replay, const struct replay_process *proc)
{
	return wants_rows(&replay->rows, RELATION_TRANSFER) &&
	       !(replay->rows.sink->in_order && proc->first_pending);
}

static void quick_send(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	struct match *match = send_message(replay, proc, thread->calls.semantics, &thread->now);

	if (!match)
		return;
	if (match->state & MATCH_POSTED && can_write(replay, proc)) {
		write_one(replay, match, &thread->now, true);
	} else if (follows_sends(replay) && !replay->rows.sink->in_order) {
		match->completion = COMPLETION_OWN;
	} else {
		completions_add(replay, match, true);
		completions_end_call(replay, &thread->now, thread->now.start);
	}
}

static inline struct envelope_queue *queue_of_receive(struct replay *replay, struct call_semantics *semantics)
{
	if (!semantics->receives_from)
		semantics->receives_from = 1 + queue_number(&replay->matcher,
		                                            received_envelope(replay, semantics,
		                                                              semantics->source,
		                                                              semantics->kind->source_tag));
	return queue_at(&replay->matcher, semantics->receives_from - 1);
}

static bool quick_receive(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	struct replay_operation *own = &thread->own;
	struct match *match;

	if (!thread->is_inside) {
		own->semantics = thread->calls.semantics;
		own->collective = NO_COLLECTIVE;
		own->receive = post_receive(replay, queue_of_receive(replay, own->semantics), &thread->now);
	}
	match = own->receive;
	if (!(match->state & MATCH_SENT)) {
		if (must_wait_for_message(replay, proc, own))
			return false;
		lose_receive(replay, own);
		return true;
	}
	check_time(replay, &thread->now, match->send.start);
	replay->counts->messages++;
	thread->sent = match->send.start;
	note_order(replay, proc, &thread->now, &match->send);
	if (can_write(replay, proc) && !is_held(replay, &thread->now, match->send.start)) {
		write_one(replay, match, &thread->now, false);
	} else {
		completions_add(replay, match, false);
		completions_end_call(replay, &thread->now, thread->now.start);
	}
	return true;
}

/* A request that is pending from now on. */
static inline struct replay_operation *begin_request(struct replay *replay, struct replay_process *proc,
                                                     const struct thread *thread)
{
	uint64_t number = (uint64_t)thread->calls.semantics->request;
	struct replay_operation *operation;

	if (number >= proc->request_room || proc->requests[number].is_under_way) {
		operation = new_request(replay, proc, thread, thread->calls.semantics->request);
	} else {
		operation = &proc->requests[number];
		proc->requests_made++;
	}
	if (!operation)
		return NULL;
	operation->semantics = thread->calls.semantics;
	operation->start = thread->now.start;
	operation->receive = operation->sent = operation->parked = NULL;
	operation->collective = NO_COLLECTIVE;
	operation->thread = thread->now.thread;
	operation->is_under_way = true;
	return operation;
}

static void quick_isend(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	struct match *sent = send_message(replay, proc, thread->calls.semantics, &thread->now);
	struct replay_operation *operation = begin_request(replay, proc, thread);

	if (operation)
		operation->sent = sent;
	else if (sent)
		match_done(replay, sent, MATCH_SEND_DONE);
}

static void quick_ireceive(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	struct envelope_queue *queue = queue_of_receive(replay, thread->calls.semantics);
	struct match *receive = post_receive(replay, queue, &thread->now);
	struct replay_operation *operation = begin_request(replay, proc, thread);

	if (operation)
		operation->receive = receive;
	else
		match_done(replay, receive, MATCH_RECEIVE_DONE);
}

static inline bool is_message(const struct replay_process *proc, uint64_t request)
{
	const struct replay_operation *operation = request < proc->request_room ? &proc->requests[request]
	                                                                        : NULL;

	return operation && operation->is_under_way && operation->semantics->act >= ACT_ISEND &&
	       operation->semantics->act <= ACT_IRECEIVE && (operation->sent || operation->receive);
}

/* Both sides are known. */
static bool is_there(const struct replay_operation *operation)
{
	const uint32_t both = MATCH_SENT | MATCH_POSTED;
	const struct match *match = operation->sent ? operation->sent : operation->receive;

	return (match->state & both) == both;
}

/* Advances to the first request that is not a message with a known other end. Known ones stay known. */
static bool are_all_there(const struct replay_process *proc, struct thread *thread)
{
	const struct call_semantics *semantics = thread->calls.semantics;
	uint32_t i = thread->outcomes_done;

	for (; i < semantics->kind->completed_count; i++) {
		uint64_t request = (uint64_t)semantics->kind->completed[i].request;
		thread->is_plain = is_message(proc, request);
		if (!thread->is_plain || !is_there(&proc->requests[request]))
			break;
	}
	thread->outcomes_done = i;
	return i == semantics->kind->completed_count;
}

static inline void finish(struct replay *replay, struct replay_process *proc, const struct thread *thread,
                          struct replay_operation *operation, struct transfer *transfer)
{
	bool is_send = operation->sent;
	struct match *match = is_send ? operation->sent : operation->receive;

	fill_transfer(transfer, match, is_send);
	if (!is_send) {
		check_time(replay, &thread->now, match->send.start);
		note_order(replay, proc, &thread->now, &match->send);
		fill_earlier(transfer, match_earlier(match));
		replay->counts->messages++;
	}
	operation->is_under_way = false;
	match_done(replay, match, is_send ? MATCH_SEND_DONE : MATCH_RECEIVE_DONE);
}

static bool is_missing(const struct replay_process *proc, uint64_t request)
{
	const struct match *receive = is_message(proc, request) ? proc->requests[request].receive : NULL;

	return receive && !(receive->state & MATCH_SENT);
}

/* The last of the missing messages: when it has arrived, so have usually the others, and the process need not
 * be visited for each. */
static const struct replay_operation *last_missing(const struct replay_process *proc,
                                                   const struct thread *thread)
{
	const struct completed *completed = thread->calls.semantics->kind->completed;
	uint32_t i = thread->calls.semantics->kind->completed_count - 1;

	while (i > thread->outcomes_done && !is_missing(proc, (uint64_t)completed[i].request))
		i--;
	return &proc->requests[completed[i].request];
}

/* All are messages so far; false: the next one is not, or one will not arrive. */
static bool waits_for_messages(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	thread->is_plain = thread->is_plain &&
	                   must_wait_for_message(replay, proc, last_missing(proc, thread));
	return thread->is_plain;
}

/* It completes one receive that has waited, and nothing else. */
static bool has_waited_for_one(const struct replay *replay, const struct replay_process *proc,
                               const struct thread *thread)
{
	const struct semantics_kind *kind = thread->calls.semantics->kind;
	const struct match *receive = kind->completed_count == 1
	                                      ? proc->requests[kind->completed[0].request].receive
	                                      : NULL;

	return receive && is_held(replay, &thread->now, receive->send.start);
}

static bool quick_completion(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	const struct semantics_kind *kind = thread->calls.semantics->kind;
	struct completion *completion;
	struct transfer *transfers;

	if (!thread->is_inside) {
		thread->own.semantics = NULL;
		thread->outcomes_done = 0;
		thread->is_plain = can_write(replay, proc);
	}
	if (!thread->is_plain)
		return operations_end(replay, proc, thread);
	if (!are_all_there(proc, thread))
		return !waits_for_messages(replay, proc, thread) && operations_end(replay, proc, thread);
	if (has_waited_for_one(replay, proc, thread)) {
		thread->outcomes_done = 0;
		return operations_end(replay, proc, thread);
	}
	transfers = write_transfers(&replay->rows, kind->completed_count, &completion);
	completion->wait = thread->now;
	completion->met = thread->now.start;
	for (uint32_t i = 0; i < kind->completed_count; i++)
		finish(replay, proc, thread, &proc->requests[kind->completed[i].request], &transfers[i]);
	copy_transfers(replay->rows.second, kind->completed_count, completion, transfers);
	return true;
}

/* False: it waits. */
static inline bool whole_call(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	bool is_over;

	switch (thread->calls.semantics->act) {
	case ACT_NONE:
		return true;
	case ACT_SEND:
		quick_send(replay, proc, thread);
		return true;
	case ACT_RECEIVE:
		return quick_receive(replay, proc, thread);
	case ACT_ISEND:
		quick_isend(replay, proc, thread);
		return true;
	case ACT_IRECEIVE:
		quick_ireceive(replay, proc, thread);
		return true;
	case ACT_COMPLETE:
		return quick_completion(replay, proc, thread);
	case ACT_TELL:
		tell_begun(replay, thread->calls.semantics, &thread->now);
		return true;
	case ACT_ANY:
		break;
	}
	if (!thread->is_inside)
		operations_begin(replay, proc, thread);
	is_over = operations_end(replay, proc, thread);
	/* Looking ahead may read more events. */
	note_gap(proc, thread);
	return is_over;
}

/* Any calls, of any threads */

void read_events(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	thread->has_event = lookahead_read(&thread->calls, source_of(replay, proc, thread));
	replay->counts->events += thread->has_event;
	/* The events just read may contain a gap. */
	note_gap(proc, thread);
}

static inline void next_event(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	thread->is_inside = proc->is_forced = false;
	if (lookahead_next(&thread->calls))
		replay->counts->events++;
	else
		read_events(replay, proc, thread);
}

static uint64_t next_tick(const struct thread *thread)
{
	return thread->is_inside ? thread->calls.event->end : thread->calls.event->start;
}

struct thread *pick_thread(struct replay_process *proc)
{
	const struct thread *first;

	if (!proc->is_ordered) {
		proc->is_ordered = true;
		for (uint32_t i = 0; i < proc->thread_count; i++)
			if (proc->threads[i].has_event)
				earliest_add(&proc->order, i, next_tick(&proc->threads[i]), 0);
	}
	if (!proc->order.count)
		return NULL;
	first = &proc->threads[proc->order.items[0].number];
	if (first->has_event)
		earliest_move(&proc->order, next_tick(first), 0);
	else
		earliest_drop(&proc->order);
	return proc->order.count ? &proc->threads[proc->order.items[0].number] : NULL;
}

void end_receives(struct replay *replay, struct replay_process *proc)
{
	proc->posts_no_receives = replay->any_without_receives = true;
}

static void pause_followers(struct replay *replay, struct replay_process *proc)
{
	for (uint32_t i = 0; i < replay->follower_count; i++)
		if (replay->followers[i].kind->paused)
			replay->followers[i].kind->paused(replay->followers[i].self, proc->process);
	if (replay->phases)
		phases_lost(replay->phases, proc->process);
}

/* Processes pauses and skipped calls. */
static __attribute__((noinline)) void pass_stops(struct replay *replay, struct replay_process *proc,
                                                 struct thread *thread)
{
	uint64_t tick = thread->calls.event->start;
	const struct stream *stream = thread->stream;

	skip_calls_before(replay, proc, tick);
	for (; thread->pauses < stream->pause_count && stream->pauses[thread->pauses].tick <= tick;
	     thread->pauses++) {
		const struct pause *pause = &stream->pauses[thread->pauses];
		int64_t at = replay->time ? shifted(thread, clock_piece_ns(thread->clock, pause->tick)) -
		                                    replay->origin
		                          : (int64_t)pause->tick;
		/* The time of a pause is not charged: earlier times move up to its end. */
		if (!pause->resumes)
			thread->paused = at;
		else if (thread->has_ended && at > thread->paused && thread->paused >= thread->ended)
			thread->ended += at - thread->paused;
		thread->before = thread->completed = NULL;
		thread->before_number = 0;
		if (pause->is_counted && pause->resumes)
			pause_followers(replay, proc);
	}
	/* For all threads, because some stops have passed. */
	proc->stop = UINT64_MAX;
	for (uint32_t i = 0; i < proc->thread_count; i++)
		note_gap(proc, &proc->threads[i]);
}

static void note_time(const struct replay *replay, struct thread *thread)
{
	const struct event *event = thread->calls.event;
	struct occurrence *now = &thread->now;

	if (replay->time) {
		note_corrected_time(replay, thread);
		return;
	}
	now->semantics = thread->calls.semantics;
	now->start = (int64_t)event->start;
	now->end = (int64_t)event->end;
	now->position = event->start;
}

/* A region belongs to its thread alone. */
static void follow_phases(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	enum mark_kind kind = mark_kind(thread->calls.semantics->call);

	phases_call(replay->phases, &thread->now, thread->calls.event->start);
	if (kind == MARK_REGION_BEGIN || kind == MARK_REGION_END) {
		thread->phase = phase_at(replay->phases, proc->process, thread->now.thread);
		return;
	}
	for (uint32_t i = 0; i < proc->thread_count; i++)
		proc->threads[i].phase = phase_at(replay->phases, proc->process, proc->threads[i].now.thread);
}

static void tell_call(const struct replay *replay, const struct thread *thread)
{
	const struct row_sink *sink = replay->rows.sink;
	const struct row_sink *second = replay->rows.second ? replay->rows.second->sink : NULL;

	if (sink->call)
		sink->call(sink->context, &thread->now, thread->calls.event);
	if (second && second->call)
		second->call(second->context, &thread->now, thread->calls.event);
}

static __attribute__((noinline)) void follow_call(struct replay *replay, struct replay_process *proc,
                                                  struct thread *thread)
{
	uint32_t followers = thread->calls.semantics->followers;

	if (followers & COUNTED_BIT)
		site_add(replay, proc, thread);
	if (followers & CALL_ROW_BIT)
		write_row(&replay->rows, RELATION_CALL, &thread->now);
	if (followers & SINK_BIT)
		tell_call(replay, thread);
	for (uint32_t left = followers & FOLLOWER_BITS; left; left &= left - 1) {
		const int i = __builtin_ctz(left);
		const struct follower *kind = replay->followers[i].kind;
		kind->call(replay->followers[i].self, &thread->now, thread->calls.event);
		proc->is_ahead |= kind->is_ahead && kind->is_ahead(replay->followers[i].self, proc->process);
	}
	if (followers & PHASE_BIT)
		follow_phases(replay, proc, thread);
}

/* Most are only counted. */
static inline void end_call(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	if (thread->calls.semantics->followers == COUNTED_BIT)
		site_add(replay, proc, thread);
	else if (thread->calls.semantics->followers)
		follow_call(replay, proc, thread);
}

/* The start or the end of a call. False: the process waits. */
static bool step(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	uint32_t matched;
	const struct call_info *info;

	if (thread->is_inside) {
		/* False: the process waits. */
		if (!operations_end(replay, proc, thread))
			return false;
		end_call(replay, proc, thread);
		next_event(replay, proc, thread);
		return true;
	}
	thread->is_inside = true;
	/* Looking ahead may have read more events. */
	note_gap(proc, thread);
	if (thread->calls.event->start >= proc->stop)
		pass_stops(replay, proc, thread);
	note_time(replay, thread);
	if (replay->rows.sink->position)
		thread->now.position = replay->rows.sink->position(replay->rows.sink->context, &thread->now,
		                                                   thread->calls.event);
	if (replay->rows.sink->begin)
		replay->rows.sink->begin(replay->rows.sink->context, &thread->now, thread->calls.event);
	matched = CALL_SENDS | CALL_RECEIVES | CALL_PROBES | CALL_BY_NUMBER | CALL_IS_COLLECTIVE;
	/* The current call of a thread, when it is the earliest of its process: everything
	 * before it has been read. */
	info = thread->calls.semantics->kind->info;
	/* MPI_Init and MPI_Finalize are always recorded. */
	thread->is_passed_over = thread->calls.event->start >= proc->gap && info &&
	                         info->class != CLASS_ENVIRONMENT;
	if (thread->is_passed_over)
		end_receives(replay, proc);
	if (!proc->has_lost_calls && thread->calls.event->start >= proc->gap) {
		proc->has_lost_calls = true;
		for (uint32_t i = 0; i < replay->follower_count; i++)
			if (replay->followers[i].kind->lost)
				replay->followers[i].kind->lost(replay->followers[i].self, proc->process);
		if (replay->phases)
			phases_lost(replay->phases, proc->process);
	}
	replay->counts->passed_over += thread->calls.semantics->does & CALL_PASSED_OVER ||
	                               (thread->is_passed_over && thread->calls.semantics->does & matched);
	operations_begin(replay, proc, thread);
	return true;
}

/* A whole call, unless some of it cannot be matched. False: the process waits. */
static inline bool whole_step(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	const struct call_semantics *semantics = thread->calls.semantics;

	if (__builtin_expect(thread->calls.event->start >= proc->stop, 0) && !thread->is_inside)
		pass_stops(replay, proc, thread);
	if (__builtin_expect(thread->calls.event->start >= proc->gap || semantics->does & CALL_PASSED_OVER,
	                     0))
		return step(replay, proc, thread);
	if (!thread->is_inside) {
		thread->is_passed_over = false;
		note_corrected_time(replay, thread);
	}
	thread->is_inside = !whole_call(replay, proc, thread);
	if (thread->is_inside)
		return false;
	end_call(replay, proc, thread);
	next_event(replay, proc, thread);
	return true;
}

enum quantum run_quantum(struct replay *replay, struct replay_process *proc)
{
	bool has_one = replay->time && proc->thread_count == 1;

	proc->is_ahead = false;
	for (uint32_t i = 0; i < replay->quantum; i++) {
		struct thread *thread = has_one ? proc->threads : pick_thread(proc);
		if (!thread || !thread->has_event)
			return QUANTUM_ENDS;
		if (!(has_one ? whole_step(replay, proc, thread) : step(replay, proc, thread)))
			return QUANTUM_WAITS;
		if (proc->is_ahead)
			return QUANTUM_AHEAD;
	}
	return QUANTUM_OVER;
}
