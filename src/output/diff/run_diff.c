#include "output/diff/run_diff.h"

#include "base/array.h"
#include "base/map.h"
#include "base/paths.h"
#include "output/report/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const diff_change_names[DIFF_CHANGES] = {"gone", "new", "less", "more", "same"};

/* As a fraction of the length of the first run. */
static const double threshold = 0.005;

/* Rows of both runs with the same key are merged. */
struct alignment {
	struct run_diff *diff;
	struct diff_rows *rows;
	struct text_map numbers;        /* by key: number of the row + 1 */
	ARRAY(const char *) moved_keys; /* by row: the key without source files */
};

static struct diff_row *row_of(struct alignment *aligned, const char *key)
{
	uint32_t number = text_map_number(&aligned->numbers, arena_text(&aligned->diff->arena, key));

	return &array_extend(aligned->rows, (size_t)number + 1)->items[number];
}

/* Of several with the same key, the first of one run is aligned with the first of the other: they come in the order of
 * their lines, which lets equal calls of a function keep their partners when costs change. */
static struct diff_row *next_row_of(struct alignment *aligned, struct text *key, struct text *moved_key,
                                    enum diff_side side)
{
	size_t length = key->length;

	for (unsigned number = 0;; number++) {
		struct diff_row *row;
		key->length = length;
		text_add(key, "\n%u", number);
		row = row_of(aligned, text_get(key));
		if (row->sides[side].is_there)
			continue;
		array_extend(&aligned->moved_keys, aligned->rows->count)->items[row - aligned->rows->items] =
			arena_text(&aligned->diff->arena, text_get(moved_key));
		return row;
	}
}

static void **numbered(struct alignment *aligned, struct text_map *map, const char *key, unsigned number)
{
	scoped_text text = {0};

	text_add(&text, "%s\n%u", key, number);
	return text_map_put(map, arena_text(&aligned->diff->arena, text_get(&text)));
}

static struct diff_row *gone_row(struct alignment *aligned, struct text_map *gone, const char *key)
{
	struct diff_row *row;

	for (unsigned number = 0; (row = *numbered(aligned, gone, key, number)); number++)
		if (!row->sides[DIFF_AFTER].is_there)
			return row;
	return NULL;
}

/* Source files are renamed, and functions move to other files: what is gone is aligned with what is new in the same
 * function, in the order of lines. */
static void join_moved(struct alignment *aligned)
{
	struct diff_row *rows = aligned->rows->items;
	struct text_map gone = {0};
	size_t kept = 0;

	for (size_t i = 0; i < aligned->moved_keys.count; i++)
		for (unsigned number = 0; !rows[i].sides[DIFF_AFTER].is_there; number++) {
			void **row = numbered(aligned, &gone, aligned->moved_keys.items[i], number);
			if (*row)
				continue;
			*row = &rows[i];
			break;
		}
	for (size_t i = 0; i < aligned->moved_keys.count; i++) {
		struct diff_row *before = rows[i].sides[DIFF_BEFORE].is_there
		                                  ? NULL
		                                  : gone_row(aligned, &gone, aligned->moved_keys.items[i]);
		if (!before)
			continue;
		before->sides[DIFF_AFTER] = rows[i].sides[DIFF_AFTER];
		rows[i].sides[DIFF_AFTER].is_there = false;
	}
	for (size_t i = 0; i < aligned->rows->count; i++)
		if (rows[i].sides[DIFF_BEFORE].is_there || rows[i].sides[DIFF_AFTER].is_there)
			rows[kept++] = rows[i];
	aligned->rows->count = kept;
	text_map_release(&gone);
}

/* Of equal lines, the order of the report. */
struct numbered_line {
	int64_t line;
	size_t number;
};

static int by_line(const void *left, const void *right)
{
	const struct numbered_line *a = left, *b = right;

	return a->line != b->line ? (a->line > b->line) - (a->line < b->line)
	                          : (a->number > b->number) - (a->number < b->number);
}

/* Findings */

/* The two keys of a row: with and without the source files of known functions. */
struct row_key {
	struct text exact, moved;
};

static void row_key_release(struct row_key *key)
{
	text_release(&key->exact);
	text_release(&key->moved);
}

static void add_place_key(struct row_key *key, const char *call, const struct location *where)
{
	const char *function = function_of(where);
	const char *slash = where->file ? strrchr(where->file, '/') : NULL;
	const char *file = slash ? slash + 1 : where->file ? where->file : "";

	text_add(&key->exact, "%s\n%s\n%s", call, function ? function : "", file);
	text_add(&key->moved, "%s\n%s", call, function ? function : file);
}

static void align_findings(struct alignment *aligned, enum diff_side side)
{
	struct report *report = aligned->diff->reports[side];
	const double length_s = aligned->diff->length_s[side];
	struct numbered_line *order = memory_new(report->shown + 1, sizeof *order);

	for (size_t i = 0; i < report->shown; i++)
		order[i] = (struct numbered_line){report->entries[i].at.where.line, i};
	qsort(order, report->shown, sizeof *order, by_line);
	for (size_t i = 0; i < report->shown; i++) {
		const struct report_entry *entry = &report->entries[order[i].number];
		const char *name = problem_name(entry->problem, report->analysis->lang);
		struct row_key key = {0};
		struct diff_row *row;
		text_add(&key.exact, "%s\n", entry->problem->id);
		text_add(&key.moved, "%s\n", entry->problem->id);
		add_place_key(&key, entry->at.call, &entry->at.where);
		row = next_row_of(aligned, &key.exact, &key.moved, side);
		row_key_release(&key);
		row->name = name ? name : entry->problem->id; /* rules of the user may have none */
		row->id = entry->problem->id;
		row->call = entry->at.call;
		row->sides[side] = (struct diff_value){.is_there = true,
		                                       .process_s = (double)entry->total_ns / 1e9 /
		                                                    aligned->diff->processes[side],
		                                       .saves_s = (double)entry->answer.saves_ns / 1e9,
		                                       .is_predictable = !entry->answer.doubt,
		                                       .count = (double)entry->count,
		                                       .place = entry->at.text};
		row->sides[side].seconds = aligned->diff->compares_savings ? row->sides[side].saves_s
		                                                           : row->sides[side].process_s;
		row->sides[side].share = length_s > 0 ? row->sides[side].seconds / length_s : 0;
	}
	free(order);
}

/* Findings that are not predictable can be compared only by the time that they cost. */
static bool has_savings(const struct report *report)
{
	for (size_t i = 0; i < report->shown; i++)
		if (report->entries[i].answer.doubt)
			return false;
	return true;
}

/* Call paths */

static struct diff_value value_of(double seconds, uint64_t count, const char *place)
{
	return (struct diff_value){.is_there = true,
	                           .seconds = seconds,
	                           .process_s = seconds,
	                           .count = (double)count,
	                           .place = place};
}

static void align_calls(struct alignment *aligned, enum diff_side side)
{
	struct report *report = aligned->diff->reports[side];
	const struct profile_table *places = &report->profile->places;
	struct numbered_line *order = memory_new(places->count + 1, sizeof *order);

	for (size_t i = 0; i < places->count; i++)
		order[i] = (struct numbered_line){places->rows[i].at.where.line, i};
	qsort(order, places->count, sizeof *order, by_line);
	for (size_t i = 0; i < places->count; i++) {
		const struct profile_row *place = &places->rows[order[i].number];
		struct caller_iter callers = {0};
		struct row_key key = {0};
		struct diff_row *row;
		if (place->is_local)
			continue;
		add_place_key(&key, place->at.call, &place->at.where);
		while (path_next(report, &place->sample, &callers))
			add_place_key(&key, "\n", &callers.where);
		row = next_row_of(aligned, &key.exact, &key.moved, side);
		row_key_release(&key);
		row->name = row->call = place->at.call;
		row->sides[side] = value_of((double)place->run_ns / 1e9 / aligned->diff->processes[side],
		                            place->calls, place->at.text);
	}
	free(order);
}

/* Phases */

static void align_phases(struct alignment *aligned, enum diff_side side)
{
	const struct figures *figures = aligned->diff->reports[side]->analysis->figures;

	for (uint32_t i = 0; figures && i < figures->phase_count; i++) {
		const struct phase_figures *phase = &figures->phases[i];
		struct diff_row *row = row_of(aligned, phase->path);
		row->name = phase->path;
		row->sides[side] = value_of((double)phase->length_ns / 1e9, phase->times, "");
	}
}

static double change_of(const struct diff_row *row)
{
	return fabs(row->sides[DIFF_AFTER].seconds - row->sides[DIFF_BEFORE].seconds);
}

static int by_change(const void *left, const void *right)
{
	const struct diff_row *a = left, *b = right;

	return (change_of(b) > change_of(a)) - (change_of(b) < change_of(a));
}

static enum diff_change class_of_change(const struct run_diff *diff, const struct diff_row *row)
{
	const struct diff_value *before = &row->sides[DIFF_BEFORE], *after = &row->sides[DIFF_AFTER];

	if (!after->is_there)
		return DIFF_GONE;
	if (!before->is_there)
		return DIFF_NEW;
	if (change_of(row) < threshold * diff->length_s[DIFF_BEFORE])
		return DIFF_SAME;
	return after->seconds < before->seconds ? DIFF_LESS : DIFF_MORE;
}

static void align(struct run_diff *diff, struct diff_rows *rows,
                  void (*add)(struct alignment *, enum diff_side))
{
	struct alignment aligned = {.diff = diff, .rows = rows};

	add(&aligned, DIFF_BEFORE);
	add(&aligned, DIFF_AFTER);
	join_moved(&aligned);
	for (size_t i = 0; i < rows->count; i++)
		rows->items[i].change = class_of_change(diff, &rows->items[i]);
	if (rows->count)
		qsort(rows->items, rows->count, sizeof *rows->items, by_change);
	array_release(&aligned.moved_keys);
	text_map_release(&aligned.numbers);
}

struct run_diff *run_diff_new(struct report *before, struct report *after)
{
	struct run_diff *diff = memory_new(1, sizeof *diff);

	diff->reports[DIFF_BEFORE] = before;
	diff->reports[DIFF_AFTER] = after;
	for (int side = 0; side < DIFF_SIDES; side++) {
		const struct analysis *analysis = diff->reports[side]->analysis;
		size_t processes = analysis->reader->process_count;
		diff->processes[side] = processes ? (double)processes : 1;
		diff->length_s[side] = analysis->run_figures[RUN_LENGTH] / 1e9;
		if (analysis->figures)
			diff->efficiency[side] = analysis->figures->efficiency;
	}
	diff->compares_savings = has_savings(before) && has_savings(after);
	align(diff, &diff->findings, align_findings);
	align(diff, &diff->calls, align_calls);
	align(diff, &diff->phases, align_phases);
	return diff;
}

void run_diff_free(struct run_diff *diff)
{
	array_release(&diff->findings);
	array_release(&diff->calls);
	array_release(&diff->phases);
	arena_release(&diff->arena);
	free(diff);
}

/* Limits */

static const struct {
	const char *name;
	int kind;
} limit_kinds[] = {{"slower", LIMIT_SLOWER}, {"new", LIMIT_NEW}};

enum status diff_limit_parse(const char *word, struct diff_limit *limit)
{
	const char *sign = strchr(word, '>');

	limit->word = word;
	for (size_t i = 0; sign && i < sizeof limit_kinds / sizeof *limit_kinds; i++) {
		size_t length = strlen(limit_kinds[i].name);
		if (strncmp(word, limit_kinds[i].name, length) != 0 || word + length != sign)
			continue;
		limit->kind = limit_kinds[i].kind;
		if (parse_real(sign + 1, &limit->share) == OK && limit->share >= 0)
			return OK;
	}
	return fail("'%s' is not a limit: write it like slower>5%% or new>1%%", word);
}

static bool is_slower(const struct diff_limit *limit, const struct run_diff *diff, struct text *sentence)
{
	double before = diff->length_s[DIFF_BEFORE], after = diff->length_s[DIFF_AFTER];

	if (after <= before * (1 + limit->share))
		return false;
	text_add(sentence, "%s: the run takes ", limit->word);
	text_add_seconds(sentence, after);
	text_add(sentence, " instead of ");
	text_add_seconds(sentence, before);
	text_add(sentence, "\n");
	return true;
}

/* The savings of a finding; if they are not predictable, what it costs a process. */
static double cost_of(const struct diff_value *value)
{
	return value->is_predictable ? value->saves_s : value->process_s;
}

static void add_new(const struct diff_limit *limit, const struct run_diff *diff, const struct diff_row *row,
                    struct text *sentence)
{
	const struct diff_value *after = &row->sides[DIFF_AFTER];
	double share = 100 * cost_of(after) / diff->length_s[DIFF_AFTER];

	text_add(sentence, "%s: new finding %s at %s: ", limit->word, row->name, after->place);
	if (after->is_predictable) {
		text_add(sentence, "the run would save ");
		text_add_seconds(sentence, after->saves_s);
		text_add(sentence, ", %.3g %%; ", share);
	}
	text_add(sentence, "ranks lose ");
	text_add_seconds(sentence, after->process_s * diff->processes[DIFF_AFTER]);
	text_add(sentence, after->is_predictable ? "\n" : ", %.3g %% of their time\n", share);
}

static bool has_new(const struct diff_limit *limit, const struct run_diff *diff, struct text *sentence)
{
	bool is_crossed = false;

	for (size_t i = 0; i < diff->findings.count; i++) {
		const struct diff_row *row = &diff->findings.items[i];
		if (row->change != DIFF_NEW ||
		    cost_of(&row->sides[DIFF_AFTER]) <= limit->share * diff->length_s[DIFF_AFTER])
			continue;
		add_new(limit, diff, row, sentence);
		is_crossed = true;
	}
	return is_crossed;
}

bool diff_limit_is_crossed(const struct diff_limit *limit, const struct run_diff *diff, struct text *sentence)
{
	return limit->kind == LIMIT_SLOWER ? is_slower(limit, diff, sentence)
	                                   : has_new(limit, diff, sentence);
}
