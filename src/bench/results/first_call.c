#include "bench/results/first_call.h"

#include "bench/results/output.h"
#include "bench/results/point_text.h"

#include <math.h>
#include <string.h>

const char *const first_call_variants[FIRST_CALL_VARIANTS] = {
	[FIRST_SLOWEST] = "first call",
	[SECOND_SLOWEST] = "second call",
	[FIRST_RANK_0] = "first call on rank 0",
	[SECOND_RANK_0] = "second call on rank 0",
};

static bool is_variant(const struct result_point *point, enum first_call_variant variant)
{
	return strcmp(point->variant, first_call_variants[variant]) == 0;
}

bool has_first_calls(const struct results *results)
{
	for (size_t i = 0; i < results->point_count; i++)
		if (is_variant(&results->points[i], FIRST_SLOWEST))
			return true;
	return false;
}

/* The points of one operation are consecutive. */
static double median_of(const struct results *results, size_t first, enum first_call_variant variant)
{
	for (size_t i = first; i < results->point_count; i++)
		if (is_variant(&results->points[i], variant) &&
		    strcmp(results->points[i].operation, results->points[first].operation) == 0 &&
		    results->points[i].bytes == results->points[first].bytes)
			return results->points[i].summary.median;
	return NAN;
}

static void add_number(struct text *out, double number)
{
	if (isfinite(number))
		text_add(out, "%10.*f", number < 10 ? 2 : number < 100 ? 1 : 0, number);
	else
		text_add(out, "%10s", "?");
}

static void add_pair(struct text *out, double first, double second)
{
	add_number(out, first * 1e6);
	add_number(out, second * 1e6);
	add_number(out, first / second);
}

static void add_row(const struct results *results, size_t first, struct text *out)
{
	const struct result_point *point = &results->points[first];
	double medians[FIRST_CALL_VARIANTS];
	struct text size = {0};

	for (int i = 0; i < FIRST_CALL_VARIANTS; i++)
		medians[i] = median_of(results, first, (enum first_call_variant)i);
	text_add_point_size(&size, point);
	text_add(out, "%-20s%6s%6d ", point->operation, text_get(&size), point->ranks);
	add_pair(out, medians[FIRST_SLOWEST], medians[SECOND_SLOWEST]);
	text_add(out, " ");
	add_pair(out, medians[FIRST_RANK_0], medians[SECOND_RANK_0]);
	text_add(out, "%6zu/%zu\n", point->runs, point->summary.count);
	text_release(&size);
}

void first_call_table(const struct results *results, struct text *out)
{
	table_head(results, out);
	text_add(out, "\n%-20s%6s%6s %30s %30s%8s\n", "medians in us", "", "", "slowest rank  ", "rank 0  ",
	         "");
	text_add(out, "%-20s%6s%6s %10s%10s%10s %10s%10s%10s%8s\n", "operation", "bytes", "ranks", "first",
	         "second", "ratio", "first", "second", "ratio", "jobs");
	for (size_t i = 0; i < results->point_count; i++)
		if (is_variant(&results->points[i], FIRST_SLOWEST))
			add_row(results, i, out);
	for (const struct omission *omission = results->omissions; omission; omission = omission->next)
		text_add(out, "\n%s left out: %s\n", omission->operation, omission->reason);
	text_add(out, "\n"
	              "ratio  first call over second call\n"
	              "jobs   started / valid: in a valid job all ranks started both calls on time\n");
}
