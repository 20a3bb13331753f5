/* Totals of the causes: by key, waits by place, computation by process, and the search in
 * the log of a thread. */
#include "analysis/causes/call_log.h"
#include "analysis/causes/wait_places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void sums_have_room_for_few_keys(void **state)
{
	static struct key_sums sums;
	int64_t all = 0, late = 0;

	(void)state;
	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 2 * SUMS_SLOTS; i++) {
			if (i == SUMS_SLOTS)
				key_sums_note_late(&sums);
			key_sums_add(&sums, KEYS_FIXED + i * SUMS_SLOTS, 3);
		}
		assert_int_equal(sums.count, SUMS_MAX + 1);
		all = late = 0;
		for (uint32_t i = 0; i < sums.count; i++) {
			all += sums.slots[sums.used[i]].ns;
			late += sums.slots[sums.used[i]].late_ns;
		}
		assert_int_equal(all, 6 * SUMS_SLOTS);
		assert_int_equal(late, 3 * SUMS_SLOTS);
		key_sums_add(&sums, KEYS_FIXED, 4);
		assert_int_equal(sums.slots[KEYS_FIXED].ns, 7);
		key_sums_clear(&sums);
		assert_int_equal(sums.count, 0);
	}
}

static void waits_are_found_by_place_with_and_without_partner(void **state)
{
	struct wait_places places = {0};
	struct waits_at *waits;
	uint32_t count = 0;

	(void)state;
	for (uint32_t i = 0; i < 3000; i++)
		wait_places_add(&places, i % 10, i / 100, i % 100 / 10)->ns += i + 1;
	assert_int_equal(places.all.count, 3000);
	assert_ptr_equal(wait_places_add(&places, 7, 12, 3), wait_places_find(&places, 7, 12, 3));
	assert_int_equal(places.all.count, 3000);
	assert_null(wait_places_find(&places, 7, 12, 10));
	assert_null(wait_places_first(&places, 10, 12));
	for (waits = wait_places_first(&places, 7, 12); waits; waits = wait_places_next(&places, waits)) {
		assert_true(waits->process == 7 && waits->place == 12);
		assert_int_equal(waits->ns, 1200 + 10 * waits->partner + 8);
		count++;
	}
	assert_int_equal(count, 10);
	wait_places_release(&places);
}

static void the_smallest_cause_gives_way(void **state)
{
	struct wait_places places = {0};
	struct waits_at *waits = wait_places_add(&places, 0, 0, 0);
	bool is_there = false;

	(void)state;
	for (uint32_t i = 0; i < PLACE_CAUSES; i++)
		waits_add_cause(waits, 100 + i, 10 + i);
	waits_add_cause(waits, 200, 1);
	waits_add_cause(waits, 300, 1000);
	assert_int_equal(waits->other.ns, 1 + 10);
	assert_int_equal(waits->other.instances, 2);
	for (uint32_t i = 0; i < PLACE_CAUSES; i++) {
		assert_int_not_equal(waits->causes[i].key, 100);
		is_there |= waits->causes[i].key == 300 && waits->causes[i].ns == 1000;
	}
	assert_true(is_there);
	wait_places_release(&places);
}

static void compute(struct computing_sums *sums, uint32_t key, uint32_t process, int64_t ns)
{
	computing_add(sums, computing_number(sums, key, process), ns, ns / 2);
}

static void the_mean_is_of_those_that_come_there(void **state)
{
	struct computing_sums sums = {0};
	struct computing_times times;

	(void)state;
	for (uint32_t process = 0; process < 4; process++)
		compute(&sums, 5, process, 10 * process);
	compute(&sums, 9, 1, 7);
	compute(&sums, 5, 3, 20);
	assert_true(computing_of(&sums, 5, 3, &times));
	assert_int_equal(times.own_ns, 50);
	assert_int_equal(times.blocked_ns, 25);
	assert_int_equal(times.mean_ns, 20);
	assert_int_equal(times.processes, 4);
	assert_true(computing_of(&sums, 9, 1, &times));
	assert_int_equal(times.mean_ns, 7);
	assert_false(computing_of(&sums, 9, 3, &times));
	computing_release(&sums);
}

/* Where all come equally often. */
static void instances_are_added_up_over_processes(void **state)
{
	struct computing_sums sums = {0};
	const struct work_instances *instances;

	(void)state;
	for (uint32_t process = 0; process < 3; process++) {
		compute(&sums, 5, process, 10);
		compute(&sums, 5, process, 100 * process);
		compute(&sums, 6, process, 10);
	}
	compute(&sums, 6, 1, 10);
	compute(&sums, 7, 1, 10);
	instances = computing_instances(&sums, 5);
	assert_non_null(instances);
	assert_int_equal(instances->processes, 3);
	assert_int_equal(instances->count, 2);
	assert_int_equal(instances->sums_ns[0], 30);
	assert_int_equal(instances->sums_ns[1], 300);
	assert_null(computing_instances(&sums, 6));
	assert_null(computing_instances(&sums, 7));
	assert_null(computing_instances(&sums, 8));
	computing_release(&sums);
}

/* Whatever was asked before. */
static void calls_before_a_time_are_counted(void **state)
{
	enum { ROOM = 64, CALLS = 200 };
	struct logged_call items[ROOM] = {0};
	struct call_logs logs = {.room = ROOM};
	struct call_log log = {.items = items};

	(void)state;
	srand(1);
	for (uint32_t filled = 0; filled < CALLS; filled++) {
		items[filled % ROOM].start = 10 * (filled / 3); /* three at a time */
		log.count = filled + 1;
		for (uint32_t i = 0; i < 50; i++) {
			int64_t ns = rand() % (10 * CALLS / 3 + 20) - 10;
			uint64_t count = log.count > ROOM ? log.count - ROOM : 0;
			while (count < log.count && items[count % ROOM].start < ns)
				count++;
			assert_int_equal(call_log_count(&logs, &log, ns), count);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_have_room_for_few_keys),
		cmocka_unit_test(waits_are_found_by_place_with_and_without_partner),
		cmocka_unit_test(the_smallest_cause_gives_way),
		cmocka_unit_test(the_mean_is_of_those_that_come_there),
		cmocka_unit_test(instances_are_added_up_over_processes),
		cmocka_unit_test(calls_before_a_time_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
