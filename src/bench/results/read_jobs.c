#define _GNU_SOURCE /* qsort_r */

#include "base/array.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/paths.h"
#include "bench/results/memory_use.h"
#include "bench/results/output.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char different[] = "not the same in all jobs";

/* One side of a comparison. */
struct jobs {
	struct results *at;
	size_t count;
	struct arena arena;
};

static bool is_results_name(const char *name)
{
	return *name != '.' && text_ends(name, ".json");
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

struct file_list {
	const char **items;
	size_t count, room;
};

static enum status list_folder(const char *path, struct arena *arena, struct file_list *names)
{
	DIR *folder = opendir(path);

	if (!folder)
		return fail("cannot read '%s': %s", path, strerror(errno));
	for (struct dirent *entry; (entry = readdir(folder));) {
		if (!is_results_name(entry->d_name))
			continue;
		array_add(names, path_join(path, entry->d_name, arena));
	}
	closedir(folder);
	if (!names->count)
		return fail(
			"there is no file of 'tarry bench' in '%s': write them there with '--json %s/1.json' "
			"and so on",
			path, path);
	qsort(names->items, names->count, sizeof *names->items, by_name);
	return OK;
}

static enum status read_each(const struct file_list *names, struct jobs *jobs)
{
	jobs->at = arena_array(&jobs->arena, struct results, names->count);
	for (; jobs->count < names->count; jobs->count++)
		TRY(results_read(names->items[jobs->count], &jobs->at[jobs->count]));
	return OK;
}

static enum status read_files(const char *path, struct jobs *jobs)
{
	struct file_list names = {0};
	struct stat about;
	enum status status;

	if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
		return read_each(&(struct file_list){&path, 1, 1}, jobs);
	status = list_folder(path, &jobs->arena, &names);
	if (status == OK)
		status = read_each(&names, jobs);
	array_release(&names);
	return status;
}

/* Groups equal rows of several jobs: the same point, or the same memory step. */

/* A row of a job, and its position. */
struct placed_row {
	const void *row;
	size_t place;
};

struct row_kind {
	const void *(*rows)(const struct results *results, size_t *count);
	size_t size;                                       /* of a row */
	int (*order)(const void *left, const void *right); /* 0: the rows correspond */
	const void *(*merge)(const struct placed_row *same, size_t count, struct arena *arena);
	void (*add)(struct results *results, const void *row);
};

static int by_place(const void *left, const void *right)
{
	const struct placed_row *a = left, *b = right;

	return (a->place > b->place) - (a->place < b->place);
}

static int by_order(const void *left, const void *right, void *kind)
{
	const struct placed_row *a = left, *b = right;
	int order = ((const struct row_kind *)kind)->order(a->row, b->row);

	return order ? order : by_place(left, right);
}

/* A merged row takes the position of its first row. */
static void merge_placed(struct placed_row *rows, size_t count, const struct row_kind *kind,
                         struct arena *arena, struct results *results)
{
	size_t merged = 0;

	qsort_r(rows, count, sizeof *rows, by_order, (void *)(uintptr_t)kind);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && !kind->order(rows[i].row, rows[end].row);)
			end++;
		rows[merged++] = (struct placed_row){kind->merge(&rows[i], end - i, arena), rows[i].place};
	}
	qsort(rows, merged, sizeof *rows, by_place);
	for (size_t i = 0; i < merged; i++)
		kind->add(results, rows[i].row);
}

static void merge_rows(struct jobs *jobs, const struct row_kind *kind, struct results *results)
{
	size_t all = 0, count = 0, of_job;

	for (size_t i = 0; i < jobs->count; i++, all += of_job)
		kind->rows(&jobs->at[i], &of_job);
	struct placed_row *rows = arena_array(&jobs->arena, struct placed_row, all + 1);

	for (size_t i = 0; i < jobs->count; i++) {
		const char *row = kind->rows(&jobs->at[i], &of_job);
		for (size_t j = 0; j < of_job; j++, count++, row += kind->size)
			rows[count] = (struct placed_row){row, count};
	}
	merge_placed(rows, count, kind, &jobs->arena, results);
}

static int order_of_points(const void *left, const void *right)
{
	return point_order(left, right);
}

/* The medians of jobs become its runs. */
static const void *merged_point(const struct placed_row *same, size_t count, struct arena *arena)
{
	struct result_point *merged = arena_new(arena, struct result_point);
	double *medians = arena_array(arena, double, count);
	size_t known = 0;

	*merged = *(const struct result_point *)same->row;
	for (size_t i = 0; i < count; i++) {
		const struct result_point *point = same[i].row;
		if (isfinite(point->summary.median))
			medians[known++] = point->summary.median;
		merged->marks |= point->marks;
	}
	merged->times = medians;
	merged->runs = count;
	merged->processes = NULL;
	merged->summary = summarize_values(medians, known, 0, 0.95);
	return merged;
}

static void add_point(struct results *results, const void *row)
{
	results_add(results, row);
}

static const void *points_of(const struct results *results, size_t *count)
{
	*count = results->point_count;
	return results->points;
}

static const struct row_kind points = {points_of, sizeof(struct result_point), order_of_points, merged_point,
                                       add_point};

static int order_of_uses(const void *left, const void *right)
{
	return memory_order(left, right);
}

/* The medians of all jobs. */
static const void *merged_use(const struct placed_row *same, size_t count, struct arena *arena)
{
	struct memory_use *merged = arena_new(arena, struct memory_use);
	double *values = arena_array(arena, double, count);

	*merged = *(const struct memory_use *)same->row;
	for (const struct memory_field *field = memory_fields; field->name; field++) {
		for (size_t i = 0; i < count; i++)
			values[i] = *memory_value(field, same[i].row);
		*(double *)(void *)((char *)merged +
		                    field->offset) = summarize_values(values, count, 0, 0.95).median;
	}
	return merged;
}

static void add_use(struct results *results, const void *row)
{
	results_add_memory(results, row);
}

static const void *uses_of(const struct results *results, size_t *count)
{
	*count = results->memory_count;
	return results->memory;
}

static const struct row_kind uses = {uses_of, sizeof(struct memory_use), order_of_uses, merged_use, add_use};

static bool is_everywhere(const struct jobs *jobs, const struct fact *fact)
{
	for (size_t i = 1; i < jobs->count; i++) {
		const char *value = results_find_fact(&jobs->at[i], fact->section, fact->name);

		if (!value || strcmp(value, fact->value) != 0)
			return false;
	}
	return true;
}

static void merge_facts(const struct jobs *jobs, struct results *results)
{
	for (const struct fact *fact = jobs->at[0].facts; fact; fact = fact->next)
		results_new_fact(results, fact->section, fact->name,
		                 is_everywhere(jobs, fact) ? fact->value : different);
}

static void merge_ends(const struct jobs *jobs, struct results *results)
{
	results->is_complete = true;
	for (size_t i = 0; i < jobs->count; i++)
		if (!jobs->at[i].is_complete) {
			results->is_complete = false;
			results->trouble = arena_text(&results->arena, jobs->at[i].trouble
			                                                       ? jobs->at[i].trouble
			                                                       : "a job ended early");
		}
}

enum status results_read_jobs(const char *path, struct results *results)
{
	struct jobs jobs = {0};
	enum status status = read_files(path, &jobs);

	if (status == OK) {
		results_init(results);
		results->jobs = jobs.count;
		merge_rows(&jobs, &points, results);
		merge_rows(&jobs, &uses, results);
		merge_facts(&jobs, results);
		merge_ends(&jobs, results);
	}
	for (size_t i = 0; i < jobs.count; i++)
		results_release(&jobs.at[i]);
	arena_release(&jobs.arena);
	return status;
}
