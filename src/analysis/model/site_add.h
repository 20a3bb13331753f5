/* Adds a call to the sum of its distinct call (model/sites.h): done for every call, so that what most of them need is here. Of
 * use to nobody but the replay.
 *
 *	if (role->trackers == COUNTED_BIT)
 *		site_add(scene, actor, thread);        when the call at hand is over */
#ifndef TARRY_ANALYSIS_MODEL_SITE_ADD_H
#define TARRY_ANALYSIS_MODEL_SITE_ADD_H

#include "analysis/model/operation.h"
#include "analysis/model/spans.h"

/* The same as site_add(), of any call. */
void site_add_any(struct scene *scene, const struct actor *actor, struct thread *thread);
void site_add_access(struct thread *thread, struct sum_of_accesses *sum);
/* A receive, and the send before it that it could have been done together with. */
void site_add_reply(struct scene *scene, const struct thread *thread, struct sum_of_receives *received);

/* What lies between fruitless tests lies inside their event. */
static inline int64_t stolen_from(const struct event *event, int64_t before)
{
	int64_t us = (int64_t)event->stolen_before + (event->polls ? event->stolen_inside : 0);

	return us * 1000 < before ? us * 1000 : before;
}

/* A send, and what its thread did before. */
static inline void add_to_last(const struct thread *thread, const struct role *role, const struct role *last)
{
	const struct occurrence *now = &thread->now;
	struct sum_of_sends *sent = sum_of(role);
	struct sum_of_receives *received = sum_of(last);
	int64_t between;

	if (last->does & ROLE_ONLY_SENDS && last->dest_process == role->dest_process) {
		sent->again++;
		sent->again_inside = plus(sent->again_inside, from_to(now->start, now->end));
	} else if (last->does & ROLE_ONLY_RECEIVES && last->source_process != role->dest_process &&
	           received->size == sent->size) {
		between = from_to(thread->ended, now->start);
		received->passed_on++;
		received->until_passed = plus(received->until_passed,
		                              between - stolen_from(thread->calls.event, between));
	}
}

/* To a receive. */
static inline bool is_reply(const struct role *role, const struct role *last)
{
	return last->does & ROLE_ONLY_SENDS && !(last->does & ROLE_HAS_REQUEST) &&
	       last->dest_process == role->source_process && last->kind->comm == role->kind->comm;
}

/* The call at hand is the last one from now on. */
static inline void follow_last(struct scene *scene, struct thread *thread, const struct role *role)
{
	const struct role *last = thread->before;
	const struct occurrence *now = &thread->now;

	if (role->does & ROLE_ONLY_SENDS && last)
		add_to_last(thread, role, last);
	else if (role->does & ROLE_ONLY_RECEIVES && last && is_reply(role, last))
		site_add_reply(scene, thread, sum_of(role));
	thread->before = role;
	thread->before_start = now->start;
}

/* One that stands for many, that lost time or has a gap before it, the first of its kind or of its thread. */
static inline bool is_special(const struct actor *actor, const struct thread *thread)
{
	const struct event *event = thread->calls.event;
	const struct running_sum *sum = sum_of(thread->calls.role);

	return (event->polls | event->stolen_before | event->stolen_inside) || event->start >= actor->gap ||
	       !sum->count || !thread->has_ended;
}

static inline void site_add(struct scene *scene, const struct actor *actor, struct thread *thread)
{
	const struct role *role = thread->calls.role;
	const struct occurrence *now = &thread->now;
	struct running_sum *sum = sum_of(role);

	if (__builtin_expect(is_special(actor, thread), 0)) {
		site_add_any(scene, actor, thread);
		return;
	}
	sum->end = now->end;
	sum->count++;
	sum->inside = plus(sum->inside, from_to(now->start, now->end));
	if (role->is_local)
		return;
	sum->before = plus(sum->before, from_to(thread->ended, now->start));
	if (role->sum_kind == SUM_ACCESSES)
		site_add_access(thread, sum_of(role));
	follow_last(scene, thread, role);
	thread->ended = thread->ended > now->end ? thread->ended : now->end;
}

#endif
