/* A key has a line for each side: its waiting tuples in order of time, and those of equal times in order of
 * arrival. The words of the tuples are in pools. All tuples before a `limit` are resolved at once; both
 * limits of memory and the end use this. */
#include "analysis/engine/key_table.h"
#include "analysis/engine/operator.h"
#include "base/sort_items.h"

/* Of a tuple that waits. */
struct stop {
	int64_t time;
	uint32_t tuple; /* in the pool of its side */
	/* For a right tuple. ASOF_LAST_BEFORE: whether a left tuple has it; ASOF_FIRST_AFTER: its left tuple,
	 * as the position in the line + 1. */
	uint32_t taken;
};

/* All zeros: an empty line. Stops are stops[first] to stops[end - 1]. */
struct asof_line {
	struct stop *stops;
	uint32_t first, end, capacity;
	uint32_t padding;
};

struct lines {
	struct asof_line sides[2];
	int64_t settled; /* results were given that tuples before this time could have changed */
	uint32_t is_settled;
	uint32_t look_at;  /* number of waiting tuples at which they are examined again */
	uint32_t unserved; /* left tuples that were dropped before any right tuple followed them */
	uint32_t padding;
};

enum { LINES_WORDS = sizeof(struct lines) / 8, STOP_WORDS = sizeof(struct stop) / 8, LOOK_MIN = 16 };

_Static_assert(sizeof(struct lines) % 8 == 0, "a payload is whole words");

struct asof {
	struct asof_plan plan;
	struct key_table keys;
	struct record_pool tuples[2];
	size_t waiting_words;
	struct operator_counts counts;
};

enum cause { BECAUSE_KNOWN, BECAUSE_FULL, BECAUSE_ENDED };

static uint32_t length(const struct asof_line *line)
{
	return line->end - line->first;
}

static bool has_before(const struct asof_line *line, int64_t limit)
{
	return line->stops && length(line) && line->stops[line->first].time < limit;
}

/* Also gives back the memory of the lines. */
static bool is_idle(void *context, int64_t *payload)
{
	struct lines *lines = (struct lines *)payload;

	(void)context;
	if (length(&lines->sides[LEFT]) || length(&lines->sides[RIGHT]))
		return false;
	free(lines->sides[LEFT].stops);
	free(lines->sides[RIGHT].stops);
	return true;
}

struct asof *asof_new(const struct asof_plan *plan)
{
	struct asof *asof = memory_new(1, sizeof *asof);

	asof->plan = *plan;
	if (!asof->plan.per_key)
		asof->plan.per_key = ASOF_PER_KEY;
	if (!asof->plan.words_in_all)
		asof->plan.words_in_all = WORDS_IN_ALL;
	key_table_init(&asof->keys, plan->keys, LINES_WORDS, is_idle, NULL);
	asof->tuples[LEFT].stride = plan->widths[LEFT];
	asof->tuples[RIGHT].stride = plan->widths[RIGHT];
	return asof;
}

static struct lines *lines_in_slot(const struct asof *asof, uint32_t slot)
{
	uint32_t record = asof->keys.slots[slot].record;

	return record ? (struct lines *)key_payload(&asof->keys, record - 1) : NULL;
}

void asof_free(struct asof *asof)
{
	if (!asof)
		return;
	for (uint32_t slot = 0; slot <= asof->keys.mask; slot++) {
		struct lines *lines = lines_in_slot(asof, slot);
		if (!lines)
			continue;
		free(lines->sides[LEFT].stops);
		free(lines->sides[RIGHT].stops);
	}
	key_table_release(&asof->keys);
	record_pool_release(&asof->tuples[LEFT]);
	record_pool_release(&asof->tuples[RIGHT]);
	free(asof);
}

struct operator_counts asof_counts(const struct asof *asof)
{
	return asof->counts;
}

/* ---- lines ---- */

static const int64_t *words_of(const struct asof *asof, enum join_side side, const struct stop *stop)
{
	return record_at(&asof->tuples[side], stop->tuple);
}

static size_t words_for(const struct asof *asof, enum join_side side)
{
	return asof->plan.widths[side] + STOP_WORDS;
}

/* Mostly at the end. */
static void insert(struct asof_line *line, struct stop stop)
{
	uint32_t at;

	if (line->end == line->capacity && line->first >= line->capacity / 2 && line->first) {
		memmove(line->stops, line->stops + line->first, length(line) * sizeof *line->stops);
		line->end -= line->first;
		line->first = 0;
	} else if (line->end == line->capacity) {
		line->capacity = line->capacity ? line->capacity * 2 : 4;
		line->stops = memory_grow(line->stops, line->capacity, sizeof *line->stops);
	}
	for (at = line->end++; at > line->first && line->stops[at - 1].time > stop.time; at--)
		line->stops[at] = line->stops[at - 1];
	line->stops[at] = stop;
}

static void drop_tuple(struct asof *asof, enum join_side side, const struct stop *stop)
{
	record_give_back(&asof->tuples[side], stop->tuple);
	asof->counts.waiting--;
	asof->waiting_words -= words_for(asof, side);
}

static void drop_first(struct asof *asof, enum join_side side, struct asof_line *line)
{
	drop_tuple(asof, side, &line->stops[line->first++]);
	if (line->first == line->end)
		line->first = line->end = 0;
}

/* ---- resolving ---- */

static void settle(struct lines *lines, int64_t time)
{
	if (!lines->is_settled || lines->settled < time)
		lines->settled = time;
	lines->is_settled = 1;
}

static bool is_itself(const struct asof *asof, const struct stop *left, const struct stop *right)
{
	if (asof->plan.identity[LEFT] == NO_WORD || asof->plan.identity[RIGHT] == NO_WORD)
		return false;
	return words_of(asof, LEFT, left)[asof->plan.identity[LEFT]] ==
	       words_of(asof, RIGHT, right)[asof->plan.identity[RIGHT]];
}

static void put(struct asof *asof, const struct stop *left, const struct stop *right)
{
	asof->counts.results++;
	asof->plan.put(asof->plan.context, words_of(asof, LEFT, left), words_of(asof, RIGHT, right));
}

/* Finds for each left tuple its right tuple: `taken` is the position + 1. A right tuple belongs to the last
 * left tuple that claims it. */
static void claim(const struct asof *asof, struct asof_line *lefts, struct asof_line *rights)
{
	uint32_t next = rights->first;

	for (uint32_t i = lefts->first; i < lefts->end; i++) {
		struct stop *left = &lefts->stops[i];
		uint32_t right;

		while (next < rights->end && rights->stops[next].time < left->time)
			next++;
		for (right = next; right < rights->end && is_itself(asof, left, &rights->stops[right]);)
			right++;
		left->taken = right < rights->end ? right + 1 : 0;
		if (left->taken)
			rights->stops[right].taken = i + 1;
	}
}

static bool has_to_stay(const struct asof *asof, const struct lines *lines, uint32_t i, int64_t limit,
                        enum cause cause)
{
	const struct asof_line *lefts = &lines->sides[LEFT], *rights = &lines->sides[RIGHT];
	const struct stop *left = &lefts->stops[i];

	if (cause != BECAUSE_KNOWN)
		return cause == BECAUSE_FULL && left->time >= limit;
	if (left->taken && rights->stops[left->taken - 1].time < limit)
		return false;
	/* If the right side is not shared, the next right tuple will be paired with the last of several
	 * waiting left tuples. */
	return asof->plan.is_shared || i + 1 >= lefts->end || left[1].time >= limit ||
	       left[1].taken != left->taken;
}

static void resolve_first_after(struct asof *asof, struct lines *lines, int64_t limit, enum cause cause)
{
	struct asof_line *lefts = &lines->sides[LEFT], *rights = &lines->sides[RIGHT];
	uint32_t stay = lefts->first;

	claim(asof, lefts, rights);
	for (uint32_t i = lefts->first; i < lefts->end; i++) {
		struct stop left = lefts->stops[i];
		const struct stop *right = left.taken ? &rights->stops[left.taken - 1] : NULL;

		if (has_to_stay(asof, lines, i, limit, cause)) {
			lefts->stops[stay++] = left;
			continue;
		}
		if (right && (asof->plan.is_shared || right->taken == i + 1))
			put(asof, &left, right);
		if (right && cause == BECAUSE_FULL)
			settle(lines, right->time);
		lines->unserved += !right && cause == BECAUSE_FULL;
		drop_tuple(asof, LEFT, &left);
	}
	lefts->end = stay;
	while (has_before(rights, limit))
		drop_first(asof, RIGHT, rights);
}

static void resolve_last_before(struct asof *asof, struct lines *lines, int64_t limit)
{
	struct asof_line *lefts = &lines->sides[LEFT], *rights = &lines->sides[RIGHT];
	uint32_t next = rights->first;

	while (has_before(lefts, limit)) {
		struct stop *left = &lefts->stops[lefts->first], *right;
		uint32_t last;

		while (next < rights->end && rights->stops[next].time <= left->time)
			next++;
		for (last = next; last > rights->first && is_itself(asof, left, &rights->stops[last - 1]);)
			last--;
		right = last > rights->first ? &rights->stops[last - 1] : NULL;
		if (right && (asof->plan.is_shared || !right->taken)) {
			right->taken = 1;
			put(asof, left, right);
		}
		drop_first(asof, LEFT, lefts);
	}
	/* The last right tuple before the limit may belong to a future left tuple. */
	while (length(rights) > 1 && rights->stops[rights->first + 1].time < limit)
		drop_first(asof, RIGHT, rights);
}

static void resolve(struct asof *asof, struct lines *lines, int64_t limit, enum cause cause)
{
	settle(lines, limit);
	if (asof->plan.kind == ASOF_LAST_BEFORE)
		resolve_last_before(asof, lines, limit);
	else
		resolve_first_after(asof, lines, limit, cause);
}

/* ---- when to resolve ---- */

/* The time of the n-th of both lines together. */
static int64_t nth_time(const struct lines *lines, uint32_t n)
{
	const struct asof_line *lefts = &lines->sides[LEFT], *rights = &lines->sides[RIGHT];
	uint32_t left = lefts->first, right = rights->first;

	for (;; n--) {
		bool is_left = right == rights->end ||
		               (left < lefts->end && lefts->stops[left].time <= rights->stops[right].time);
		const struct stop *stop = is_left ? &lefts->stops[left++] : &rights->stops[right++];

		if (n == 0)
			return stop->time;
	}
}

/* All tuples before this time have arrived, because fewer than `lateness` later tuples arrive before a
 * tuple. */
static int64_t time_to_come(const struct asof *asof, const struct lines *lines)
{
	uint32_t lateness = asof->plan.lateness;
	int64_t min = INT64_MAX;

	for (enum join_side side = LEFT; side <= RIGHT; side++) {
		const struct asof_line *line = &lines->sides[side];

		if (!lateness || length(line) < lateness)
			return INT64_MIN;
		if (line->stops[line->end - lateness].time < min)
			min = line->stops[line->end - lateness].time;
	}
	return min;
}

static uint32_t waiting_in(const struct lines *lines)
{
	return length(&lines->sides[LEFT]) + length(&lines->sides[RIGHT]);
}

/* Only from time to time, so that the cost per tuple is small. */
static void look(struct asof *asof, struct lines *lines)
{
	uint32_t waiting = waiting_in(lines);

	if (waiting < lines->look_at)
		return;
	resolve(asof, lines, time_to_come(asof, lines), BECAUSE_KNOWN);
	waiting = waiting_in(lines);
	if (waiting > asof->plan.per_key) {
		resolve(asof, lines, nth_time(lines, waiting / 4) + 1, BECAUSE_FULL);
		waiting = waiting_in(lines);
	}
	lines->look_at = 2 * waiting > LOOK_MIN ? 2 * waiting : LOOK_MIN;
	if (lines->look_at > asof->plan.per_key)
		lines->look_at = asof->plan.per_key + 1;
}

/* Resolves tuples before the limit, and forgets them even if they may be the last before a future tuple. */
static void forget(struct asof *asof, struct lines *lines, int64_t limit, enum cause cause)
{
	struct asof_line *rights = &lines->sides[RIGHT];

	resolve(asof, lines, limit, cause);
	while (has_before(rights, limit))
		drop_first(asof, RIGHT, rights);
}

static void forget_older_half(struct asof *asof)
{
	size_t count = 0;
	struct sort_item *items = memory_new(2 * asof->counts.waiting, sizeof *items);
	int64_t limit;

	for (uint32_t slot = 0; slot <= asof->keys.mask; slot++) {
		const struct lines *lines = lines_in_slot(asof, slot);

		for (enum join_side side = LEFT; lines && side <= RIGHT; side++) {
			const struct asof_line *line = &lines->sides[side];
			for (uint32_t i = line->first; i < line->end; i++)
				items[count++].number = sort_number_of_integer(line->stops[i].time);
		}
	}
	sort_items(items, items + count, count);
	limit = (int64_t)(items[count / 2].number ^ 1ull << 63) + 1;
	free(items);
	for (uint32_t slot = 0; slot <= asof->keys.mask; slot++) {
		struct lines *lines = lines_in_slot(asof, slot);
		if (lines)
			forget(asof, lines, limit, BECAUSE_FULL);
	}
	key_table_sweep(&asof->keys);
}

/* ---- arriving tuples ---- */

void asof_add(struct asof *asof, enum join_side side, const int64_t *rows, size_t count)
{
	uint32_t width = asof->plan.widths[side];

	for (const int64_t *row = rows; row < rows + count * width; row += width) {
		uint32_t key = key_table_put(&asof->keys, row, key_hash(row, asof->plan.keys));
		struct lines *lines = (struct lines *)key_payload(&asof->keys, key);
		int64_t time = row[asof->plan.times[side]];
		struct stop stop = {.time = time < INT64_MAX ? time : INT64_MAX - 1};

		asof->counts.early += lines->is_settled && stop.time < lines->settled;
		if (side == RIGHT) {
			asof->counts.early += lines->unserved;
			lines->unserved = 0;
		}
		stop.tuple = record_take(&asof->tuples[side]);
		memcpy(record_at(&asof->tuples[side], stop.tuple), row, width * sizeof *row);
		insert(&lines->sides[side], stop);
		asof->counts.waiting++;
		asof->waiting_words += words_for(asof, side);
		look(asof, lines);
		if (asof->waiting_words > asof->plan.words_in_all)
			forget_older_half(asof);
	}
}

/* Records are in the order of the first occurrence of their keys, unless keys were forgotten. */
void asof_finish(struct asof *asof)
{
	bool *is_live = memory_new(asof->keys.records.used + 1, sizeof *is_live);

	for (uint32_t slot = 0; slot <= asof->keys.mask; slot++)
		if (asof->keys.slots[slot].record)
			is_live[asof->keys.slots[slot].record - 1] = true;
	for (uint32_t record = 0; record < asof->keys.records.used; record++)
		if (is_live[record])
			forget(asof, (struct lines *)key_payload(&asof->keys, record), INT64_MAX,
			       BECAUSE_ENDED);
	free(is_live);
}
