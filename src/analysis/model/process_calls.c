/* The calls of a process, one after the other: what each begins and completes, and whom it is for.
 *
 * A process of one thread makes whole calls, from begin to end, unless a visitor looks on. The calls that programs make most, messages and
 * their completion, are done without the choices that operation.c has for all calls: each of these saves a fifth of the time of
 * a replay. */
#include "analysis/model/gaps.h"
#include "analysis/model/site_add.h"

static void note_gaps(struct actor *actor)
{
	for (uint32_t i = 0; i < actor->thread_count; i++) {
		const struct event_iter *iter = &actor->threads[i].iter;
		uint64_t since;
		/* Of many processes the stream is in no cache. */
		if (iter->stream && !iter->is_interrupted)
			continue;
		since = unrecorded_since(actor->threads[i].stream);
		actor->gap = since < actor->gap ? since : actor->gap;
	}
}

/* Whole calls */

/* No completion of this process has to be told before. */
static bool can_tell(const struct scene *scene, const struct actor *actor)
{
	return wants_rows(&scene->rows, RELATION_TRANSFER) &&
	       !(scene->rows.sink->in_order && actor->first_pending);
}

static void quick_send(struct scene *scene, struct actor *actor, struct thread *thread)
{
	struct match *match = send_message(scene, actor, thread->calls.role, &thread->now);

	if (!match)
		return;
	if (match->state & MATCH_POSTED && can_tell(scene, actor)) {
		tell_one(scene, match, &thread->now, true);
	} else if (wants_rows(&scene->rows, RELATION_TRANSFER) && !scene->rows.sink->in_order) {
		match->completion = COMPLETION_OWN;
	} else {
		telling_add(scene, match, true);
		telling_completed(scene, &thread->now, thread->now.start);
	}
}

static inline struct queue *queue_of_receive(struct scene *scene, struct role *role)
{
	if (!role->receives_from)
		role->receives_from = 1 + queue_number(&scene->matcher,
		                                       received_envelope(scene, role, role->source,
		                                                         role->kind->source_tag));
	return queue_at(&scene->matcher, role->receives_from - 1);
}

static bool quick_receive(struct scene *scene, struct actor *actor, struct thread *thread)
{
	struct operation *own = &thread->own;
	struct match *match;

	if (!thread->is_inside) {
		own->role = thread->calls.role;
		own->meeting = NO_MEETING;
		own->receive = post_receive(scene, queue_of_receive(scene, own->role), &thread->now);
	}
	match = own->receive;
	if (!(match->state & MATCH_SENT)) {
		if (must_wait_for_message(scene, actor, own))
			return false;
		lose_receive(scene, own);
		return true;
	}
	check_time(scene, &thread->now, match->send.start);
	scene->counts->messages++;
	thread->sent = match->send.start;
	note_order(scene, actor, &thread->now, &match->send);
	if (can_tell(scene, actor)) {
		tell_one(scene, match, &thread->now, false);
	} else {
		telling_add(scene, match, false);
		telling_completed(scene, &thread->now, thread->now.start);
	}
	return true;
}

/* A request that is under way from now on. */
static inline struct operation *begin_request(struct scene *scene, struct actor *actor,
                                              const struct thread *thread)
{
	uint64_t number = (uint64_t)thread->calls.role->request;
	struct operation *operation;

	if (number >= actor->request_room || actor->requests[number].is_under_way) {
		operation = new_request(scene, actor, thread->calls.role->request);
	} else {
		operation = &actor->requests[number];
		actor->requests_made++;
	}
	if (!operation)
		return NULL;
	operation->role = thread->calls.role;
	operation->start = thread->now.start;
	operation->receive = operation->sent = operation->parked = NULL;
	operation->meeting = NO_MEETING;
	operation->is_under_way = true;
	return operation;
}

static void quick_isend(struct scene *scene, struct actor *actor, struct thread *thread)
{
	struct match *sent = send_message(scene, actor, thread->calls.role, &thread->now);
	struct operation *operation = begin_request(scene, actor, thread);

	if (operation)
		operation->sent = sent;
	else if (sent)
		match_done(scene, sent, MATCH_SEND_DONE);
}

static void quick_ireceive(struct scene *scene, struct actor *actor, struct thread *thread)
{
	struct queue *queue = queue_of_receive(scene, thread->calls.role);
	struct match *receive = post_receive(scene, queue, &thread->now);
	struct operation *operation = begin_request(scene, actor, thread);

	if (operation)
		operation->receive = receive;
	else
		match_done(scene, receive, MATCH_RECEIVE_DONE);
}

static inline bool is_message(const struct actor *actor, uint64_t request)
{
	const struct operation *operation = request < actor->request_room ? &actor->requests[request] : NULL;

	return operation && operation->is_under_way && operation->role->act >= ACT_ISEND &&
	       operation->role->act <= ACT_IRECEIVE && (operation->sent || operation->receive);
}

/* Both sides have come. */
static bool is_there(const struct operation *operation)
{
	const uint32_t both = MATCH_SENT | MATCH_POSTED;
	const struct match *match = operation->sent ? operation->sent : operation->receive;

	return (match->state & both) == both;
}

/* Goes on to the first request that is no message whose other end is known. As far as they are, they stay so. */
static bool are_all_there(const struct actor *actor, struct thread *thread)
{
	const struct role *role = thread->calls.role;
	uint32_t i = thread->outcomes_done;

	for (; i < role->kind->completed_count; i++) {
		uint64_t request = (uint64_t)role->kind->completed[i].request;
		thread->is_plain = is_message(actor, request);
		if (!thread->is_plain || !is_there(&actor->requests[request]))
			break;
	}
	thread->outcomes_done = i;
	return i == role->kind->completed_count;
}

static inline void finish(struct scene *scene, struct actor *actor, const struct thread *thread,
                          struct operation *operation, struct transfer *transfer)
{
	bool is_send = operation->sent;
	struct match *match = is_send ? operation->sent : operation->receive;

	fill_transfer(transfer, match, is_send);
	if (!is_send) {
		check_time(scene, &thread->now, match->send.start);
		note_order(scene, actor, &thread->now, &match->send);
		fill_overtaken(transfer, match_overtaken(match));
		scene->counts->messages++;
	}
	operation->is_under_way = false;
	match_done(scene, match, is_send ? MATCH_SEND_DONE : MATCH_RECEIVE_DONE);
}

static bool is_missing(const struct actor *actor, uint64_t request)
{
	const struct match *receive = is_message(actor, request) ? actor->requests[request].receive : NULL;

	return receive && !(receive->state & MATCH_SENT);
}

/* Of the messages to come, the last: when it is there, so are mostly the others, and the process need not be visited for each. */
static const struct operation *last_missing(const struct actor *actor, const struct thread *thread)
{
	const struct completed *completed = thread->calls.role->kind->completed;
	uint32_t i = thread->calls.role->kind->completed_count - 1;

	while (i > thread->outcomes_done && !is_missing(actor, (uint64_t)completed[i].request))
		i--;
	return &actor->requests[completed[i].request];
}

/* All are messages so far; false: not the next one, or one will not come. */
static bool waits_for_messages(struct scene *scene, struct actor *actor, struct thread *thread)
{
	thread->is_plain = thread->is_plain &&
	                   must_wait_for_message(scene, actor, last_missing(actor, thread));
	return thread->is_plain;
}

static bool quick_completion(struct scene *scene, struct actor *actor, struct thread *thread)
{
	const struct role_kind *kind = thread->calls.role->kind;
	struct completion *completion;
	struct transfer *transfers;

	if (!thread->is_inside) {
		thread->own.role = NULL;
		thread->outcomes_done = 0;
		thread->is_plain = can_tell(scene, actor);
	}
	if (!thread->is_plain)
		return operations_end(scene, actor, thread);
	if (!are_all_there(actor, thread))
		return !waits_for_messages(scene, actor, thread) && operations_end(scene, actor, thread);
	transfers = write_transfers(&scene->rows, kind->completed_count, &completion);
	completion->wait = thread->now;
	completion->met = thread->now.start;
	for (uint32_t i = 0; i < kind->completed_count; i++)
		finish(scene, actor, thread, &actor->requests[kind->completed[i].request], &transfers[i]);
	return true;
}

static bool quick_any(struct scene *scene, struct actor *actor, struct thread *thread)
{
	bool is_over;

	if (!thread->is_inside)
		operations_begin(scene, actor, thread);
	is_over = operations_end(scene, actor, thread);
	/* To foresee may take reading on. */
	note_gaps(actor);
	return is_over;
}

/* False: it waits. */
static inline bool whole_call(struct scene *scene, struct actor *actor, struct thread *thread)
{
	switch (thread->calls.role->act) {
	case ACT_NONE:
		return true;
	case ACT_SEND:
		quick_send(scene, actor, thread);
		return true;
	case ACT_RECEIVE:
		return quick_receive(scene, actor, thread);
	case ACT_ISEND:
		quick_isend(scene, actor, thread);
		return true;
	case ACT_IRECEIVE:
		quick_ireceive(scene, actor, thread);
		return true;
	case ACT_COMPLETE:
		return quick_completion(scene, actor, thread);
	case ACT_ANY:
		break;
	}
	return quick_any(scene, actor, thread);
}

/* Any calls, of any threads */

void read_events(struct scene *scene, struct actor *actor, struct thread *thread)
{
	thread->has_event = foresight_read(&thread->calls, source_of(scene, actor, thread));
	scene->counts->events += thread->has_event;
	/* What was just read may have been interrupted. */
	note_gaps(actor);
}

static inline void next_event(struct scene *scene, struct actor *actor, struct thread *thread)
{
	thread->is_inside = actor->is_forced = false;
	if (foresight_next(&thread->calls))
		scene->counts->events++;
	else
		read_events(scene, actor, thread);
}

static uint64_t next_tick(const struct thread *thread)
{
	return thread->is_inside ? thread->calls.event->end : thread->calls.event->start;
}

/* The thread whose next step is the earliest; NULL at the end. */
struct thread *pick_thread(const struct actor *actor)
{
	struct thread *first = NULL;

	for (uint32_t i = 0; i < actor->thread_count; i++) {
		struct thread *thread = &actor->threads[i];
		if (thread->has_event && (!first || next_tick(thread) < next_tick(first)))
			first = thread;
	}
	return first;
}

/* The call at hand of a thread, when it is the earliest of its process: what precedes it has been read. */
static bool is_behind_gap(struct actor *actor, const struct thread *thread)
{
	const struct call_info *info = thread->calls.role->kind->info;

	note_gaps(actor);
	/* MPI_Init and MPI_Finalize are always recorded. */
	return thread->calls.event->start >= actor->gap && info && info->class != CLASS_ENVIRONMENT;
}

static void lose_calls(struct scene *scene, struct actor *actor)
{
	actor->is_blind = true;
	for (uint32_t i = 0; i < scene->follower_count; i++)
		if (scene->followers[i].kind->lost)
			scene->followers[i].kind->lost(scene->followers[i].self, actor->process);
	if (scene->phases)
		phases_lost(scene->phases, actor->process);
}

void deafen(struct scene *scene, struct actor *actor)
{
	actor->is_deaf = scene->any_deaf = true;
}

static void pass_over(struct scene *scene, struct actor *actor, struct thread *thread)
{
	uint32_t matched = ROLE_SENDS | ROLE_RECEIVES | ROLE_PROBES | ROLE_BY_NUMBER | ROLE_MEETS;

	thread->is_passed_over = is_behind_gap(actor, thread);
	if (thread->is_passed_over)
		deafen(scene, actor);
	if (!actor->is_blind && thread->calls.event->start >= actor->gap)
		lose_calls(scene, actor);
	scene->counts->passed_over += thread->calls.role->does & ROLE_PASSED_OVER ||
	                              (thread->is_passed_over && thread->calls.role->does & matched);
}

static void note_time(const struct scene *scene, struct thread *thread)
{
	const struct event *event = thread->calls.event;
	struct occurrence *now = &thread->now;

	if (scene->time) {
		note_corrected_time(scene, thread);
		return;
	}
	now->role = thread->calls.role;
	now->start = (int64_t)event->start;
	now->end = (int64_t)event->end;
	now->position = event->start;
}

static void enter(struct scene *scene, struct actor *actor, struct thread *thread)
{
	thread->is_inside = true;
	note_time(scene, thread);
	if (scene->visitor->enter) {
		struct step step = step_at(actor, thread);
		scene->visitor->enter(scene->visitor->context, &step);
		thread->now.position = (uint64_t)step.moment;
	}
	pass_over(scene, actor, thread);
	operations_begin(scene, actor, thread);
}

static void follow_phases(struct scene *scene, struct actor *actor, const struct thread *thread)
{
	phases_call(scene->phases, &thread->now, thread->calls.event->start);
	for (uint32_t i = 0; i < actor->thread_count; i++)
		actor->threads[i].phase = phase_at(scene->phases, actor->process,
		                                   actor->threads[i].now.thread);
}

static __attribute__((noinline)) void follow_call(struct scene *scene, struct actor *actor,
                                                  struct thread *thread)
{
	uint32_t followers = thread->calls.role->followers;

	if (followers & COUNTED_BIT)
		site_add(scene, actor, thread);
	if (followers & CALL_ROW_BIT)
		write_row(&scene->rows, RELATION_CALL, &thread->now);
	for (uint32_t i = 0; i < scene->follower_count; i++) {
		const struct follower *kind = scene->followers[i].kind;
		if (!(followers & 1u << i))
			continue;
		kind->call(scene->followers[i].self, &thread->now, thread->calls.event);
		actor->is_ahead |= kind->is_ahead && kind->is_ahead(scene->followers[i].self, actor->process);
	}
	if (followers & PHASE_BIT)
		follow_phases(scene, actor, thread);
}

/* Most are only added up. */
static inline void end_call(struct scene *scene, struct actor *actor, struct thread *thread)
{
	if (thread->calls.role->followers == COUNTED_BIT)
		site_add(scene, actor, thread);
	else if (thread->calls.role->followers)
		follow_call(scene, actor, thread);
}

/* False: the actor waits. */
static bool leave(struct scene *scene, struct actor *actor, struct thread *thread)
{
	if (!operations_end(scene, actor, thread))
		return false;
	end_call(scene, actor, thread);
	if (scene->visitor->leave) {
		struct step step = step_at(actor, thread);
		scene->visitor->leave(scene->visitor->context, &step);
	}
	next_event(scene, actor, thread);
	return true;
}

/* The start or the end of a call. False: the actor waits. */
static bool step(struct scene *scene, struct actor *actor, struct thread *thread)
{
	if (thread->is_inside)
		return leave(scene, actor, thread);
	enter(scene, actor, thread);
	return true;
}

/* A whole call, unless something of it cannot be matched. False: the actor waits. */
static inline bool whole_step(struct scene *scene, struct actor *actor, struct thread *thread)
{
	const struct role *role = thread->calls.role;

	if (__builtin_expect(thread->calls.event->start >= actor->gap || role->does & ROLE_PASSED_OVER, 0))
		return step(scene, actor, thread);
	if (!thread->is_inside) {
		thread->is_passed_over = false;
		note_corrected_time(scene, thread);
	}
	thread->is_inside = !whole_call(scene, actor, thread);
	if (thread->is_inside)
		return false;
	end_call(scene, actor, thread);
	next_event(scene, actor, thread);
	return true;
}

enum turn take_turn(struct scene *scene, struct actor *actor)
{
	struct thread *only = scene->time && actor->thread_count == 1 ? actor->threads : NULL;

	actor->is_ahead = false;
	for (uint32_t i = 0; i < scene->turn; i++) {
		struct thread *thread = only ? only : pick_thread(actor);
		if (!thread || !thread->has_event)
			return TURN_ENDS;
		if (!(only ? whole_step(scene, actor, thread) : step(scene, actor, thread)))
			return TURN_WAITS;
		if (actor->is_ahead)
			return TURN_AHEAD;
	}
	return TURN_OVER;
}
