#include "output/report/files.h"
#include "output/report/parts.h"
#include "output/report/sheet.h"

#include <string.h>

/* The factor from which a process takes notably longer than the others. */
#define TIMES_NOTABLE 1.05

/* "MPI_Send (heat.c:84)" */
static void add_call_and_line(const struct call_place *place, size_t most, struct text *out)
{
	text_add(out, "%s", place->call);
	if (!place->where.file && !*place->text)
		return;
	text_add(out, " (");
	add_line_of(out, place, most);
	text_add(out, ")");
}

static const char *const templates[][2] = {
	[CAUSE_COMPUTING] = {"$1 computing $2 → $3", "$1 computing between $2 and $3"},
	[CAUSE_CALL] = {"$1 in $3", "$1 inside $3 itself, not waiting"},
	[CAUSE_NOISE] = {"$1 without a CPU", "$1 without a CPU"},
	[CAUSE_TRANSFER] = {"the transfer itself",
                            "no rank was late: transfer time, or time inside the library"},
	[CAUSE_OTHER] = {"smaller causes", "smaller causes"},
	[CAUSE_UNKNOWN] = {"not recorded", "unknown: the late process was not recorded there"},
};

/* The form of a cause: a full sentence, or as much as there is room for. */
struct cause_form {
	bool is_long; /* with the names of calls */
	bool has_region, has_times, has_thread;
	bool one_file;     /* the file is named once if both calls are in it: "heat.c:84 → 90" */
	bool is_bare;      /* without a verb */
	bool only_who;     /* nothing else */
	size_t place_most; /* columns of a place; longer places are abbreviated in the middle */
};

static bool is_same_file(const struct call_place *a, const struct call_place *b)
{
	return a->where.file && b->where.file && strcmp(a->where.file, b->where.file) == 0;
}

static const char *template_of(const struct report_cause *cause, const struct cause_form *form)
{
	if (form->only_who && cause->processes.count)
		return "$1";
	if (form->is_bare && cause->kind == CAUSE_COMPUTING)
		return "$1: $2 → $3";
	return templates[cause->kind][form->is_long];
}

/* Ranks and places. */
static void add_where(const struct sheet *sheet, const struct report_cause *cause,
                      const struct cause_form *form, struct text *out)
{
	scoped_text who = {0}, from = {0}, to = {0};

	if (cause->processes.count && form->is_long)
		sheet_ranks(sheet, &who, &cause->processes);
	else if (cause->processes.count)
		sheet_ranks_in_short(sheet, &who, &cause->processes);
	if (cause->kind == CAUSE_COMPUTING && form->is_long)
		add_call_and_line(&cause->from, form->place_most, &from);
	else if (cause->kind == CAUSE_COMPUTING)
		add_line_of(&from, &cause->from, form->place_most);
	if (cause->kind == CAUSE_COMPUTING || cause->kind == CAUSE_CALL) {
		if (form->is_long || cause->kind == CAUSE_CALL)
			add_call_and_line(&cause->to, form->place_most, &to);
		else if (form->one_file && is_same_file(&cause->from, &cause->to))
			text_add(&to, "%d", cause->to.where.line);
		else
			add_line_of(&to, &cause->to, form->place_most);
	}
	add_filled_phrase(out, sheet->language, template_of(cause, form),
	                  (const char *[]){text_get(&who), text_get(&from), text_get(&to)});
	if (cause->region && form->has_region)
		add_filled_phrase(out, sheet->language, ", region $1", &cause->region);
}

static void add_times(const struct sheet *sheet, const struct report_cause *cause, const char *template,
                      struct text *out)
{
	bool has_part = cause->times_mean < 9.95; /* a part is like a few: 2.5 times */
	uint64_t whole = has_part ? 2 : (uint64_t)(cause->times_mean + 0.5);
	scoped_text times = {0};

	if (cause->times_mean < TIMES_NOTABLE)
		return;
	text_add_decimal(&times, sheet->locale, has_part, cause->times_mean);
	add_filled_phrase(
		out, sheet->language, template,
		(const char *[]){text_get(&times), noun_form(sheet->language, whole, "time", "times")});
}

/* In short, only the place is named. */
static void add_late_thread(const struct sheet *sheet, const struct report_cause *cause, bool is_long,
                            struct text *out)
{
	/* By length, and whether different threads are late. */
	static const char *const late_templates[2][2] = {
		{", thread $1 late at $2", ", threads late at $2"},
		{"; thread $1 comes $3 later than the others to $2",
	         "; threads come $3 later than the others, in turn, to $2"}};
	const struct late_team_thread *late = &cause->late;
	scoped_text thread = {0}, place = {0}, time = {0};

	if (!late->ns)
		return;
	text_add(&thread, "%u", late->thread);
	if (is_long)
		add_call_and_line(&late->at, SIZE_MAX, &place);
	else
		add_line_of(&place, &late->at, SIZE_MAX);
	sheet_seconds(sheet, &time, late->ns);
	add_filled_phrase(out, sheet->language, late_templates[is_long][late->thread == SEVERAL_THREADS],
	                  (const char *[]){text_get(&thread), text_get(&place), text_get(&time)});
}

/* From the longest form to the shortest: the identity of the places is shortened last. */
static const struct cause_form short_forms[] = {
	{.has_region = true, .has_times = true, .has_thread = true, .place_most = SIZE_MAX},
	{.has_region = true, .has_times = true, .place_most = SIZE_MAX},
	{.has_region = true, .has_times = true, .one_file = true, .place_most = SIZE_MAX},
	{.has_times = true, .one_file = true, .place_most = SIZE_MAX},
	{.one_file = true, .place_most = SIZE_MAX},
	{.one_file = true, .is_bare = true, .place_most = SIZE_MAX},
	{.one_file = true, .is_bare = true, .place_most = 16},
	{.one_file = true, .is_bare = true, .place_most = 11},
	{.only_who = true},
};

void cause_in_short(const struct report *report, const struct report_cause *cause, size_t room,
                    struct text *out)
{
	struct sheet sheet = sheet_for(report, NULL, out);
	scoped_text words = {0};

	for (int is_short = 0; is_short < 2; is_short++) {
		text_clear(&words);
		if (describe_file_work(&sheet, cause, is_short, &words) &&
		    text_width(text_get(&words)) <= room) {
			text_add(out, "%s", text_get(&words));
			return;
		}
	}
	for (size_t i = 0; i < sizeof short_forms / sizeof *short_forms; i++) {
		text_clear(&words);
		add_where(&sheet, cause, &short_forms[i], &words);
		if (short_forms[i].has_times)
			add_times(&sheet, cause, ", $1x the mean", &words);
		if (short_forms[i].has_thread)
			add_late_thread(&sheet, cause, false, &words);
		if (text_width(text_get(&words)) <= room)
			break;
	}
	text_add(out, "%s", text_get(&words));
}

static bool is_mostly_blocked(const struct report_cause *cause)
{
	return cause->kind == CAUSE_COMPUTING && cause->blocked_ns > cause->total_ns / 2;
}

/* Less is not told. */
enum { BLOCKED_PART = 20 };

static void add_blocked(const struct sheet *sheet, const struct report_cause *cause, struct text *out)
{
	scoped_text time = {0};

	if (cause->kind != CAUSE_COMPUTING || cause->blocked_ns < cause->total_ns / BLOCKED_PART ||
	    !cause->blocked_ns)
		return;
	sheet_seconds(sheet, &time, cause->blocked_ns);
	add_filled_phrase(out, sheet->language,
	                  "; $1 of it blocked in the kernel (sleep, input and output, page faults)",
	                  (const char *[]){text_get(&time)});
}

static const char *advice_on(const struct report_cause *cause)
{
	if (cause->late.ns)
		return " The delay comes from uneven work of the OpenMP threads of $1 (see the cause): share it more evenly.";
	if (is_mostly_blocked(cause))
		return " The delay comes from time in which $1 was blocked in the kernel (see the cause): it slept, or waited for input, output or the memory of a page. Shorten that, or do it later.";
	if (cause->kind == CAUSE_COMPUTING)
		return " The delay comes from work on $1 (see the cause): shorten it, distribute it, or do it later.";
	return cause->in_vain_ns > cause->total_ns / 2
	               ? " The delay comes from unsuccessful tests: $2 on $1."
	               : " The delay comes from $2 on $1. The call waits for no other rank: the call itself takes long, not the work around it.";
}

void advise_on_cause(struct report *report, struct report_entry *entry)
{
	const struct report_cause *first = entry->causes;
	struct sheet sheet = sheet_for(report, NULL, NULL);
	scoped_text who = {0}, call = {0};

	if (!entry->cause_count || !entry->advice || !text_ends(entry->advice, ".") ||
	    !first->processes.count || first->total_ns < entry->total_ns - first->total_ns ||
	    (first->kind != CAUSE_COMPUTING && first->kind != CAUSE_CALL))
		return;
	sheet_ranks(&sheet, &who, &first->processes);
	if (first->kind == CAUSE_CALL)
		add_call_and_line(&first->to, SIZE_MAX, &call);
	entry->advice = arena_format(
		&report->arena, "%s%s", entry->advice,
		report_filled(report, advice_on(first), (const char *[]){text_get(&who), text_get(&call)}));
}

void cause_in_full(const struct report *report, const struct report_entry *entry,
                   const struct report_cause *cause, struct text *out)
{
	static const struct cause_form whole = {.is_long = true, .has_region = true, .place_most = SIZE_MAX};
	struct sheet sheet = sheet_for(report, NULL, out);
	scoped_text work = {0};

	sheet_seconds(&sheet, out, cause->total_ns);
	text_add(out, ": ");
	add_where(&sheet, cause, &whole, out);
	add_times(&sheet, cause, ", $1 $2 the mean", out);
	add_late_thread(&sheet, cause, true, out);
	add_blocked(&sheet, cause, out);
	if (describe_file_work(&sheet, cause, false, &work))
		text_add(out, "; %s", text_get(&work));
	if (cause->instances && cause->instances < entry->count) {
		scoped_text part = {0}, all = {0};

		text_add_count(&part, cause->instances);
		text_add_count(&all, entry->count);
		add_filled_phrase(out, sheet.language, "; in $1 of $2 waits",
		                  (const char *[]){text_get(&part), text_get(&all)});
	}
}
