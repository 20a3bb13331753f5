/* Compares the join with two simple ones. One looks at all pairs at the end: it tells the expected pairs. The other
 * keeps waiting rows in one list: it tells the expected order and the effect of bounds. */
#include "analysis/engine/key_table.h"
#include "analysis/engine/operator.h"
#include "random_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 400, PAIRS = MOST * MOST, MOST_WORDS = 6 };

/* A tuple: key words, then its number, then a value for the condition; the right one has a word more. */
struct told {
	enum join_side side;
	int64_t words[MOST_WORDS];
	bool is_gone;
};

struct pair {
	int64_t left, right;
};

struct scene {
	struct join_plan plan;
	struct told told[MOST];
	uint32_t count;
	struct pair pairs[PAIRS];
	uint32_t pair_count;
};

static struct scene scene;
static struct pair expected[PAIRS];
static uint32_t expected_count, expected_dropped;

static int64_t number_of(const int64_t *words)
{
	return words[scene.plan.keys];
}

static bool adds_up(void *context, const int64_t *left, const int64_t *right)
{
	(void)context;
	return (left[scene.plan.keys + 1] + right[scene.plan.keys + 1]) % 3 == 0;
}

static void note_pair(void *context, const int64_t *left, const int64_t *right)
{
	assert_ptr_equal(context, &scene);
	scene.pairs[scene.pair_count++] = (struct pair){number_of(left), number_of(right)};
}

static void invent(struct random_numbers *numbers, uint32_t keys, uint32_t key_range)
{
	scene.count = random_below(numbers, MOST);
	scene.pair_count = 0;
	for (uint32_t i = 0; i < scene.count; i++) {
		struct told *told = &scene.told[i];
		told->side = random_below(numbers, 2) ? LEFT : RIGHT;
		told->is_gone = false;
		for (uint32_t key = 0; key < keys; key++)
			told->words[key] = random_between(numbers, -1, (int64_t)key_range);
		told->words[keys] = i;
		told->words[keys + 1] = random_below(numbers, 6);
		told->words[keys + 2] = -1;
	}
	scene.plan = (struct join_plan){.widths = {keys + 2, keys + 3}, .keys = keys};
	scene.plan.context = &scene;
	scene.plan.put = note_pair;
	scene.plan.is_shared[LEFT] = random_below(numbers, 2);
	scene.plan.is_shared[RIGHT] = random_below(numbers, 2);
	scene.plan.accepts = random_below(numbers, 2) ? adds_up : NULL;
}

static struct operator_counts play(void)
{
	struct join *join = join_new(&scene.plan);
	struct operator_counts counts;

	for (uint32_t i = 0, next; i < scene.count; i = next) {
		int64_t rows[MOST * MOST_WORDS];
		uint32_t width = scene.plan.widths[scene.told[i].side];

		for (next = i; next < scene.count && scene.told[next].side == scene.told[i].side; next++)
			memcpy(rows + (next - i) * width, scene.told[next].words, width * sizeof *rows);
		join_add(join, scene.told[i].side, rows, next - i);
	}
	counts = join_counts(join);
	join_free(join);
	return counts;
}

static bool is_pair(const struct told *left, const struct told *right)
{
	return memcmp(left->words, right->words, scene.plan.keys * sizeof *left->words) == 0 &&
	       (!scene.plan.accepts || adds_up(NULL, left->words, right->words));
}

/* ---- all at once ---- */

/* Pairs it with the first row of the other side that is not used up, or with all of them if it is shared. */
static void pair_all_of(struct told *one)
{
	for (uint32_t i = 0; i < scene.count; i++) {
		struct told *other = &scene.told[i];
		struct told *left = one->side == LEFT ? one : other, *right = one->side == LEFT ? other : one;

		if (other->side == one->side || other->is_gone || !is_pair(left, right))
			continue;
		expected[expected_count++] = (struct pair){number_of(left->words), number_of(right->words)};
		other->is_gone = !scene.plan.is_shared[other->side];
		if (!scene.plan.is_shared[one->side])
			return;
	}
}

static void pair_all(void)
{
	/* If only one side is shared, it is the others that choose. */
	enum join_side chooser = scene.plan.is_shared[LEFT] ? RIGHT : LEFT;

	expected_count = 0;
	for (uint32_t i = 0; i < scene.count; i++)
		if (scene.told[i].side == chooser)
			pair_all_of(&scene.told[i]);
}

static int by_numbers(const void *one, const void *other)
{
	const struct pair *x = one, *y = other;

	if (x->left != y->left)
		return x->left < y->left ? -1 : 1;
	return x->right < y->right ? -1 : x->right > y->right;
}

static void assert_same_pairs(void)
{
	assert_int_equal(scene.pair_count, expected_count);
	assert_memory_equal(scene.pairs, expected, expected_count * sizeof *expected);
}

static void pairs_do_not_depend_on_how_sides_alternate(void **state)
{
	struct random_numbers numbers = {1};

	(void)state;
	for (int round = 0; round < 150; round++) {
		invent(&numbers, random_below(&numbers, 4), 1 + random_below(&numbers, 6));
		play();
		pair_all();
		qsort(scene.pairs, scene.pair_count, sizeof *scene.pairs, by_numbers);
		qsort(expected, expected_count, sizeof *expected, by_numbers);
		assert_same_pairs();
	}
}

/* ---- as they come ---- */

static uint32_t waiting[MOST]; /* numbers of what waits, in order of arrival */
static uint32_t waiting_count;

static void forget_waiting(uint32_t at)
{
	memmove(waiting + at, waiting + at + 1, (--waiting_count - at) * sizeof *waiting);
}

/* True if it is used up. */
static bool pair_with_waiting(const struct told *one)
{
	for (uint32_t i = 0; i < waiting_count; i++) {
		const struct told *other = &scene.told[waiting[i]];
		const struct told *left = one->side == LEFT ? one : other;
		const struct told *right = one->side == LEFT ? other : one;

		if (other->side == one->side || !is_pair(left, right))
			continue;
		expected[expected_count++] = (struct pair){number_of(left->words), number_of(right->words)};
		if (!scene.plan.is_shared[other->side])
			forget_waiting(i--);
		if (!scene.plan.is_shared[one->side])
			return true;
	}
	return false;
}

static void keep_bound_of_key(const struct told *one)
{
	uint32_t bound = scene.plan.is_shared[one->side] ? scene.plan.shared_per_key
	                 : scene.plan.accepts            ? scene.plan.conditional_per_key
	                                                 : UINT32_MAX;
	uint32_t same = 0, oldest = 0;

	for (uint32_t i = waiting_count; i-- > 0;) {
		const struct told *other = &scene.told[waiting[i]];
		if (other->side == one->side &&
		    memcmp(other->words, one->words, scene.plan.keys * sizeof *one->words) == 0) {
			same++;
			oldest = i;
		}
	}
	if (same > bound) {
		forget_waiting(oldest);
		expected_dropped++;
	}
}

static size_t words_that_wait(uint32_t from)
{
	size_t words = 0;

	for (uint32_t i = from; i < waiting_count; i++)
		words += scene.plan.widths[scene.told[waiting[i]].side];
	return words;
}

static void keep_bound_of_words(void)
{
	if (words_that_wait(0) <= scene.plan.words_in_all)
		return;
	while (words_that_wait(0) > scene.plan.words_in_all / 8 * 7) {
		forget_waiting(0);
		expected_dropped++;
	}
}

static bool is_exhausted(uint32_t arrivals)
{
	return scene.plan.is_shared[LEFT] && scene.plan.is_shared[RIGHT] &&
	       expected_count >= scene.plan.pairs_in_all + (arrivals + 1) / 2;
}

static void pair_as_they_come(void)
{
	expected_count = expected_dropped = waiting_count = 0;
	for (uint32_t i = 0; i < scene.count; i++) {
		if (is_exhausted(i + 1)) {
			expected_dropped++;
			continue;
		}
		if (pair_with_waiting(&scene.told[i]))
			continue;
		waiting[waiting_count++] = i;
		keep_bound_of_key(&scene.told[i]);
		keep_bound_of_words();
	}
}

static void bounds_drop_the_oldest(void **state)
{
	struct random_numbers numbers = {2};
	uint32_t dropped = 0;

	(void)state;
	for (int round = 0; round < 150; round++) {
		struct operator_counts counts;

		invent(&numbers, 1 + random_below(&numbers, 3), 1 + random_below(&numbers, 9));
		scene.plan.shared_per_key = 1 + random_below(&numbers, 30);
		scene.plan.conditional_per_key = 1 + random_below(&numbers, 30);
		scene.plan.words_in_all = 50 + random_below(&numbers, 500);
		scene.plan.pairs_in_all = 1 + random_below(&numbers, 500);
		counts = play();
		pair_as_they_come();
		assert_same_pairs();
		assert_int_equal(counts.results, expected_count);
		assert_int_equal(counts.dropped, expected_dropped);
		assert_int_equal(counts.waiting, waiting_count);
		dropped += expected_dropped;
	}
	assert_true(dropped > 0);
}

static bool is_always_idle(void *context, int64_t *payload)
{
	(void)context;
	(void)payload;
	return true;
}

static void ever_new_keys_need_no_more_memory(void **state)
{
	struct key_table table;

	(void)state;
	key_table_init(&table, 1, 1, is_always_idle, NULL);
	for (int64_t key = 0; key < 30000; key++) {
		uint32_t record = key_table_put(&table, &key, key_hash(&key, 1));
		assert_int_equal(*key_payload(&table, record), 0);
		*key_payload(&table, record) = 1;
		assert_int_equal(key_table_find(&table, &key, key_hash(&key, 1)), record);
	}
	assert_true(table.mask < 8192);
	assert_true(table.records.capacity <= 4096);
	key_table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_do_not_depend_on_how_sides_alternate),
		cmocka_unit_test(bounds_drop_the_oldest),
		cmocka_unit_test(ever_new_keys_need_no_more_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
