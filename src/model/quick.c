/* The calls that programs make most, each in one go: what operation.c does for all calls, without the choices that are
 * settled for a role whose act is known. */
#include "model/operation.h"

/* No completion of this process has to be told before. */
static bool can_tell(const struct scene *scene, const struct actor *actor)
{
	return scene->teller->completion && !(scene->teller->in_order && actor->first_pending);
}

/* One transfer, which the call at hand completed. */
static void complete_one(struct scene *scene, const struct actor *actor, const struct thread *thread,
                         uint32_t number)
{
	const struct half *half = half_get(&scene->matcher, number);
	struct completion completion;

	if (half->partner == NO_HALF || !can_tell(scene, actor)) {
		telling_add(scene, number);
		telling_completed(scene, &thread->now);
		return;
	}
	telling_make_room(&scene->telling, 1);
	fill_transfer(&scene->matcher, half, scene->telling.transfers);
	completion.wait = thread->now;
	completion.count = 1;
	completion.transfers = scene->telling.transfers;
	scene->teller->completion(scene->teller->context, &completion);
	half_done(scene, number);
}

static void quick_send(struct scene *scene, struct actor *actor, struct thread *thread)
{
	uint32_t sent = send_message(scene, actor, thread->calls.role, &thread->now);

	if (sent != NO_HALF)
		complete_one(scene, actor, thread, sent);
}

static uint32_t queue_of_receive(struct scene *scene, struct role *role)
{
	if (queue_is_known(&scene->matcher, &role->receives_from))
		return role->receives_from.number;
	return queue_look_up(&scene->matcher, &role->receives_from,
	                     received_envelope(scene, role, role->source, role->source_tag));
}

static bool quick_receive(struct scene *scene, struct actor *actor, struct thread *thread)
{
	struct role *role = thread->calls.role;
	struct operation *own = &thread->own;
	const struct half *half;

	if (!thread->is_inside) {
		own->role = role;
		own->meeting = NO_MEETING;
		own->receive = post_receive(scene, queue_of_receive(scene, role), &thread->now);
	}
	half = half_get(&scene->matcher, own->receive);
	if (half->partner == NO_HALF) {
		if (must_wait_for_message(scene, actor, own))
			return false;
		lose_receive(scene, own);
		return true;
	}
	check_time(scene, &thread->now, half_get(&scene->matcher, half->partner)->by.start);
	scene->counts->messages++;
	complete_one(scene, actor, thread, own->receive);
	return true;
}

/* A request that is under way from now on. */
static struct operation *begin_request(struct scene *scene, struct actor *actor, struct thread *thread)
{
	struct operation *operation = new_request(scene, actor, thread->calls.role->request);

	if (!operation)
		return NULL;
	operation->role = thread->calls.role;
	operation->start = thread->now.start;
	operation->receive = operation->sent = operation->parked = NO_HALF;
	operation->meeting = NO_MEETING;
	operation->is_under_way = true;
	return operation;
}

static void quick_isend(struct scene *scene, struct actor *actor, struct thread *thread)
{
	uint32_t sent = send_message(scene, actor, thread->calls.role, &thread->now);
	struct operation *operation = begin_request(scene, actor, thread);

	if (operation)
		operation->sent = sent;
	else if (sent != NO_HALF)
		half_done(scene, sent);
}

static void quick_ireceive(struct scene *scene, struct actor *actor, struct thread *thread)
{
	uint32_t queue = queue_of_receive(scene, thread->calls.role);
	uint32_t receive = post_receive(scene, queue, &thread->now);
	struct operation *operation = begin_request(scene, actor, thread);

	if (operation)
		operation->receive = receive;
	else
		half_done(scene, receive);
}

/* Of an operation that sends or receives, and not both: NO_HALF is all ones. */
static uint32_t half_of(const struct operation *operation)
{
	return operation->receive & operation->sent;
}

static bool is_there(const struct scene *scene, const struct operation *operation)
{
	const struct half *half = half_get(&scene->matcher, half_of(operation));

	return half->partner != NO_HALF &&
	       (half->kind == HALF_RECEIVE || half_get(&scene->matcher, half->partner)->is_posted);
}

/* Whether all that is completed are messages whose other ends are known. */
static bool are_all_there(const struct scene *scene, const struct actor *actor, const struct role *role)
{
	for (uint32_t i = 0; i < role->outcome_count; i++) {
		const struct operation *operation;
		if ((uint64_t)role->outcomes[i].request >= actor->request_room)
			return false;
		operation = &actor->requests[role->outcomes[i].request];
		if (!operation->is_under_way || operation->role->act < ACT_ISEND ||
		    operation->role->act > ACT_IRECEIVE || half_of(operation) == NO_HALF ||
		    !is_there(scene, operation))
			return false;
	}
	return true;
}

static void finish(struct scene *scene, const struct thread *thread, struct operation *operation,
                   struct transfer *transfer)
{
	uint32_t number = half_of(operation);
	const struct half *half = half_get(&scene->matcher, number);

	fill_transfer(&scene->matcher, half, transfer);
	if (half->kind == HALF_RECEIVE) {
		check_time(scene, &thread->now, transfer->send.start);
		scene->counts->messages++;
	}
	operation->is_under_way = false;
	half_done(scene, number);
}

static bool quick_completion(struct scene *scene, struct actor *actor, struct thread *thread)
{
	const struct role *role = thread->calls.role;
	struct completion completion = {.count = role->outcome_count};

	if (!thread->is_inside) {
		thread->own.role = NULL;
		thread->outcomes_done = 0;
	}
	if (!can_tell(scene, actor) || !are_all_there(scene, actor, role))
		return operations_end(scene, actor, thread);
	telling_make_room(&scene->telling, role->outcome_count);
	for (uint32_t i = 0; i < role->outcome_count; i++)
		finish(scene, thread, &actor->requests[role->outcomes[i].request],
		       &scene->telling.transfers[i]);
	completion.wait = thread->now;
	completion.transfers = scene->telling.transfers;
	scene->teller->completion(scene->teller->context, &completion);
	return true;
}

static bool quick_any(struct scene *scene, struct actor *actor, struct thread *thread)
{
	if (!thread->is_inside)
		operations_begin(scene, actor, thread);
	return operations_end(scene, actor, thread);
}

bool quick_call(struct scene *scene, struct actor *actor, struct thread *thread)
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
	case ACT_ANY:
		break;
	}
	return quick_any(scene, actor, thread);
}
