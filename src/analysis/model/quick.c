/* The calls that programs make most, each in one go: what operation.c does for all calls, without the choices that are
 * settled for a role whose act is known. */
#include "analysis/model/site_add.h"

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

static void enter_meeting(struct scene *scene, struct thread *thread)
{
	struct role *role = thread->calls.role;
	struct operation *own = &thread->own;

	*own = (struct operation){.role = role, .meeting = NO_MEETING, .is_under_way = true};
	thread->outcomes_done = 0;
	if (role->member != UINT32_MAX)
		own->meeting = meeting_enter_quickly(&scene->meetings, role->member, thread->now.start);
	if (own->meeting == NO_MEETING)
		meet(scene, own, &thread->now);
	else if (scene->meetings.over)
		own->seat = meeting_seat(&scene->meetings, own->meeting, &thread->now);
}

static bool quick_meeting(struct scene *scene, struct actor *actor, struct thread *thread)
{
	struct operation *own = &thread->own;
	struct meeting *meeting;

	if (!thread->is_inside)
		enter_meeting(scene, thread);
	if (own->meeting == NO_MEETING)
		return operations_end(scene, actor, thread);
	meeting = &scene->meetings.items[own->meeting];
	if (meeting->is_mixed || meeting->meets != MEETS_ALL ||
	    !meeting_is_complete(&scene->meetings, meeting, 0))
		return operations_end(scene, actor, thread);
	check_time(scene, &thread->now, meeting->last[0].moment);
	if (scene->meetings.over)
		meeting->participants[own->seat].wait = thread->now;
	meeting_leave_quickly(&scene->meetings, own->meeting);
	own->role = NULL;
	return true;
}

static bool quick_any(struct scene *scene, struct actor *actor, struct thread *thread)
{
	bool is_over;

	if (!thread->is_inside)
		operations_begin(scene, actor, thread);
	is_over = operations_end(scene, actor, thread);
	/* To foresee may take reading on. */
	scene_note_gaps(actor);
	return is_over;
}

/* The whole call. False: it waits. */
static inline bool quick_call(struct scene *scene, struct actor *actor, struct thread *thread)
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
	case ACT_MEET:
		return quick_meeting(scene, actor, thread);
	case ACT_ANY:
		break;
	}
	return quick_any(scene, actor, thread);
}

/* What calls of many processes need is in no cache: it is fetched while those before are gone through. First the role, then what
 * it leads to, and at last what that leads to. */
enum { ROLE_AHEAD = 3, PARTS_AHEAD = 2, MATCH_AHEAD = 1 };

static inline void fetch_role(const struct role *role)
{
	__builtin_prefetch(role);
	__builtin_prefetch((const char *)role + 64);
}

static inline const struct queue *queue_of(const struct scene *scene, const struct role *role)
{
	uint32_t number = role->sends_to ? role->sends_to : role->receives_from;

	return number ? queue_at(&scene->matcher, number - 1) : NULL;
}

static inline void fetch_parts(const struct scene *scene, const struct actor *actor, const struct role *role)
{
	__builtin_prefetch(queue_of(scene, role));
	if (role->followers & COUNTED_BIT)
		__builtin_prefetch((const char *)sum_of(role) + sizeof(struct running_sum) - 8);
	if (role->request >= 0 && (uint64_t)role->request < actor->request_room)
		__builtin_prefetch(&actor->requests[role->request]);
}

static inline void fetch_match(const struct scene *scene, const struct role *role)
{
	const struct queue *queue = queue_of(scene, role);

	if (queue && queue->first) {
		__builtin_prefetch(queue->first);
		__builtin_prefetch((const char *)queue->first + 64);
	}
}

static inline void fetch_ahead(const struct scene *scene, const struct actor *actor,
                               const struct foresight *calls)
{
	struct role *const *roles = calls->roles + calls->at;
	uint32_t left = calls->count - calls->at;

	if (!scene->is_large)
		return;
	if (left > ROLE_AHEAD)
		fetch_role(roles[ROLE_AHEAD]);
	if (left > PARTS_AHEAD)
		fetch_parts(scene, actor, roles[PARTS_AHEAD]);
	if (left > MATCH_AHEAD)
		fetch_match(scene, roles[MATCH_AHEAD]);
}

static inline void next_event(struct scene *scene, struct actor *actor, struct thread *thread)
{
	struct foresight *calls = &thread->calls;

	thread->is_inside = actor->is_forced = false;
	if (calls->at + 1 >= calls->count) {
		scene_next_event(scene, actor, thread);
		return;
	}
	calls->at++;
	calls->event++;
	calls->role = calls->roles[calls->at];
	scene->counts->events++;
	fetch_ahead(scene, actor, calls);
}

/* A call of which all is known; the others, which have to do with what cannot be matched, go step by step. */
static inline bool quick_step(struct scene *scene, struct actor *actor, struct thread *thread)
{
	const struct role *role = thread->calls.role;

	if (__builtin_expect(thread->calls.event->start >= actor->gap || role->does & ROLE_PASSED_OVER, 0))
		return scene_step(scene, actor, thread);
	if (!thread->is_inside) {
		thread->is_passed_over = false;
		note_corrected_time(scene, thread);
	}
	thread->is_inside = !quick_call(scene, actor, thread);
	if (thread->is_inside)
		return false;
	if (role->followers == COUNTED_BIT)
		site_add(scene, actor, thread);
	else if (role->followers)
		scene_tell_call(scene, actor, thread);
	next_event(scene, actor, thread);
	return true;
}

static inline enum turn go_on(struct scene *scene, struct actor *actor, struct thread *thread)
{
	if (!thread->has_event)
		return TURN_ENDS;
	if (!quick_step(scene, actor, thread))
		return TURN_WAITS;
	return actor->is_ahead ? TURN_AHEAD : TURN_OVER;
}

/* What comes next is read soon. */
static void fetch_reading(const struct event_iter *iter)
{
	enum { LINE = 64, MOST = 6 };
	size_t bytes = iter->call_count * sizeof *iter->calls;

	__builtin_prefetch(iter->at);
	for (size_t at = 0; at < bytes && at < MOST * LINE; at += LINE)
		__builtin_prefetch((const char *)iter->calls + at);
}

enum turn quick_turn(struct scene *scene, struct actor *actor)
{
	struct thread *thread = actor->threads;
	const struct foresight *calls = &thread->calls;
	enum turn turn = TURN_OVER;

	for (uint32_t i = calls->at + 1; i <= calls->at + ROLE_AHEAD && i < calls->count; i++)
		fetch_role(calls->roles[i]);
	if (scene->is_large && thread->has_event) {
		fetch_parts(scene, actor, calls->role);
		fetch_reading(&thread->iter);
	}
	for (uint32_t i = 0; i < scene->turn && turn == TURN_OVER; i++)
		turn = go_on(scene, actor, thread);
	actor->is_ahead = false;
	return turn;
}
