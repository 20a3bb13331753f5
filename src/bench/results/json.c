#include "base/json.h"
#include "bench/results/fields.h"
#include "bench/results/guidelines.h"
#include "bench/results/memory_use.h"
#include "bench/results/output.h"
#include "bench/results/point_text.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_text_or_null(struct json *json, const char *key, const char *text)
{
	if (text)
		json_text(json, key, text);
	else
		json_null(json, key);
}

/* Writes a section with all its facts, at the first of them. */
static void add_section(struct json *json, const struct results *results, const char *section)
{
	json_open(json, section, '{');
	for (const struct fact *fact = results->facts; fact; fact = fact->next)
		if (strcmp(fact->section, section) == 0)
			json_text(json, fact->name, fact->value);
	json_close(json, '}');
}

static bool begins_section(const struct results *results, const struct fact *fact)
{
	const struct fact *earlier = results->facts;

	while (earlier != fact && strcmp(earlier->section, fact->section) != 0)
		earlier = earlier->next;
	return earlier == fact;
}

static void add_facts(struct json *json, const struct results *results)
{
	json_open(json, "facts", '{');
	for (const struct fact *fact = results->facts; fact; fact = fact->next)
		if (begins_section(results, fact))
			add_section(json, results, fact->section);
	json_close(json, '}');
}

static void add_field(struct json *json, const struct point_field *field, const struct result_point *point)
{
	const void *at = field_of(field, point);

	switch (field->kind) {
	case FIELD_TEXT:
		json_text(json, field->name, *(const char *const *)at);
		break;
	case FIELD_BYTES:
		json_number(json, field->name, (int64_t) * (const uint64_t *)at);
		break;
	case FIELD_COUNT:
		json_number(json, field->name, (int64_t) * (const size_t *)at);
		break;
	case FIELD_RANK:
		if (*(const int *)at < 0)
			json_null(json, field->name);
		else
			json_number(json, field->name, *(const int *)at);
		break;
	case FIELD_FLAG:
		json_bool(json, field->name, *(const bool *)at);
		break;
	case FIELD_NUMBER:
	case FIELD_DERIVED:
		json_exact(json, field->name, field_number(field, point));
		break;
	}
}

static void add_marks(struct json *json, unsigned marks)
{
	json_open(json, "marks", '[');
	for (const struct mark_kind *kind = mark_kinds; kind->name; kind++)
		if (marks & kind->mark)
			json_text(json, NULL, kind->name);
	json_close(json, ']');
}

static void add_times(struct json *json, const double *times, size_t count)
{
	if (times)
		json_row(json, "times_s", times, count);
	else
		json_null(json, "times_s");
}

/* Pages plot runs and processes: six digits and a sample of very many values are enough. */
struct thinning {
	size_t times, processes; /* maximum per point, approximately */
};

enum { PAGE_TIMES = 100000, TIMES_MIN = 32, PAGE_PROCESSES = 40000, PROCESSES_MIN = 8 };

static size_t count_times(const struct result_point *point)
{
	return point->times ? point->summary.count : 0;
}

static size_t count_processes(const struct result_point *point)
{
	return point->processes && point->ranks > 0 ? (size_t)point->ranks : 0;
}

/* Limits the values per point so that all points together have at most `room`, unless too few would
 * remain; points with few values keep all. */
static size_t choose_most(const struct results *results, size_t (*count)(const struct result_point *point),
                          size_t room, size_t least)
{
	for (size_t most = room;; most /= 2) {
		size_t sum = 0;

		for (size_t i = 0; i < results->point_count; i++) {
			size_t own = count(&results->points[i]);
			sum += own < most ? own : most;
		}
		if (sum <= room || most / 2 < least)
			return most;
	}
}

static double six_digits(double value)
{
	char digits[32];

	snprintf(digits, sizeof digits, "%.6g", value);
	return strtod(digits, NULL);
}

/* Keeps every `step`-th value. */
static size_t step_of(size_t count, size_t most)
{
	return count > most ? (count + most - 1) / most : 1;
}

/* `stride`: bytes between values. */
static void add_thinned(struct json *json, const char *key, const double *first, size_t stride, size_t count,
                        size_t every)
{
	double *kept = calloc(count / every + 1, sizeof *kept);
	size_t number = 0;

	for (size_t i = 0; kept && i < count; i += every)
		kept[number++] = six_digits(
			*(const double *)(const void *)((const char *)first + i * stride));
	json_row(json, key, kept, number);
	free(kept);
}

static void add_thinned_processes(struct json *json, const struct result_point *point, size_t every)
{
	static const struct {
		const char *name;
		size_t offset;
	} FIGURES[] = {{"mean_s", offsetof(struct process_time, mean)},
	               {"min_s", offsetof(struct process_time, min)},
	               {"max_s", offsetof(struct process_time, max)}};

	json_open(json, "processes", '{');
	json_number(json, "every", (int64_t)every);
	for (size_t i = 0; i < sizeof FIGURES / sizeof *FIGURES; i++)
		add_thinned(
			json, FIGURES[i].name,
			(const double *)(const void *)((const char *)point->processes + FIGURES[i].offset),
			sizeof *point->processes, (size_t)point->ranks, every);
	json_close(json, '}');
}

static void add_processes(struct json *json, const struct result_point *point)
{
	if (!point->processes) {
		json_null(json, "processes");
		return;
	}
	json_open(json, "processes", '[');
	for (int rank = 0; rank < point->ranks; rank++) {
		const struct process_time *process = &point->processes[rank];

		json_open(json, NULL, '{');
		json_exact(json, "mean_s", process->mean);
		json_exact(json, "min_s", process->min);
		json_exact(json, "max_s", process->max);
		add_times(json, process->times, point->summary.count);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_runs(struct json *json, const struct result_point *point)
{
	add_times(json, point->times, point->summary.count);
	add_processes(json, point);
}

static void add_thinned_runs(struct json *json, const struct result_point *point,
                             const struct thinning *thinning)
{
	size_t every = step_of(count_times(point), thinning->times);

	json_number(json, "times_every", (int64_t)every);
	add_thinned(json, "times_s", point->times, sizeof *point->times, count_times(point), every);
	if (count_processes(point))
		add_thinned_processes(json, point, step_of(count_processes(point), thinning->processes));
	else
		json_null(json, "processes");
}

/* `thinning`: NULL for files, which contain all values. */
static void add_point(struct json *json, const struct result_point *point, const struct thinning *thinning)
{
	json_open(json, NULL, '{');
	for (const struct point_field *field = point_fields; field->name; field++)
		add_field(json, field, point);
	add_marks(json, point->marks);
	if (thinning)
		add_thinned_runs(json, point, thinning);
	else
		add_runs(json, point);
	json_close(json, '}');
}

static void add_omissions(struct json *json, const struct results *results)
{
	json_open(json, "omissions", '[');
	for (const struct omission *omission = results->omissions; omission; omission = omission->next) {
		json_open(json, NULL, '{');
		json_text(json, "operation", omission->operation);
		json_text(json, "reason", omission->reason);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_memory(struct json *json, const struct results *results)
{
	if (!results->memory_count)
		return;
	json_open(json, "memory", '[');
	for (size_t i = 0; i < results->memory_count; i++) {
		const struct memory_use *use = &results->memory[i];

		json_open(json, NULL, '{');
		json_text(json, "step", use->step);
		json_number(json, "ranks", use->ranks);
		for (const struct memory_field *field = memory_fields; field->name; field++)
			json_exact(json, field->name, *memory_value(field, use));
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_guidelines(struct json *json, const struct results *results)
{
	struct arena arena = {0};
	struct guidelines guidelines;

	guidelines_check(results, &arena, &guidelines);
	json_open(json, "guidelines", '{');
	json_number(json, "checked", (int64_t)guidelines.checked);
	json_open(json, "violations", '[');
	for (size_t i = 0; i < guidelines.violation_count; i++) {
		const struct guideline_violation *violation = &guidelines.violations[i];

		json_open(json, NULL, '{');
		json_number(json, "point", violation->point - results->points);
		json_text(json, "rule", violation->rule);
		json_text(json, "alternative", violation->alternative);
		json_exact(json, "bound_s", violation->bound);
		json_close(json, '}');
	}
	json_close_all(json, "]}");
	arena_release(&arena);
}

static void write_results(const struct results *results, const struct thinning *thinning, struct text *out)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '{');
	json_text(&json, "format", RESULTS_FORMAT);
	json_number(&json, "version", RESULTS_VERSION);
	json_bool(&json, "complete", results->is_complete);
	add_text_or_null(&json, "trouble", results->trouble);
	add_facts(&json, results);
	json_open(&json, "points", '[');
	for (size_t i = 0; i < results->point_count; i++)
		add_point(&json, &results->points[i], thinning);
	json_close(&json, ']');
	add_guidelines(&json, results);
	add_memory(&json, results);
	add_omissions(&json, results);
	json_close(&json, '}');
}

void results_json(const struct results *results, struct text *out)
{
	write_results(results, NULL, out);
}

void results_page_json(const struct results *results, struct text *out)
{
	const struct thinning thinning = {
		.times = choose_most(results, count_times, PAGE_TIMES, TIMES_MIN),
		.processes = choose_most(results, count_processes, PAGE_PROCESSES, PROCESSES_MIN)};

	write_results(results, &thinning, out);
}
