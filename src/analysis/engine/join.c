/* A key has a queue of waiting tuples for each side: lists through records of a pool, oldest first. */
#include "analysis/engine/key_table.h"
#include "analysis/engine/operator.h"
#include "base/sort_items.h"

enum { ROWS_AHEAD = 16 };

/* All zeros is an empty one. */
struct join_queue {
	uint32_t first, last; /* + 1 */
	uint32_t count;
};

struct meeting_place {
	struct join_queue queues[2];
};

/* Before the words of a waiting tuple. */
struct join_link {
	uint32_t next; /* + 1 */
	uint32_t arrival;
};

_Static_assert(sizeof(struct join_link) == sizeof(int64_t), "a link is a word");

enum { PLACE_WORDS = (sizeof(struct meeting_place) + 7) / 8 };

struct join {
	struct join_plan plan;
	struct key_table places;
	struct record_pool tuples[2];
	uint32_t per_key[2]; /* maximum number of waiting tuples; UINT32_MAX: any number */
	size_t waiting_words;
	uint32_t arrivals;  /* may wrap: only differences count */
	uint64_t max_pairs; /* of two shared sides, of the tuples so far */
	struct operator_counts counts;
};

static bool is_idle(void *context, int64_t *payload)
{
	const struct meeting_place *place = (struct meeting_place *)payload;

	(void)context;
	return !place->queues[LEFT].first && !place->queues[RIGHT].first;
}

struct join *join_new(const struct join_plan *plan)
{
	struct join *join = memory_new(1, sizeof *join);
	uint32_t shared = plan->shared_per_key ? plan->shared_per_key : WAITING_PER_KEY;
	uint32_t conditional = plan->conditional_per_key ? plan->conditional_per_key : CONDITIONAL_PER_KEY;

	join->plan = *plan;
	if (!join->plan.words_in_all)
		join->plan.words_in_all = WORDS_IN_ALL;
	join->max_pairs = plan->pairs_in_all ? plan->pairs_in_all : PAIRS_IN_ALL;
	key_table_init(&join->places, plan->keys, PLACE_WORDS, is_idle, NULL);
	for (enum join_side side = LEFT; side <= RIGHT; side++) {
		join->tuples[side].stride = plan->widths[side] + 1;
		join->per_key[side] = plan->is_shared[side] ? shared
		                      : plan->accepts       ? conditional
		                                            : UINT32_MAX;
	}
	return join;
}

void join_free(struct join *join)
{
	if (!join)
		return;
	key_table_release(&join->places);
	record_pool_release(&join->tuples[LEFT]);
	record_pool_release(&join->tuples[RIGHT]);
	free(join);
}

struct operator_counts join_counts(const struct join *join)
{
	return join->counts;
}

static inline struct join_link *link_of(const struct join *join, enum join_side side, uint32_t number)
{
	return (struct join_link *)record_at(&join->tuples[side], number);
}

static inline const int64_t *words_of(const struct join *join, enum join_side side, uint32_t number)
{
	return record_at(&join->tuples[side], number) + 1;
}

static inline void drop_tuple(struct join *join, enum join_side side, struct join_queue *queue,
                              uint32_t number)
{
	record_give_back(&join->tuples[side], number);
	queue->count--;
	join->counts.waiting--;
	join->waiting_words -= join->plan.widths[side];
}

static inline void drop_first(struct join *join, enum join_side side, struct join_queue *queue)
{
	uint32_t number = queue->first - 1;

	queue->first = link_of(join, side, number)->next;
	drop_tuple(join, side, queue, number);
}

static inline bool accepts(const struct join *join, enum join_side side, const int64_t *row,
                           const int64_t *waiting)
{
	if (!join->plan.accepts)
		return true;
	return side == LEFT ? join->plan.accepts(join->plan.context, row, waiting)
	                    : join->plan.accepts(join->plan.context, waiting, row);
}

static inline void put(struct join *join, enum join_side side, const int64_t *row, const int64_t *waiting)
{
	join->counts.results++;
	if (side == LEFT)
		join->plan.put(join->plan.context, row, waiting);
	else
		join->plan.put(join->plan.context, waiting, row);
}

/* Pairs an arriving tuple with those that wait on the other side. True if it is used up. */
static bool pair_up(struct join *join, enum join_side side, struct join_queue *others, const int64_t *row)
{
	enum join_side other = side == LEFT ? RIGHT : LEFT;
	uint32_t before = 0, next;

	for (uint32_t at = others->first; at; at = next) {
		const int64_t *waiting = words_of(join, other, at - 1);

		next = link_of(join, other, at - 1)->next;
		if (!accepts(join, side, row, waiting)) {
			before = at;
			continue;
		}
		put(join, side, row, waiting);
		if (join->plan.is_shared[other]) {
			before = at;
		} else {
			if (before)
				link_of(join, other, before - 1)->next = next;
			else
				others->first = next;
			if (!next)
				others->last = before;
			drop_tuple(join, other, others, at - 1);
		}
		if (!join->plan.is_shared[side])
			return true;
	}
	return false;
}

static void wait_in(struct join *join, enum join_side side, struct join_queue *queue, const int64_t *row)
{
	uint32_t number = record_take(&join->tuples[side]);
	int64_t *record = record_at(&join->tuples[side], number);

	*(struct join_link *)record = (struct join_link){.arrival = join->arrivals};
	for (uint32_t i = 0; i < join->plan.widths[side]; i++)
		record[i + 1] = row[i];
	if (queue->first)
		link_of(join, side, queue->last - 1)->next = number + 1;
	else
		queue->first = number + 1;
	queue->last = number + 1;
	join->counts.waiting++;
	join->waiting_words += join->plan.widths[side];
	if (++queue->count > join->per_key[side]) {
		drop_first(join, side, queue);
		join->counts.dropped++;
	}
}

/* The age from which tuples must be dropped so that an eighth of the room is free. */
static uint32_t highest_age(const struct join *join)
{
	size_t count = 0, words = 0, room = join->plan.words_in_all / 8 * 7;
	struct sort_item *items = memory_new(2 * join->counts.waiting, sizeof *items);
	uint32_t age = UINT32_MAX;

	/* The age of each waiting tuple, and its number of words. */
	for (uint32_t slot = 0; slot <= join->places.mask; slot++) {
		const struct meeting_place *place;

		if (!join->places.slots[slot].record)
			continue;
		place = (struct meeting_place *)key_payload(&join->places,
		                                            join->places.slots[slot].record - 1);
		for (enum join_side side = LEFT; side <= RIGHT; side++)
			for (uint32_t at = place->queues[side].first; at;
			     at = link_of(join, side, at - 1)->next)
				items[count++] = (struct sort_item){
					.number = join->arrivals - link_of(join, side, at - 1)->arrival,
					.what = join->plan.widths[side]};
	}
	sort_items(items, items + count, count);
	for (size_t i = 0; i < count && age == UINT32_MAX; i++) {
		words += items[i].what;
		if (words > room)
			age = (uint32_t)items[i].number;
	}
	free(items);
	return age;
}

static void make_room(struct join *join)
{
	uint32_t age = highest_age(join);

	for (uint32_t slot = 0; slot <= join->places.mask; slot++) {
		uint32_t record = join->places.slots[slot].record;

		for (enum join_side side = LEFT; record && side <= RIGHT; side++) {
			struct meeting_place *place = (struct meeting_place *)key_payload(&join->places,
			                                                                  record - 1);
			struct join_queue *queue = &place->queues[side];

			while (queue->first &&
			       join->arrivals - link_of(join, side, queue->first - 1)->arrival >= age) {
				drop_first(join, side, queue);
				join->counts.dropped++;
			}
		}
	}
	key_table_sweep(&join->places);
}

/* Slots are fetched some rows ahead: in a large table, waiting for memory is most of the work. */
void join_add(struct join *join, enum join_side side, const int64_t *rows, size_t count)
{
	bool are_shared = join->plan.is_shared[LEFT] && join->plan.is_shared[RIGHT];
	uint32_t hashes[ROWS_AHEAD];
	uint32_t width = join->plan.widths[side];

	for (size_t begin = 0; begin < count; begin += ROWS_AHEAD) {
		size_t block = count - begin < ROWS_AHEAD ? count - begin : ROWS_AHEAD;

		for (size_t i = 0; i < block; i++) {
			hashes[i] = key_hash(rows + (begin + i) * width, join->plan.keys);
			key_prefetch(&join->places, hashes[i]);
		}
		for (size_t i = 0; i < block; i++) {
			const int64_t *row = rows + (begin + i) * width;
			uint32_t number = key_table_put(&join->places, row, hashes[i]);
			struct meeting_place *place = (struct meeting_place *)key_payload(&join->places,
			                                                                  number);

			join->max_pairs += ++join->arrivals & 1;
			if (are_shared && join->counts.results >= join->max_pairs)
				join->counts.dropped++;
			else if (!pair_up(join, side, &place->queues[side == LEFT ? RIGHT : LEFT], row))
				wait_in(join, side, &place->queues[side], row);
			if (join->waiting_words > join->plan.words_in_all)
				make_room(join);
		}
	}
}
