#include "analysis/model/operation.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Numbers are the lowest that are free, so there is none far above the count; a few creations may be lost. */
enum { LOST_REQUESTS = 1024, FIRST_REQUESTS = 8 };

struct step step_at(const struct actor *actor, struct thread *thread)
{
	return (struct step){.process = actor->process,
	                     .stream = thread->stream,
	                     .event = thread->calls.event,
	                     .role = thread->calls.role,
	                     .moment = (int64_t)thread->now.position};
}

struct event_source source_of(const struct scene *scene, struct actor *actor, struct thread *thread)
{
	return (struct event_source){.iter = &thread->iter,
	                             .roles = &actor->roles,
	                             .comms = scene->comms,
	                             .process = actor->process};
}

/* Requests */

static struct operation *find_request(struct actor *actor, int64_t number)
{
	if (number == REQUEST_NOTIFIED)
		return actor->notified;
	return number >= 0 && (uint64_t)number < actor->request_room ? &actor->requests[number] : NULL;
}

static void forget_parked(struct scene *scene, struct operation *operation)
{
	if (operation->parked)
		match_free(&scene->matcher, operation->parked);
	operation->parked = NULL;
}

/* It was not completed, as far as the trace tells, and never will be. */
static void abandon(struct scene *scene, struct operation *operation)
{
	if (!operation->role || !operation->is_under_way)
		return;
	if (operation->sent)
		match_done(scene, operation->sent, MATCH_SEND_DONE);
	if (operation->receive)
		match_done(scene, operation->receive, MATCH_RECEIVE_DONE);
	forget_parked(scene, operation);
	operation->is_under_way = false;
}

static void grow_requests(struct actor *actor, int64_t number)
{
	uint64_t room = actor->request_room ? actor->request_room : FIRST_REQUESTS;

	while (room <= (uint64_t)number)
		room *= 2;
	actor->requests = memory_grow(actor->requests, room, sizeof *actor->requests);
	memset(actor->requests + actor->request_room, 0,
	       (room - actor->request_room) * sizeof *actor->requests);
	actor->request_room = room;
}

struct operation *new_request(struct scene *scene, struct actor *actor, int64_t number)
{
	if (number == REQUEST_NOTIFIED) {
		if (!actor->notified)
			actor->notified = arena_new(&scene->threads, struct operation);
		abandon(scene, actor->notified);
		return actor->notified;
	}
	actor->requests_made++;
	if (number < 0 || (uint64_t)number > actor->requests_made + LOST_REQUESTS)
		return NULL;
	if ((uint64_t)number >= actor->request_room)
		grow_requests(actor, number);
	abandon(scene, &actor->requests[number]);
	return &actor->requests[number];
}

/* Begin */

/* A receive that was united with its message: its own process knows it as another match. */
static void rename_receive(struct actor *actor, const struct match *from, struct match *to)
{
	for (uint64_t i = 0; i < actor->request_room; i++)
		if (actor->requests[i].receive == from)
			actor->requests[i].receive = to;
	for (uint32_t i = 0; i < actor->thread_count; i++)
		if (actor->threads[i].own.receive == from)
			actor->threads[i].own.receive = to;
	if (actor->waits_match == from)
		actor->waits_match = to;
}

void deliver_message(struct scene *scene, struct match *sent, bool at_front)
{
	struct match *woken = match_deliver(&scene->matcher, sent, at_front);

	if (!woken)
		return;
	if (sent->state & MATCH_RECEIVED) {
		rename_receive(&scene->actors[sent->post.role->process], woken, sent);
		woken = sent;
	}
	wake_receiver(scene, woken);
}

static void wake_members(struct scene *scene)
{
	uint32_t process;

	while (meeting_next_woken(&scene->meetings, &process))
		scene_wake(scene, process);
}

static bool is_posted(uint32_t does)
{
	return does & (ROLE_RECEIVES | ROLE_PROBES);
}

static uint32_t source_side(const struct scene *scene, const struct role *role)
{
	return is_inter(&scene->comms->comms[role->kind->own_comm]) ? !role->kind->own_side
	                                                            : role->kind->own_side;
}

struct envelope received_envelope(const struct scene *scene, const struct role *role, int32_t source,
                                  int32_t tag)
{
	return (struct envelope){.channel = role->kind->own_comm * 2 + source_side(scene, role),
	                         .source = (uint32_t)source,
	                         .dest = role->own_rank,
	                         .tag = tag};
}

/* Of a wildcard the envelope differs from time to time. */
static struct queue *find_queue(struct scene *scene, struct role *role, int32_t source, int32_t tag)
{
	if (is_open(role) || !role->receives_from)
		role->receives_from = 1 + queue_number(&scene->matcher,
		                                       received_envelope(scene, role, source, tag));
	return queue_at(&scene->matcher, role->receives_from - 1);
}

static struct match *post(struct scene *scene, struct role *role, const struct occurrence *by, int32_t source,
                          int32_t tag)
{
	struct queue *queue;

	if (source < 0 || tag == TAG_ANY)
		return NULL;
	queue = find_queue(scene, role, source, tag);
	return role->does & ROLE_PROBES ? match_probe(&scene->matcher, queue, by)
	                                : post_receive(scene, queue, by);
}

static struct match *park(struct matcher *matcher, const struct occurrence *by)
{
	struct match *match = match_new(matcher, NULL, 0);

	match->post = *by;
	return match;
}

/* A receive with a wildcard takes its place among the others as soon as it is known where its message comes from. One that
 * will be cancelled takes none. */
static void post_open(struct scene *scene, struct actor *actor, struct operation *operation,
                      struct thread *thread, const struct occurrence *by)
{
	struct outcome outcome;
	bool is_foreseen;

	operation->receive = NULL;
	is_foreseen = foresee(&thread->calls, source_of(scene, actor, thread), operation->role->request,
	                      &outcome);
	/* Receives that are posted after it may get its message. */
	if (!is_foreseen && actor->lacks_completions)
		actor->gap = thread->calls.event->start;
	if (!is_foreseen)
		operation->parked = park(&scene->matcher, by);
	else if (!outcome.cancelled)
		operation->receive = post(scene, operation->role, by, outcome.source, outcome.source_tag);
}

struct entry entry_of(const struct role *role, int64_t moment)
{
	return (struct entry){.own = membership_of(role),
	                      .meets = role->meets,
	                      .root = role->kind->root,
	                      .needs_nobody = role->does & ROLE_NEEDS_NOBODY,
	                      .gives_nothing = role->does & ROLE_GIVES_NOTHING,
	                      .process = role->process,
	                      .moment = moment};
}

/* Of one that was prepared, the operation knows it. */
static uint32_t member_of(struct scene *scene, struct role *role)
{
	uint32_t lane = role->kind->info->class == CLASS_ENVIRONMENT ||
	                                role->kind->info->class == CLASS_UPC_OTHER
	                        ? LANE_ENVIRONMENT
	                : role->kind->info->class == CLASS_UPC_SYNC ? LANE_BARRIERS
	                                                            : LANE_CALLS;

	if (role->member == UINT32_MAX && role->kind->object)
		role->member = meeting_member_of_object(&scene->meetings, role->kind->own_comm,
		                                        role->kind->object, role->process);
	else if (role->member == UINT32_MAX)
		role->member = meeting_member(&scene->meetings, role->kind->own_comm, lane, role->process);
	return role->member;
}

void meet(struct scene *scene, struct operation *operation, const struct occurrence *by)
{
	struct role *role = operation->role;
	struct entry entry = entry_of(role, scene->time ? by->start : (int64_t)by->position);
	uint32_t member = role->does & ROLE_PREPARES ? operation->member : member_of(scene, role);

	operation->meeting = meeting_enter(&scene->meetings, member, &entry);
	if (scene->visitor->calm_moment && operation->meeting != NO_MEETING)
		meeting_note_calm(&scene->meetings, operation->meeting, &entry,
		                  scene->visitor->calm_moment(scene->visitor->context, role->process,
		                                              by->thread, (int64_t)by->position));
	scene->actors[role->process].is_ahead |= operation->meeting != NO_MEETING &&
	                                         meetings_under_way(&scene->meetings, operation->meeting) >
	                                                 scene->limit;
	if (operation->meeting != NO_MEETING && scene->meetings.over)
		operation->seat = meeting_seat(&scene->meetings, operation->meeting, by);
	wake_members(scene);
}

/* A message that was found earlier is received by its number, which the receive's request may get at once. */
static struct match *take_message(struct actor *actor, int64_t number)
{
	struct operation *found = find_request(actor, number);
	struct match *match = found && found->role && found->is_under_way ? found->receive : NULL;

	if (found)
		*found = (struct operation){0};
	return match;
}

static void receive_taken(struct scene *scene, struct match *match, const struct occurrence *by)
{
	if (!match)
		return;
	match->post = *by;
	match->state |= MATCH_POSTED;
	telling_posted(scene, match);
}

/* The call at hand begins it. */
static void begin(struct scene *scene, struct actor *actor, struct operation *operation,
                  struct thread *thread)
{
	struct role *role = operation->role;
	struct occurrence by = thread->now;

	by.role = role;
	operation->start = by.start;
	operation->meeting = NO_MEETING;
	operation->sent = operation->parked = NULL;
	operation->is_under_way = true;
	if (role->does & ROLE_SENDS)
		operation->sent = send_message(scene, actor, role, &by);
	if (is_open(role))
		post_open(scene, actor, operation, thread, &by);
	else if (is_posted(role->does))
		operation->receive = post(scene, role, &by, role->source, role->kind->source_tag);
	else if (role->does & ROLE_BY_NUMBER)
		receive_taken(scene, operation->receive, &by);
	if (role->does & ROLE_MEETS)
		meet(scene, operation, &by);
}

static void begin_prepared(struct scene *scene, struct actor *actor, struct thread *thread)
{
	const struct call *call = thread->calls.role->call;

	for (uint32_t i = 0; i < field_count(call); i++) {
		struct operation *operation = field_key_at(call, i) == FIELD_REQUEST
		                                      ? find_request(actor, field_value_at(call, i))
		                                      : NULL;
		if (!operation || !operation->role || !(operation->role->does & ROLE_PREPARES))
			continue;
		abandon(scene, operation);
		site_started(operation->role);
		begin(scene, actor, operation, thread);
	}
}

static void begin_own(struct scene *scene, struct actor *actor, struct thread *thread, struct match *found)
{
	struct role *role = thread->calls.role;
	struct operation *own = &thread->own;

	*own = (struct operation){.role = role, .receive = found, .meeting = NO_MEETING};
	if (!(role->does & ROLE_PREPARES))
		begin(scene, actor, own, thread);
	else if (role->does & ROLE_MEETS)
		own->member = meeting_prepare(&scene->meetings, role->kind->own_comm, actor->process);
}

void operations_begin(struct scene *scene, struct actor *actor, struct thread *thread)
{
	const struct role *role = thread->calls.role;
	struct match *found = role->does & ROLE_BY_NUMBER ? take_message(actor, role->kind->message) : NULL;
	uint32_t begins = ROLE_SENDS | ROLE_RECEIVES | ROLE_PROBES | ROLE_BY_NUMBER | ROLE_MEETS |
	                  ROLE_HAS_REQUEST;

	thread->own.role = NULL;
	thread->outcomes_done = 0;
	if (thread->is_passed_over)
		return;
	if (role->does & ROLE_STARTS)
		begin_prepared(scene, actor, thread);
	if (role->does & begins)
		begin_own(scene, actor, thread, found);
}

/* Wait */

static void wait_for_sender(struct scene *scene, struct actor *actor, uint32_t sender)
{
	struct actor *source = &scene->actors[sender];

	actor->sender = sender;
	actor->previous = NO_PROCESS;
	actor->next = source->first_waiting;
	if (actor->next != NO_PROCESS)
		scene->actors[actor->next].previous = actor->process;
	source->first_waiting = actor->process;
}

static uint32_t sender_of(const struct scene *scene, const struct role *role, const struct match *match)
{
	return is_open(role) ? comm_process(scene->comms, role->kind->own_comm, source_side(scene, role),
	                                    match->queue->source)
	                     : role->source_process;
}

/* False: it will not come, so there is nothing to wait for. */
static bool wait_for_message(struct scene *scene, struct actor *actor, const struct role *role,
                             struct match *match)
{
	uint32_t sender = sender_of(scene, role, match);

	if (actor->is_forced || sender == NO_PROCESS || scene->actors[sender].state == ACTOR_ENDED)
		return false;
	wait_for_sender(scene, actor, sender);
	match->state |= MATCH_AWAITED;
	actor->waits_match = match;
	actor->state = ACTOR_WAITS;
	return true;
}

static bool wait_for_meeting(struct scene *scene, struct actor *actor, uint32_t meeting,
                             const struct role *role, const struct entry *entry)
{
	if (actor->is_forced)
		return false;
	meeting_sleep(&scene->meetings, meeting, entry);
	actor->waits_meeting = meeting;
	actor->waits_role = role;
	actor->state = ACTOR_WAITS;
	return true;
}

static bool must_wait_for_meeting(struct scene *scene, struct actor *actor, const struct operation *operation)
{
	struct entry entry = entry_of(operation->role, 0);

	return !meeting_may_leave(&scene->meetings, operation->meeting, &entry) &&
	       wait_for_meeting(scene, actor, operation->meeting, operation->role, &entry);
}

/* A message that was taken by its number has come already, or never will. */
bool must_wait_for_message(struct scene *scene, struct actor *actor, const struct operation *operation)
{
	const struct role *role = operation->role;

	return operation->receive && !(role->does & ROLE_BY_NUMBER) && !match_message(operation->receive) &&
	       wait_for_message(scene, actor, role, operation->receive);
}

static bool must_wait(struct scene *scene, struct actor *actor, const struct operation *operation)
{
	return (operation->meeting != NO_MEETING && must_wait_for_meeting(scene, actor, operation)) ||
	       must_wait_for_message(scene, actor, operation);
}

/* End */

static struct stream *stream_of(const struct scene *scene, const struct occurrence *call)
{
	struct process *process = &scene->reader->processes[call->role->process];
	size_t i = 0;

	while (i + 1 < process->stream_count && process->streams[i].number != call->thread)
		i++;
	return &process->streams[i];
}

static struct message_end end_of(const struct scene *scene, const struct occurrence *call)
{
	return (struct message_end){.process = call->role->process,
	                            .stream = stream_of(scene, call),
	                            .call = call->role->call,
	                            .start = (uint64_t)call->start,
	                            .end = (uint64_t)call->end,
	                            .moment = (int64_t)call->position};
}

static void tell_visitor_of_message(struct scene *scene, struct actor *actor, struct thread *thread,
                                    struct match *to)
{
	const struct occurrence *from = &match_message(to)->send;
	struct step step = step_at(actor, thread);
	struct message message = {.probed = to->state & MATCH_PROBE,
	                          .from = end_of(scene, from),
	                          .to = end_of(scene, &to->post),
	                          .comm = from->role->kind->comm,
	                          .source = from->role->own_rank,
	                          .dest = (uint32_t)from->role->dest,
	                          .tag = from->role->kind->tag};

	scene->visitor->message(scene->visitor->context, &step, &message);
}

/* A message that was given to a receive which ends without it goes to the next. */
static void withdraw(struct scene *scene, struct match *match)
{
	bool was_posted = match->state & MATCH_POSTED;

	if (!match_withdraw(&scene->matcher, match))
		return;
	if (was_posted)
		telling_taken_back(scene, match);
	deliver_message(scene, match, true);
	if (match->state & MATCH_POSTED)
		telling_posted(scene, match);
}

/* The message of MPI_Mprobe stays with its number until it is received. */
static void end_probe(struct scene *scene, struct actor *actor, struct operation *operation)
{
	const struct role *role = operation->role;
	struct operation *found = role->does & ROLE_TAKES ? new_request(scene, actor, role->kind->message)
	                                                  : NULL;
	struct match *taken = found ? match_take(&scene->matcher, operation->receive) : NULL;

	if (taken) {
		*found = *operation;
		found->receive = taken;
		found->is_under_way = true;
	} else {
		withdraw(scene, operation->receive);
	}
	operation->receive = NULL;
}

/* Not MPI_Iprobe, which says whether it found one. */
static bool has_waited_for(const struct occurrence *probe, int64_t sent)
{
	int64_t flag;

	return sent > probe->start && !call_field(probe->role->call, FIELD_FLAG, &flag);
}

static void end_waiting_probe(struct scene *scene, struct actor *actor, struct thread *thread,
                              const struct match *probe)
{
	telling_add_probe(scene, probe);
	if (wants_rows(&scene->rows, RELATION_INVERSION))
		inversions_waited(scene, actor, &thread->now, &probe->found->send);
}

static void end_receive(struct scene *scene, struct actor *actor, struct thread *thread,
                        struct operation *operation)
{
	int64_t sent = match_message(operation->receive)->send.start;

	check_time(scene, &thread->now, sent);
	thread->since = sent > thread->since ? sent : thread->since;
	if (scene->visitor->message)
		tell_visitor_of_message(scene, actor, thread, operation->receive);
	if (operation->role->does & ROLE_PROBES) {
		if (has_waited_for(&thread->now, sent))
			end_waiting_probe(scene, actor, thread, operation->receive);
		end_probe(scene, actor, operation);
		return;
	}
	scene->counts->messages++;
	note_received(thread, operation->receive);
	note_order(scene, actor, &thread->now, &operation->receive->send);
	telling_add(scene, operation->receive, false);
	operation->receive = NULL;
}

void lose_receive(struct scene *scene, struct operation *operation)
{
	scene->counts->unmatched_receives++;
	if (operation->receive)
		withdraw(scene, operation->receive);
	operation->receive = NULL;
}

static void tell_visitor_of_meeting(struct scene *scene, struct actor *actor, struct thread *thread,
                                    const struct operation *operation, struct arrival cause)
{
	struct step step = step_at(actor, thread);
	struct entry entry = entry_of(operation->role, 0);
	const struct meeting *meeting = &scene->meetings.items[operation->meeting];
	struct collective collective = {
		.comm = operation->role->kind->comm,
		.call = operation->role->call,
		.start = (uint64_t)operation->start,
		.meets = meeting->meets,
		.cause = cause.process,
		.cause_moment = cause.moment,
		.calm_cause = meeting_calm_cause(&scene->meetings, operation->meeting, &entry),
		.lane = meeting->lane,
		.sequence = meeting->sequence};

	scene->visitor->collective(scene->visitor->context, &step, &collective);
}

static void note_met(struct thread *thread, int64_t moment)
{
	thread->met = moment > thread->met ? moment : thread->met;
}

static void end_meeting(struct scene *scene, struct actor *actor, struct thread *thread,
                        struct operation *operation)
{
	struct entry entry = entry_of(operation->role, 0);
	struct arrival cause = meeting_cause(&scene->meetings, operation->meeting, &entry);
	struct meeting *meeting = &scene->meetings.items[operation->meeting];

	if (cause.process != NO_PROCESS)
		check_time(scene, &thread->now, cause.moment);
	if (scene->visitor->collective)
		tell_visitor_of_meeting(scene, actor, thread, operation, cause);
	if (scene->meetings.over) {
		meeting->participants[operation->seat].wait = thread->now;
		meeting->participants[operation->seat].since = thread->since;
	}
	if (meeting->meets == MEETS_SOME)
		cause.moment = thread->now.end;
	thread->since = cause.moment > thread->since ? cause.moment : thread->since;
	note_met(thread, cause.moment);
	meeting_leave(&scene->meetings, operation->meeting);
	operation->meeting = NO_MEETING;
}

/* A request of a file or a window may be what a call waited for until its end. */
static bool takes_the_rest(const struct operation *operation)
{
	enum call_class class = operation->role->kind->info->class;

	return class == CLASS_FILE_DATA || class == CLASS_ONE_SIDED || class == CLASS_UPC_ACCESS;
}

static void end_operation(struct scene *scene, struct actor *actor, struct thread *thread,
                          struct operation *operation)
{
	uint32_t receives = ROLE_RECEIVES | ROLE_PROBES | ROLE_BY_NUMBER;

	operation->is_under_way = false;
	if (takes_the_rest(operation))
		note_met(thread, thread->now.end);
	if (operation->meeting != NO_MEETING)
		end_meeting(scene, actor, thread, operation);
	if (operation->role->does & receives) {
		if (operation->receive && match_message(operation->receive))
			end_receive(scene, actor, thread, operation);
		else
			lose_receive(scene, operation);
	}
	if (operation->sent)
		telling_add(scene, operation->sent, true);
	operation->sent = NULL;
}

static void cancel(struct scene *scene, struct actor *actor, struct operation *operation)
{
	scene->counts->cancelled++;
	operation->is_under_way = false;
	if (operation->receive)
		withdraw(scene, operation->receive);
	operation->receive = NULL;
	if (!operation->sent) {
		scene->counts->unmatched_sends -= (operation->role->does & ROLE_SENDS) != 0;
		return;
	}
	if (operation->sent->state & MATCH_RECEIVED) {
		match_done(scene, operation->sent, MATCH_SEND_DONE);
	} else {
		match_take_back(&scene->matcher, operation->sent);
		actor->in_flight--;
	}
	operation->sent = NULL;
}

/* The request that a call completes; NULL: it is over already, or nothing is known of it. */
static struct operation *find_completed(struct actor *actor, const struct completed *completed)
{
	struct operation *operation = find_request(actor, completed->request);

	return operation && operation->role && operation->is_under_way ? operation : NULL;
}

/* Only now it is known where the message of a wildcard came from. False: from nowhere. */
static bool settle_open(struct scene *scene, struct thread *thread, struct operation *operation)
{
	const struct outcome *outcome = outcome_at(&thread->outcomes, thread->calls.role->call,
	                                           thread->outcomes_done);

	if (operation->parked) {
		struct occurrence by = operation->parked->post;
		foresight_skip(&thread->calls, outcome->request);
		forget_parked(scene, operation);
		if (outcome->source != RANK_NULL && !outcome->cancelled)
			operation->receive = post(scene, operation->role, &by, outcome->source,
			                          outcome->source_tag);
	}
	return outcome->cancelled || outcome->source != RANK_NULL;
}

/* False: the actor waits for it. */
static bool settle_request(struct scene *scene, struct actor *actor, struct thread *thread,
                           const struct completed *completed)
{
	struct operation *operation = find_completed(actor, completed);

	if (!operation)
		return true;
	if (is_open(operation->role) && !settle_open(scene, thread, operation)) {
		operation->is_under_way = false;
		return true;
	}
	if (completed->cancelled) {
		cancel(scene, actor, operation);
		return true;
	}
	return !must_wait(scene, actor, operation);
}

static bool is_for_some(const struct scene *scene, const struct operation *operation)
{
	return scene->meetings.items[operation->meeting].meets == MEETS_SOME;
}

/* What is left of the requests are collective operations. Of those that are for some only, which take the rest of the call, the
 * last one waits longest. */
static void end_meetings(struct scene *scene, struct actor *actor, struct thread *thread, uint32_t count)
{
	const struct completed *completed = thread->calls.role->kind->completed;
	struct operation *operation;

	for (uint32_t i = 0; i < count; i++) {
		operation = find_completed(actor, &completed[i]);
		if (operation && !is_for_some(scene, operation))
			end_operation(scene, actor, thread, operation);
	}
	for (uint32_t i = count; i > 0; i--) {
		operation = find_completed(actor, &completed[i - 1]);
		if (operation)
			end_operation(scene, actor, thread, operation);
	}
}

/* Messages first: a collective operation gets what they leave of the time in the call. */
static void end_requests(struct scene *scene, struct actor *actor, struct thread *thread, uint32_t count)
{
	const struct completed *completed = thread->calls.role->kind->completed;
	bool meets = false;

	for (uint32_t i = 0; i < count; i++) {
		struct operation *operation = find_completed(actor, &completed[i]);
		if (operation && operation->meeting == NO_MEETING)
			end_operation(scene, actor, thread, operation);
		else
			meets |= operation != NULL;
	}
	if (meets)
		end_meetings(scene, actor, thread, count);
}

/* A request has its number when the call ends that makes it: until then another thread may complete the one that had it
 * before. */
static void keep_request(struct scene *scene, struct actor *actor, struct thread *thread)
{
	struct operation *request = new_request(scene, actor, thread->calls.role->request);

	if (request)
		*request = thread->own;
	else
		abandon(scene, &thread->own);
}

static void end_own(struct scene *scene, struct actor *actor, struct thread *thread)
{
	if (!thread->own.role)
		return;
	if (thread->calls.role->does & ROLE_HAS_REQUEST)
		keep_request(scene, actor, thread);
	else
		end_operation(scene, actor, thread, &thread->own);
	thread->own.role = NULL;
}

static bool own_must_wait(struct scene *scene, struct actor *actor, struct thread *thread)
{
	return thread->own.role && !(thread->calls.role->does & ROLE_HAS_REQUEST) &&
	       must_wait(scene, actor, &thread->own);
}

bool operations_end(struct scene *scene, struct actor *actor, struct thread *thread)
{
	const struct role *role = thread->calls.role;
	uint32_t count = thread->is_passed_over ? 0 : role->kind->completed_count;

	if (own_must_wait(scene, actor, thread))
		return false;
	for (; thread->outcomes_done < count; thread->outcomes_done++)
		if (!settle_request(scene, actor, thread, &role->kind->completed[thread->outcomes_done]))
			return false;
	thread->since = thread->now.start;
	thread->met = thread->now.start;
	end_own(scene, actor, thread);
	end_requests(scene, actor, thread, count);
	if (scene->telling.side_count)
		telling_completed(scene, &thread->now, thread->met);
	return true;
}
