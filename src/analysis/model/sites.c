#include "analysis/model/site_add.h"

#include "base/memory.h"

#include <stdlib.h>

/* Of another thread's memory, or of its own: in UPC. */
static bool is_access(const struct role *role)
{
	int64_t target;

	return role->kind->info && role->kind->info->class == CLASS_UPC_ACCESS &&
	       call_field(role->call, FIELD_TARGET, &target);
}

static enum sum_kind kind_of(const struct role *role)
{
	if (is_access(role))
		return SUM_ACCESSES;
	if (role->does & ROLE_PREPARES)
		return SUM_STARTS;
	if (role->does & (ROLE_RECEIVES | ROLE_BY_NUMBER))
		return role->does & ROLE_HAS_REQUEST ? SUM_PLAIN : SUM_RECEIVES;
	if (role->does & ROLE_SENDS)
		return SUM_SENDS;
	return role->does & ROLE_MEETS && !(role->does & ROLE_HAS_REQUEST) ? SUM_MEETS : SUM_PLAIN;
}

static uint32_t does_only(const struct role *role)
{
	const uint32_t both = ROLE_SENDS | ROLE_RECEIVES;

	if ((role->does & (both | ROLE_PREPARES)) == ROLE_SENDS && role->dest_process != NO_PROCESS)
		return ROLE_ONLY_SENDS;
	if ((role->does & (both | ROLE_HAS_REQUEST)) == ROLE_RECEIVES && role->source_process != NO_PROCESS)
		return ROLE_ONLY_RECEIVES;
	return 0;
}

size_t site_room(struct role *role)
{
	static const size_t rooms[] = {
		[SUM_PLAIN] = sizeof(struct running_sum),     [SUM_STARTS] = sizeof(struct sum_of_starts),
		[SUM_SENDS] = sizeof(struct sum_of_sends),    [SUM_RECEIVES] = sizeof(struct sum_of_receives),
		[SUM_MEETS] = sizeof(struct sum_of_meetings), [SUM_ACCESSES] = sizeof(struct sum_of_accesses),
	};

	role->trackers |= COUNTED_BIT;
	role->does |= does_only(role);
	role->is_local = !role->kind->info || call_is_local(role->kind->info);
	role->sum_kind = kind_of(role);
	return role->sum_kind == SUM_PLAIN && role->is_local ? offsetof(struct running_sum, before)
	                                                     : rooms[role->sum_kind];
}

static uint64_t calls_of(const struct role *role)
{
	const struct running_sum *sum = sum_of(role);

	return sum->count;
}

static struct sum_of_sends *sum_of_sends(const struct role *role)
{
	return sum_of(role);
}

static struct sum_of_receives *sum_of_receives(const struct role *role)
{
	return sum_of(role);
}

static int64_t field_or_none(const struct role *role, uint32_t key)
{
	int64_t value;

	return call_field(role->call, key, &value) ? value : 0;
}

void site_met(struct role *role)
{
	if (role->sum_kind == SUM_SENDS)
		sum_of_sends(role)->size = field_or_none(role, FIELD_SENT);
	else if (role->sum_kind == SUM_RECEIVES)
		sum_of_receives(role)->size = field_or_none(role, FIELD_RECEIVED);
}

/* Of fruitless tests in a row, what lies between them is the program's own time. */
static __attribute__((noinline)) int64_t time_between(struct thread *thread)
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

void site_add_reply(struct scene *scene, const struct thread *thread, struct sum_of_receives *received)
{
	const struct role *last = thread->before;
	const struct occurrence *now = &thread->now;
	int64_t sending = from_to(thread->before_start, thread->ended);
	int64_t saved = sending < received->moved ? sending : received->moved;
	struct sum_of_replies *sum = received->replies;

	if (!sum)
		sum = received->replies = arena_new(&scene->arena, struct sum_of_replies);
	if (!sum->replies || saved > sum->most_saved) {
		sum->most_saved = saved;
		sum->answered = *now;
		sum->answered.role = last;
		sum->answered.start = thread->before_start;
		sum->answered.end = thread->ended;
	}
	sum->replies++;
	sum->gap = plus(sum->gap, from_to(thread->ended, now->start));
	sum->sent = plus(sum->sent, sum_of_sends(last)->size);
	sum->saved = plus(sum->saved, saved);
}

static int64_t stolen_inside(const struct thread *thread)
{
	int64_t length = from_to(thread->now.start, thread->now.end);
	int64_t stolen = (int64_t)thread->calls.event->stolen_inside * 1000;

	return stolen < length ? stolen : length;
}

/* Of UPC. Those between which its thread does nothing but access memory could be one. */
void site_add_access(struct thread *thread, struct sum_of_accesses *sum)
{
	int64_t stolen = stolen_inside(thread);

	thread->epoch += !thread->before || thread->before->sum_kind != SUM_ACCESSES;
	if (sum->all.count > 1 && sum->epoch == thread->epoch) {
		sum->again++;
		sum->again_inside = plus(sum->again_inside,
		                         from_to(thread->now.start, thread->now.end) - stolen);
	}
	sum->epoch = thread->epoch;
	sum->stolen_inside = plus(sum->stolen_inside, stolen);
}

enum stolen_when { STOLEN_BEFORE, STOLEN_INSIDE };

static struct pair stolen_key(const struct role *role, enum stolen_when when)
{
	return (struct pair){(uintptr_t)role, when};
}

static void add_stolen(struct stolen_times *times, const struct role *role, enum stolen_when when, int64_t ns)
{
	uint32_t *number = ns ? pair_map_put(&times->numbers, stolen_key(role, when)) : NULL;

	if (!number)
		return;
	if (*number == UINT32_MAX) {
		*number = times->count++;
		if (*number == times->room) {
			times->room = times->room ? 2 * times->room : 64;
			times->ns = memory_grow(times->ns, times->room, sizeof *times->ns);
		}
		times->ns[*number] = 0;
	}
	times->ns[*number] = plus(times->ns[*number], ns);
}

static int64_t stolen_of(const struct stolen_times *times, const struct role *role, enum stolen_when when)
{
	const uint32_t *number = pair_map_find(&times->numbers, stolen_key(role, when));

	return number ? times->ns[*number] : 0;
}

void stolen_times_release(struct stolen_times *times)
{
	pair_map_release(&times->numbers);
	free(times->ns);
	*times = (struct stolen_times){0};
}

/* What goes by the kind of call alone. */
static void add_to_kind(struct scene *scene, struct thread *thread, const struct role *role)
{
	if (role->sum_kind == SUM_ACCESSES)
		site_add_access(thread, sum_of(role));
	else if (role->sum_kind == SUM_MEETS)
		add_stolen(&scene->stolen, role, STOLEN_INSIDE, stolen_inside(thread));
}

static void begin_sum(struct running_sum *sum, const struct occurrence *first)
{
	sum->start = first->start;
	sum->position = first->position;
	sum->thread = first->thread;
	sum->phase = first->phase;
}

/* What only calls have that wait for others. */
static void add_to_others(struct scene *scene, const struct actor *actor, struct thread *thread,
                          int64_t between)
{
	const struct role *role = thread->calls.role;
	const struct event *event = thread->calls.event;
	int64_t before = plus(time_before(actor, thread), between);
	struct running_sum *sum = sum_of(role);

	add_to_kind(scene, thread, role);
	sum->before = plus(sum->before, before);
	add_stolen(&scene->stolen, role, STOLEN_BEFORE, stolen_from(event, before));
}

void site_add_any(struct scene *scene, const struct actor *actor, struct thread *thread)
{
	const struct role *role = thread->calls.role;
	const struct event *event = thread->calls.event;
	const struct occurrence *now = &thread->now;
	struct running_sum *sum = sum_of(role);
	int64_t between = event->polls ? time_between(thread) : 0;

	if (!sum->count)
		begin_sum(sum, now);
	sum->end = now->end;
	sum->count += event->polls ? event->polls : 1;
	sum->inside = plus(sum->inside, from_to(now->start, now->end) - between);
	if (role->is_local)
		return;
	add_to_others(scene, actor, thread, between);
	follow_last(scene, thread, role);
	thread->ended = thread->has_ended && thread->ended > now->end ? thread->ended : now->end;
	thread->has_ended = true;
}

void site_received(const struct occurrence *wait, const struct occurrence *send)
{
	struct sum_of_receives *sum = sum_of_receives(wait->role);

	if (wait->role->sum_kind != SUM_RECEIVES)
		return;
	sum->moved = from_to(send->start > wait->start ? send->start : wait->start, wait->end);
	if (send->start > wait->start) {
		sum->moving = plus(sum->moving, from_to(send->start, wait->end));
		return;
	}
	sum->found++;
	sum->found_inside = plus(sum->found_inside, from_to(wait->start, wait->end));
	sum->lain = plus(sum->lain, from_to(send->start, wait->start));
}

void site_met_others(const struct collective_operation *gathering)
{
	int64_t latest = INT64_MIN, earliest_end = INT64_MAX;

	for (uint32_t i = 0; i < gathering->count; i++) {
		const struct collective_call *one = &gathering->rows[i];
		latest = one->call.start > latest ? one->call.start : latest;
		earliest_end = one->wait.end < earliest_end ? one->wait.end : earliest_end;
	}
	for (uint32_t i = 0; i < gathering->count; i++) {
		const struct collective_call *one = &gathering->rows[i];
		struct sum_of_meetings *sum = sum_of(one->wait.role);
		if (one->call.role != one->wait.role || one->wait.role->sum_kind != SUM_MEETS)
			continue;
		sum->settled = plus(sum->settled, from_to(latest, one->wait.end));
		sum->worked = plus(sum->worked, from_to(latest, earliest_end));
	}
}

static int64_t bytes_of(const struct site_sum *site)
{
	int64_t each, all;

	if (!call_field(site->call.role->call, FIELD_SENT, &each) &&
	    !(site->call.role->sum_kind == SUM_ACCESSES &&
	      call_field(site->call.role->call, FIELD_RECEIVED, &each)))
		return 0;
	if (each < 0)
		return 0;
	return __builtin_mul_overflow(each, (int64_t)site->starts, &all) ? INT64_MAX : all;
}

static void put_replies(struct site_sum *site, const struct sum_of_replies *sum)
{
	site->replies = sum->replies;
	site->reply_gap = sum->gap;
	site->reply_sent = sum->sent;
	site->reply_saved = sum->saved;
	site->answered = sum->answered;
}

static void put_receives(struct site_sum *site, const struct sum_of_receives *sum)
{
	site->found = sum->found;
	site->found_inside = sum->found_inside;
	site->lain = sum->lain;
	site->moving = sum->moving;
	site->passed_on = sum->passed_on;
	site->until_passed = sum->until_passed;
	if (sum->replies)
		put_replies(site, sum->replies);
}

static void put_meetings(struct site_sum *site, const struct sum_of_meetings *sum)
{
	site->settled = sum->settled;
	site->worked = sum->worked;
}

static void put_accesses(struct site_sum *site, const struct sum_of_accesses *sum)
{
	site->again = sum->again;
	site->again_inside = sum->again_inside;
	site->stolen_inside = sum->stolen_inside;
	(void)call_field(site->call.role->call, FIELD_TARGET, &site->peer);
}

static void put_kind(struct site_sum *site, const struct role *role)
{
	switch (role->sum_kind) {
	case SUM_STARTS:
		site->starts = ((const struct sum_of_starts *)sum_of(role))->starts;
		break;
	case SUM_SENDS:
		site->again = sum_of_sends(role)->again;
		site->again_inside = sum_of_sends(role)->again_inside;
		break;
	case SUM_RECEIVES:
		put_receives(site, sum_of_receives(role));
		break;
	case SUM_MEETS:
		put_meetings(site, sum_of(role));
		break;
	case SUM_ACCESSES:
		put_accesses(site, sum_of(role));
		break;
	}
}

static struct site_sum whole_sum(const struct scene *scene, const struct role *role)
{
	const struct running_sum *sum = sum_of(role);
	struct occurrence call = {.role = role,
	                          .start = sum->start,
	                          .end = sum->end,
	                          .position = sum->position,
	                          .thread = sum->thread,
	                          .phase = sum->phase};
	struct site_sum site = {.call = call,
	                        .answered = call,
	                        .count = sum->count,
	                        .starts = sum->count,
	                        .inside = sum->inside,
	                        .before = role->is_local ? 0 : sum->before,
	                        .stolen = stolen_of(&scene->stolen, role, STOLEN_BEFORE),
	                        .stolen_inside = stolen_of(&scene->stolen, role, STOLEN_INSIDE),
	                        .is_local = role->is_local,
	                        .peer = role->does & ROLE_SENDS      ? role->dest
	                                : role->does & ROLE_RECEIVES ? role->source
	                                                             : RANK_NULL};

	put_kind(&site, role);
	site.bytes = bytes_of(&site);
	return site;
}

void sites_tell(struct scene *scene)
{
	const struct teller *teller = scene->teller;

	if (!teller->site)
		return;
	for (uint32_t i = 0; i < scene->actor_count; i++) {
		const struct roles *roles = &scene->actors[i].roles;
		for (uint64_t id = 0; id < roles->count; id++) {
			struct site_sum site;
			if (!roles->items[id] || !calls_of(roles->items[id]))
				continue;
			site = whole_sum(scene, roles->items[id]);
			teller->site(teller->context, &site);
		}
	}
}
