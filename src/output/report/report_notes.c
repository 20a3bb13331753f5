/* What a reader of the findings should know about them: what the trace lacks, and what was corrected. */
#include "base/paths.h"
#include "output/report/parts.h"
#include "output/report/report_path.h"

#include <inttypes.h>
#include <string.h>

enum { LAYERS_NAMED = 5 };

static void add_note(struct report *report, bool is_trust, const char *text)
{
	arena_add(&report->arena, report->notes, report->note_count, (struct report_note){text, is_trust});
}

/* A sentence of a count and what it counts; none if the count is 0. */
static void note_count(struct report *report, uint64_t count, const char *one, const char *many)
{
	struct text text = {0};

	if (count) {
		add_counted(&text, report_language(report), count, one, many);
		add_note(report, false, arena_text(&report->arena, text_get(&text)));
	}
	text_release(&text);
}

static void note_counts(struct report *report)
{
	const struct replay_counts *counts = &report->analysis->counts;
	const struct {
		uint64_t count;
		const char *one, *many;
	} kinds[] = {
		{counts->unmatched_sends, "send has no matching receive in the trace",
	         "sends have no matching receive in the trace"},
		{counts->unmatched_receives, "receive has no matching send in the trace",
	         "receives have no matching send in the trace"},
		{counts->incomplete_collectives, "collective operation lacks a process",
	         "collective operations lack processes"},
		{counts->mixed_collectives, "collective operation consists of different calls",
	         "collective operations consist of different calls"},
		{counts->forced, "call never completes in the trace", "calls never complete in the trace"},
		{counts->passed_over, "call was skipped because its communication partner is unknown",
	         "calls were skipped because their communication partners are unknown"},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		note_count(report, kinds[i].count, kinds[i].one, kinds[i].many);
}

static void note_phrase(struct report *report, const char *phrase, const char *filling)
{
	struct text text = {0};

	add_filled_phrase(&text, report_language(report), phrase, (const char *[]){filling});
	add_note(report, false, arena_text(&report->arena, text_get(&text)));
	text_release(&text);
}

static void note_path(struct report *report)
{
	for (enum path_doubt doubt = 0; doubt < PATH_DOUBTS; doubt++) {
		struct text text = {0};
		if (path_in_doubt(report, doubt, &text))
			add_note(report, false, arena_text(&report->arena, text_get(&text)));
		text_release(&text);
	}
}

void collect_notes(struct report *report)
{
	const struct layer *layers;
	size_t count, named = 0;
	struct text functions = {0};
	const struct corrected_time *time;

	/* The trust line has room for a few words. */
	for (size_t i = 0; i < report->trust.reason_count; i++) {
		const struct trust_reason *reason = &report->trust.reasons[i];
		add_note(report, true, arena_format(&report->arena, "%s. %s", reason->text, reason->detail));
	}
	count = symbols_layers(report->source, &layers);
	for (size_t i = 0; i < count; i++)
		if (!layers[i].function)
			note_phrase(
				report,
				"$1 is the program's own layer around MPI; its calls are shown at its callers",
				path_name(layers[i].file));
		else if (++named <= LAYERS_NAMED)
			text_add(&functions, "%s%s", named > 1 ? ", " : "", layers[i].function);
	if (named > LAYERS_NAMED)
		text_add(&functions, ", ...");
	if (named)
		note_phrase(report, "MPI calls in $1 are shown at the callers of these functions",
		            text_get(&functions));
	text_release(&functions);
	time = report->analysis->time;
	if (time)
		note_count(
			report, time->before.messages + time->before.collectives,
			"message or collective call arrived before it was sent, according to the clocks; times were corrected",
			"messages or collective calls arrived before they were sent, according to the clocks; times were corrected");
	note_counts(report);
	note_path(report);
	/* the first is a reason */
	for (size_t i = 1; i < report->analysis->note_count; i++)
		add_note(report, false, report->analysis->notes[i]);
}
