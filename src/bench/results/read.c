#include "base/memory.h"
#include "base/user_files.h"
#include "bench/results/fields.h"
#include "bench/results/memory_use.h"
#include "bench/results/output.h"
#include "bench/results/point_text.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits above any real value: a larger number is an error in the file. */
#define RANKS_MAX (1 << 26)
#define COUNT_MAX ((json_int_t)1 << 40)
#define BYTES_MAX ((json_int_t)1 << 60)
#define FILE_BYTES_MAX ((size_t)4 << 30)

static enum status get(const json_t *object, const char *key, json_t **found)
{
	*found = json_object_get(object, key);
	return *found ? OK : fail("'%s' is missing", key);
}

/* Rejects control characters, which could move a terminal's cursor. */
static const char *harmless(struct arena *arena, const char *words)
{
	char *text = arena_text(arena, words);

	for (char *at = text; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	return text;
}

static enum status read_text(const json_t *value, const char *name, struct arena *arena, const char **text)
{
	if (!json_is_string(value))
		return fail("'%s' is not a string", name);
	*text = harmless(arena, json_string_value(value));
	return OK;
}

static enum status read_integer(const json_t *value, const char *name, json_int_t most, json_int_t *number)
{
	if (!json_is_integer(value))
		return fail("'%s' is not a whole number", name);
	*number = json_integer_value(value);
	if (*number < 0)
		return fail("'%s' is negative", name);
	if (*number > most)
		return fail("'%s' is %lld, which is impossible", name, (long long)*number);
	return OK;
}

static enum status read_number(const json_t *value, const char *name, double *number)
{
	*number = json_is_null(value) ? NAN : json_number_value(value);
	if (!json_is_null(value) && !json_is_number(value))
		return fail("'%s' is not a number", name);
	return *number < 0 ? fail("'%s' is negative", name) : OK;
}

static enum status read_field(const json_t *value, const struct point_field *field, struct arena *arena,
                              struct result_point *point)
{
	void *at = (char *)point + field->offset;
	json_int_t number = -1;

	switch (field->kind) {
	case FIELD_TEXT:
		return read_text(value, field->name, arena, at);
	case FIELD_BYTES:
		TRY(read_integer(value, field->name, BYTES_MAX, &number));
		*(uint64_t *)at = (uint64_t)number;
		return OK;
	case FIELD_COUNT:
		TRY(read_integer(value, field->name, COUNT_MAX, &number));
		*(size_t *)at = (size_t)number;
		return OK;
	case FIELD_RANK:
		if (!json_is_null(value))
			TRY(read_integer(value, field->name, RANKS_MAX, &number));
		*(int *)at = (int)number;
		return OK;
	case FIELD_FLAG:
		*(bool *)at = json_is_true(value);
		return json_is_boolean(value) ? OK : fail("'%s' is neither true nor false", field->name);
	case FIELD_NUMBER:
		return read_number(value, field->name, at);
	case FIELD_DERIVED:
		return OK;
	}
	return OK;
}

static enum status read_fields(const json_t *object, struct arena *arena, struct result_point *point)
{
	for (const struct point_field *field = point_fields; field->name; field++) {
		json_t *value;

		if (field->kind == FIELD_DERIVED)
			continue;
		TRY(get(object, field->name, &value));
		TRY(read_field(value, field, arena, point));
	}
	return OK;
}

/* Unknown names of newer versions are ignored: they explain points, but change no value. */
static enum status read_marks(const json_t *object, unsigned *marks)
{
	json_t *array, *word;
	size_t i;

	TRY(get(object, "marks", &array));
	if (!json_is_array(array))
		return fail("'marks' is not a list");
	*marks = 0;
	json_array_foreach (array, i, word)
		for (const struct mark_kind *kind = mark_kinds; kind->name && json_is_string(word); kind++)
			if (strcmp(json_string_value(word), kind->name) == 0)
				*marks |= kind->mark;
	return OK;
}

/* As many as valid runs. */
static enum status read_times(const json_t *object, struct arena *arena, size_t count, const double **times)
{
	json_t *array, *value;
	size_t i;

	TRY(get(object, "times_s", &array));
	*times = NULL;
	if (json_is_null(array))
		return OK;
	if (!json_is_array(array))
		return fail("'times_s' is not a list");
	if (json_array_size(array) != count)
		return fail("'times_s' has %zu values, but 'right' is %zu", json_array_size(array), count);
	double *read = arena_array(arena, double, count);

	json_array_foreach (array, i, value) {
		if (!json_is_number(value))
			return fail("'times_s': value %zu is not a number", i + 1);
		read[i] = json_number_value(value);
		if (read[i] < 0)
			return fail("'times_s': value %zu is negative", i + 1);
	}
	*times = read;
	return OK;
}

static enum status read_process(const json_t *object, struct arena *arena, size_t count,
                                struct process_time *process)
{
	static const struct {
		const char *name;
		size_t offset;
	} numbers[] = {{"mean_s", offsetof(struct process_time, mean)},
	               {"min_s", offsetof(struct process_time, min)},
	               {"max_s", offsetof(struct process_time, max)}};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		json_t *value;

		TRY(get(object, numbers[i].name, &value));
		TRY(read_number(value, numbers[i].name,
		                (double *)(void *)((char *)process + numbers[i].offset)));
	}
	return read_times(object, arena, count, &process->times);
}

static enum status read_processes(const json_t *object, struct arena *arena, struct result_point *point)
{
	json_t *array, *process;
	size_t i;

	TRY(get(object, "processes", &array));
	if (json_is_null(array))
		return OK;
	if (!json_is_array(array))
		return fail("'processes' is not a list");
	if (json_array_size(array) != (size_t)point->ranks)
		return fail("'processes' has %zu entries, but 'ranks' is %d", json_array_size(array),
		            point->ranks);
	struct process_time *read = arena_array(arena, struct process_time, (size_t)point->ranks);

	json_array_foreach (array, i, process)
		TRY_BECAUSE(read_process(process, arena, point->summary.count, &read[i]), "process %zu", i);
	point->processes = read;
	return OK;
}

static enum status check_point(const struct result_point *point)
{
	const struct sample_summary *summary = &point->summary;

	if (!*point->operation)
		return fail("'operation' is empty");
	if (point->ranks < 1)
		return fail("'ranks' must be 1 or more");
	if (point->root >= point->ranks)
		return fail("'root' is %d of %d ranks", point->root, point->ranks);
	if (summary->count > point->runs)
		return fail("'right' is %zu, but 'runs' is %zu", summary->count, point->runs);
	if (summary->kept > summary->count)
		return fail("'kept' is %zu, but 'right' is %zu", summary->kept, summary->count);
	if (summary->min > summary->max)
		return fail("'min_s' is above 'max_s'");
	return OK;
}

static enum status read_point(const json_t *object, struct arena *arena, struct result_point *point)
{
	if (!json_is_object(object))
		return fail("it is not an object");
	TRY(read_fields(object, arena, point));
	TRY(check_point(point));
	TRY(read_marks(object, &point->marks));
	TRY(read_times(object, arena, point->summary.count, &point->times));
	return read_processes(object, arena, point);
}

static enum status read_points(const json_t *root, struct results *results)
{
	json_t *points, *object;
	size_t i;

	TRY(get(root, "points", &points));
	if (!json_is_array(points))
		return fail("'points' is not a list");
	results->point_room = json_array_size(points);
	results->points = arena_lend(&results->arena, results->point_room, sizeof *results->points);
	json_array_foreach (points, i, object) {
		TRY_BECAUSE(read_point(object, &results->arena, &results->points[i]), "point %zu", i + 1);
		results->point_count++;
	}
	return OK;
}

/* Freed bytes are negative. */
static enum status read_memory_use(const json_t *object, struct arena *arena, struct memory_use *use)
{
	json_int_t ranks = 0;
	json_t *value;

	TRY(get(object, "step", &value));
	TRY(read_text(value, "step", arena, &use->step));
	TRY(get(object, "ranks", &value));
	TRY(read_integer(value, "ranks", RANKS_MAX, &ranks));
	use->ranks = (int)ranks;
	for (const struct memory_field *field = memory_fields; field->name; field++) {
		TRY(get(object, field->name, &value));
		if (!json_is_number(value))
			return fail("'%s' is not a number", field->name);
		if (fabs(json_number_value(value)) > (double)BYTES_MAX)
			return fail("'%s' is too large", field->name);
		*(double *)(void *)((char *)use + field->offset) = json_number_value(value);
	}
	return OK;
}

/* Present only if requested. */
static enum status read_memory(const json_t *root, struct results *results)
{
	json_t *list = json_object_get(root, "memory"), *object;
	size_t i;

	if (list && !json_is_array(list))
		return fail("'memory' is not a list");
	json_array_foreach (list, i, object) {
		struct memory_use use = {0};

		TRY_BECAUSE(read_memory_use(object, &results->arena, &use), "memory %zu", i + 1);
		results_add_memory(results, &use);
	}
	return OK;
}

static enum status read_section(json_t *section, const char *name, struct results *results)
{
	const char *key;
	json_t *value;

	if (!json_is_object(section))
		return fail("'%s' is not an object", name);
	json_object_foreach (section, key, value) {
		const char *text = NULL;

		TRY(read_text(value, harmless(&results->arena, key), &results->arena, &text));
		results_new_fact(results, name, harmless(&results->arena, key), text);
	}
	return OK;
}

static enum status read_facts(const json_t *root, struct results *results)
{
	json_t *facts, *section;
	const char *name;

	TRY(get(root, "facts", &facts));
	if (!json_is_object(facts))
		return fail("'facts' is not an object");
	json_object_foreach (facts, name, section)
		TRY_BECAUSE(read_section(section, harmless(&results->arena, name), results), "facts");
	return OK;
}

static enum status read_omissions(const json_t *root, struct results *results)
{
	json_t *omissions, *object, *value;
	const char *operation = NULL, *reason = NULL;
	size_t i;

	TRY(get(root, "omissions", &omissions));
	json_array_foreach (omissions, i, object) {
		TRY_BECAUSE(get(object, "operation", &value), "omission %zu", i + 1);
		TRY_BECAUSE(read_text(value, "operation", &results->arena, &operation), "omission %zu",
		            i + 1);
		TRY_BECAUSE(get(object, "reason", &value), "omission %zu", i + 1);
		TRY_BECAUSE(read_text(value, "reason", &results->arena, &reason), "omission %zu", i + 1);
		results_omit(results, operation, reason);
	}
	return OK;
}

static enum status read_end(const json_t *root, struct results *results)
{
	json_t *complete, *trouble;

	TRY(get(root, "complete", &complete));
	TRY(get(root, "trouble", &trouble));
	results->is_complete = json_is_true(complete);
	return json_is_null(trouble) ? OK : read_text(trouble, "trouble", &results->arena, &results->trouble);
}

static enum status check_format(const json_t *root)
{
	const char *format = json_string_value(json_object_get(root, "format"));
	const json_t *version = json_object_get(root, "version");

	if (!format || strcmp(format, RESULTS_FORMAT) != 0 || !json_is_integer(version) ||
	    json_integer_value(version) < 1)
		return fail("it contains no results of 'tarry bench', which writes them with '--json FILE'");
	if (json_integer_value(version) > RESULTS_VERSION)
		return fail(
			"it has version %lld of the format, but this Tarry supports only version %d: use a newer Tarry",
			(long long)json_integer_value(version), RESULTS_VERSION);
	return OK;
}

static enum status read_all(const json_t *root, struct results *results)
{
	TRY(check_format(root));
	TRY(read_end(root, results));
	TRY(read_facts(root, results));
	TRY(read_points(root, results));
	TRY(read_memory(root, results));
	return read_omissions(root, results);
}

static enum status refuse(const json_error_t *error, size_t size)
{
	if (!size)
		return fail("it is empty");
	if (json_error_code(error) == json_error_premature_end_of_input)
		return fail("it is truncated in line %d", error->line);
	if (json_error_code(error) == json_error_numeric_overflow)
		return fail("a number in line %d is too large", error->line);
	if (json_error_code(error) == json_error_duplicate_key)
		return fail("line %d repeats an earlier key", error->line);
	return fail("it is not JSON: line %d, column %d", error->line, error->column);
}

enum status results_parse(const char *bytes, size_t size, struct results *results)
{
	json_error_t error;
	json_t *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &error);
	enum status status;

	if (!root)
		return refuse(&error, size);
	results_init(results);
	status = read_all(root, results);
	json_decref(root);
	if (status != OK)
		results_release(results);
	return status;
}

static enum status read_file(const char *path, struct results *results)
{
	struct text bytes = {0};
	enum status status;

	if (text_add_user_file(&bytes, path, FILE_BYTES_MAX))
		status = results_parse(text_get(&bytes), bytes.length, results);
	else
		status = errno == EFBIG ? fail("it is too large for a result file")
		                        : fail("%s", file_error());
	text_release(&bytes);
	return status;
}

enum status results_read(const char *path, struct results *results)
{
	TRY_BECAUSE(read_file(path, results), "cannot read '%s'", path);
	return OK;
}
