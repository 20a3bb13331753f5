#include "output/report/sheet.h"

#include "base/paths.h"

/* From here on a process takes notably longer than the others. */
#define TIMES_TOLD 1.05

/* "heat.c:84", or what else is known. */
static void add_line(const struct call_place *place, struct text *out)
{
	if (place->where.file)
		text_add(out, "%s:%d", path_name(place->where.file), place->where.line);
	else
		text_add(out, "%s", *place->text ? place->text : place->call);
}

/* "MPI_Send (heat.c:84)" */
static void add_call_and_line(const struct call_place *place, struct text *out)
{
	text_add(out, "%s", place->call);
	if (!place->where.file && !*place->text)
		return;
	text_add(out, " (");
	add_line(place, out);
	text_add(out, ")");
}

static const enum wording wordings[][2] = {
	[CAUSE_COMPUTING] = {CAUSE_COMPUTING_SHORT, CAUSE_COMPUTING_LONG},
	[CAUSE_CALL] = {CAUSE_CALL_SHORT, CAUSE_CALL_LONG},
	[CAUSE_NOISE] = {CAUSE_NOISE_SHORT, CAUSE_NOISE_LONG},
	[CAUSE_TRANSFER] = {CAUSE_TRANSFER_SHORT, CAUSE_TRANSFER_LONG},
	[CAUSE_OTHER] = {CAUSE_OTHER_SHORT, CAUSE_OTHER_LONG},
	[CAUSE_UNKNOWN] = {CAUSE_UNKNOWN_SHORT, CAUSE_UNKNOWN_LONG},
};

/* Who was where. */
static void add_where(const struct sheet *sheet, const struct report_cause *cause, bool is_long,
                      struct text *out)
{
	struct text who = {0}, from = {0}, to = {0};
	bool names_calls = is_long || cause->kind == CAUSE_CALL;

	if (cause->processes.count)
		sheet_ranks(sheet, &who, &cause->processes);
	if (cause->kind == CAUSE_COMPUTING)
		(names_calls ? add_call_and_line : add_line)(&cause->from, &from);
	if (cause->kind == CAUSE_COMPUTING || cause->kind == CAUSE_CALL)
		(names_calls ? add_call_and_line : add_line)(&cause->to, &to);
	add_filled_phrase(out, sheet->language, wordings[cause->kind][is_long],
	                  (const char *[]){text_get(&who), text_get(&from), text_get(&to)});
	if (cause->region)
		add_filled_phrase(out, sheet->language, CAUSE_IN_REGION, &cause->region);
	text_release(&who);
	text_release(&from);
	text_release(&to);
}

static void add_times(const struct sheet *sheet, const struct report_cause *cause, enum wording wording,
                      struct text *out)
{
	struct text times = {0};

	if (cause->times_mean < TIMES_TOLD)
		return;
	text_add_decimal(&times, sheet->locale, cause->times_mean < 9.95, cause->times_mean);
	add_filled_phrase(out, sheet->language, wording, (const char *[]){text_get(&times)});
	text_release(&times);
}

void cause_in_short(const struct report *report, const struct report_cause *cause, struct text *out)
{
	struct sheet sheet = sheet_for(report, NULL, out);

	add_where(&sheet, cause, false, out);
	add_times(&sheet, cause, CAUSE_MEAN_SHORT, out);
}

static void add_instances(const struct sheet *sheet, const struct report_entry *entry,
                          const struct report_cause *cause, struct text *out)
{
	struct text part = {0}, all = {0};

	text_add_count(&part, cause->instances);
	text_add_count(&all, entry->count);
	add_filled_phrase(out, sheet->language, CAUSE_INSTANCES,
	                  (const char *[]){text_get(&part), text_get(&all)});
	text_release(&part);
	text_release(&all);
}

void cause_in_full(const struct report *report, const struct report_entry *entry,
                   const struct report_cause *cause, struct text *out)
{
	struct sheet sheet = sheet_for(report, NULL, out);

	sheet_seconds(&sheet, out, cause->total_ns);
	text_add(out, ": ");
	add_where(&sheet, cause, true, out);
	add_times(&sheet, cause, CAUSE_MEAN_LONG, out);
	if (cause->instances)
		add_instances(&sheet, entry, cause, out);
}
