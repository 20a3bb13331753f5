/* Nanoseconds per tuple of each operator, in its usual case. */
#include "analysis/engine/operator.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BLOCK = 512, WIDTH = 5, COUNT = 1 << 22 };

static uint64_t results;

static void take_pair(void *context, const int64_t *left, const int64_t *right)
{
	(void)context;
	(void)left;
	(void)right;
	results++;
}

static void take(void *context, const int64_t *result)
{
	(void)context;
	(void)result;
	results++;
}

static bool goes_on(void *context, const int64_t *previous, const int64_t *current)
{
	(void)context;
	return current[3] > previous[3] && current[3] % 8;
}

static double now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* Tuples with two key words, an increasing time, a value and a number. */
static void fill(int64_t (*rows)[WIDTH], int64_t first, int64_t keys)
{
	for (int64_t i = 0; i < BLOCK; i++) {
		uint64_t mixed = (uint64_t)(first + i) * 0x9e3779b97f4a7c15u >> 40;

		rows[i][0] = (int64_t)(mixed % (uint64_t)keys);
		rows[i][1] = rows[i][0] * 7;
		rows[i][2] = (first + i) * 100;
		rows[i][3] = (int64_t)(mixed % 1000);
		rows[i][4] = first + i;
	}
}

typedef void add_rows(void *operator_, enum join_side side, const int64_t *rows, size_t count);

static void add_to_join(void *join, enum join_side side, const int64_t *rows, size_t count)
{
	join_add(join, side, rows, count);
}

static void add_to_asof(void *asof, enum join_side side, const int64_t *rows, size_t count)
{
	asof_add(asof, side, rows, count);
}

static void add_to_groups(void *groups, enum join_side side, const int64_t *rows, size_t count)
{
	(void)side;
	groups_add(groups, rows, count);
}

/* Both sides get the same tuples, so each finds a partner. */
static void measure(const char *what, void *operator_, add_rows *add, int64_t keys)
{
	static int64_t rows[BLOCK][WIDTH];
	double spent = 0;

	results = 0;
	for (int64_t first = 0; first < COUNT / 2; first += BLOCK) {
		double start;

		fill(rows, first, keys);
		start = now_ns();
		add(operator_, LEFT, rows[0], BLOCK);
		add(operator_, RIGHT, rows[0], BLOCK);
		spent += now_ns() - start;
	}
	printf("%-40s %6.1f ns per tuple, %u tuples, %llu results\n", what, spent / COUNT, COUNT,
	       (unsigned long long)results);
}

static void measure_joins(void)
{
	static const int64_t keys[] = {16, 4096, 1 << 20};
	struct join_plan plan = {.widths = {WIDTH, WIDTH}, .keys = 2, .put = take_pair};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct join *join = join_new(&plan);
		char what[64];

		snprintf(what, sizeof what, "join, %lld keys", (long long)keys[i]);
		measure(what, join, add_to_join, keys[i]);
		join_free(join);
	}
}

static void measure_asof(const char *what, enum asof_kind kind, uint32_t lateness)
{
	struct asof_plan plan = {.kind = kind, .widths = {WIDTH, WIDTH}, .keys = 2, .times = {2, 2}};
	struct asof *asof;

	plan.identity[LEFT] = plan.identity[RIGHT] = NO_WORD;
	plan.is_shared = true;
	plan.lateness = lateness;
	plan.put = take_pair;
	asof = asof_new(&plan);
	measure(what, asof, add_to_asof, 64);
	asof_free(asof);
}

static void measure_groups_and_runs(void)
{
	static const struct tuple_aggregate aggregates[] = {
		{.aggregate = AGGREGATE_COUNT, .filter = NO_WORD},
		{.aggregate = AGGREGATE_SUM, .value = 3, .filter = NO_WORD},
		{.aggregate = AGGREGATE_ARGMAX, .value = 3, .filter = NO_WORD, .result = 4},
	};
	struct groups_plan plan = {
		.width = WIDTH, .keys = 2, .aggregates = aggregates, .aggregate_count = 3, .put = take};
	struct groups *groups = groups_new(&plan), *runs;

	plan.continues = goes_on;
	runs = groups_new(&plan);
	measure("group with three aggregates, 256 keys", groups, add_to_groups, 256);
	measure("run with three aggregates, 256 keys", runs, add_to_groups, 256);
	groups_free(groups);
	groups_free(runs);
}

static void measure_compared(uint32_t members)
{
	union word *ranks = calloc(3 * (size_t)members, sizeof *ranks), *starts = ranks + members;
	struct compared_aggregate latest = {
		.aggregate = AGGREGATE_MAX, .values = starts, .op = OP_LESS, .theirs = ranks, .mine = ranks};
	struct scratch scratch = {0};
	uint32_t rounds = COUNT / members;
	double spent = now_ns();

	for (uint32_t i = 0; ranks && i < members; i++) {
		ranks[i].i = (int64_t)(i * 2654435761u % members);
		starts[i].i = ranks[i].i * 37 % 101;
	}
	for (uint32_t round = 0; ranks && round < rounds; round++)
		aggregate_compared(&latest, (struct rows){NULL, 0, members}, (struct rows){NULL, 0, members},
		                   &scratch, starts + members);
	spent = now_ns() - spent;
	printf("max over smaller ranks, %5u members     %6.1f ns per member\n", members,
	       spent / rounds / members);
	scratch_release(&scratch);
	free(ranks);
}

int main(void)
{
	measure_joins();
	measure_asof("last before, any order, 64 keys", ASOF_LAST_BEFORE, 0);
	measure_asof("last before, almost in order, 64 keys", ASOF_LAST_BEFORE, 8);
	measure_asof("first after, any order, 64 keys", ASOF_FIRST_AFTER, 0);
	measure_asof("first after, almost in order, 64 keys", ASOF_FIRST_AFTER, 8);
	measure_groups_and_runs();
	for (uint32_t members = 16; members <= 65536; members *= 16)
		measure_compared(members);
	return 0;
}
