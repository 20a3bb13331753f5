#include "model/operation.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Numbers are the lowest that are free, so there is none far above the count; a few creations may be lost. */
enum { LOST_REQUESTS = 1024, FIRST_REQUESTS = 16 };

struct step step_at(const struct actor *actor, struct thread *thread)
{
	return (struct step){.process = actor->process,
	                     .stream = thread->stream,
	                     .event = &thread->event,
	                     .role = thread->role,
	                     .moment = thread->moment};
}

struct event_source source_of(const struct scene *scene, struct actor *actor, struct thread *thread)
{
	return (struct event_source){.iter = &thread->iter,
	                             .roles = &actor->roles,
	                             .comms = scene->comms,
	                             .process = actor->process};
}

static struct operation *find_request(struct actor *actor, int64_t number)
{
	return number >= 0 && (uint64_t)number < actor->request_room ? &actor->requests[number] : NULL;
}

static struct operation *new_request(struct actor *actor, int64_t number)
{
	uint64_t room = actor->request_room;

	actor->requests_made++;
	if (number < 0 || (uint64_t)number > actor->requests_made + LOST_REQUESTS)
		return NULL;
	if ((uint64_t)number >= room) {
		for (room = room ? room : FIRST_REQUESTS; room <= (uint64_t)number;)
			room *= 2;
		actor->requests = memory_grow(actor->requests, room, sizeof *actor->requests);
		memset(actor->requests + actor->request_room, 0,
		       (room - actor->request_room) * sizeof *actor->requests);
		actor->request_room = room;
	}
	return &actor->requests[number];
}

/* Envelopes */

static bool is_inter_comm(const struct scene *scene, const struct role *role)
{
	return is_inter(&scene->comms->comms[role->own.comm]);
}

/* The side of the sender tells the two directions of an intercommunicator apart. */
static uint32_t channel(const struct role *role, uint32_t sender_side)
{
	return role->own.comm * 2 + sender_side;
}

static struct envelope sent_envelope(const struct role *role)
{
	return (struct envelope){.channel = channel(role, role->own.side),
	                         .source = role->own.rank,
	                         .dest = (uint32_t)role->dest,
	                         .tag = role->tag};
}

static uint32_t source_side(const struct scene *scene, const struct role *role)
{
	return is_inter_comm(scene, role) ? !role->own.side : role->own.side;
}

static struct envelope received_envelope(const struct scene *scene, const struct role *role, int32_t source,
                                         int32_t tag)
{
	return (struct envelope){.channel = channel(role, source_side(scene, role)),
	                         .source = (uint32_t)source,
	                         .dest = role->own.rank,
	                         .tag = tag};
}

static struct half half_of(const struct actor *actor, const struct operation *operation,
                           struct envelope where)
{
	return (struct half){.call = operation->call,
	                     .start = operation->start,
	                     .end = operation->end,
	                     .moment = operation->moment,
	                     .where = where,
	                     .process = actor->process,
	                     .stream = operation->stream};
}

/* Begin */

/* Who waits for a half, waits for its own. */
static void wake_owner(struct scene *scene, uint32_t half)
{
	uint32_t process = half == NO_HALF ? NO_PROCESS : half_get(&scene->matcher, half)->process;

	if (process != NO_PROCESS && scene->actors[process].waits_half == half)
		scene_wake(scene, process);
}

static void wake_members(struct scene *scene)
{
	uint32_t process;

	while (meeting_next_woken(&scene->meetings, &process))
		scene_wake(scene, process);
}

static void send(struct scene *scene, struct actor *actor, const struct operation *operation)
{
	struct half half = half_of(actor, operation, sent_envelope(operation->role));
	uint32_t woken;

	match_send(&scene->matcher, &half, &woken);
	actor->in_flight++;
	wake_owner(scene, woken);
}

static bool is_posted(uint32_t does)
{
	return does & (ROLE_RECEIVES | ROLE_PROBES);
}

static void post(struct scene *scene, struct actor *actor, struct operation *operation, int32_t source,
                 int32_t tag)
{
	struct half half;

	operation->half = NO_HALF;
	if (source < 0 || tag == TAG_ANY)
		return;
	half = half_of(actor, operation, received_envelope(scene, operation->role, source, tag));
	operation->half = operation->role->does & ROLE_PROBES ? match_probe(&scene->matcher, &half)
	                                                      : match_receive(&scene->matcher, &half);
}

/* A receive with a wildcard takes its place among the others as soon as it is known where its message comes from. One that
 * will be cancelled takes none. */
static void post_open(struct scene *scene, struct actor *actor, struct operation *operation,
                      struct thread *thread)
{
	struct outcome outcome;

	operation->half = NO_HALF;
	operation->is_foreseen = foresee(&thread->foresight, source_of(scene, actor, thread),
	                                 operation->role->request, &outcome);
	/* Receives that are posted after it may get its message. */
	if (!operation->is_foreseen && actor->lacks_completions)
		actor->gap = thread->event.start;
	if (operation->is_foreseen && !outcome.cancelled)
		post(scene, actor, operation, outcome.source, outcome.source_tag);
}

static struct entry entry_of(const struct actor *actor, const struct operation *operation)
{
	const struct role *role = operation->role;

	return (struct entry){.own = role->own,
	                      .meets = role->meets,
	                      .root = role->root,
	                      .needs_nobody = role->does & ROLE_NEEDS_NOBODY,
	                      .process = actor->process,
	                      .moment = operation->moment,
	                      .lane = operation->lane};
}

/* A message that was found earlier is received by its number, which the receive's request may get at once. */
static uint32_t take_message(struct actor *actor, int64_t number)
{
	struct operation *found = find_request(actor, number);
	uint32_t half = found && found->is_under_way ? found->half : NO_HALF;

	if (found)
		*found = (struct operation){0};
	return half;
}

static void begin(struct scene *scene, struct actor *actor, struct operation *operation,
                  struct thread *thread)
{
	const struct role *role = operation->role;

	operation->stream = thread->stream;
	operation->start = thread->event.start;
	operation->end = thread->event.end;
	operation->moment = thread->moment;
	operation->meeting = NO_MEETING;
	operation->is_under_way = true;
	if (role->does & ROLE_SENDS)
		send(scene, actor, operation);
	if (is_open(role))
		post_open(scene, actor, operation, thread);
	else if (is_posted(role->does))
		post(scene, actor, operation, role->source, role->source_tag);
	if (role->does & ROLE_MEETS) {
		struct entry entry = entry_of(actor, operation);
		operation->meeting = meeting_enter(&scene->meetings, &entry);
		wake_members(scene);
	}
}

static void begin_prepared(struct scene *scene, struct actor *actor, struct thread *thread)
{
	const struct call *call = thread->event.call;

	for (uint32_t i = 0; i < call->field_count; i++) {
		struct operation *operation = call->fields[i].key == FIELD_REQUEST
		                                      ? find_request(actor, call->fields[i].value)
		                                      : NULL;
		if (operation && operation->role && operation->role->does & ROLE_PREPARES)
			begin(scene, actor, operation, thread);
	}
}

static void prepare(struct scene *scene, struct actor *actor, struct operation *operation)
{
	const struct role *role = operation->role;

	if (role->does & ROLE_MEETS)
		operation->lane = meeting_prepare(&scene->meetings, role->own.comm, actor->process);
}

void operations_begin(struct scene *scene, struct actor *actor, struct thread *thread)
{
	const struct role *role = thread->role;
	uint32_t found = role->does & ROLE_BY_NUMBER ? take_message(actor, role->message) : NO_HALF;
	uint32_t begins = ROLE_SENDS | ROLE_RECEIVES | ROLE_PROBES | ROLE_BY_NUMBER | ROLE_MEETS;

	thread->own.role = NULL;
	thread->fields_done = 0;
	if (thread->is_passed_over)
		return;
	if (role->does & ROLE_STARTS)
		begin_prepared(scene, actor, thread);
	if (!(role->does & (begins | ROLE_HAS_REQUEST)))
		return;
	thread->own = (struct operation){
		.role = role, .call = thread->event.call, .half = found, .meeting = NO_MEETING};
	thread->own.lane = role->info->class == CLASS_ENVIRONMENT ? LANE_ENVIRONMENT : LANE_CALLS;
	if (role->does & ROLE_PREPARES)
		prepare(scene, actor, &thread->own);
	else
		begin(scene, actor, &thread->own, thread);
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

/* False: it will not come, so there is nothing to wait for. */
static bool wait_for_message(struct scene *scene, struct actor *actor, const struct role *role, uint32_t half)
{
	uint32_t sender = comm_process(scene->comms, role->own.comm, source_side(scene, role),
	                               half_get(&scene->matcher, half)->where.source);

	if (actor->is_forced || sender == NO_PROCESS || scene->actors[sender].state == ACTOR_ENDED)
		return false;
	wait_for_sender(scene, actor, sender);
	actor->waits_half = half;
	actor->state = ACTOR_WAITS;
	return true;
}

static bool wait_for_meeting(struct scene *scene, struct actor *actor, uint32_t meeting,
                             const struct entry *entry)
{
	if (actor->is_forced)
		return false;
	meeting_sleep(&scene->meetings, meeting, entry);
	actor->waits_meeting = meeting;
	actor->waits_entry = *entry;
	actor->state = ACTOR_WAITS;
	return true;
}

/* End */

static struct message_end end_of(const struct half *half)
{
	return (struct message_end){.process = half->process,
	                            .stream = half->stream,
	                            .call = half->call,
	                            .start = half->start,
	                            .end = half->end,
	                            .moment = half->moment};
}

static void tell_message(struct scene *scene, struct actor *actor, struct thread *thread, uint32_t number)
{
	const struct half *to = half_get(&scene->matcher, number);
	const struct half *from = half_get(&scene->matcher, to->partner);
	struct step step = step_at(actor, thread);
	struct message message = {.probed = to->kind == HALF_PROBE,
	                          .from = end_of(from),
	                          .to = end_of(to),
	                          .comm = scene->comms->comms[from->where.channel / 2].identity,
	                          .source = from->where.source,
	                          .dest = from->where.dest,
	                          .tag = from->where.tag};

	if (scene->visitor->message)
		scene->visitor->message(scene->visitor->context, &step, &message);
}

static void lose_receive(struct scene *scene, struct operation *operation)
{
	scene->counts->unmatched_receives++;
	if (operation->half != NO_HALF)
		wake_owner(scene, match_withdraw(&scene->matcher, operation->half));
}

/* The message of MPI_Mprobe stays with its number until it is received. */
static void end_probe(struct scene *scene, struct actor *actor, const struct operation *operation)
{
	struct operation *found = operation->role->does & ROLE_TAKES
	                                  ? new_request(actor, operation->role->message)
	                                  : NULL;

	if (found) {
		match_take(&scene->matcher, operation->half);
		*found = *operation;
	} else {
		match_withdraw(&scene->matcher, operation->half);
	}
}

static void end_receive(struct scene *scene, struct actor *actor, struct thread *thread,
                        struct operation *operation)
{
	struct half *half = half_get(&scene->matcher, operation->half);

	tell_message(scene, actor, thread, operation->half);
	if (operation->role->does & ROLE_PROBES) {
		end_probe(scene, actor, operation);
		return;
	}
	scene->counts->messages++;
	scene->actors[half_get(&scene->matcher, half->partner)->process].in_flight--;
	match_finish(&scene->matcher, operation->half);
}

/* A message that was taken by its number has come already, or never will. */
static bool waits(struct scene *scene, struct actor *actor, const struct operation *operation)
{
	return operation->half != NO_HALF && !(operation->role->does & ROLE_BY_NUMBER) &&
	       wait_for_message(scene, actor, operation->role, operation->half);
}

static bool receive_is_over(struct scene *scene, struct actor *actor, struct thread *thread,
                            struct operation *operation)
{
	if (operation->half != NO_HALF && half_get(&scene->matcher, operation->half)->partner != NO_HALF)
		end_receive(scene, actor, thread, operation);
	else if (waits(scene, actor, operation))
		return false;
	else
		lose_receive(scene, operation);
	operation->half = NO_HALF;
	return true;
}

static void tell_collective(struct scene *scene, struct actor *actor, struct thread *thread,
                            const struct operation *operation, const struct entry *entry)
{
	struct step step = step_at(actor, thread);
	struct arrival cause = meeting_cause(&scene->meetings, operation->meeting, entry);
	const struct meeting *meeting = &scene->meetings.items[operation->meeting];
	struct collective collective = {.comm = scene->comms->comms[entry->own.comm].identity,
	                                .call = operation->call,
	                                .start = operation->start,
	                                .meets = meeting->meets,
	                                .cause = cause.process,
	                                .cause_moment = cause.moment,
	                                .lane = meeting->lane,
	                                .sequence = meeting->sequence};

	if (scene->visitor->collective)
		scene->visitor->collective(scene->visitor->context, &step, &collective);
}

static bool meeting_is_over(struct scene *scene, struct actor *actor, struct thread *thread,
                            struct operation *operation)
{
	struct entry entry = entry_of(actor, operation);

	if (!meeting_may_leave(&scene->meetings, operation->meeting, &entry) &&
	    wait_for_meeting(scene, actor, operation->meeting, &entry))
		return false;
	tell_collective(scene, actor, thread, operation, &entry);
	meeting_leave(&scene->meetings, operation->meeting);
	operation->meeting = NO_MEETING;
	return true;
}

/* False: the actor waits. What was dealt with before is not looked at again. */
static bool end_operation(struct scene *scene, struct actor *actor, struct thread *thread,
                          struct operation *operation)
{
	uint32_t receives = ROLE_RECEIVES | ROLE_PROBES | ROLE_BY_NUMBER;

	if (operation->meeting != NO_MEETING && !meeting_is_over(scene, actor, thread, operation))
		return false;
	if (operation->role->does & receives && !receive_is_over(scene, actor, thread, operation))
		return false;
	operation->is_under_way = false;
	return true;
}

static void cancel(struct scene *scene, struct actor *actor, struct operation *operation)
{
	const struct role *role = operation->role;

	scene->counts->cancelled++;
	operation->is_under_way = false;
	if (operation->half != NO_HALF)
		wake_owner(scene, match_withdraw(&scene->matcher, operation->half));
	operation->half = NO_HALF;
	if (role->does & ROLE_SENDS &&
	    match_cancel_send(&scene->matcher, sent_envelope(role), operation->call))
		actor->in_flight--;
}

static bool end_request(struct scene *scene, struct actor *actor, struct thread *thread,
                        const struct outcome *outcome)
{
	struct operation *operation = find_request(actor, outcome->request);

	if (!operation || !operation->role || !operation->is_under_way)
		return true;
	if (is_open(operation->role) && !operation->is_foreseen) {
		foresight_skip(&thread->foresight, outcome->request);
		operation->is_foreseen = true;
	}
	if (outcome->cancelled) {
		cancel(scene, actor, operation);
		return true;
	}
	/* Only now it is known where the message of a wildcard came from. */
	if (operation->half == NO_HALF && operation->role->does & ROLE_RECEIVES) {
		if (outcome->source == RANK_NULL) {
			operation->is_under_way = false;
			return true;
		}
		post(scene, actor, operation, outcome->source, outcome->source_tag);
	}
	return end_operation(scene, actor, thread, operation);
}

/* A request has its number when the call ends that makes it: until then another thread may complete the one that had it
 * before. */
static bool end_own(struct scene *scene, struct actor *actor, struct thread *thread)
{
	struct operation *request;

	if (!thread->own.role)
		return true;
	if (!(thread->role->does & ROLE_HAS_REQUEST))
		return !thread->own.is_under_way || end_operation(scene, actor, thread, &thread->own);
	request = new_request(actor, thread->role->request);
	if (request)
		*request = thread->own;
	thread->own.role = NULL;
	return true;
}

bool operations_end(struct scene *scene, struct actor *actor, struct thread *thread)
{
	const struct call *call = thread->event.call;
	struct outcome outcome;
	uint32_t at = thread->fields_done;

	if (!end_own(scene, actor, thread))
		return false;
	if (thread->is_passed_over || !(thread->role->does & ROLE_COMPLETES))
		return true;
	while (next_outcome(call, &at, &outcome)) {
		if (!end_request(scene, actor, thread, &outcome))
			return false;
		thread->fields_done = at;
	}
	return true;
}
