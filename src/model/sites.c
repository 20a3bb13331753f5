#include "model/operation.h"

void site_met(struct scene *scene, struct role *role)
{
	role->trackers |= COUNTED_BIT;
	role->sum = arena_new(&scene->arena, struct site_sum);
	*role->sum = (struct site_sum){.is_local = !role->info || call_is_local(role->info),
	                               .peer = role->does & ROLE_SENDS      ? role->dest
	                                       : role->does & ROLE_RECEIVES ? role->source
	                                                                    : RANK_NULL};
	if (!call_field(role->call, role->does & ROLE_SENDS ? FIELD_SENT : FIELD_RECEIVED, &role->sum->size))
		role->sum->size = 0;
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

/* What lies between fruitless tests lies inside their event. */
static int64_t stolen_from(const struct event *event, int64_t before)
{
	int64_t us = (int64_t)event->stolen_before + (event->polls ? event->stolen_inside : 0);

	return us * 1000 < before ? us * 1000 : before;
}

static bool only_sends(const struct role *role)
{
	return (role->does & (ROLE_SENDS | ROLE_RECEIVES | ROLE_PREPARES)) == ROLE_SENDS &&
	       role->dest_process != NO_PROCESS;
}

static bool only_receives(const struct role *role)
{
	return (role->does & (ROLE_SENDS | ROLE_RECEIVES | ROLE_HAS_REQUEST)) == ROLE_RECEIVES &&
	       role->source_process != NO_PROCESS;
}

/* A send, and what its thread did before. */
static void add_to_last(const struct thread *thread, const struct role *role, const struct role *last)
{
	const struct occurrence *now = &thread->now;
	int64_t between = from_to(thread->ended, now->start);

	if (only_sends(last) && last->dest_process == role->dest_process) {
		role->sum->again++;
		role->sum->again_inside = plus(role->sum->again_inside, from_to(now->start, now->end));
	} else if (only_receives(last) && last->source_process != role->dest_process &&
	           last->sum->size == role->sum->size) {
		last->sum->passed_on++;
		last->sum->until_passed = plus(last->sum->until_passed,
		                               between - stolen_from(thread->calls.event, between));
	}
}

static bool is_reply(const struct role *role, const struct role *last)
{
	return only_receives(role) && only_sends(last) && !(last->does & ROLE_HAS_REQUEST) &&
	       last->dest_process == role->source_process && last->comm == role->comm;
}

/* A receive, and the send before it that it could have been done together with. */
static void add_reply(const struct thread *thread, struct site_sum *site, const struct role *last)
{
	const struct occurrence *now = &thread->now;
	int64_t sending = from_to(thread->before_start, thread->ended);
	int64_t saved = sending < site->moved ? sending : site->moved;

	if (!site->replies || saved > site->most_saved) {
		site->most_saved = saved;
		site->answered = *now;
		site->answered.role = last;
		site->answered.start = thread->before_start;
		site->answered.end = thread->ended;
	}
	site->replies++;
	site->reply_gap = plus(site->reply_gap, from_to(thread->ended, now->start));
	site->reply_sent = plus(site->reply_sent, last->sum->size);
	site->reply_saved = plus(site->reply_saved, saved);
}

void site_add(struct actor *actor, struct thread *thread)
{
	const struct role *role = thread->calls.role;
	const struct event *event = thread->calls.event;
	const struct occurrence *now = &thread->now;
	struct site_sum *site = role->sum;
	int64_t between = event->polls ? time_between(thread) : 0;
	int64_t before;

	if (!site->count)
		site->call = site->answered = *now;
	site->call.end = now->end;
	site->count += event->polls ? event->polls : 1;
	site->inside = plus(site->inside, from_to(now->start, now->end) - between);
	if (site->is_local)
		return;
	before = plus(time_before(actor, thread), between);
	site->before = plus(site->before, before);
	if (event->stolen_before || event->stolen_inside)
		site->stolen = plus(site->stolen, stolen_from(event, before));
	if (thread->before && only_sends(role))
		add_to_last(thread, role, thread->before);
	else if (thread->before && is_reply(role, thread->before))
		add_reply(thread, site, thread->before);
	thread->before = role;
	thread->before_start = now->start;
	thread->ended = thread->has_ended && thread->ended > now->end ? thread->ended : now->end;
	thread->has_ended = true;
}

/* Of a receive that is completed by itself. */
void site_completed(const struct completion *completion)
{
	const struct transfer *transfer = completion->transfers;
	const struct occurrence *wait = &completion->wait;
	struct site_sum *site = wait->role->sum;

	if (completion->count != 1 || transfer->is_send || transfer->is_probe ||
	    transfer->post.role != wait->role)
		return;
	site->moved = from_to(transfer->send.start > wait->start ? transfer->send.start : wait->start,
	                      wait->end);
	if (transfer->send.start > wait->start) {
		site->moving = plus(site->moving, from_to(transfer->send.start, wait->end));
		return;
	}
	site->found++;
	site->found_inside = plus(site->found_inside, from_to(wait->start, wait->end));
	site->lain = plus(site->lain, from_to(transfer->send.start, wait->start));
}

void site_met_others(const struct gathering *gathering)
{
	int64_t latest = INT64_MIN;

	for (uint32_t i = 0; i < gathering->count; i++)
		if (gathering->participants[i].call.start > latest)
			latest = gathering->participants[i].call.start;
	for (uint32_t i = 0; i < gathering->count; i++) {
		const struct participant *one = &gathering->participants[i];
		struct site_sum *site = one->wait.role->sum;
		if (one->call.role == one->wait.role)
			site->settled = plus(site->settled, from_to(latest, one->wait.end));
	}
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
