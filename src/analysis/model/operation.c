#include "analysis/model/operation.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct event_source source_of(const struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	return (struct event_source){.iter = &thread->iter,
	                             .semantics_table = &proc->semantics_table,
	                             .comms = replay->comms,
	                             .process = proc->process};
}

/* Begin */

void leave_unreceived(struct replay *replay, struct match *sent)
{
	replay->counts->unrecorded++;
	sent->state |= MATCH_RECEIVED | MATCH_SKIPPED;
	completions_drop(replay, sent);
	match_done(replay, sent, MATCH_RECEIVE_DONE);
}

void deliver_message(struct replay *replay, struct match *sent, bool at_front)
{
	struct match *woken = match_deliver(&replay->matcher, sent, at_front);

	if (sent->state & MATCH_SKIPPED && !woken)
		leave_unreceived(replay, sent);
	if (!woken)
		return;
	if (sent->state & MATCH_RECEIVED && !(sent->state & MATCH_SKIPPED)) {
		struct replay_process *proc = &replay->processes[sent->post.semantics->process];
		/* A receive that was merged with its message: its own process refers to another match. */
		for (uint64_t i = 0; i < proc->request_room; i++)
			if (proc->requests[i].receive == woken)
				proc->requests[i].receive = sent;
		for (size_t i = 0; i < proc->moved.count; i++) {
			struct replay_operation *moved = proc->moved.items[i].state;
			if (moved->receive == woken)
				moved->receive = sent;
		}
		for (uint32_t i = 0; i < proc->thread_count; i++)
			if (proc->threads[i].own.receive == woken)
				proc->threads[i].own.receive = sent;
		if (proc->waits_match == woken)
			proc->waits_match = sent;
		woken = sent;
	}
	wake_receiver(replay, woken);
}

void wake_members(struct replay *replay)
{
	uint32_t process;

	while (collective_next_woken(&replay->collectives, &process))
		wake_process(replay, process);
}

static uint32_t source_side(const struct replay *replay, const struct call_semantics *semantics)
{
	return is_inter(&replay->comms->comms[semantics->kind->own_comm]) ? !semantics->kind->own_side
	                                                                  : semantics->kind->own_side;
}

struct envelope received_envelope(const struct replay *replay, const struct call_semantics *semantics,
                                  int32_t source, int32_t tag)
{
	return (struct envelope){.channel = semantics->kind->own_comm * 2 + source_side(replay, semantics),
	                         .source = (uint32_t)source,
	                         .dest = semantics->own_rank,
	                         .tag = tag};
}

/* The envelope of a wildcard differs from time to time. */
struct envelope_queue *find_queue(struct replay *replay, struct call_semantics *semantics, int32_t source,
                                  int32_t tag)
{
	if (is_open(semantics) || !semantics->receives_from)
		semantics->receives_from =
			1 + queue_number(&replay->matcher, received_envelope(replay, semantics, source, tag));
	return queue_at(&replay->matcher, semantics->receives_from - 1);
}

/* The call that started a prepared operation. */
static uint32_t starter_of(const struct replay *replay, const struct call_semantics *semantics,
                           const struct occurrence *by)
{
	size_t low = 0, high = replay->started.count;

	if (by->semantics == semantics)
		return NO_STARTER;
	/* Sorted by number. */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (replay->started.items[middle]->number <= by->semantics->number)
			low = middle;
		else
			high = middle;
	}
	return replay->starters.items[low];
}

static void tell_posted(const struct replay *replay, const struct call_semantics *semantics,
                        const struct occurrence *by, int32_t source, int32_t tag)
{
	uint32_t sender = comm_process(replay->comms, semantics->kind->own_comm,
	                               source_side(replay, semantics), (uint32_t)source);

	if (sender != NO_PROCESS)
		remote_facts_tell(replay, REMOTE_POSTED, by, sender,
		                  (struct rank_fact){.process = semantics->process,
		                                     .call = semantics->call->id,
		                                     .starter = starter_of(replay, semantics, by),
		                                     .source = source,
		                                     .tag = tag});
}

static int32_t request_of(const struct call_semantics *semantics)
{
	return semantics->does & CALL_HAS_REQUEST ? semantics->request : -1;
}

void tell_begun(const struct replay *replay, const struct call_semantics *semantics,
                const struct occurrence *by)
{
	struct rank_fact fact = {.process = semantics->process,
	                         .call = semantics->call->id,
	                         .starter = starter_of(replay, semantics, by),
	                         .request = request_of(semantics)};

	if (semantics->does & CALL_SENDS && semantics->dest_process != NO_PROCESS)
		remote_facts_tell(replay, REMOTE_SENT, by, semantics->dest_process, fact);
	if (semantics->does & CALL_RECEIVES && !is_open(semantics) && semantics->source >= 0 &&
	    semantics->kind->source_tag != TAG_ANY)
		tell_posted(replay, semantics, by, semantics->source, semantics->kind->source_tag);
	if (semantics->does & CALL_IS_COLLECTIVE)
		remote_facts_tell(replay, REMOTE_ENTERED, by, NO_PROCESS, fact);
}

static struct match *post(struct replay *replay, struct call_semantics *semantics,
                          const struct occurrence *by, int32_t source, int32_t tag)
{
	struct envelope_queue *queue;

	if (source < 0 || tag == TAG_ANY)
		return NULL;
	queue = find_queue(replay, semantics, source, tag);
	if (replay->session->facts && is_open(semantics) && !(semantics->does & CALL_PROBES))
		tell_posted(replay, semantics, by, source, tag);
	return semantics->does & CALL_PROBES ? match_probe(&replay->matcher, queue, by)
	                                     : post_receive(replay, queue, by);
}

static struct match *park(struct matcher *matcher, const struct occurrence *by)
{
	struct match *match = match_new(matcher, NULL, 0);

	match->post = *by;
	return match;
}

struct collective_entry entry_of(const struct call_semantics *semantics, int64_t moment)
{
	return (struct collective_entry){.own = membership_of(semantics),
	                                 .needs = semantics->needs,
	                                 .root = semantics->kind->root,
	                                 .needs_nobody = semantics->does & CALL_NEEDS_NOBODY,
	                                 .gives_nothing = semantics->does & CALL_GIVES_NOTHING,
	                                 .process = semantics->process,
	                                 .moment = moment};
}

/* A prepared operation stores it. */
uint32_t member_of(struct replay *replay, struct call_semantics *semantics)
{
	uint32_t order = semantics->kind->info->class == CLASS_ENVIRONMENT ||
	                                 semantics->kind->info->pgas == PGAS_OTHER
	                         ? ORDER_ENVIRONMENT
	                 : semantics->kind->info->pgas == PGAS_SYNC ? ORDER_BARRIERS
	                                                            : ORDER_CALLS;

	if (!semantics->member && semantics->kind->object)
		semantics->member = 1 + collective_member_of_object(
						&replay->collectives, semantics->kind->own_comm,
						semantics->kind->object, semantics->process);
	else if (!semantics->member)
		semantics->member = 1 + collective_member(&replay->collectives, semantics->kind->own_comm,
		                                          order, semantics->process);
	return semantics->member - 1;
}

void meet(struct replay *replay, struct replay_operation *operation, const struct occurrence *by)
{
	struct call_semantics *semantics = operation->semantics;
	struct collective_entry entry = entry_of(semantics, replay->time ? by->start : (int64_t)by->position);
	uint32_t member = semantics->does & CALL_PREPARES ? operation->member : member_of(replay, semantics);

	operation->collective = collective_enter(&replay->collectives, member, &entry);
	replay->processes[semantics->process].is_ahead |=
		operation->collective != NO_COLLECTIVE &&
		collectives_under_way(&replay->collectives, operation->collective) > replay->limit;
	if (operation->collective != NO_COLLECTIVE && replay->collectives.over)
		operation->participant = collective_add_participant(&replay->collectives,
		                                                    operation->collective, by);
	wake_members(replay);
}

/* A message found by a matched probe is received by its number, which the receive's
 * request may reuse at once. */
struct match *take_message(struct replay_process *proc, const struct thread *thread, int64_t number)
{
	struct replay_operation *found = find_request(proc, thread, number);
	struct match *match = found && found->semantics && found->is_under_way ? found->receive : NULL;

	if (found)
		*found = (struct replay_operation){0};
	return match;
}

static void receive_taken(struct replay *replay, struct match *match, const struct occurrence *by)
{
	if (!match)
		return;
	match->post = *by;
	match->state |= MATCH_POSTED;
	completions_posted(replay, match);
}

struct call_semantics *started_semantics(struct replay *replay, struct call_semantics *prepared,
                                         uint32_t starter, const struct call *call)
{
	uint32_t *known = map_put(&replay->started_numbers, map_key(prepared->number, starter));
	struct call_semantics *made;

	if (*known != MAP_NONE)
		return replay->started.items[*known];
	*known = (uint32_t)replay->started.count;
	made = arena_new(&replay->arena, struct call_semantics);
	*made = *prepared;
	made->call = call;
	made->number = replay->call_count++;
	made->followers = 0;
	array_add(&replay->started, made);
	array_add(&replay->starters, starter);
	mention_call(&replay->rows, made);
	return made;
}

/* A prepared operation begins at its start. */
static struct call_semantics *as_started(struct replay *replay, struct replay_process *proc,
                                         struct call_semantics *prepared, const struct call_semantics *start)
{
	struct process *process = &replay->reader->processes[proc->process];
	const uint32_t *known;

	/* For partitioned messages, other calls define the time of sending. */
	if (!replay->time || !(prepared->does & CALL_PREPARES) ||
	    prepared->kind->info->class == CLASS_PARTITIONED)
		return prepared;
	known = map_find(&replay->started_numbers, map_key(prepared->number, start->call->id));
	return known ? replay->started.items[*known]
	             : started_semantics(replay, prepared, start->call->id,
	                                 call_started(process, prepared->call, start->call));
}

/* The current call begins it. */
static void begin(struct replay *replay, struct replay_process *proc, struct replay_operation *operation,
                  struct thread *thread)
{
	struct call_semantics *semantics = operation->semantics;
	struct occurrence by = thread->now;

	by.semantics = as_started(replay, proc, semantics, thread->calls.semantics);
	operation->start = by.start;
	operation->collective = NO_COLLECTIVE;
	operation->sent = operation->parked = NULL;
	operation->is_under_way = true;
	if (replay->session->facts)
		tell_begun(replay, semantics, &by);
	if (semantics->does & CALL_SENDS)
		operation->sent = send_message(replay, proc, semantics, &by);
	if (is_open(semantics)) {
		struct outcome outcome;
		bool is_known_ahead;
		/* A wildcard receive takes its place among the others as soon as the source of its message is
		 * known. A receive that will be cancelled takes none. */
		operation->receive = NULL;
		is_known_ahead = look_ahead(&thread->calls, source_of(replay, proc, thread),
		                            operation->semantics->request, &outcome);
		/* Later receives may get its message. */
		if (!is_known_ahead && proc->lacks_completions)
			proc->gap = thread->calls.event->start;
		if (!is_known_ahead)
			operation->parked = park(&replay->matcher, &by);
		else if (!outcome.cancelled)
			operation->receive = post(replay, operation->semantics, &by, outcome.source,
			                          outcome.source_tag);
	} else if (semantics->does & (CALL_RECEIVES | CALL_PROBES)) {
		operation->receive = post(replay, semantics, &by, semantics->source,
		                          semantics->kind->source_tag);
	} else if (semantics->does & CALL_BY_NUMBER) {
		receive_taken(replay, operation->receive, &by);
	}
	if (semantics->does & CALL_IS_COLLECTIVE)
		meet(replay, operation, &by);
}

static void begin_own(struct replay *replay, struct replay_process *proc, struct thread *thread,
                      struct match *found)
{
	struct call_semantics *semantics = thread->calls.semantics;
	struct replay_operation *own = &thread->own;

	*own = (struct replay_operation){.semantics = semantics,
	                                 .receive = found,
	                                 .collective = NO_COLLECTIVE,
	                                 .thread = thread->now.thread};
	if (!(semantics->does & CALL_PREPARES))
		begin(replay, proc, own, thread);
	else if (semantics->does & CALL_IS_COLLECTIVE) {
		own->member = collective_prepare(&replay->collectives, semantics->kind->own_comm,
		                                 proc->process);
		remote_facts_tell(replay, REMOTE_PREPARED, &thread->now, NO_PROCESS,
		                  (struct rank_fact){.process = proc->process,
		                                     .call = semantics->call->id,
		                                     .starter = NO_STARTER,
		                                     .request = request_of(semantics)});
	}
}

void operations_begin(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	const struct call_semantics *semantics = thread->calls.semantics;
	struct match *found = semantics->does & CALL_BY_NUMBER
	                              ? take_message(proc, thread, semantics->kind->message)
	                              : NULL;
	uint32_t begins = CALL_SENDS | CALL_RECEIVES | CALL_PROBES | CALL_BY_NUMBER | CALL_IS_COLLECTIVE |
	                  CALL_HAS_REQUEST;

	thread->own.semantics = NULL;
	thread->outcomes_done = 0;
	if (thread->is_passed_over)
		return;
	if (semantics->does & CALL_STARTS) {
		const struct call *call = thread->calls.semantics->call;
		for (uint32_t i = 0; i < field_count(call); i++) {
			struct replay_operation *operation = field_key_at(call, i) == FIELD_REQUEST
			                                             ? find_request(proc, thread,
			                                                            field_value_at(call, i))
			                                             : NULL;
			if (!operation || !operation->semantics ||
			    !(operation->semantics->does & CALL_PREPARES))
				continue;
			request_abandon(replay, operation);
			site_started(operation->semantics);
			begin(replay, proc, operation, thread);
		}
	}
	if (semantics->does & begins)
		begin_own(replay, proc, thread, found);
}

/* Wait */

static uint32_t sender_of(const struct replay *replay, const struct call_semantics *semantics,
                          const struct match *match)
{
	return is_open(semantics) ? comm_process(replay->comms, semantics->kind->own_comm,
	                                         source_side(replay, semantics), match->queue->source)
	                          : semantics->source_process;
}

/* False: the message will not arrive, so there is nothing to wait for. */
static bool wait_for_message(struct replay *replay, struct replay_process *proc,
                             const struct call_semantics *semantics, struct match *match)
{
	uint32_t sender = sender_of(replay, semantics, match);
	struct replay_process *source;

	if (proc->is_forced || match->state & MATCH_SKIPPED || sender == NO_PROCESS ||
	    replay->processes[sender].state == PROCESS_ENDED)
		return false;
	source = &replay->processes[sender];
	proc->sender = sender;
	proc->previous = NO_PROCESS;
	proc->next = source->first_waiting;
	if (proc->next != NO_PROCESS)
		replay->processes[proc->next].previous = proc->process;
	source->first_waiting = proc->process;
	match->state |= MATCH_AWAITED;
	proc->waits_match = match;
	proc->state = PROCESS_WAITS;
	return true;
}

static bool wait_for_collective(struct replay *replay, struct replay_process *proc, uint32_t collective,
                                const struct call_semantics *semantics, const struct collective_entry *entry)
{
	if (proc->is_forced)
		return false;
	collective_sleep(&replay->collectives, collective, entry);
	proc->waits_collective = collective;
	proc->waits_semantics = semantics;
	proc->state = PROCESS_WAITS;
	return true;
}

static bool must_wait_for_collective(struct replay *replay, struct replay_process *proc,
                                     const struct replay_operation *operation)
{
	struct collective_entry entry = entry_of(operation->semantics, 0);

	return !collective_may_leave(&replay->collectives, operation->collective, &entry) &&
	       wait_for_collective(replay, proc, operation->collective, operation->semantics, &entry);
}

/* A message taken by its number has already arrived, or never will. */
bool must_wait_for_message(struct replay *replay, struct replay_process *proc,
                           const struct replay_operation *operation)
{
	const struct call_semantics *semantics = operation->semantics;

	return operation->receive && !(semantics->does & CALL_BY_NUMBER) &&
	       !match_message(operation->receive) &&
	       wait_for_message(replay, proc, semantics, operation->receive);
}

static bool must_wait(struct replay *replay, struct replay_process *proc,
                      const struct replay_operation *operation)
{
	return (operation->collective != NO_COLLECTIVE &&
	        must_wait_for_collective(replay, proc, operation)) ||
	       must_wait_for_message(replay, proc, operation);
}

/* End */

/* A message given to a receive that ends without it goes to the next one. */
static void withdraw(struct replay *replay, struct match *match)
{
	bool was_posted = match->state & MATCH_POSTED;

	if (!match_withdraw(&replay->matcher, match))
		return;
	if (was_posted)
		completions_unposted(replay, match);
	deliver_message(replay, match, true);
	if (match->state & MATCH_POSTED)
		completions_posted(replay, match);
}

/* MPI_Iprobe reports whether it found one, and does not wait. */
static void note_found(struct replay *replay, struct replay_process *proc, const struct thread *thread,
                       const struct match *probe)
{
	const struct occurrence *now = &thread->now, *send = &probe->found->send;
	int64_t flag;

	if (call_field(now->semantics->call, FIELD_FLAG, &flag)) {
		if (wants_rows(&replay->rows, RELATION_FOUND_MESSAGE))
			write_row(&replay->rows, RELATION_FOUND_MESSAGE,
			          &(struct found_message){.call = *now, .send = *send});
		return;
	}
	if (send->start <= now->start)
		return;
	completions_add_probe(replay, probe);
	if (wants_rows(&replay->rows, RELATION_INVERSION))
		inversions_waited(replay, proc, now, send);
}

static void end_receive(struct replay *replay, struct replay_process *proc, struct thread *thread,
                        struct replay_operation *operation)
{
	const struct row_sink *sink = replay->rows.sink;
	int64_t sent = match_message(operation->receive)->send.start;

	check_time(replay, &thread->now, sent);
	thread->since = sent > thread->since ? sent : thread->since;
	if (sink->message)
		sink->message(
			sink->context, &thread->now,
			&(struct completed_message){.send = &match_message(operation->receive)->send,
		                                    .post = &operation->receive->post,
		                                    .is_probed = operation->receive->state & MATCH_PROBE});
	if (operation->semantics->does & CALL_PROBES) {
		const struct call_semantics *semantics;
		struct replay_operation *found;
		struct match *taken;
		note_found(replay, proc, thread, operation->receive);
		/* The message of MPI_Mprobe keeps its number until it is received. */
		semantics = operation->semantics;
		found = semantics->does & CALL_TAKES
		                ? new_request(replay, proc, thread, semantics->kind->message)
		                : NULL;
		taken = found ? match_take(&replay->matcher, operation->receive) : NULL;
		if (taken) {
			*found = *operation;
			found->receive = taken;
			found->is_under_way = true;
		} else {
			withdraw(replay, operation->receive);
		}
		operation->receive = NULL;
		return;
	}
	replay->counts->messages++;
	note_received(thread, operation->receive);
	note_order(replay, proc, &thread->now, &operation->receive->send);
	completions_add(replay, operation->receive, false);
	operation->receive = NULL;
}

void lose_receive(struct replay *replay, struct replay_operation *operation)
{
	/* A message with an unknown number: the message, or the call that found it, was not recorded. */
	bool is_skipped = operation->receive ? operation->receive->state & MATCH_SKIPPED
	                                     : replay->has_skipped;

	if (is_skipped)
		replay->counts->unrecorded++;
	else
		replay->counts->unmatched_receives++;
	if (operation->receive && is_skipped && operation->semantics->does & CALL_TAKES)
		skip_receives(replay, operation->receive->queue, 1);
	if (operation->receive)
		withdraw(replay, operation->receive);
	operation->receive = NULL;
}

static void hand_over_collective(struct replay *replay, const struct thread *thread,
                                 const struct replay_operation *operation, struct arrival cause)
{
	const struct row_sink *sink = replay->rows.sink;
	const struct collective *collective = &replay->collectives.items[operation->collective];

	sink->collective(sink->context, &thread->now,
	                 &(struct collective_end){.semantics = operation->semantics,
	                                          .start = operation->start,
	                                          .needs = collective->needs,
	                                          .cause = cause.process,
	                                          .cause_moment = cause.moment,
	                                          .order = collective->order,
	                                          .sequence = collective->sequence});
}

static void note_met(struct thread *thread, int64_t moment)
{
	thread->met = moment > thread->met ? moment : thread->met;
}

/* A request of a file or a window may be the reason for the rest of the time in a call. */
static bool takes_the_rest(const struct replay_operation *operation)
{
	const struct call_info *info = operation->semantics->kind->info;

	return info->class == CLASS_FILE_DATA || info->class == CLASS_ONE_SIDED || info->pgas == PGAS_ACCESS;
}

static void end_operation(struct replay *replay, struct replay_process *proc, struct thread *thread,
                          struct replay_operation *operation)
{
	uint32_t receives = CALL_RECEIVES | CALL_PROBES | CALL_BY_NUMBER;

	operation->is_under_way = false;
	if (takes_the_rest(operation))
		note_met(thread, thread->now.end);
	if (operation->collective != NO_COLLECTIVE) {
		struct collective_entry entry = entry_of(operation->semantics, 0);
		struct arrival cause = collective_cause(&replay->collectives, operation->collective, &entry);
		struct collective *collective = &replay->collectives.items[operation->collective];
		if (cause.process != NO_PROCESS && collective->needs != COLLECTIVE_SOME)
			check_time(replay, &thread->now, cause.moment);
		if (replay->rows.sink->collective)
			hand_over_collective(replay, thread, operation, cause);
		if (replay->collectives.over) {
			collective->participants[operation->participant].wait = thread->now;
			collective->participants[operation->participant].since = thread->since;
		}
		if (request_of(operation->semantics) >= 0)
			remote_facts_tell(replay, REMOTE_LEFT, &thread->now, NO_PROCESS,
			                  (struct rank_fact){.process = proc->process,
			                                     .call = thread->now.semantics->call->id,
			                                     .starter = NO_STARTER,
			                                     .request = operation->semantics->request,
			                                     .since = thread->since + replay->origin});
		if (collective->needs == COLLECTIVE_SOME)
			cause.moment = thread->now.end;
		thread->since = cause.moment > thread->since ? cause.moment : thread->since;
		note_met(thread, cause.moment);
		collective_leave(&replay->collectives, operation->collective);
		operation->collective = NO_COLLECTIVE;
	}
	if (operation->semantics->does & receives) {
		if (operation->receive && match_message(operation->receive))
			end_receive(replay, proc, thread, operation);
		else
			lose_receive(replay, operation);
	}
	if (operation->sent)
		completions_add(replay, operation->sent, true);
	operation->sent = NULL;
}

void cancel(struct replay *replay, struct replay_process *proc, struct replay_operation *operation)
{
	replay->counts->cancelled++;
	operation->is_under_way = false;
	if (operation->receive)
		withdraw(replay, operation->receive);
	operation->receive = NULL;
	if (!operation->sent) {
		replay->counts->unmatched_sends -= (operation->semantics->does & CALL_SENDS) != 0;
		return;
	}
	if (operation->sent->state & MATCH_RECEIVED) {
		match_done(replay, operation->sent, MATCH_SEND_DONE);
	} else {
		match_take_back(&replay->matcher, operation->sent);
		proc->in_flight--;
	}
	operation->sent = NULL;
}

/* The request that a call completes; NULL: already over, or unknown. */
static struct replay_operation *find_completed(struct replay_process *proc, const struct thread *thread,
                                               const struct completed *completed)
{
	struct replay_operation *operation = find_request(proc, thread, completed->request);

	return operation && operation->semantics && operation->is_under_way ? operation : NULL;
}

void settle_parked(struct replay *replay, struct thread *thread, struct replay_operation *operation,
                   const struct outcome *outcome)
{
	struct occurrence by;

	if (!operation->parked)
		return;
	by = operation->parked->post;
	lookahead_skip(&thread->calls, outcome->request);
	request_forget_parked(replay, operation);
	if (outcome->source != RANK_NULL && !outcome->cancelled)
		operation->receive = post(replay, operation->semantics, &by, outcome->source,
		                          outcome->source_tag);
}

/* Only now the source of a wildcard's message is known. False: no message, or the
 * receive was not recorded. */
static bool settle_open(struct replay *replay, struct thread *thread, struct replay_operation *operation)
{
	const struct outcome *outcome = outcome_at(&thread->outcomes, thread->calls.semantics->call,
	                                           thread->outcomes_done);

	if (operation->is_skipped) {
		lookahead_skip(&thread->calls, outcome->request);
		skip_open_receive(replay, operation, outcome);
		return false;
	}
	settle_parked(replay, thread, operation, outcome);
	return outcome->cancelled || outcome->source != RANK_NULL;
}

/* False: the process waits for it. */
static bool settle_request(struct replay *replay, struct replay_process *proc, struct thread *thread,
                           const struct completed *completed)
{
	struct replay_operation *operation = find_completed(proc, thread, completed);

	if (!operation)
		return true;
	if (is_open(operation->semantics) && !settle_open(replay, thread, operation)) {
		operation->is_under_way = false;
		return true;
	}
	if (completed->cancelled) {
		cancel(replay, proc, operation);
		return true;
	}
	return !must_wait(replay, proc, operation);
}

/* The remaining requests are collective operations. Of those that only need some members and take the rest of
 * the call, the last one waits longest. */
static void end_collectives(struct replay *replay, struct replay_process *proc, struct thread *thread,
                            uint32_t count)
{
	const struct completed *completed = thread->calls.semantics->kind->completed;
	struct replay_operation *operation;

	for (uint32_t i = 0; i < count; i++) {
		operation = find_completed(proc, thread, &completed[i]);
		if (operation && !(replay->collectives.items[operation->collective].needs == COLLECTIVE_SOME))
			end_operation(replay, proc, thread, operation);
	}
	for (uint32_t i = count; i > 0; i--) {
		operation = find_completed(proc, thread, &completed[i - 1]);
		if (operation)
			end_operation(replay, proc, thread, operation);
	}
}

bool operations_end(struct replay *replay, struct replay_process *proc, struct thread *thread)
{
	const struct call_semantics *semantics = thread->calls.semantics;
	uint32_t count = thread->is_passed_over ? 0 : semantics->kind->completed_count;
	const struct completed *completed;
	bool is_collective;

	if (thread->own.semantics && !(thread->calls.semantics->does & CALL_HAS_REQUEST) &&
	    must_wait(replay, proc, &thread->own))
		return false;
	for (; thread->outcomes_done < count; thread->outcomes_done++)
		if (!settle_request(replay, proc, thread, &semantics->kind->completed[thread->outcomes_done]))
			return false;
	thread->since = thread->now.start;
	thread->met = thread->now.start;
	if (thread->own.semantics) {
		if (thread->calls.semantics->does & CALL_HAS_REQUEST) {
			struct replay_operation *request = new_request(replay, proc, thread,
			                                               thread->calls.semantics->request);
			/* A request has its number when the call that creates it ends: until then another
			 * thread may complete the previous one. */
			if (request)
				*request = thread->own;
			else
				request_abandon(replay, &thread->own);
		} else {
			end_operation(replay, proc, thread, &thread->own);
		}
		thread->own.semantics = NULL;
	}
	/* Messages first: a collective operation gets the rest of the time in the call. */
	completed = thread->calls.semantics->kind->completed;
	is_collective = false;
	for (uint32_t i = 0; i < count; i++) {
		struct replay_operation *operation = find_completed(proc, thread, &completed[i]);
		if (operation && operation->collective == NO_COLLECTIVE)
			end_operation(replay, proc, thread, operation);
		else
			is_collective |= operation != NULL;
	}
	if (is_collective)
		end_collectives(replay, proc, thread, count);
	if (replay->completions.side_count)
		completions_end_call(replay, &thread->now, thread->met);
	return true;
}
