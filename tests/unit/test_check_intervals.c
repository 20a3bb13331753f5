/* Sets of intervals, compared with a list that is looked through. */
#include "job/check/buffers/interval_set.h"
#include "random_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { INTERVALS = 400, ADDRESSES = 5000, ROUNDS = 40000 };

static struct random_numbers numbers = {99};
static struct interval intervals[INTERVALS];
static bool present[INTERVALS];

struct visited {
	uint8_t times[INTERVALS];
	uint32_t left; /* until the visit ends */
};

static bool visit(struct interval *interval, void *context)
{
	struct visited *visited = context;

	visited->times[interval - intervals]++;
	return --visited->left > 0;
}

static void compare(const struct interval_set *set, int64_t first, int64_t end)
{
	struct visited visited = {.left = UINT32_MAX};

	interval_each(set, first, end, visit, &visited);
	for (int i = 0; i < INTERVALS; i++) {
		const bool meets = present[i] && intervals[i].first < end && intervals[i].end > first;

		assert_int_equal(visited.times[i], meets);
	}
}

static void every_overlap_is_visited_once(void **state)
{
	struct interval_set set = {0};

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		/* few at times, and many at others */
		const uint32_t i = random_below(&numbers, round / 5000 % 2 ? 30 : INTERVALS);
		const int64_t first = random_below(&numbers, ADDRESSES);

		if (present[i]) {
			interval_remove(&set, &intervals[i]);
		} else {
			intervals[i].first = first;
			intervals[i].end = first + random_between(&numbers, 1, i % 7 ? 20 : 2000);
			interval_add(&set, &intervals[i]);
		}
		present[i] = !present[i];
		if (round % 8 == 0)
			compare(&set, first, first + random_between(&numbers, 1, 50));
	}
	for (int i = 0; i < INTERVALS; i++)
		if (present[i])
			interval_remove(&set, &intervals[i]), present[i] = false;
	assert_true(interval_set_is_empty(&set));
}

static void a_visit_may_end_early(void **state)
{
	struct interval_set set = {0};

	(void)state;
	for (int i = 0; i < INTERVALS; i++) {
		intervals[i] = (struct interval){.first = 10, .end = 20 + i};
		interval_add(&set, &intervals[i]);
	}
	for (uint32_t wanted = 1; wanted < INTERVALS; wanted += 13) {
		struct visited visited = {.left = wanted};
		uint32_t seen = 0;

		interval_each(&set, 0, 100, visit, &visited);
		for (int i = 0; i < INTERVALS; i++)
			seen += visited.times[i];
		assert_int_equal(seen, wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_overlap_is_visited_once),
		cmocka_unit_test(a_visit_may_end_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
