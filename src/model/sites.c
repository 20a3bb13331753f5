#include "model/operation.h"

void site_met(struct scene *scene, struct role *role)
{
	role->trackers |= COUNTED_BIT;
	role->sum = arena_new(&scene->arena, struct site_sum);
	*role->sum = (struct site_sum){.is_local = !role->info || call_is_local(role->info)};
}

/* Sums that a trace of nonsense would make too large stay as they are largest. */
static int64_t plus(int64_t sum, int64_t more)
{
	return __builtin_add_overflow(sum, more, &sum) ? INT64_MAX : sum;
}

static int64_t from_to(int64_t from, int64_t to)
{
	int64_t length;

	return __builtin_sub_overflow(to, from, &length) ? INT64_MAX : length < 0 ? 0 : length;
}

/* Of fruitless tests in a row, what lies between them is the program's own time. */
static int64_t time_between(struct thread *thread)
{
	const struct event *event = thread->calls.event;
	int64_t length = from_to(thread->now.start, thread->now.end), inside;

	if (!event->polls)
		return 0;
	inside = from_to(clock_piece_ns(thread->clock, event->start),
	                 clock_piece_ns(thread->clock, event->start + event->busy));
	return inside > length ? 0 : length - inside;
}

/* What was done while nothing was recorded is not known. */
static int64_t time_before(const struct actor *actor, struct thread *thread)
{
	bool is_behind_gap = thread->calls.event->start >= actor->gap && !thread->is_past_gap;

	thread->is_past_gap |= is_behind_gap;
	return is_behind_gap || !thread->has_ended ? 0 : from_to(thread->ended, thread->now.start);
}

void site_add(struct actor *actor, struct thread *thread)
{
	struct site_sum *site = thread->calls.role->sum;
	const struct occurrence *now = &thread->now;
	int64_t between = time_between(thread);

	if (!site->count)
		site->call = *now;
	site->call.end = now->end;
	site->count += thread->calls.event->polls ? thread->calls.event->polls : 1;
	site->inside = plus(site->inside, from_to(now->start, now->end) - between);
	if (site->is_local)
		return;
	site->before = plus(plus(site->before, time_before(actor, thread)), between);
	thread->ended = thread->has_ended && thread->ended > now->end ? thread->ended : now->end;
	thread->has_ended = true;
}

static int64_t bytes_of(const struct site_sum *site)
{
	int64_t each, all;

	if (!call_field(site->call.role->call, FIELD_SENT, &each) || each < 0)
		return 0;
	return __builtin_mul_overflow(each, (int64_t)site->starts, &all) ? INT64_MAX : all;
}

static void tell(const struct scene *scene, struct site_sum *site)
{
	if (!(site->call.role->does & ROLE_PREPARES))
		site->starts = site->count;
	site->bytes = bytes_of(site);
	scene->teller->site(scene->teller->context, site);
}

void sites_tell(struct scene *scene)
{
	if (!scene->teller->site)
		return;
	for (uint32_t i = 0; i < scene->actor_count; i++) {
		const struct roles *roles = &scene->actors[i].roles;
		for (uint64_t id = 0; id < roles->count; id++)
			if (roles->items[id] && roles->items[id]->sum->count)
				tell(scene, roles->items[id]->sum);
	}
}
