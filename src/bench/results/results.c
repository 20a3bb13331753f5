#include "bench/results/results.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void results_init(struct results *results)
{
	*results = (struct results){0};
	results->facts_end = &results->facts;
	results->omissions_end = &results->omissions;
}

void results_release(struct results *results)
{
	arena_release(&results->arena);
	results_init(results);
}

static const char *format_text(struct arena *arena, const char *format, va_list arguments)
{
	va_list again;

	va_copy(again, arguments);
	int length = vsnprintf(NULL, 0, format, again);

	va_end(again);
	if (length < 0)
		return "";
	char *text = arena_array(arena, char, (size_t)length + 1);

	vsnprintf(text, (size_t)length + 1, format, arguments);
	return text;
}

static struct fact *find_fact(const struct results *results, const char *section, const char *name)
{
	for (struct fact *fact = results->facts; fact; fact = fact->next)
		if (strcmp(fact->section, section) == 0 && strcmp(fact->name, name) == 0)
			return fact;
	return NULL;
}

static struct fact *add_fact(struct results *results, const char *section, const char *name)
{
	struct fact *fact = arena_new(&results->arena, struct fact);

	fact->section = arena_text(&results->arena, section);
	fact->name = arena_text(&results->arena, name);
	*results->facts_end = fact;
	results->facts_end = &fact->next;
	return fact;
}

void results_fact(struct results *results, const char *section, const char *name, const char *format, ...)
{
	struct fact *fact = find_fact(results, section, name);
	va_list arguments;

	if (!fact)
		fact = add_fact(results, section, name);
	va_start(arguments, format);
	fact->value = format_text(&results->arena, format, arguments);
	va_end(arguments);
}

void results_new_fact(struct results *results, const char *section, const char *name, const char *value)
{
	add_fact(results, section, name)->value = arena_text(&results->arena, value);
}

const char *results_find_fact(const struct results *results, const char *section, const char *name)
{
	const struct fact *fact = find_fact(results, section, name);

	return fact ? fact->value : NULL;
}

void results_omit(struct results *results, const char *operation, const char *reason)
{
	struct omission *omission = arena_new(&results->arena, struct omission);

	omission->operation = arena_text(&results->arena, operation);
	omission->reason = arena_text(&results->arena, reason);
	*results->omissions_end = omission;
	results->omissions_end = &omission->next;
}

static struct result_point *next_point(struct results *results)
{
	if (results->point_count == results->point_room) {
		size_t room = results->point_room ? 2 * results->point_room : 64;
		struct result_point *points = arena_lend(&results->arena, room, sizeof *points);

		if (results->points) {
			memcpy(points, results->points, results->point_count * sizeof *points);
			arena_give_back(&results->arena, results->points);
		}
		results->points = points;
		results->point_room = room;
	}
	return &results->points[results->point_count++];
}

static const char *copy_text(struct arena *arena, const char *text)
{
	return arena_text(arena, text ? text : "");
}

static const double *copy_times(struct arena *arena, const double *times, size_t count)
{
	if (!times)
		return NULL;
	double *copy = arena_array(arena, double, count);

	memcpy(copy, times, count * sizeof *copy);
	return copy;
}

static const struct process_time *copy_processes(struct arena *arena, const struct result_point *point)
{
	if (!point->processes || point->ranks <= 0)
		return NULL;
	struct process_time *copy = arena_array(arena, struct process_time, (size_t)point->ranks);

	for (int rank = 0; rank < point->ranks; rank++) {
		copy[rank] = point->processes[rank];
		copy[rank].times = copy_times(arena, copy[rank].times, point->summary.count);
	}
	return copy;
}

void results_add(struct results *results, const struct result_point *point)
{
	struct arena *arena = &results->arena;
	struct result_point *copy = next_point(results);

	*copy = *point;
	copy->operation = copy_text(arena, point->operation);
	copy->variant = copy_text(arena, point->variant);
	copy->datatype = copy_text(arena, point->datatype);
	copy->reduction = copy_text(arena, point->reduction);
	copy->communicator = copy_text(arena, point->communicator);
	copy->cache = copy_text(arena, point->cache);
	copy->times = copy_times(arena, point->times, point->summary.count);
	copy->processes = copy_processes(arena, point);
}

static int by_number(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

int point_order(const struct result_point *left, const struct result_point *right)
{
	const char *texts[][2] = {
		{left->operation, right->operation},       {left->variant, right->variant},
		{left->datatype, right->datatype},         {left->reduction, right->reduction},
		{left->communicator, right->communicator}, {left->cache, right->cache}};
	uint64_t numbers[][2] = {{left->bytes, right->bytes},
	                         {(uint64_t)left->ranks, (uint64_t)right->ranks},
	                         {(uint64_t)left->root, (uint64_t)right->root},
	                         {left->in_place, right->in_place}};
	int order = 0;

	for (size_t i = 0; !order && i < sizeof texts / sizeof *texts; i++)
		order = strcmp(texts[i][0], texts[i][1]);
	for (size_t i = 0; !order && i < sizeof numbers / sizeof *numbers; i++)
		order = by_number(numbers[i][0], numbers[i][1]);
	return order;
}
