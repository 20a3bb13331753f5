#include "analysis/model/site_add.h"

#include <string.h>

size_t site_room(struct call_semantics *semantics)
{
	static const size_t rooms[] = {
		[SUM_PLAIN] = sizeof(struct running_sum),
		[SUM_STARTS] = sizeof(struct sum_of_starts),
		[SUM_COMPLETIONS] = sizeof(struct sum_of_completions),
		[SUM_COLLECTIVE] = sizeof(struct sum_of_collectives),
		[SUM_TRANSFERS] = sizeof(struct running_sum),
		[SUM_RECEIVES] = sizeof(struct sum_of_receives),
		[SUM_ACCESSES] = sizeof(struct sum_of_accesses),
	};
	const struct call_info *info = semantics->kind->info;
	bool has_request = semantics->does & CALL_HAS_REQUEST;
	int64_t target;

	semantics->followers |= COUNTED_BIT;
	semantics->sum_kind = SUM_PLAIN;
	/* To another thread's memory, or to its own. */
	if (info && info->pgas == PGAS_ACCESS && call_field(semantics->call, FIELD_TARGET, &target))
		semantics->sum_kind = SUM_ACCESSES;
	else if (semantics->does & CALL_PREPARES)
		semantics->sum_kind = SUM_STARTS;
	else if (semantics->does & CALL_COMPLETES && !semantics->is_local)
		semantics->sum_kind = SUM_COMPLETIONS;
	else if (semantics->does & (CALL_RECEIVES | CALL_BY_NUMBER))
		semantics->sum_kind = has_request ? SUM_TRANSFERS : SUM_RECEIVES;
	else if (semantics->does & CALL_SENDS)
		semantics->sum_kind = SUM_TRANSFERS;
	else if (semantics->does & CALL_IS_COLLECTIVE && !has_request)
		semantics->sum_kind = SUM_COLLECTIVE;
	return semantics->sum_kind == SUM_PLAIN && semantics->is_local
	               ? offsetof(struct running_sum, time.before)
	               : rooms[semantics->sum_kind];
}

/* Pairs */

/* Other than that of the last call. */
struct kept_pair {
	const struct call_semantics *semantics;
	struct time_sum time;
	uint32_t previous;             /* as in struct running_sum */
	struct receive_sum received[]; /* one, if the semantics has it */
};

static struct receive_sum *receive_sum_of(const struct call_semantics *semantics)
{
	return semantics->sum_kind == SUM_RECEIVES ? &((struct sum_of_receives *)sum_of(semantics))->received
	                                           : NULL;
}

static struct running_sum *running_sum_of(const struct call_semantics *semantics)
{
	return sum_of(semantics);
}

static struct map_key pair_key(const struct call_semantics *semantics, uint32_t previous)
{
	return map_key((uintptr_t)semantics, previous);
}

static struct kept_pair *put_pair(struct replay *replay, const struct call_semantics *semantics,
                                  uint32_t previous)
{
	struct call_pairs *pairs = &replay->pairs;
	uint32_t *number = map_put(&pairs->numbers, pair_key(semantics, previous));
	size_t more = receive_sum_of(semantics) ? sizeof(struct receive_sum) : 0;
	struct kept_pair *kept;

	if (*number != MAP_NONE)
		return pairs->kept.items[*number];
	*number = (uint32_t)pairs->kept.count;
	kept = arena_alloc(&replay->arena, 1, sizeof *kept + more);
	kept->semantics = semantics;
	kept->previous = previous;
	array_add(&pairs->kept, kept);
	return kept;
}

void site_find_pair(struct replay *replay, const struct call_semantics *semantics, uint32_t previous)
{
	struct running_sum *sum = sum_of(semantics);
	struct receive_sum *received = receive_sum_of(semantics);
	uint32_t before = sum->previous;
	const uint32_t *number;
	struct kept_pair *left, *found;

	sum->previous = previous;
	if (!wants_rows(&replay->rows, RELATION_CALL_PAIR))
		return;
	left = put_pair(replay, semantics, before);
	number = map_find(&replay->pairs.numbers, pair_key(semantics, previous));
	found = number ? replay->pairs.kept.items[*number] : NULL;
	left->time = sum->time;
	sum->time = found ? found->time : (struct time_sum){0};
	if (received) {
		*left->received = *received;
		*received = found ? *found->received : (struct receive_sum){0};
	}
	if (found)
		found->time.count = 0;
}

void call_pairs_release(struct call_pairs *pairs)
{
	map_release(&pairs->numbers);
	array_release(&pairs->kept);
}

/* Scheduling delay */

static void add_delay(struct pair_delays *delays, struct map_key key, struct pair_delay more)
{
	uint32_t *number = more.before | more.inside ? map_put(&delays->numbers, key) : NULL;
	struct pair_delay *sum;

	if (!number)
		return;
	if (*number == MAP_NONE) {
		*number = (uint32_t)delays->delays.count;
		array_add(&delays->delays, (struct pair_delay){0});
	}
	sum = &delays->delays.items[*number];
	sum->before = saturating_add(sum->before, more.before);
	sum->inside = saturating_add(sum->inside, more.inside);
}

static struct pair_delay delay_of(const struct pair_delays *delays, const struct call_semantics *semantics,
                                  uint32_t previous)
{
	const uint32_t *number = map_find(&delays->numbers, pair_key(semantics, previous));

	return number ? delays->delays.items[*number] : (struct pair_delay){0};
}

void pair_delays_release(struct pair_delays *delays)
{
	map_release(&delays->numbers);
	array_release(&delays->delays);
}

/* Time between unsuccessful tests is inside their event, and a local call with its delays is in the time
 * before the next call. */
static int64_t take_delay_before(struct thread *thread, int64_t before)
{
	const struct event *event = thread->calls.event;
	int64_t us = (int64_t)event->delay_before + event->tool_before +
	             (event->polls ? event->delay_inside : 0);
	int64_t delay = saturating_add(us * NS_PER_US, thread->local_delay);

	thread->local_delay = 0;
	return delay < before ? delay : before;
}

/* The longest times before calls */

enum { LONGEST_FIRST = 4, LONGEST_MAX = 32, LONGEST_OF_MANY_PROCESSES = 8 };

void site_keep_longest(struct replay *replay, struct running_sum *sum, int64_t before)
{
	uint16_t most = replay->is_huge ? LONGEST_OF_MANY_PROCESSES : LONGEST_MAX;
	float time = (float)(before < INT64_MAX / 2 ? before : INT64_MAX / 2), *times;
	uint32_t at;

	if (sum->longest_count == sum->longest_room && sum->longest_room < most) {
		sum->longest_room = sum->longest_room || replay->is_huge ? most : LONGEST_FIRST;
		times = arena_alloc(&replay->arena, sum->longest_room, sizeof *times);
		if (sum->longest_count)
			memcpy(times, sum->longest, sum->longest_count * sizeof *times);
		sum->longest = times;
	}
	times = sum->longest;
	sum->longest_count = (uint16_t)(sum->longest_count + (sum->longest_count < sum->longest_room));
	for (at = sum->longest_count - 1u; at && times[at - 1] < time; at--)
		times[at] = times[at - 1];
	times[at] = time;
	sum->longest_from = sum->longest_count < most ? 0 : times[most - 1];
}

static int64_t sum_of_longest(const struct replay *replay, const struct running_sum *sum)
{
	double wanted = replay->session->parameters.longest_part * (double)sum->time.count + 1, all = 0;

	for (uint32_t i = 0; i < sum->longest_count && (!i || i + 1 <= wanted); i++)
		all += (double)sum->longest[i];
	return all < 0x1p62 ? (int64_t)all : INT64_MAX;
}

/* Calls */

/* Between consecutive unsuccessful tests, the time is the program's own. */
static __attribute__((noinline)) int64_t time_between(struct thread *thread)
{
	const struct event *event = thread->calls.event;
	int64_t length = interval_ns(thread->now.start, thread->now.end), inside;

	inside = interval_ns(clock_piece_ns(thread->clock, event->start),
	                     clock_piece_ns(thread->clock, event->start + event->busy));
	return inside > length ? 0 : length - inside;
}

/* Time without recording is unknown. */
static int64_t time_before(const struct replay_process *proc, struct thread *thread)
{
	bool is_behind_gap = thread->calls.event->start >= proc->gap && !thread->is_past_gap;

	thread->is_past_gap |= is_behind_gap;
	return is_behind_gap || !thread->has_ended ? 0 : interval_ns(thread->ended, thread->now.start);
}

/* Equal accesses with only memory accesses of the thread between them could be one. */
void site_add_access(struct thread *thread)
{
	struct sum_of_accesses *sum = sum_of(thread->calls.semantics);

	thread->epoch += !thread->before || thread->before->sum_kind != SUM_ACCESSES;
	if (sum->epoch == thread->epoch) {
		sum->repeated++;
		sum->repeated_inside = saturating_add(
			sum->repeated_inside, interval_ns(thread->now.start, thread->now.end) -
						      delay_inside_ns(&thread->now, thread->calls.event));
	}
	sum->epoch = thread->epoch;
}

/* Whether the time between two calls is long enough for work. */
static bool is_work(const struct work_limits *limits, int64_t between, int64_t inside)
{
	return (double)between >= (double)limits->gap_ns + limits->part * (double)inside;
}

/* A barrier whose order a call enforces as well. */
static bool is_covered_by(const struct call_semantics *barrier, const struct call_semantics *call)
{
	const struct call_info *info = call->kind->info;

	return barrier->kind->info->plain == CALL_Barrier && info->class == CLASS_COLLECTIVE &&
	       call->needs == COLLECTIVE_ALL && info->moves != MOVES_ALLTOALLV &&
	       info->moves != MOVES_ALLTOALLW && call->kind->comm == barrier->kind->comm;
}

/* Collective calls of one line with the same communicator and root, without work between them. After a long
 * call a thread continues more slowly. */
void site_add_after(const struct replay *replay, struct thread *thread, int64_t before)
{
	const struct work_limits *limits = &replay->session->parameters.repeats;
	const struct call_semantics *a = thread->calls.semantics, *b = thread->before;
	const struct outline *one = a->call->outline, *other = b ? b->call->outline : NULL;
	const struct occurrence *now = &thread->now;
	struct sum_of_collectives *sum = sum_of(a);

	if (!b || b->sum_kind != SUM_COLLECTIVE || call_is_pgas(a->kind->info))
		return;
	if (is_covered_by(b, a) && !is_work(limits, before, interval_ns(thread->before_start, now->end)))
		((struct sum_of_collectives *)sum_of(b))->covered++;
	if (is_work(limits, before, interval_ns(now->start, now->end)))
		return;
	if (a != b &&
	    !(a->kind->info == b->kind->info && a->kind->comm == b->kind->comm &&
	      a->kind->root == b->kind->root && a->kind->object == b->kind->object && one->has_site &&
	      other->has_site && one->module == other->module && one->offset == other->offset))
		return;
	sum->repeated++;
	sum->repeated_inside = saturating_add(sum->repeated_inside,
	                                      interval_ns(now->start, now->end) -
	                                              delay_inside_ns(&thread->now, thread->calls.event));
}

void site_add_any(struct replay *replay, const struct replay_process *proc, struct thread *thread)
{
	const struct call_semantics *semantics = thread->calls.semantics;
	const struct event *event = thread->calls.event;
	const struct occurrence *now = &thread->now;
	struct running_sum *sum = sum_of(semantics);
	int64_t between = event->polls ? time_between(thread) : 0;

	if (!sum->time.count) {
		sum->start = now->start;
		sum->position = now->position & (((uint64_t)1 << 40) - 1);
		sum->thread = now->thread & 0xffffff;
		sum->phase = now->phase;
		if (semantics->sum_kind >= SUM_TRANSFERS)
			sum->previous = thread->before_number;
	} else if (is_behind_another(thread, semantics)) {
		site_find_pair(replay, semantics, thread->before_number);
	}
	sum->end = now->end;
	sum->time.count += event->polls ? event->polls : 1;
	sum->time.inside = saturating_add(sum->time.inside, interval_ns(now->start, now->end) - between);
	if (semantics->is_local) {
		int64_t us = (int64_t)event->delay_before + event->tool_before +
		             (delays_computing(semantics->kind->info) ? event->delay_inside : 0);

		thread->local_delay = saturating_add(thread->local_delay, us * NS_PER_US);
	} else {
		/* Only for calls that wait for others. */
		int64_t before = saturating_add(time_before(proc, thread), between);
		struct pair_delay delay = {take_delay_before(thread, before),
		                           event->polls ? 0
		                                        : delay_inside_ns(&thread->now, thread->calls.event)};

		sum->time.before = saturating_add(sum->time.before, before);
		site_note_before(replay, sum, before - delay.before);
		add_delay(&replay->delays, pair_key(semantics, sum->previous), delay);
		site_add_to_kind(replay, thread, semantics, before - delay.before);
		thread->ended = thread->has_ended && thread->ended > thread->now.end ? thread->ended
		                                                                     : thread->now.end;
		thread->has_ended = true;
	}
}

void site_add_collective(const struct collective_call *calls, uint32_t count)
{
	int64_t latest = INT64_MIN, earliest_end = INT64_MAX;

	for (uint32_t i = 0; i < count; i++) {
		const struct collective_call *one = &calls[i];
		latest = one->call.start > latest ? one->call.start : latest;
		earliest_end = one->wait.end < earliest_end ? one->wait.end : earliest_end;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct collective_call *one = &calls[i];
		struct sum_of_collectives *sum = sum_of(one->wait.semantics);
		if (one->call.semantics != one->wait.semantics ||
		    one->wait.semantics->sum_kind != SUM_COLLECTIVE)
			continue;
		sum->active = saturating_add(sum->active, interval_ns(latest, one->wait.end));
		sum->common = saturating_add(sum->common, interval_ns(latest, earliest_end));
	}
}

/* Rows */

static struct occurrence call_of(const struct call_semantics *semantics)
{
	const struct running_sum *sum = sum_of(semantics);

	return (struct occurrence){.semantics = semantics,
	                           .start = sum->start,
	                           .end = sum->end,
	                           .position = sum->position,
	                           .thread = sum->thread,
	                           .phase = sum->phase};
}

static int64_t peer_of(const struct call_semantics *semantics)
{
	int64_t target = RANK_NULL;

	if (semantics->sum_kind == SUM_ACCESSES)
		(void)call_field(semantics->call, FIELD_TARGET, &target);
	return semantics->does & CALL_SENDS      ? semantics->dest
	       : semantics->does & CALL_RECEIVES ? semantics->source
	                                         : target;
}

static uint32_t peer_process(const struct call_semantics *semantics)
{
	if (semantics->does & CALL_SENDS || semantics->sum_kind == SUM_ACCESSES)
		return semantics->dest_process;
	return semantics->does & CALL_RECEIVES ? semantics->source_process : NO_PROCESS;
}

static void write_pair(struct replay *replay, const struct call_semantics *semantics, uint32_t previous,
                       const struct time_sum *time, const struct receive_sum *received)
{
	struct call_semantics *const *semantics_table =
		replay->processes[semantics->process].semantics_table.items;
	const struct call_semantics *before = previous ? semantics_table[previous - 1] : semantics;
	struct call_pair pair = {
		.previous = call_of(before),
		.call = call_of(semantics),
		.is_first = !previous,
		.count = time->count,
		.inside = time->inside,
		.before = time->before,
		.delay = delay_of(&replay->delays, semantics, previous).before,
		.peer = peer_of(semantics),
		.previous_peer = peer_of(before),
		.same_peer = previous && peer_process(semantics) != NO_PROCESS &&
	                     peer_process(semantics) == peer_process(before),
	};

	if (received) {
		pair.active = received->active;
		pair.ready = received->ready;
		pair.ready_inside = received->ready_inside;
		pair.ready_since = received->ready_since;
		pair.overlap = received->overlap;
	}
	write_row(&replay->rows, RELATION_CALL_PAIR, &pair);
}

static int64_t bytes_of(const struct call_semantics *semantics, uint64_t starts)
{
	int64_t each, all;

	if (!call_field(semantics->call, FIELD_SENT, &each) &&
	    !(semantics->sum_kind == SUM_ACCESSES && call_field(semantics->call, FIELD_RECEIVED, &each)))
		return 0;
	if (each < 0)
		return 0;
	return __builtin_mul_overflow(each, (int64_t)starts, &all) ? INT64_MAX : all;
}

static void write_site(struct replay *replay, const struct call_semantics *semantics)
{
	const struct time_sum *time = &running_sum_of(semantics)->time;
	struct pair_delay delay = delay_of(&replay->delays, semantics, running_sum_of(semantics)->previous);
	struct site_sum site = {.call = call_of(semantics),
	                        .count = time->count,
	                        .starts = time->count,
	                        .inside = time->inside,
	                        .before = semantics->is_local ? 0 : time->before,
	                        .delay = delay.before,
	                        .longest = semantics->is_local ? 0
	                                                       : sum_of_longest(replay, sum_of(semantics)),
	                        .delay_inside = delay.inside,
	                        .is_local = semantics->is_local,
	                        .peer = peer_of(semantics)};
	const void *sum = sum_of(semantics);

	if (semantics->sum_kind == SUM_STARTS) {
		site.starts = ((const struct sum_of_starts *)sum)->starts;
	} else if (semantics->sum_kind == SUM_RECEIVES) {
		site.active = ((const struct sum_of_receives *)sum)->received.active;
	} else if (semantics->sum_kind == SUM_COLLECTIVE) {
		site.active = ((const struct sum_of_collectives *)sum)->active;
		site.common = ((const struct sum_of_collectives *)sum)->common;
		site.repeated = ((const struct sum_of_collectives *)sum)->repeated;
		site.repeated_inside = ((const struct sum_of_collectives *)sum)->repeated_inside;
		site.covered = ((const struct sum_of_collectives *)sum)->covered;
	} else if (semantics->sum_kind == SUM_COMPLETIONS) {
		site.after = ((const struct sum_of_completions *)sum)->after;
	} else if (semantics->sum_kind == SUM_ACCESSES) {
		site.repeated = ((const struct sum_of_accesses *)sum)->repeated;
		site.repeated_inside = ((const struct sum_of_accesses *)sum)->repeated_inside;
	}
	site.bytes = bytes_of(semantics, site.starts);
	write_row(&replay->rows, RELATION_SITE, &site);
}

static void for_each_semantics(struct replay *replay,
                               void (*write)(struct replay *, const struct call_semantics *))
{
	for (uint32_t i = 0; i < replay->process_count; i++) {
		const struct semantics_table *semantics_table = &replay->processes[i].semantics_table;
		for (uint64_t id = 0; id < semantics_table->count; id++) {
			const struct call_semantics *semantics = semantics_table->items[id];
			if (semantics && running_sum_of(semantics)->time.count)
				write(replay, semantics);
		}
	}
}

static void write_last_pair(struct replay *replay, const struct call_semantics *semantics)
{
	const struct running_sum *sum = sum_of(semantics);

	if (semantics->sum_kind >= SUM_TRANSFERS)
		write_pair(replay, semantics, sum->previous, &sum->time, receive_sum_of(semantics));
}

void sites_write(struct replay *replay)
{
	bool wants_pairs = wants_rows(&replay->rows, RELATION_CALL_PAIR);

	if (wants_pairs)
		for_each_semantics(replay, write_last_pair);
	for (size_t i = 0; wants_pairs && i < replay->pairs.kept.count; i++) {
		const struct kept_pair *kept = replay->pairs.kept.items[i];
		struct running_sum *sum = sum_of(kept->semantics);
		struct receive_sum *received = receive_sum_of(kept->semantics);

		if (!kept->time.count)
			continue;
		write_pair(replay, kept->semantics, kept->previous, &kept->time,
		           received ? kept->received : NULL);
		/* Then it becomes part of the total of the call. */
		sum->time.count += kept->time.count;
		sum->time.inside = saturating_add(sum->time.inside, kept->time.inside);
		sum->time.before = saturating_add(sum->time.before, kept->time.before);
		add_delay(&replay->delays, pair_key(kept->semantics, sum->previous),
		          delay_of(&replay->delays, kept->semantics, kept->previous));
		if (received)
			received->active = saturating_add(received->active, kept->received->active);
	}
	if (wants_rows(&replay->rows, RELATION_SITE))
		for_each_semantics(replay, write_site);
}
