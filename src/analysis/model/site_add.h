/* Adds a call to the totals of its distinct call (model/sites.h). This runs for every call, so the common
 * case is inline. Internal to the replay.
 *
 *	if (semantics->followers == COUNTED_BIT)
 *		site_add(replay, process, thread);        when the current call is complete */
#ifndef TARRY_ANALYSIS_MODEL_SITE_ADD_H
#define TARRY_ANALYSIS_MODEL_SITE_ADD_H

#include "analysis/model/operation.h"
#include "analysis/model/spans.h"

/* Like site_add(), for any call. */
void site_add_any(struct replay *replay, const struct replay_process *proc, struct thread *thread);
void site_add_access(struct thread *thread);
/* For a collective call, `before` which its thread computed for so long. */
void site_add_after(const struct replay *replay, struct thread *thread, int64_t before);
/* From now on, data-transferring calls are added to the pair with this previous call. */
void site_find_pair(struct replay *replay, const struct call_semantics *semantics, uint32_t previous);

void site_keep_longest(struct replay *replay, struct running_sum *sum, int64_t before);

/* The longest times before calls are kept: the long ones recur. */
static inline void site_note_before(struct replay *replay, struct running_sum *sum, int64_t before)
{
	if (__builtin_expect((float)before > sum->longest_from, 0))
		site_keep_longest(replay, sum, before);
}

/* For a call that has received a message: it needed only its sender, which arrived with the send. Time
 * without a CPU is not charged to the call. */
static inline void site_add_receive(struct thread *thread)
{
	const struct occurrence *now = &thread->now;
	struct receive_sum *sum = &((struct sum_of_receives *)sum_of(thread->calls.semantics))->received;
	int64_t inside = interval_ns(now->start, now->end), active = inside, previous;
	int64_t delay = (int64_t)thread->calls.event->delay_inside * NS_PER_US;

	if (thread->sent == INT64_MIN)
		return;
	if (thread->sent > now->start)
		active = interval_ns(thread->sent, now->end);
	active = active > delay ? active - delay : 0;
	if (thread->sent <= now->start) {
		sum->ready++;
		sum->ready_inside = saturating_add(sum->ready_inside, active);
		sum->ready_since = saturating_add(sum->ready_since, interval_ns(thread->sent, now->start));
	}
	sum->active = saturating_add(sum->active, active);
	if (thread->before_number) {
		previous = interval_ns(thread->before_start, thread->ended);
		sum->overlap = saturating_add(sum->overlap, previous < active ? previous : active);
	}
	thread->sent = INT64_MIN;
}

/* After a call that completed requests. */
static inline void site_add_work(const struct thread *thread, int64_t after)
{
	struct sum_of_completions *sum = sum_of(thread->completed);

	sum->after = saturating_add(sum->after, after);
}

/* The current call is the previous one from now on. */
static inline void site_add_to_kind(const struct replay *replay, struct thread *thread,
                                    const struct call_semantics *semantics, int64_t before)
{
	if (semantics->sum_kind == SUM_RECEIVES)
		site_add_receive(thread);
	else if (semantics->sum_kind == SUM_ACCESSES)
		site_add_access(thread);
	else if (semantics->sum_kind == SUM_COLLECTIVE)
		site_add_after(replay, thread, before);
	if (thread->completed)
		site_add_work(thread, before);
	thread->completed = semantics->sum_kind == SUM_COMPLETIONS ? semantics : NULL;
	thread->before = semantics->sum_kind >= SUM_COLLECTIVE ? semantics : NULL;
	thread->before_number = semantics->sum_kind >= SUM_TRANSFERS ? thread->calls.event->id + 1 : 0;
	thread->before_start = thread->now.start;
}

static inline bool is_behind_another(const struct thread *thread, const struct call_semantics *semantics)
{
	return semantics->sum_kind >= SUM_TRANSFERS &&
	       ((const struct running_sum *)sum_of(semantics))->previous != thread->before_number;
}

/* A call that represents many, that lost time or follows a gap, or the first of its kind or of its thread. */
static inline bool is_special(const struct replay_process *proc, const struct thread *thread)
{
	const struct event *event = thread->calls.event;
	const struct running_sum *sum = sum_of(thread->calls.semantics);

	return (event->polls | event->delay_before | event->delay_inside | event->tool_before) ||
	       thread->local_delay || event->start >= proc->gap || !sum->time.count || !thread->has_ended;
}

static inline void site_add(struct replay *replay, const struct replay_process *proc, struct thread *thread)
{
	const struct call_semantics *semantics = thread->calls.semantics;
	const struct occurrence *now = &thread->now;
	struct running_sum *sum = sum_of(semantics);
	int64_t before;

	if (__builtin_expect(is_special(proc, thread), 0)) {
		site_add_any(replay, proc, thread);
		return;
	}
	sum->end = now->end;
	if (is_behind_another(thread, semantics))
		site_find_pair(replay, semantics, thread->before_number);
	sum->time.count++;
	sum->time.inside = saturating_add(sum->time.inside, interval_ns(now->start, now->end));
	if (semantics->is_local)
		return;
	before = interval_ns(thread->ended, now->start);
	sum->time.before = saturating_add(sum->time.before, before);
	site_note_before(replay, sum, before);
	site_add_to_kind(replay, thread, semantics, before);
	thread->ended = thread->ended > now->end ? thread->ended : now->end;
}

#endif
