#include "analysis/causes/call_log.h"

#include "analysis/model/phases.h"
#include "analysis/model/spans.h"
#include "base/memory.h"
#include "calls/calls.h"

#include <stdlib.h>
#include <string.h>

enum {
	LOGS_BYTES = 100 << 20,
	LOG_LEAST = 32,
	LOG_MOST = 2048,
	WAITS_LEAST = 1 << 16,
	KEYS_MOST = 1 << 20,
	NS_PER_US = 1000
};

/* Keys */

uint32_t cause_key_number(struct cause_keys *keys, const struct cause_key *key)
{
	uint64_t hash = hash_bytes(key, sizeof *key);
	uint32_t number = map_index_find(&keys->index, hash, i,
	                                 memcmp(&keys->all.items[i], key, sizeof *key) == 0);

	if (number != MAP_NONE)
		return number;
	if (keys->all.count >= KEYS_MOST)
		return KEY_OTHER;
	number = (uint32_t)keys->all.count;
	map_index_add(&keys->index, hash, number);
	array_add(&keys->all, *key);
	return number;
}

static void init_keys(struct cause_keys *keys)
{
	static const enum cause_kind fixed[KEYS_FIXED] = {
		[KEY_OTHER] = CAUSE_OTHER, [KEY_UNKNOWN] = CAUSE_UNKNOWN, [KEY_NOISE] = CAUSE_NOISE};

	for (uint32_t i = 0; i < KEYS_FIXED; i++)
		cause_key_number(keys, &(struct cause_key){fixed[i], NO_PROCESS, NO_PLACE, NO_PLACE, 0});
}

/* Sums */

void key_sums_clear(struct key_sums *sums)
{
	for (uint32_t i = 0; i < sums->count; i++)
		sums->slots[sums->items[i].slot] = 0;
	sums->count = 0;
}

void key_sums_add(struct key_sums *sums, uint32_t key, int64_t ns, bool is_late)
{
	uint32_t slot = key % SUMS_SLOTS; /* keys are numbers in the order of their first use */

	for (; sums->slots[slot]; slot = (slot + 1) % SUMS_SLOTS) {
		struct key_sum *sum = &sums->items[sums->slots[slot] - 1];
		if (sum->key != key)
			continue;
		sum->ns += ns;
		sum->late_ns += is_late ? ns : 0;
		return;
	}
	if (sums->count >= SUMS_MOST && key != KEY_OTHER) {
		key_sums_add(sums, KEY_OTHER, ns, is_late);
		return;
	}
	sums->items[sums->count++] = (struct key_sum){
		.ns = ns, .late_ns = is_late ? ns : 0, .key = key, .slot = slot};
	sums->slots[slot] = sums->count;
}

/* Logs */

static size_t count_threads(const struct reader *reader)
{
	size_t count = 1;

	for (size_t i = 0; i < reader->process_count; i++)
		count += reader->processes[i].stream_count;
	return count;
}

static uint64_t room_for(size_t threads)
{
	uint64_t most = (uint64_t)LOGS_BYTES / sizeof(struct logged_call) / threads, room = LOG_LEAST;

	while (room < LOG_MOST && 2 * room <= most)
		room *= 2;
	return room;
}

struct call_logs *call_logs_new(struct reader *reader)
{
	struct call_logs *logs = memory_new(1, sizeof *logs);

	logs->reader = reader;
	logs->room = room_for(count_threads(reader));
	logs->logs = memory_new(reader->process_count + 1, sizeof *logs->logs);
	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		logs->logs[i] = memory_new(process->stream_count + 1, sizeof **logs->logs);
		for (size_t j = 0; j < process->stream_count; j++)
			logs->logs[i][j] = (struct call_log){.thread = process->streams[j].number,
			                                     .since = INT64_MIN};
	}
	logs->wait_room = WAITS_LEAST;
	while (logs->wait_room < 4 * reader->process_count)
		logs->wait_room *= 2;
	logs->waits = memory_new(logs->wait_room, sizeof *logs->waits);
	init_keys(&logs->keys);
	return logs;
}

void call_logs_free(struct call_logs *logs)
{
	for (size_t i = 0; i < logs->reader->process_count; i++) {
		for (size_t j = 0; j < logs->reader->processes[i].stream_count; j++)
			free(logs->logs[i][j].items);
		free(logs->logs[i]);
	}
	free(logs->logs);
	free(logs->calls);
	map_release(&logs->gap_numbers);
	array_release(&logs->gaps);
	places_release(&logs->places);
	map_index_release(&logs->keys.index);
	array_release(&logs->keys.all);
	free(logs->waits);
	free(logs->names);
	text_map_release(&logs->texts);
	free(logs);
}

struct call_log *call_logs_find(const struct call_logs *logs, uint32_t process, uint32_t thread)
{
	size_t count = logs->reader->processes[process].stream_count;

	/* Threads are numbered from 0 as a rule. */
	if (thread < count && logs->logs[process][thread].thread == thread)
		return &logs->logs[process][thread];
	for (size_t i = 0; i < count; i++)
		if (logs->logs[process][i].thread == thread)
			return &logs->logs[process][i];
	return NULL;
}

static struct logged_call *item_at(const struct call_logs *logs, const struct call_log *log, uint64_t number)
{
	return &log->items[number & (logs->room - 1)];
}

static uint64_t first_kept(const struct call_logs *logs, const struct call_log *log)
{
	return log->count > logs->room ? log->count - logs->room : 0;
}

uint64_t call_log_count(const struct call_logs *logs, const struct call_log *log, int64_t ns)
{
	uint64_t low = first_kept(logs, log), high = log->count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (item_at(logs, log, middle)->start < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int64_t call_log_known(const struct call_logs *logs, const struct call_log *log, uint64_t count,
                       uint64_t calls)
{
	uint64_t first = first_kept(logs, log);

	if (count > first && count - first > calls)
		return item_at(logs, log, count - calls)->start;
	return log->count ? item_at(logs, log, first)->end : INT64_MAX;
}

struct logged_call *call_log_at(const struct call_logs *logs, const struct call_log *log, int64_t start)
{
	uint64_t number = call_log_count(logs, log, start);
	struct logged_call *call = number < log->count ? item_at(logs, log, number) : NULL;

	return call && call->start == start ? call : NULL;
}

/* Calls */

void call_logs_know(struct call_logs *logs, const struct call_semantics *semantics)
{
	array_fit_zeroed(logs->calls, logs->call_room, semantics->number + 1u);
	if (logs->calls[semantics->number].semantics)
		return;
	logs->calls[semantics->number] = (struct known_call){
		.semantics = semantics,
		.is_local = !(semantics->does & CALL_MEETS) &&
	                    (!semantics->kind->info || call_is_local(semantics->kind->info)),
		.is_mark = phases_want(semantics),
		.place = NO_PLACE};
}

void call_logs_name_phase(struct call_logs *logs, const char *name)
{
	if (!logs->names)
		logs->names = memory_new(NAMES_KEPT, sizeof *logs->names);
	logs->names[++logs->name_count % NAMES_KEPT] = 1 + text_map_number(&logs->texts, name);
}

static uint32_t name_of(const struct call_logs *logs, uint32_t phase)
{
	return phase && phase <= logs->name_count && logs->name_count - phase < NAMES_KEPT
	               ? logs->names[phase % NAMES_KEPT]
	               : 0;
}

static void find_gap(struct call_logs *logs, uint32_t from, struct known_call *to)
{
	uint32_t number = to->semantics->number;
	uint32_t *gap = map_put(&logs->gap_numbers, map_key(from, number));

	if (*gap == MAP_NONE) {
		*gap = (uint32_t)logs->gaps.count;
		array_add(&logs->gaps, (struct computing){.from = from, .to = number});
	}
	to->before = from + 1;
	to->gap = *gap;
}

/* The longest part of the time between two calls tells its region. */
static void note_region(struct call_log *log, const struct occurrence *call)
{
	int64_t part = from_to(log->since, call->start);

	if (log->since != INT64_MIN && part > log->longest) {
		log->longest = part;
		log->region = call->phase;
	}
	log->since = call->end;
}

/* Between tests that found nothing the process did something else. */
static int64_t end_of(const struct occurrence *call, const struct event *event)
{
	double part = event->polls && event->end > event->start
	                      ? (double)event->busy / (double)(event->end - event->start)
	                      : 1;

	return part < 1 ? call->start + (int64_t)(part * (double)(call->end - call->start)) : call->end;
}

static void add_computing(struct call_logs *logs, const struct logged_call *last,
                          const struct logged_call *next)
{
	struct known_call *known = &logs->calls[next->number];
	int64_t noise = (int64_t)next->noise_before_us * NS_PER_US;

	if (known->before != last->number + 1)
		find_gap(logs, last->number, known);
	logs->gaps.items[known->gap].ns = plus(logs->gaps.items[known->gap].ns,
	                                       most(next->start - last->end - noise, 0));
}

static void append(struct call_logs *logs, struct call_log *log, const struct logged_call *call)
{
	if (!log->items)
		log->items = memory_new(logs->room, sizeof *log->items);
	if (log->count)
		add_computing(logs, item_at(logs, log, log->count - 1), call);
	*item_at(logs, log, log->count++) = *call;
	log->longest = 0;
	log->region = log->noise_us = 0;
	logs->added++;
}

void call_logs_add(struct call_logs *logs, const struct occurrence *call, const struct event *event)
{
	const struct call_semantics *semantics = call->semantics;
	struct call_log *log = call_logs_find(logs, semantics->process, call->thread);
	const struct known_call *known;

	if (!log || !has_time(call) ||
	    (log->count && call->start < item_at(logs, log, log->count - 1)->start))
		return;
	call_logs_know(logs, semantics);
	known = &logs->calls[semantics->number];
	log->noise_us += event->stolen_before + event->tool_before;
	if (!known->is_local || known->is_mark)
		note_region(log, call);
	if (known->is_local)
		log->noise_us += event->stolen_inside;
	else
		append(logs, log,
		       &(struct logged_call){.start = call->start,
		                             .end = end_of(call, event),
		                             .number = semantics->number,
		                             .region = log->region,
		                             .noise_before_us = log->noise_us,
		                             .noise_inside_us = event->stolen_inside});
}

/* Stretches */

uint32_t call_place(struct call_logs *logs, uint32_t number)
{
	struct known_call *known = &logs->calls[number];

	if (known->place == NO_PLACE)
		known->place = place_of(&logs->places, &logs->reader->processes[known->semantics->process],
		                        known->semantics->call);
	return known->place;
}

static uint32_t key_of_call(struct call_logs *logs, uint32_t number)
{
	struct known_call *known = &logs->calls[number];

	if (!known->key)
		known->key = cause_key_number(
			&logs->keys,
			&(struct cause_key){CAUSE_CALL, NO_PROCESS, NO_PLACE, call_place(logs, number), 0});
	return known->key;
}

static uint32_t make_computing_key(struct call_logs *logs, uint32_t from, uint32_t to, uint32_t region)
{
	return cause_key_number(&logs->keys,
	                        &(struct cause_key){CAUSE_COMPUTING, NO_PROCESS, call_place(logs, from),
	                                            call_place(logs, to), region});
}

static uint32_t key_of_computing(struct call_logs *logs, uint32_t from, uint32_t to, uint32_t region)
{
	const struct known_call *known = &logs->calls[to];
	struct computing *gap;

	if (region || known->before != from + 1)
		return make_computing_key(logs, from, to, region);
	gap = &logs->gaps.items[known->gap];
	if (!gap->key)
		gap->key = make_computing_key(logs, from, to, 0);
	return gap->key;
}

static const struct resolved_wait *find_wait(const struct call_logs *logs, uint32_t number)
{
	return number && logs->wait_count - number < logs->wait_room
	               ? &logs->waits[number & (logs->wait_room - 1)]
	               : NULL;
}

uint32_t call_logs_keep_wait(struct call_logs *logs, const struct resolved_wait *wait)
{
	/* 0 is none. */
	logs->wait_count += logs->wait_count == UINT32_MAX ? 2 : 1;
	logs->waits[logs->wait_count & (logs->wait_room - 1)] = *wait;
	return logs->wait_count;
}

/* A part of the stretch, in one call or between two. */
struct stretch_part {
	const struct log_stretch *of;
	int64_t from, to;
	int64_t whole; /* length of the call, or of the time between the two */
};

static void add_part(const struct stretch_part *part, uint32_t key, int64_t ns, struct key_sums *sums)
{
	key_sums_add(sums, key, part->of->sign * ns, part->of->is_late);
}

/* Noise is all over a call. What is left of `ns` is for the key. */
static void add_without_noise(const struct stretch_part *part, uint32_t key, int64_t ns, uint32_t noise_us,
                              struct key_sums *sums)
{
	if (noise_us && ns > 0) {
		double share = part->whole > 0 ? (double)(part->to - part->from) / (double)part->whole : 1;
		int64_t noise = least(ns, (int64_t)(share * (double)noise_us * NS_PER_US));
		add_part(part, KEY_NOISE, noise, sums);
		ns -= noise;
	}
	if (ns)
		add_part(part, key, ns, sums);
}

/* A wait counts as what caused it. */
static void add_inside(struct call_logs *logs, const struct logged_call *call,
                       const struct stretch_part *part, struct key_sums *sums)
{
	const struct resolved_wait *wait = find_wait(logs, call->wait);
	int64_t waited = wait ? least(part->to, wait->until) - most(part->from, wait->since) : 0;
	int64_t rest = part->to - part->from;

	for (int i = 0; waited > 0 && i < WAIT_PARTS && wait->parts[i] > 0; i++) {
		int64_t ns = (int64_t)((double)waited * (double)wait->parts[i]);
		add_part(part, wait->keys[i], ns, sums);
		rest -= ns;
	}
	add_without_noise(part, key_of_call(logs, call->number), rest, call->noise_inside_us, sums);
}

/* The call behind the time between two. */
struct gap_end {
	uint32_t number, region, noise_us;
	int64_t start;
};

static struct gap_end gap_before(const struct logged_call *call)
{
	return (struct gap_end){call->number, call->region, call->noise_before_us, call->start};
}

static void add_gap(struct call_logs *logs, const struct logged_call *call, const struct gap_end *next,
                    struct stretch_part *part, struct key_sums *sums)
{
	uint32_t key = key_of_computing(logs, call->number, next->number, name_of(logs, next->region));

	part->whole = next->start - call->end;
	add_without_noise(part, key, part->to - part->from, next->noise_us, sums);
}

uint64_t call_logs_stretch(struct call_logs *logs, const struct call_log *log,
                           const struct log_stretch *stretch, struct key_sums *sums)
{
	uint64_t number = stretch->count, first = first_kept(logs, log);
	struct gap_end next = number < log->count ? gap_before(item_at(logs, log, number))
	                                          : (struct gap_end){stretch->number, 0, 0, stretch->to};
	struct stretch_part part = {.of = stretch, .to = stretch->to};
	uint64_t last = number;

	for (; part.to > stretch->from && number > first; number--) {
		const struct logged_call *call = item_at(logs, log, number - 1);
		if (call->end < part.to) {
			part.from = most(call->end, stretch->from);
			add_gap(logs, call, &next, &part, sums);
			part.to = part.from;
		}
		if (part.to > stretch->from && call->start < part.to) {
			part.from = most(call->start, stretch->from);
			part.whole = call->end - call->start;
			add_inside(logs, call, &part, sums);
			part.to = part.from;
		}
		next = gap_before(call);
	}
	part.from = stretch->from;
	if (part.to > part.from)
		add_part(&part, KEY_UNKNOWN, part.to - part.from, sums);
	return last - number;
}
