/* Files of measurements. Accepted ones can be shown in all formats, and are the same when read again. Bit 0:
 * also compares it with itself. */
#include "bench/results/differences.h"
#include "bench/results/memory_use.h"
#include "bench/results/output.h"
#include "fuzz.h"

#include <string.h>

enum { IS_COMPARED = 1 };

const uint8_t fuzz_modes = 2;

static void check_point(const struct result_point *point)
{
	if (!*point->operation || point->ranks < 1 || point->root >= point->ranks)
		give_up("a point was accepted that cannot be");
	if (point->summary.kept > point->summary.count || point->summary.count > point->runs)
		give_up("a point was accepted whose counts cannot be");
	for (size_t i = 0; point->times && i < point->summary.count; i++)
		if (!(point->times[i] >= 0))
			give_up("a time was accepted that is negative");
}

static void read_again(const struct results *results)
{
	struct text text = {0}, again = {0};
	struct results read;

	results_json(results, &text);
	if (results_parse(text_get(&text), text.length, &read) != OK)
		give_up("what was written cannot be read");
	results_json(&read, &again);
	if (strcmp(text_get(&text), text_get(&again)) != 0)
		give_up("what was read is not what was written");
	results_release(&read);
	text_release(&text);
	text_release(&again);
}

static void show(const struct results *results)
{
	struct result_table table = {0};
	struct text text = {0};

	table_head(results, &text);
	for (size_t i = 0; i < results->point_count; i++)
		table_row(&table, &results->points[i], &text);
	table_end(results, &text);
	memory_table(results, &text);
	results_csv(results, &text);
	results_page(results, &text);
	if (strchr(text_get(&text), '\033'))
		give_up("a cursor can be moved");
	text_release(&text);
}

static void compare(const struct results *results)
{
	struct comparing how = {.confidence = 0.95, .threshold = 0.05};
	struct compared_names names = {"a", "b"};
	struct differences differences;
	struct text text = {0};

	differences_find(results, results, &how, &differences);
	if (differences.count != results->point_count || differences.verdicts[VERDICT_SLOWER] ||
	    differences.fact_count || differences.memory.count != results->memory_count ||
	    differences.memory.verdicts[MEMORY_MORE])
		give_up("a measurement is not the same as itself");
	differences_text(&differences, &names, false, &text);
	differences_json(&differences, &names, &text);
	differences_page(&differences, results, results, &names, &text);
	text_release(&text);
	differences_release(&differences);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct results results;

	if (!size)
		return 0;
	if (results_parse((const char *)data + 1, size - 1, &results) != OK) {
		if (!*trail_text())
			give_up("results were refused without a reason");
		return 0;
	}
	for (size_t i = 0; i < results.point_count; i++)
		check_point(&results.points[i]);
	read_again(&results);
	show(&results);
	if (*data & IS_COMPARED)
		compare(&results);
	results_release(&results);
	return 0;
}
