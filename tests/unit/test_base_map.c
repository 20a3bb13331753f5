#include "base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

static bool has_no_memory;

/* Linked in place of calloc() (CMakeLists.txt). */
void *__wrap_calloc(size_t count, size_t size)
{
	return has_no_memory ? NULL : __real_calloc(count, size);
}

static jmp_buf before;

static void on_exhaustion(size_t wanted)
{
	(void)wanted;
	longjmp(before, 1);
}

/* Words */

static void keys_are_found(void **state)
{
	struct map map = {0};

	(void)state;
	assert_null(map_find(&map, map_key(0, 0)));
	for (uint32_t i = 0; i < 5000; i++) {
		uint32_t *value = map_put(&map, map_key(i, i % 3));
		assert_int_equal(*value, MAP_NONE);
		*value = i;
	}
	assert_int_equal(map.count, 5000);
	for (uint32_t i = 0; i < 5000; i++) {
		assert_int_equal(*map_find(&map, map_key(i, i % 3)), i);
		assert_int_equal(*map_put(&map, map_key(i, i % 3)), i);
		assert_null(map_find(&map, map_key(i, 3)));
	}
	assert_int_equal(map.count, 5000);
	map_release(&map);
	assert_null(map_find(&map, map_key(1, 1)));
}

/* Multiples of high powers of two, as addresses and shifted ranks are, must not end up in a few slots. */
static void keys_with_few_bits_are_spread(void **state)
{
	(void)state;
	for (unsigned shift = 0; shift <= 52; shift++) {
		size_t taken = 0;
		bool seen[4096] = {false};
		for (uint64_t i = 0; i < 2048; i++) {
			bool *slot = &seen[hash_fold(hash_word(hash_word(0, i << shift), 0)) % 4096];
			taken += !*slot;
			*slot = true;
		}
		assert_in_range(taken, 1400, 2048);
	}
}

static void check_against(const struct map *map, const bool *is_there, uint32_t count)
{
	size_t there = 0;

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t *value = map_find(map, map_key(i, 0));
		assert_int_equal(value != NULL, is_there[i]);
		if (value)
			assert_int_equal(*value, i);
		there += is_there[i];
	}
	assert_int_equal(map->count, there);
}

/* Removal moves up what collided: everything else must still be found. */
static void keys_are_removed(void **state)
{
	enum { KEYS = 300 };
	bool is_there[KEYS] = {false};
	struct map map = {0};
	uint64_t random = 1;

	(void)state;
	map_remove(&map, map_key(3, 0));
	for (int i = 0; i < 20000; i++) {
		uint32_t key = (random = hash_word(random, (uint64_t)i)) % KEYS;
		if (is_there[key])
			map_remove(&map, map_key(key, 0));
		else
			*map_put(&map, map_key(key, 0)) = key;
		is_there[key] = !is_there[key];
		if (i % 500 == 0)
			check_against(&map, is_there, KEYS);
	}
	check_against(&map, is_there, KEYS);
	map_release(&map);
}

static void no_memory_ends_the_program(void **state)
{
	struct map map = {0};
	struct map_index index = {0};

	(void)state;
	memory_on_exhaustion(on_exhaustion);
	has_no_memory = true;
	if (setjmp(before) == 0) {
		map_put(&map, map_key(0, 0));
		fail();
	}
	if (setjmp(before) == 0) {
		map_index_add(&index, 1, 0);
		fail();
	}
	has_no_memory = false;
	assert_non_null(map_put(&map, map_key(0, 0)));
	map_release(&map);
}

/* Records */

struct record {
	char name[8];
	uint64_t hash;
};

static struct record records[300];

static uint32_t find(const struct map_index *index, const struct record *wanted)
{
	return map_index_find(index, wanted->hash, i, strcmp(records[i].name, wanted->name) == 0);
}

static void make_records(uint64_t hashes)
{
	for (uint32_t i = 0; i < 300; i++) {
		snprintf(records[i].name, sizeof records[i].name, "r%u", i);
		records[i].hash = i % hashes;
	}
}

/* With 1 hash for all, with 7, and with one for each. */
static void records_are_found(void **state)
{
	static const uint64_t hashes[] = {1, 7, 300};
	struct map_index index = {0};

	(void)state;
	for (size_t h = 0; h < 3; h++) {
		make_records(hashes[h]);
		assert_int_equal(find(&index, &records[0]), MAP_NONE);
		for (uint32_t i = 0; i < 300; i++)
			map_index_add(&index, records[i].hash, i);
		for (uint32_t i = 0; i < 300; i++)
			assert_int_equal(find(&index, &records[i]), i);
		assert_int_equal(index.count, 300);
		map_index_release(&index);
	}
}

/* Texts */

static void texts_are_found(void **state)
{
	struct text_map map = {0}, put = {0};
	int value;

	(void)state;
	make_records(1);
	assert_null(text_map_find(&map, "r0"));
	for (uint32_t i = 0; i < 300; i++)
		assert_int_equal(text_map_number(&map, records[i].name), i);
	assert_int_equal(text_map_number(&map, "r17"), 17);
	assert_int_equal(map.count, 300);
	assert_null(text_map_find(&map, "r17"));
	*text_map_put(&map, "r17") = &value;
	assert_ptr_equal(text_map_find(&map, "r17"), &value);
	*text_map_put(&map, "") = &value;
	assert_ptr_equal(text_map_find(&map, ""), &value);
	for (uint32_t i = 0; i < 300; i++)
		*text_map_put(&put, records[i].name) = &records[i];
	for (uint32_t i = 0; i < 300; i++)
		assert_ptr_equal(text_map_find(&put, records[i].name), &records[i]);
	text_map_release(&put);
	assert_string_equal(map.items[299].text, "r299");
	text_map_release(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_found),    cmocka_unit_test(keys_with_few_bits_are_spread),
		cmocka_unit_test(keys_are_removed),  cmocka_unit_test(no_memory_ends_the_program),
		cmocka_unit_test(records_are_found), cmocka_unit_test(texts_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
