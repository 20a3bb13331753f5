#include "analysis/causes/call_log.h"

#include "analysis/model/marks.h"
#include "analysis/model/phases.h"
#include "analysis/model/relations.h"
#include "analysis/model/spans.h"
#include "base/memory.h"
#include "calls/calls.h"

#include <stdlib.h>
#include <string.h>

enum { LOGS_BYTES = 100 << 20, LOG_MIN = 32, LOG_MAX = 2048, WAITS_MIN = 1 << 16 };

static size_t count_threads(const struct reader *reader)
{
	size_t count = 1;

	for (size_t i = 0; i < reader->process_count; i++)
		count += reader->processes[i].stream_count;
	return count;
}

static uint64_t room_for(size_t threads)
{
	uint64_t most = (uint64_t)LOGS_BYTES / sizeof(struct logged_call) / threads, room = LOG_MIN;

	while (room < LOG_MAX && 2 * room <= most)
		room *= 2;
	return room;
}

struct call_logs *call_logs_new(struct analysis_session *session)
{
	struct call_logs *logs = memory_new(1, sizeof *logs);
	struct reader *reader = session->reader;

	logs->session = session;
	logs->reader = reader;
	logs->room = room_for(count_threads(reader));
	logs->logs = memory_new(count_threads(reader), sizeof *logs->logs);
	logs->first = memory_new(reader->process_count + 1, sizeof *logs->first);
	for (uint32_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		struct call_log *log = &logs->logs[logs->first[i]];
		for (size_t j = 0; j < process->stream_count; j++)
			log[j] = (struct call_log){
				.process = i, .thread = process->streams[j].number, .since = INT64_MIN};
		logs->first[i + 1] = logs->first[i] + (uint32_t)process->stream_count;
	}
	logs->wait_room = WAITS_MIN;
	while (logs->wait_room < 4 * reader->process_count)
		logs->wait_room *= 2;
	logs->waits = memory_new(logs->wait_room, sizeof *logs->waits);
	cause_keys_init(&logs->keys);
	return logs;
}

void call_logs_forget_calls(struct call_logs *logs)
{
	for (uint32_t i = 0; logs->logs && i < logs->first[logs->reader->process_count]; i++)
		free(logs->logs[i].items);
	free(logs->logs);
	free(logs->calls);
	free(logs->waits);
	free(logs->phases);
	logs->logs = NULL;
	logs->phases = NULL;
	logs->phase_count = 0;
	logs->calls = NULL;
	logs->waits = NULL;
}

void call_logs_free(struct call_logs *logs)
{
	call_logs_forget_calls(logs);
	free(logs->first);
	computing_release(&logs->computing);
	places_release(&logs->places);
	cause_keys_release(&logs->keys);
	array_release(&logs->in_call);
	text_map_release(&logs->texts);
	for (size_t i = 0; i < logs->paths.count; i++)
		free(logs->paths.items[i]);
	array_release(&logs->paths);
	free(logs);
}

/* NULL: the process has no such thread. Most are numbered from 0, as their logs are. */
static inline struct call_log *find_log(const struct call_logs *logs, uint32_t process, uint32_t thread)
{
	const struct process *of = &logs->reader->processes[process];
	const uint32_t first = logs->first[process];
	const struct stream *stream;

	if (thread < logs->first[process + 1] - first && logs->logs[first + thread].thread == thread)
		return &logs->logs[first + thread];
	stream = find_stream(of, thread);
	return stream ? &logs->logs[first + (uint32_t)(stream - of->streams)] : NULL;
}

struct call_log *call_logs_find(const struct call_logs *logs, uint32_t process, uint32_t thread)
{
	return find_log(logs, process, thread);
}

static uint32_t place_of_logged(const struct logged_call *call)
{
	return call->doing / 2;
}

static struct logged_call *item_at(const struct call_logs *logs, const struct call_log *log, uint64_t number)
{
	return &log->items[number & (logs->room - 1)];
}

const struct logged_call *call_log_last(const struct call_logs *logs, const struct call_log *log)
{
	return item_at(logs, log, log->count - 1);
}

static uint64_t first_kept(const struct call_logs *logs, const struct call_log *log)
{
	return log->count > logs->room ? log->count - logs->room : 0;
}

uint64_t call_log_count(const struct call_logs *logs, struct call_log *log, int64_t ns)
{
	/* Queries are nearly in time order. */
	return log->asked = sorted_find_near(first_kept(logs, log), log->count, log->asked, i,
	                                     item_at(logs, log, i)->start < ns);
}

int64_t call_log_known(const struct call_logs *logs, const struct call_log *log, uint64_t count,
                       uint64_t calls)
{
	uint64_t first = first_kept(logs, log);

	if (count > first && count - first > calls)
		return item_at(logs, log, count - calls)->start;
	return log->count ? item_at(logs, log, first)->end : INT64_MAX;
}

int64_t call_logs_waits_since(const struct call_logs *logs, const struct occurrence *call)
{
	struct call_log *log = call->semantics->does & CALL_TESTS
	                               ? find_log(logs, call->semantics->process, call->thread)
	                               : NULL;
	uint64_t number = log ? call_log_count(logs, log, call->start) : 0;
	const struct logged_call *test;
	int64_t between;

	if (!number || number <= first_kept(logs, log))
		return call->start;
	test = item_at(logs, log, number - 1);
	if (test->polled_since == INT64_MAX)
		return call->start;
	/* The process may have worked after the last unsuccessful test. */
	between = call->start - test->end;
	if (number < log->count)
		between -= (int64_t)item_at(logs, log, number)->noise_before_us * NS_PER_US;
	return poll_is_idle(logs->session, between, test->end - test->polled_since, 1) ? test->polled_since
	                                                                               : call->start;
}

static __attribute__((noinline)) struct known_call *learn_call(struct call_logs *logs,
                                                               const struct call_semantics *semantics)
{
	struct known_call *known;

	array_fit_zeroed(logs->calls, logs->call_room, semantics->number + 1u);
	known = &logs->calls[semantics->number];
	if (!known->place)
		*known = (struct known_call){
			.place = 1 + place_of(&logs->places, &logs->reader->processes[semantics->process],
		                              semantics->call),
			.is_local = semantics->is_local,
			.delays_computing = delays_computing(semantics->kind->info),
			.is_mark = phases_want(semantics)};
	array_extend(&logs->in_call, 2 * (size_t)known->place);
	return known;
}

static inline struct known_call *know(struct call_logs *logs, const struct call_semantics *semantics)
{
	const uint32_t number = semantics->number;

	return number < logs->call_room && logs->calls[number].place ? &logs->calls[number]
	                                                             : learn_call(logs, semantics);
}

struct known_call *call_logs_know(struct call_logs *logs, const struct call_semantics *semantics)
{
	return know(logs, semantics);
}

uint32_t call_place(struct call_logs *logs, const struct call_semantics *semantics)
{
	return know(logs, semantics)->place - 1;
}

void call_logs_name_phase(struct call_logs *logs, const struct phase_mention *phase)
{
	if (!logs->phases)
		logs->phases = memory_new(PHASES_KEPT, sizeof *logs->phases);
	logs->phases[++logs->phase_count % PHASES_KEPT] = (struct known_phase){
		1 + text_map_number(&logs->texts, phase->name), phase->path};
	if (phase->path > logs->paths.count) {
		struct text path = {0};

		if (phase->around)
			text_add(&path, "%s" REGION_SEPARATOR, call_logs_path_text(logs, phase->around));
		text_add(&path, "%s", phase->name);
		array_add(&logs->paths, text_take(&path));
	}
}

/* NULL: none, or not known any more. */
static const struct known_phase *phase_of(const struct call_logs *logs, uint32_t phase)
{
	return phase && phase <= logs->phase_count && logs->phase_count - phase < PHASES_KEPT
	               ? &logs->phases[phase % PHASES_KEPT]
	               : NULL;
}

static uint32_t name_of(const struct call_logs *logs, uint32_t phase)
{
	const struct known_phase *known = phase_of(logs, phase);

	return known ? known->name : 0;
}

uint32_t call_logs_path_of(const struct call_logs *logs, uint32_t phase)
{
	const struct known_phase *known = phase_of(logs, phase);

	return known ? known->path : 0;
}

const char *call_logs_path_text(const struct call_logs *logs, uint32_t path)
{
	return path ? logs->paths.items[path - 1] : NULL;
}

static uint32_t key_of_computing(struct call_logs *logs, uint32_t from, uint32_t to, uint32_t region)
{
	return cause_key_number(&logs->keys,
	                        &(struct cause_key){CAUSE_COMPUTING, NO_PROCESS, from, to, region, 0});
}

/* Returns the start of the loop of tests that the unsuccessful test belongs to; INT64_MAX: it contains work. */
static int64_t follow_polls(const struct call_logs *logs, struct call_log *log, const struct occurrence *call,
                            const struct event *event)
{
	struct poll_loop *loop = &log->loop;
	int64_t between;

	if (!loop->polls || call->position != loop->position + 1)
		*loop = (struct poll_loop){.since = call->start};
	else
		loop->delay_ns += (int64_t)event->delay_before * NS_PER_US;
	loop->busy_ns += busy_ns(call, event);
	loop->delay_ns += (int64_t)event->delay_inside * NS_PER_US;
	loop->polls += event->polls ? event->polls : 1;
	loop->position = call->position;
	between = call->end - loop->since - loop->busy_ns - loop->delay_ns;
	return poll_is_idle(logs->session, between, loop->busy_ns, loop->polls) ? loop->since : INT64_MAX;
}

static void append(struct call_logs *logs, struct call_log *log, struct known_call *known,
                   const struct occurrence *call, const struct event *event)
{
	struct logged_call *next;

	/* Not zeroed: most threads of a short run with many ranks fill little of it. */
	if (!log->items)
		log->items = memory_grow(NULL, logs->room, sizeof *log->items);
	next = item_at(logs, log, log->count);
	*next = (struct logged_call){.start = call->start,
	                             .end = call->end,
	                             .doing = 2 * (known->place - 1),
	                             .region = log->region,
	                             .noise_before_us = log->noise_us,
	                             .noise_inside_us = event->delay_inside,
	                             .polled_since = INT64_MAX};
	if (call->semantics->does & CALL_FINDS_NOTHING) {
		next->doing++;
		next->polled_since = follow_polls(logs, log, call, event);
	}
	/* Between unsuccessful tests the process may have done other work. */
	if (event->polls && next->polled_since == INT64_MAX)
		next->end = min_ns(call->end, call->start + busy_ns(call, event));
	if (log->count) {
		int64_t noise = (int64_t)next->noise_before_us * NS_PER_US;
		if (known->before != log->last_place + 1u) {
			known->gap = computing_number(
				&logs->computing,
				key_of_computing(logs, log->last_place, place_of_logged(next), 0),
				log->process);
			known->before = log->last_place + 1u;
		}
		computing_add(&logs->computing, known->gap, max_ns(next->start - log->last_end - noise, 0),
		              (int64_t)log->blocked_us * NS_PER_US);
		next->computing = logs->computing.all.items[known->gap].key;
	}
	log->count++;
	log->last_start = next->start;
	log->last_end = next->end;
	log->last_place = place_of_logged(next);
	log->longest = 0;
	log->region = log->noise_us = 0;
	log->blocked_us = 0;
	logs->added++;
}

void call_logs_add(struct call_logs *logs, const struct occurrence *call, const struct event *event)
{
	struct call_log *log = find_log(logs, call->semantics->process, call->thread);
	struct known_call *known;

	if (!log || !has_time(call) || (log->count && call->start < log->last_start))
		return;
	known = know(logs, call->semantics);
	log->noise_us += event->delay_before + event->tool_before;
	log->blocked_us += event->blocked_before;
	if (!known->is_local || known->is_mark) {
		int64_t part = interval_ns(log->since, call->start);
		/* The time between two calls gets the region with the longest part of it. */
		if (log->since != INT64_MIN && part > log->longest) {
			log->longest = part;
			log->region = call->phase;
		}
		log->since = call->end;
	}
	if (known->delays_computing)
		log->noise_us += event->delay_inside;
	if (!known->is_local)
		append(logs, log, known, call, event);
}

static uint32_t key_of_call(struct call_logs *logs, const struct logged_call *call)
{
	uint32_t *key = &logs->in_call.items[call->doing];

	if (!*key)
		*key = cause_key_number(&logs->keys,
		                        &(struct cause_key){CAUSE_CALL, NO_PROCESS, NO_PLACE,
		                                            place_of_logged(call), 0, call->doing % 2});
	return *key;
}

void call_logs_keep_wait(struct call_logs *logs, struct call_log *log, int64_t start,
                         const struct resolved_wait *wait)
{
	uint64_t number = call_log_count(logs, log, start), first = first_kept(logs, log);

	if (number >= log->count || item_at(logs, log, number)->start != start)
		return;
	/* 0 means none. */
	logs->wait_count += logs->wait_count == UINT32_MAX ? 2 : 1;
	logs->waits[logs->wait_count & (logs->wait_room - 1)] = *wait;
	item_at(logs, log, number)->wait = logs->wait_count;
	for (; number > first; number--) {
		struct logged_call *test = item_at(logs, log, number - 1);
		if (test->polled_since != wait->since)
			return;
		test->wait = logs->wait_count;
	}
}

/* A part of the interval, in one call or between two. */
struct stretch_part {
	const struct log_stretch *of;
	int64_t from, to;
	int64_t whole; /* length of the call, or of the time between the two */
};

static inline void add_part(const struct stretch_part *part, uint32_t key, int64_t ns, struct key_sums *sums)
{
	key_sums_add(sums, key, part->of->sign * ns);
}

/* Noise is spread evenly over a call. The rest of `ns` is charged to the key. */
static inline void add_without_noise(const struct stretch_part *part, uint32_t key, int64_t ns,
                                     uint32_t noise_us, struct key_sums *sums)
{
	if (noise_us && ns > 0) {
		double share = part->whole > 0 ? (double)(part->to - part->from) / (double)part->whole : 1;
		int64_t noise = min_ns(ns, (int64_t)(share * (double)noise_us * NS_PER_US));
		add_part(part, KEY_NOISE, noise, sums);
		ns -= noise;
	}
	if (ns)
		add_part(part, key, ns, sums);
}

/* Charges a wait to its causes. A part of a wait is charged to the causes of that part. */
static inline void add_inside(struct call_logs *logs, const struct logged_call *call,
                              const struct stretch_part *part, struct key_sums *sums)
{
	const struct resolved_wait *wait = call->wait && logs->wait_count - call->wait < logs->wait_room
	                                           ? &logs->waits[call->wait & (logs->wait_room - 1)]
	                                           : NULL;
	int64_t rest = part->to - part->from;
	double from, to, begin, end = 1;

	if (wait && min_ns(part->to, wait->until) > max_ns(part->from, wait->since)) {
		double length = (double)(wait->until - wait->since);
		from = (double)max_ns(part->from - wait->since, 0) / length;
		to = (double)min_ns(part->to - wait->since, wait->until - wait->since) / length;
		for (int i = WAIT_PARTS - 1; i >= 0; i--, end = begin) {
			begin = i ? end - (double)wait->parts[i] : 0;
			double share = (end < to ? end : to) - (begin > from ? begin : from);
			int64_t ns = share > 0 ? (int64_t)(share * length) : 0;
			if (ns)
				add_part(part, wait->keys[i], ns, sums);
			rest -= ns;
		}
	}
	add_without_noise(part, key_of_call(logs, call), rest, call->noise_inside_us, sums);
}

/* The time between a call and the next one. */
static inline void add_gap(struct call_logs *logs, const struct logged_call *call,
                           const struct logged_call *next, struct stretch_part *part, struct key_sums *sums)
{
	uint32_t region = next->region ? name_of(logs, next->region) : 0;
	uint32_t key = region || !next->computing
	                       ? key_of_computing(logs, place_of_logged(call), place_of_logged(next), region)
	                       : next->computing;

	part->whole = next->start - call->end;
	add_without_noise(part, key, part->to - part->from, next->noise_before_us, sums);
}

uint64_t call_logs_stretch(struct call_logs *logs, const struct call_log *log,
                           const struct log_stretch *stretch, struct key_sums *sums)
{
	uint64_t number = stretch->count, first = first_kept(logs, log);
	/* The log may end before. */
	const struct logged_call end = {.start = stretch->to, .doing = 2 * stretch->place};
	const struct logged_call *next = number < log->count ? item_at(logs, log, number) : &end;
	struct stretch_part part = {.of = stretch, .to = stretch->to};
	uint64_t last = number;

	for (; part.to > stretch->from && number > first; number--) {
		const struct logged_call *call = item_at(logs, log, number - 1);
		if (call->end < part.to) {
			part.from = max_ns(call->end, stretch->from);
			add_gap(logs, call, next, &part, sums);
			part.to = part.from;
		}
		if (part.to > stretch->from && call->start < part.to) {
			part.from = max_ns(call->start, stretch->from);
			part.whole = call->end - call->start;
			add_inside(logs, call, &part, sums);
			part.to = part.from;
		}
		next = call;
	}
	part.from = stretch->from;
	if (part.to > part.from)
		add_part(&part, KEY_UNKNOWN, part.to - part.from, sums);
	return last - number;
}
