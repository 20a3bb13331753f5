#include "bench/results/upc_times.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LETTERS = 63, TIMES_MAX = 1 << 16 };

/* State of the reader. */
struct upc_reading {
	const struct bench_plan *wanted;
	struct results *results;
	int threads;
	double clock_error; /* seconds */
	bool has_point;     /* its times are still missing */
	struct result_point point;
	char operation[NAME_LETTERS + 1];
};

static enum status read_threads(struct upc_reading *reading, const char *rest)
{
	if (sscanf(rest, "%d", &reading->threads) != 1 || reading->threads < 1)
		return fail("'%s' is not a number of threads", rest);
	results_fact(reading->results, "upc", "threads", "%d", reading->threads);
	return OK;
}

static enum status read_clock_error(struct upc_reading *reading, const char *rest)
{
	long long ns;

	if (sscanf(rest, "%lld", &ns) != 1 || ns < 0)
		return fail("'%s' is not a clock error", rest);
	reading->clock_error = (double)ns * 1e-9;
	results_fact(reading->results, "clock", "error", "%lld ns", ns);
	return OK;
}

static enum status read_point(struct upc_reading *reading, const char *rest)
{
	long long bytes, runs, stages, window;

	if (sscanf(rest, "%63[A-Za-z_] %lld %lld %lld %lld", reading->operation, &bytes, &runs, &stages,
	           &window) != 5 ||
	    bytes < 0 || runs < 0 || stages < 0 || window < 0 || !reading->threads)
		return fail("'%s' is not a point", rest);
	reading->point = (struct result_point){.operation = reading->operation,
	                                       .variant = "",
	                                       .bytes = (uint64_t)bytes,
	                                       .ranks = reading->threads,
	                                       .root = -1,
	                                       .datatype = "byte",
	                                       .reduction = "",
	                                       .communicator = "world",
	                                       .cache = "warm",
	                                       .runs = (size_t)runs,
	                                       .stages = (size_t)stages,
	                                       .window = (double)window * 1e-9,
	                                       .clock_error = reading->clock_error,
	                                       .overlap = NAN,
	                                       .computing = NAN,
	                                       .total = NAN,
	                                       .rate = NAN};
	reading->has_point = true;
	return OK;
}

static enum status read_values(const char *rest, double *times, size_t *count)
{
	char *end;

	for (*count = 0; *rest; rest = end) {
		long long ns = strtoll(rest, &end, 10);

		if (end == rest || ns < 0 || *count == TIMES_MAX)
			return fail("'%.40s' is not a list of times", rest);
		times[(*count)++] = (double)ns * 1e-9;
		end += strspn(end, " ");
	}
	return OK;
}

static void mark(struct upc_reading *reading)
{
	struct result_point *point = &reading->point;

	if (point->summary.count < (size_t)reading->wanted->right_min)
		point->marks |= MARK_FEW;
	if (point->clock_error > reading->wanted->clock_share * point->summary.mean)
		point->marks |= MARK_CLOCK;
}

static void add_self_test(struct upc_reading *reading)
{
	double right_us = strcmp(reading->operation, "WaitPatternUp") == 0 ? reading->threads : 0;

	if (reading->point.summary.count)
		results_fact(reading->results, "self-tests", reading->operation,
		             "%.3f us (expected: %.0f us)", reading->point.summary.mean * 1e6, right_us);
	else
		results_fact(reading->results, "self-tests", reading->operation, "no valid run");
}

static enum status read_times(struct upc_reading *reading, const char *rest)
{
	double *times = memory_new(TIMES_MAX, sizeof *times);
	size_t count = 0;
	enum status status = reading->has_point ? read_values(rest, times, &count)
	                                        : fail("there are times without a point");

	if (status == OK) {
		reading->point.times = times;
		reading->point.summary = summarize_values(times, count, reading->wanted->trim,
		                                          reading->wanted->confidence);
		mark(reading);
		if (strncmp(reading->operation, "Wait", 4) == 0)
			add_self_test(reading);
		else
			results_add(reading->results, &reading->point);
		reading->has_point = false;
	}
	free(times);
	return status;
}

static enum status read_omission(struct upc_reading *reading, const char *rest)
{
	results_omit(reading->results, rest, "the size exceeds its shared memory: take smaller '--sizes'");
	return OK;
}

static enum status read_unknown(struct upc_reading *reading, const char *rest)
{
	snprintf(reading->operation, sizeof reading->operation, "%s", rest);
	return OK;
}

static enum status read_known(struct upc_reading *reading, const char *rest)
{
	return fail("unknown UPC operation '%s': choose among %s", reading->operation, rest);
}

static enum status read_end(struct upc_reading *reading, const char *rest)
{
	(void)rest;
	reading->results->is_complete = true;
	return OK;
}

static const struct upc_line {
	const char *word;
	enum status (*read)(struct upc_reading *reading, const char *rest);
} upc_lines[] = {
	{"threads", read_threads},  {"clock-error-ns", read_clock_error},
	{"point", read_point},      {"times-ns", read_times},
	{"omitted", read_omission}, {"unknown", read_unknown},
	{"known", read_known},      {"end", read_end},
};

static enum status read_line(struct upc_reading *reading, char *line)
{
	size_t length = strcspn(line, " \n");
	char *rest = line + length + (line[length] == ' ');

	rest[strcspn(rest, "\n")] = '\0';
	for (size_t i = 0; i < sizeof upc_lines / sizeof *upc_lines; i++)
		if (strlen(upc_lines[i].word) == length && strncmp(line, upc_lines[i].word, length) == 0)
			return upc_lines[i].read(reading, rest);
	return fail("the line '%.40s' is unknown", line);
}

enum status upc_times_read(FILE *file, const struct bench_plan *wanted, struct results *results)
{
	struct upc_reading reading = {.wanted = wanted, .results = results};
	enum status status = OK;
	size_t room = 0;
	char *line = NULL;

	results->is_complete = false;
	while (status == OK && getline(&line, &room, file) >= 0)
		status = read_line(&reading, line);
	free(line);
	return status;
}
