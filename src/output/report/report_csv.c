/* A table of the findings: a line each, the names of the columns first. */
#include "output/report/parts.h"

#include <inttypes.h>

enum csv_column {
	COLUMN_PATTERN,
	COLUMN_NAME,
	COLUMN_SEVERITY,
	COLUMN_CONFIDENCE,
	COLUMN_OCCURRENCES,
	COLUMN_TOTAL,
	COLUMN_MEAN,
	COLUMN_MAX,
	COLUMN_SHARE,
	COLUMN_PROCESSES,
	COLUMN_NODES,
	COLUMN_THREADS,
	COLUMN_CALL,
	COLUMN_FILE,
	COLUMN_LINE,
	COLUMN_FUNCTION,
	COLUMN_PATH,
	COLUMN_PHASE,
	COLUMN_PARTNER_CALL,
	COLUMN_PARTNER_FILE,
	COLUMN_PARTNER_LINE,
	COLUMN_PARTNER_FUNCTION,
	COLUMN_PARTNER_RANKS,
	COLUMN_CAUSE,
	COLUMN_ADVICE,
	COLUMNS,
};

static const char *const column_names[COLUMNS] = {
	"pattern",      "name",         "severity",     "confidence",       "occurrences",   "total_s",
	"mean_s",       "max_s",        "share",        "processes",        "nodes",         "threads",
	"call",         "file",         "line",         "function",         "path",          "phase",
	"partner_call", "partner_file", "partner_line", "partner_function", "partner_ranks", "cause",
	"advice",
};

static void add_seconds(struct text *out, int64_t ns)
{
	text_add(out, "%" PRId64 ".%09" PRId64, ns / 1000000000, ns % 1000000000);
}

/* Nothing where it is not known. `column` is one of COLUMN_CALL to COLUMN_FUNCTION. */
static void add_place(const struct call_place *place, enum csv_column column, struct text *out)
{
	const char *function = function_of(&place->where);

	if (column == COLUMN_CALL)
		text_add(out, "%s", place->call);
	else if (column == COLUMN_FILE)
		text_add(out, "%s", place->where.file ? place->where.file : "");
	else if (column == COLUMN_FUNCTION)
		text_add(out, "%s", function ? function : "");
	else if (place->where.file)
		text_add(out, "%d", place->where.line);
}

static void add_figure(const struct report *report, const struct report_entry *entry, enum csv_column column,
                       struct text *out)
{
	if (column == COLUMN_OCCURRENCES)
		text_add(out, "%" PRIu64, entry->count);
	else if (column == COLUMN_TOTAL)
		add_seconds(out, entry->total_ns);
	else if (column == COLUMN_MEAN)
		add_seconds(out, mean_ns(entry));
	else if (column == COLUMN_MAX)
		add_seconds(out, entry->max_ns);
	else
		text_add(out, "%.6g", share_of_run(report, entry->total_ns));
}

static void add_value(struct report *report, const struct report_entry *entry, enum csv_column column,
                      struct text *out)
{
	switch (column) {
	case COLUMN_PATTERN:
		text_add(out, "%s", entry->problem->id);
		return;
	case COLUMN_NAME:
		text_add(out, "%s", problem_name(entry->problem, report->analysis->lang));
		return;
	case COLUMN_SEVERITY:
		text_add(out, "%s", impact_names[entry->impact]);
		return;
	case COLUMN_CONFIDENCE:
		text_add(out, "%s", confidence_names[entry->problem->confidence]);
		return;
	case COLUMN_OCCURRENCES ... COLUMN_SHARE:
		add_figure(report, entry, column, out);
		return;
	case COLUMN_PROCESSES:
		add_rank_runs(report->analysis->reader, &entry->processes, SIZE_MAX, out);
		return;
	case COLUMN_NODES:
		for (size_t i = 0; i < entry->nodes.count; i++)
			text_add(out, "%s%s", i ? " " : "", report->nodes->names[entry->nodes.at[i]]);
		return;
	case COLUMN_THREADS:
		for (size_t i = 0; i < entry->threads.count; i++)
			text_add(out, "%s%" PRIu32, i ? " " : "", entry->threads.at[i]);
		return;
	case COLUMN_CALL ... COLUMN_FUNCTION:
		add_place(&entry->at, column, out);
		return;
	case COLUMN_PATH:
		path_describe(report, &entry->worst->at, out);
		return;
	case COLUMN_PHASE:
		if (entry_phase(report, entry))
			text_add(out, "%s", entry_phase(report, entry));
		return;
	case COLUMN_PARTNER_CALL ... COLUMN_PARTNER_FUNCTION:
		if (entry->partner_count)
			add_place(&entry->partners[0].at, COLUMN_CALL + (column - COLUMN_PARTNER_CALL), out);
		return;
	case COLUMN_PARTNER_RANKS:
		add_rank_runs(report->analysis->reader, &entry->partner_processes, SIZE_MAX, out);
		return;
	case COLUMN_CAUSE:
		if (entry->cause_count)
			cause_in_short(report, &entry->causes[0], SIZE_MAX, out);
		return;
	default:
		text_add(out, "%s", entry->advice);
	}
}

static void add_entry(struct report *report, const struct report_entry *entry, struct text *out)
{
	struct text value = {0};

	for (enum csv_column i = 0; i < COLUMNS; i++) {
		add_value(report, entry, i, &value);
		text_add_csv(out, text_get(&value));
		text_clear(&value);
		text_add(out, i + 1 < COLUMNS ? "," : "\n");
	}
	text_release(&value);
}

void report_csv(struct report *report, struct text *out)
{
	for (enum csv_column i = 0; i < COLUMNS; i++)
		text_add(out, "%s%s", column_names[i], i + 1 < COLUMNS ? "," : "\n");
	for (size_t i = 0; i < report->shown; i++)
		add_entry(report, &report->entries[i], out);
}
