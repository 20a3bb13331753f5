#include "cli/coll_summary.h"

#include "base/array.h"
#include "base/files.h"
#include "base/json.h"
#include "base/settings.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FASTER_SHOWN = 9 };

/* Reading */

/* A later line on the same takes the place of an earlier one. */
static void add_outcome(struct coll_summary *summary, const struct coll_outcome *outcome, size_t writer)
{
	for (size_t i = summary->count; i-- > 0;) {
		struct coll_summary_item *item = &summary->items[i];

		if (item->writer != writer)
			break;
		if (item->outcome.comm == outcome->comm && item->outcome.size_class == outcome->size_class &&
		    strcmp(item->outcome.operation, outcome->operation) == 0) {
			item->outcome = *outcome;
			return;
		}
	}
	array_add(summary, ((struct coll_summary_item){*outcome, writer}));
}

static void read_file(struct coll_summary *summary, int folder, const char *name, size_t writer)
{
	int fd = open_regular(folder, name, O_RDONLY | O_NOFOLLOW);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	struct coll_outcome outcome;
	char line[OUTCOME_LINE];

	if (!file) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while (fgets(line, sizeof line, file))
		if (coll_outcome_parse(line, &outcome))
			add_outcome(summary, &outcome, writer);
	fclose(file);
}

void coll_summary_read(struct coll_summary *summary, const char *folder)
{
	DIR *listing = opendir(folder);
	size_t writers = 0;

	for (struct dirent *entry; listing && (entry = readdir(listing));)
		if (text_begins(entry->d_name, COLL_CHOSEN_PREFIX))
			read_file(summary, dirfd(listing), entry->d_name, writers++);
	if (listing)
		closedir(listing);
}

void coll_summary_release(struct coll_summary *summary)
{
	array_release(summary);
}

/* Text */

enum coll_verdict { VERDICT_FASTER, VERDICT_FORCED, VERDICT_LIBRARY, VERDICT_UNTRIED, VERDICT_UNDECIDED };

/* Outcomes of one operation and one algorithm. */
struct coll_row {
	enum coll_verdict verdict;
	const struct coll_outcome *first;
	uint64_t bytes_min, bytes_max, calls;
	double library_s, rival_s; /* of all calls */
};

struct coll_rows {
	struct coll_row *items;
	size_t count, room;
};

static enum coll_verdict verdict_on(const struct coll_outcome *outcome)
{
	if (!outcome->is_decided)
		return VERDICT_UNDECIDED;
	if (outcome->is_library)
		return outcome->rival_s > 0 ? VERDICT_LIBRARY : VERDICT_UNTRIED;
	return outcome->is_forced ? VERDICT_FORCED : VERDICT_FASTER;
}

static bool belongs_to(const struct coll_row *row, const struct coll_outcome *outcome)
{
	const enum coll_verdict verdict = verdict_on(outcome);

	return row->verdict == verdict && strcmp(row->first->operation, outcome->operation) == 0 &&
	       (verdict >= VERDICT_LIBRARY || strcmp(row->first->chosen, outcome->chosen) == 0);
}

static void add_to_rows(struct coll_rows *rows, const struct coll_outcome *outcome)
{
	struct coll_row *row = NULL;

	for (size_t i = 0; i < rows->count && !row; i++)
		if (belongs_to(&rows->items[i], outcome))
			row = &rows->items[i];
	if (!row) {
		row = array_new_item(rows);
		*row = (struct coll_row){
			.verdict = verdict_on(outcome), .first = outcome, .bytes_min = outcome->bytes_min};
	}
	if (outcome->bytes_min < row->bytes_min)
		row->bytes_min = outcome->bytes_min;
	if (outcome->bytes_max > row->bytes_max)
		row->bytes_max = outcome->bytes_max;
	row->calls += outcome->calls;
	row->library_s += (double)outcome->calls * outcome->library_s;
	row->rival_s += (double)outcome->calls * outcome->rival_s;
}

/* Those that gained most come first. */
static int by_gain(const void *a, const void *b)
{
	const struct coll_row *one = a, *other = b;
	const double gain = one->library_s - one->rival_s, others = other->library_s - other->rival_s;

	if (one->verdict != other->verdict)
		return one->verdict < other->verdict ? -1 : 1;
	return gain > others ? -1 : gain < others;
}

static void add_operation(struct text *out, const struct coll_row *row, bool with_size)
{
	text_add(out, "MPI_%c%s", toupper((unsigned char)row->first->operation[0]),
	         row->first->operation + 1);
	if (!row->bytes_max || !with_size)
		return;
	text_add(out, " of ");
	if (row->bytes_min != row->bytes_max) {
		text_add_size(out, row->bytes_min);
		text_add(out, " to ");
	}
	text_add_size(out, row->bytes_max);
}

static void add_gain(struct text *out, const struct coll_row *row)
{
	const double calls = row->calls ? (double)row->calls : 1;

	text_add(out, "  ");
	add_operation(out, row, true);
	text_add(out, ": ");
	if (row->verdict == VERDICT_FASTER) {
		text_add(out, "%.3g times faster by '%s' (",
		         row->rival_s > 0 ? row->library_s / row->rival_s : 1, row->first->chosen);
		text_add_seconds(out, row->library_s / calls);
		text_add(out, " → ");
		text_add_seconds(out, row->rival_s / calls);
		text_add(out, ", ");
	} else {
		text_add(out, "by '%s', as wanted (", row->first->chosen);
	}
	text_add_counted(out, row->calls, "call", "calls");
	text_add(out, ")\n");
}

/* Is the operation in another row, with other sizes? */
static bool is_elsewhere(const struct coll_rows *rows, size_t row)
{
	for (size_t i = 0; i < rows->count; i++)
		if (i != row &&
		    strcmp(rows->items[i].first->operation, rows->items[row].first->operation) == 0)
			return true;
	return false;
}

static void add_list(struct text *out, const struct coll_rows *rows, enum coll_verdict verdict,
                     const char *title)
{
	const char *between = title;

	for (size_t i = 0; i < rows->count; i++)
		if (rows->items[i].verdict == verdict) {
			text_add(out, "%s", between);
			add_operation(out, &rows->items[i], is_elsewhere(rows, i));
			between = ", ";
		}
	if (between != title)
		text_add(out, "\n");
}

void coll_summary_text(struct coll_summary *summary, bool has_failed, struct text *out)
{
	struct coll_rows rows = {0};
	size_t gained = 0, shown = 0;
	int32_t processes = 0, nodes = 0;

	for (size_t i = 0; i < summary->count; i++) {
		const struct coll_outcome *outcome = &summary->items[i].outcome;

		add_to_rows(&rows, outcome);
		if (outcome->processes > processes) {
			processes = outcome->processes;
			nodes = outcome->nodes;
		}
	}
	if (rows.count)
		qsort(rows.items, rows.count, sizeof *rows.items, by_gain);
	for (size_t i = 0; i < rows.count; i++)
		gained += rows.items[i].verdict == VERDICT_FASTER || rows.items[i].verdict == VERDICT_FORCED;
	if (!rows.count) {
		text_add(out, has_failed ? "collectives: the job failed before its choices were known\n"
		                         : "collectives: all were left to MPI\n");
		return;
	}
	text_add(out, "collectives of %d processes on %d %s, measured by the slowest process:\n",
	         (int)processes, (int)nodes, nodes == 1 ? "node" : "nodes");
	for (; shown < gained && shown < FASTER_SHOWN; shown++)
		add_gain(out, &rows.items[shown]);
	if (gained > shown)
		text_add(out, "  and %zu more\n", gained - shown);
	add_list(out, &rows, VERDICT_LIBRARY, "  left to MPI, which is as fast: ");
	add_list(out, &rows, VERDICT_UNTRIED, "  left to MPI, without another choice: ");
	add_list(out, &rows, VERDICT_UNDECIDED, "  left to MPI, too few calls to decide: ");
	array_release(&rows);
}

/* JSON */

static void add_json(struct json *json, const struct coll_outcome *outcome)
{
	json_open(json, NULL, '{');
	json_text(json, "operation", outcome->operation);
	json_number(json, "bytes_min", (int64_t)outcome->bytes_min);
	json_number(json, "bytes_max", (int64_t)outcome->bytes_max);
	json_number(json, "processes", outcome->processes);
	json_number(json, "nodes", outcome->nodes);
	json_number(json, "levels", outcome->levels);
	json_number(json, "calls", (int64_t)outcome->calls);
	json_bool(json, "decided", outcome->is_decided);
	json_bool(json, "forced", outcome->is_forced);
	json_text(json, "done_by", outcome->is_library ? "mpi" : outcome->chosen);
	if (strcmp(outcome->chosen, "mpi") != 0)
		json_text(json, "algorithm", outcome->chosen);
	if (outcome->library_s > 0)
		json_exact(json, "mpi_seconds", outcome->library_s);
	if (outcome->rival_s > 0)
		json_exact(json, "algorithm_seconds", outcome->rival_s);
	json_close(json, '}');
}

void coll_summary_json(const struct coll_summary *summary, struct text *out)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '{');
	json_open(&json, "collectives", '[');
	for (size_t i = 0; i < summary->count; i++)
		add_json(&json, &summary->items[i].outcome);
	json_close(&json, ']');
	json_close(&json, '}');
	text_add(out, "\n");
}
