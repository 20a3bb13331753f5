/* The parts of the critical path: computation between two places, and calls. Reads one thread after the
 * other, only chunks on the path. */
#include "analysis/causes/path_follow.h"

#include "analysis/model/call_semantics.h"
#include "analysis/model/gaps.h"
#include "analysis/model/recorded_part.h"
#include "analysis/model/spans.h"
#include "base/memory.h"
#include "calls/calls.h"

enum { AT_A_TIME = 64, PARTS_MAX = 1 << 18, FAR_NS = 1000 };
/* No clock drifts by more than 500 parts per million (model/clocks.h). */
#define CLOCK_RATE_SAFE 0.999

/* A distinct call of the current process. */
struct path_call {
	uint32_t place; /* its number + 1; 0: not seen yet */
	uint32_t in_call;
	uint32_t before; /* the previous place at its last occurrence + 1 … */
	uint32_t gap;    /* … and the key of the computation since then */
	bool is_local, delays_computing;
};

/* The time of the current process under one key. */
struct key_time {
	int64_t ns;
	struct path_visit longest;
};

struct path_reading {
	struct critical_path *path;
	struct call_logs *logs;
	const struct corrected_time *time;
	int64_t start_ns;
	uint32_t *order;               /* segments by thread, then by time */
	ARRAY(struct key_time) by_key; /* of the current process */
	ARRAY(uint32_t) used;          /* keys */
	ARRAY(struct path_part) parts;
	struct path_part others;
	/* The current process */
	uint32_t process;
	struct path_call *calls;
	uint32_t call_room;
	struct clock_piece clock;
	uint64_t lost;
	/* The current thread */
	struct stream *stream;
	const uint32_t *segments;
	size_t segment_count, next;
	int64_t now; /* end of the previous call */
	uint32_t place;
	double ticks_per_ns;
	uint64_t far_tick; /* calls that end before this are far from the next segment … */
	uint64_t last_end; /* … and the last such call … */
	uint32_t last_id;
	bool is_behind; /* … is the previous one, which is not yet in `now` and `place` */
	uint32_t noise_us;
	size_t pause;
	bool is_past_gap;
};

static int64_t segment_end(const struct path_reading *reading, uint32_t number)
{
	const struct critical_path *path = reading->path;

	return number + 1 < path->segment_count ? path->segments[number + 1].from : path->to;
}

static int64_t next_start(const struct path_reading *reading)
{
	return reading->path->segments[reading->segments[reading->next]].from;
}

static void add_to_key(struct path_reading *reading, uint32_t key, struct path_visit visit)
{
	struct key_time *time;

	if (visit.ns <= 0)
		return;
	array_extend(&reading->by_key, key + 1u);
	time = &reading->by_key.items[key];
	if (!time->ns)
		array_add(&reading->used, key);
	time->ns = saturating_add(time->ns, visit.ns);
	if (visit.ns > time->longest.ns)
		time->longest = visit;
}

/* How much of an interval is on the path. */
static int64_t on_path(struct path_reading *reading, int64_t from, int64_t to)
{
	int64_t ns = 0;

	while (reading->next < reading->segment_count &&
	       segment_end(reading, reading->segments[reading->next]) <= from)
		reading->next++;
	for (size_t i = reading->next; i < reading->segment_count; i++) {
		uint32_t number = reading->segments[i];
		int64_t start = reading->path->segments[number].from;
		if (start >= to)
			break;
		ns += interval_ns(max_ns(from, start), min_ns(to, segment_end(reading, number)));
	}
	return ns;
}

/* Noise is spread evenly over it. */
static void add_time(struct path_reading *reading, uint32_t key, int64_t from, int64_t to, uint32_t noise_us)
{
	int64_t ns, noise = 0;

	if (reading->next >= reading->segment_count || to <= next_start(reading))
		return;
	ns = on_path(reading, from, to);
	if (ns && noise_us)
		noise = min_ns(ns, (int64_t)((double)ns / (double)interval_ns(from, to) * (double)noise_us *
		                             NS_PER_US));
	add_to_key(reading, KEY_NOISE, (struct path_visit){from, to, noise});
	add_to_key(reading, key, (struct path_visit){from, to, ns - noise});
}

static int64_t ns_at(struct path_reading *reading, uint64_t tick)
{
	struct shifts *shifts = &reading->time->shifts[reading->process];
	int64_t ns = clock_piece_ns(&reading->clock, tick);

	return (shifts->count ? ns + shift_at(shifts, ns, true) : ns) - reading->start_ns;
}

static struct path_call *know_call(struct path_reading *reading, const struct event *event)
{
	struct call_logs *logs = reading->logs;
	const struct call_info *info;
	struct path_call *call;

	array_fit_zeroed(reading->calls, reading->call_room, (size_t)event->id + 1);
	call = &reading->calls[event->id];
	if (call->place)
		return call;
	info = call_find(event->call->outline->name);
	call->is_local = is_local_call(info);
	call->delays_computing = delays_computing(info);
	call->place = 1 + place_of(&logs->places, &logs->reader->processes[reading->process], event->call);
	call->in_call = cause_key_number(
		&logs->keys, &(struct cause_key){CAUSE_CALL, NO_PROCESS, NO_PLACE, call->place - 1, 0, 0});
	return call;
}

static uint32_t key_of_gap(struct path_reading *reading, struct path_call *call)
{
	if (call->before != reading->place + 1) {
		call->gap = cause_key_number(&reading->logs->keys,
		                             &(struct cause_key){CAUSE_COMPUTING, NO_PROCESS, reading->place,
		                                                 call->place - 1, 0, 0});
		call->before = reading->place + 1;
	}
	return call->gap;
}

static uint64_t busy_end(const struct event *event)
{
	return event->polls ? event->start + event->busy : event->end;
}

static void catch_up(struct path_reading *reading)
{
	reading->now = max_ns(reading->now, ns_at(reading, reading->last_end));
	reading->place = reading->calls[reading->last_id].place - 1;
	reading->noise_us = 0;
	reading->is_behind = false;
}

/* Between unsuccessful tests the process did other work. */
static void take_event(struct path_reading *reading, const struct event *event)
{
	struct path_call *call = know_call(reading, event);
	int64_t start, end, ns, from, paused;
	bool is_lost;

	if (event->end < reading->far_tick) {
		/* Most calls are far from the path. */
		if (!call->is_local) {
			reading->last_id = event->id;
			reading->last_end = busy_end(event);
			reading->is_behind = true;
		}
		return;
	}
	if (reading->is_behind)
		catch_up(reading);
	reading->noise_us += event->delay_before + event->tool_before;
	if (call->delays_computing)
		reading->noise_us += event->delay_inside;
	if (call->is_local)
		return;
	start = ns_at(reading, event->start);
	end = ns_at(reading, busy_end(event));
	/* Since the previous call. Unrecorded time is unknown. */
	from = reading->now;
	paused = 0;
	is_lost = event->start >= reading->lost && !reading->is_past_gap;
	if (start > from) {
		reading->is_past_gap |= is_lost;
		if (reading->stream->pause_count)
			paused = paused_between(reading->stream, reading->time, reading->process,
			                        from + reading->start_ns, start + reading->start_ns,
			                        &reading->pause);
		if (is_lost || paused > 0)
			add_time(reading, KEY_UNKNOWN, from, start, 0);
		else
			add_time(reading, key_of_gap(reading, call), from, start, reading->noise_us);
	}
	start = max_ns(start, reading->now);
	if (end > start)
		add_time(reading, call->in_call, start, end, event->delay_inside);
	reading->now = max_ns(end, start);
	reading->place = call->place - 1;
	reading->noise_us = 0;
	/* Up to this tick nothing concerns the path: clocks barely deviate from their rates
	 * unless they were moved. */
	ns = reading->next < reading->segment_count ? interval_ns(reading->now, next_start(reading)) : 0;
	if (ns > FAR_NS && !reading->time->shifts[reading->process].count && ns < TIME_MAX)
		reading->far_tick = busy_end(event) +
		                    (uint64_t)((double)ns * CLOCK_RATE_SAFE * reading->ticks_per_ns);
}

/* The chunk before the one with this time, because the previous call may be in it. */
static size_t chunk_before(struct path_reading *reading, int64_t ns)
{
	size_t later = sorted_find(0, reading->stream->chunk_count, i,
	                           ns_at(reading, reading->stream->chunks[i].base_tick) <= ns);

	return later > 2 ? later - 2 : 0;
}

static void open_at(struct path_reading *reading, struct event_iter *iter, size_t chunk)
{
	reader_events(reading->logs->reader, reading->stream, iter);
	iter->next_chunk = chunk;
	reading->place = NO_PLACE;
	reading->noise_us = 0;
	reading->now = ns_at(reading, reading->stream->chunks[chunk].base_tick);
	reading->far_tick = 0;
	reading->is_behind = false;
}

/* Skips chunks up to the next segment. */
static void skip_chunks(struct path_reading *reading, struct event_iter *iter)
{
	size_t chunk;

	if (reading->is_behind)
		catch_up(reading);
	if (reading->now >= next_start(reading))
		return;
	chunk = chunk_before(reading, next_start(reading));
	if (chunk <= iter->next_chunk)
		return;
	event_iter_release(iter);
	open_at(reading, iter, chunk);
}

static void read_stream(struct path_reading *reading)
{
	struct event events[AT_A_TIME];
	struct event_iter iter;
	uint32_t count, rounds = 0;

	open_at(reading, &iter, chunk_before(reading, next_start(reading)));
	while ((count = reader_next_many(&iter, events, AT_A_TIME))) {
		for (uint32_t i = 0; i < count; i++)
			take_event(reading, &events[i]);
		if (!reading->is_behind)
			on_path(reading, reading->now, reading->now);
		if (reading->next >= reading->segment_count) {
			event_iter_release(&iter);
			return;
		}
		if (++rounds % AT_A_TIME == 0)
			skip_chunks(reading, &iter);
	}
	if (reading->is_behind)
		catch_up(reading);
	/* After the last call nothing is known. */
	add_time(reading, KEY_UNKNOWN, reading->now, reading->path->to, 0);
}

static void add_part(struct path_reading *reading, uint32_t key, const struct key_time *time)
{
	if (reading->parts.count < PARTS_MAX)
		array_add(&reading->parts, ((struct path_part){.process = reading->process,
		                                               .from.process = key,
		                                               .ns = time->ns,
		                                               .longest = time->longest}));
	else
		reading->others.ns = saturating_add(reading->others.ns, time->ns);
}

/* Segments from `first` on belong to threads of this process. Returns the first one that does not. */
static size_t read_process(struct path_reading *reading, size_t first)
{
	const struct path_segment *segments = reading->path->segments;
	const struct clocks *clocks = reading->time->clocks;
	uint32_t process = segments[reading->order[first]].process;

	reading->process = process;
	reading->clock = clock_piece_new(&clocks->lines[clocks->line_of[process]]);
	reading->ticks_per_ns = 1e-9 / clocks_seconds_per_tick(clocks, process);
	reading->lost = lost_since(&reading->logs->reader->processes[process]);
	while (first < reading->path->segment_count && segments[reading->order[first]].process == process) {
		uint32_t stream = segments[reading->order[first]].stream;
		reading->segments = &reading->order[first];
		reading->next = reading->segment_count = 0;
		for (; first < reading->path->segment_count &&
		       segments[reading->order[first]].process == process &&
		       segments[reading->order[first]].stream == stream;
		     first++)
			reading->segment_count++;
		reading->stream = &reading->logs->reader->processes[process].streams[stream];
		reading->pause = 0;
		reading->is_past_gap = false;
		read_stream(reading);
	}
	for (size_t i = 0; i < reading->used.count; i++) {
		uint32_t key = reading->used.items[i];
		add_part(reading, key, &reading->by_key.items[key]);
		reading->by_key.items[key] = (struct key_time){0};
	}
	reading->used.count = 0;
	free(reading->calls);
	reading->calls = NULL;
	reading->call_room = 0;
	return first;
}

/* Segments of a thread are adjacent, in time order. */
static uint32_t *order_by_thread(const struct critical_path *path, const struct call_logs *logs)
{
	uint32_t *order = memory_new(path->segment_count + 1, sizeof *order), *next;
	uint32_t threads = logs->first[logs->reader->process_count];
	const struct path_segment *segments = path->segments;

	next = memory_new(threads + 2u, sizeof *next);
	for (size_t i = 0; i < path->segment_count; i++)
		next[logs->first[segments[i].process] + segments[i].stream + 1]++;
	for (uint32_t i = 0; i < threads; i++)
		next[i + 1] += next[i];
	for (uint32_t i = 0; i < path->segment_count; i++)
		order[next[logs->first[segments[i].process] + segments[i].stream]++] = i;
	free(next);
	return order;
}

static int by_ns(const void *left, const void *right)
{
	const struct path_part *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return (a->process > b->process) - (a->process < b->process);
}

static struct caller caller_of(const struct call_logs *logs, uint32_t number)
{
	const struct place *place = number == NO_PLACE ? NULL : place_get(&logs->places, number);

	if (!place)
		return (struct caller){NO_PROCESS, NULL};
	return (struct caller){(uint32_t)(place->process - logs->reader->processes), place->call};
}

void path_add_parts(struct critical_path *path, struct call_logs *logs, const struct corrected_time *time,
                    int64_t start_ns)
{
	struct path_reading reading = {.path = path,
	                               .logs = logs,
	                               .time = time,
	                               .start_ns = start_ns,
	                               .others.from.process = KEY_OTHER};

	reading.others.process = NO_PROCESS;
	reading.order = order_by_thread(path, logs);
	for (size_t i = 0; i < path->segment_count;)
		i = read_process(&reading, i);
	if (reading.others.ns)
		array_add(&reading.parts, reading.others);
	path->parts = reading.parts.items;
	path->part_count = reading.parts.count;
	for (size_t i = 0; i < path->part_count; i++) {
		struct path_part *part = &path->parts[i];
		uint32_t number = part->from.process;
		const struct cause_key *key = &logs->keys.all.items[number];
		/* At this point the key is stored where the caller will be. */
		part->kind = (enum cause_kind)key->kind;
		part->from = caller_of(logs, key->from);
		part->to = caller_of(logs, key->to);
		if (part->kind == CAUSE_COMPUTING)
			part->mean_ns = computing_mean(&logs->computing, number,
			                               (uint32_t)logs->reader->process_count);
		path->kinds_ns[path->parts[i].kind] = saturating_add(path->kinds_ns[path->parts[i].kind],
		                                                     path->parts[i].ns);
	}
	if (path->part_count)
		qsort(path->parts, path->part_count, sizeof *path->parts, by_ns);
	array_release(&reading.by_key);
	array_release(&reading.used);
	free(reading.order);
}
