/* A table of the findings with a line for each; the first line has the names of the columns. */
#include "output/report/fields.h"
#include "output/report/parts.h"

#include <inttypes.h>

/* After the fields of all formats. */
enum csv_column {
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
	"processes",        "nodes",         "threads", "call",         "file",         "line",
	"function",         "path",          "phase",   "partner_call", "partner_file", "partner_line",
	"partner_function", "partner_ranks", "cause",   "advice",
};

/* Adds nothing if unknown. `column` is one of COLUMN_CALL to COLUMN_FUNCTION. */
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

static void add_value(struct report *report, const struct report_entry *entry, enum csv_column column,
                      struct text *out)
{
	switch (column) {
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

static void add_field(struct report *report, const struct report_entry *entry, size_t field, struct text *out)
{
	struct finding_value value = finding_field_value(report, entry, field);

	if (value.is_unknown)
		return;
	switch (finding_fields[field].type) {
	case JSON_COUNT:
		text_add(out, "%" PRId64, value.number);
		return;
	case JSON_SECONDS:
		text_add(out, "%" PRId64 ".%09" PRId64, value.number / 1000000000, value.number % 1000000000);
		return;
	case JSON_REAL:
		text_add(out, "%.6g", value.share);
		return;
	case JSON_BOOL:
		text_add(out, "%s", value.is_true ? "true" : "false");
		return;
	default:
		text_add(out, "%s", value.text ? value.text : "");
	}
}

static void add_entry(struct report *report, const struct report_entry *entry, struct text *out)
{
	scoped_text value = {0};

	for (size_t i = 0; finding_fields[i].name; i++) {
		add_field(report, entry, i, &value);
		text_add_csv(out, text_get(&value));
		text_add(out, ",");
		text_clear(&value);
	}
	for (enum csv_column i = 0; i < COLUMNS; i++) {
		add_value(report, entry, i, &value);
		text_add_csv(out, text_get(&value));
		text_add(out, "%s", i + 1 < COLUMNS ? "," : "\n");
		text_clear(&value);
	}
}

void report_csv(struct report *report, struct text *out)
{
	for (size_t i = 0; finding_fields[i].name; i++)
		text_add(out, "%s,", finding_fields[i].name);
	for (size_t i = 0; i < COLUMNS; i++)
		text_add(out, "%s%s", column_names[i], i + 1 < COLUMNS ? "," : "\n");
	for (size_t i = 0; i < report->shown; i++)
		add_entry(report, &report->entries[i], out);
}
