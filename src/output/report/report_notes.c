/* What a reader of the findings should know about them: what the trace lacks, and what was corrected. */
#include "base/paths.h"
#include "output/report/parts.h"
#include "output/report/report_path.h"

#include <inttypes.h>
#include <string.h>

static void add_note(struct report *report, bool is_trust, const char *text)
{
	arena_add(&report->arena, report->notes, report->note_count, (struct report_note){text, is_trust});
}

/* A sentence of a count and what it counts; none if the count is 0. */
static void note_count(struct report *report, uint64_t count, enum noun noun)
{
	struct text text = {0};

	if (count) {
		add_counted(&text, report_language(report), count, noun);
		add_note(report, false, arena_text(&report->arena, text_get(&text)));
	}
	text_release(&text);
}

/* The trust line has room for a few words. */
static void note_trust(struct report *report)
{
	for (size_t i = 0; i < report->trust.reason_count; i++) {
		const struct trust_reason *reason = &report->trust.reasons[i];
		add_note(report, true, arena_format(&report->arena, "%s. %s", reason->text, reason->detail));
	}
}

static void note_order(struct report *report)
{
	const struct corrected_time *time = report->analysis->time;

	if (!time)
		return;
	note_count(report, time->before.messages + time->before.collectives, NOTED_ORDER);
}

static void note_counts(struct report *report)
{
	const struct replay_counts *counts = &report->analysis->counts;
	const struct {
		uint64_t count;
		enum noun noun;
	} kinds[] = {
		{counts->unmatched_sends, NOTED_SENDS},
		{counts->unmatched_receives, NOTED_RECEIVES},
		{counts->incomplete_collectives, NOTED_INCOMPLETE},
		{counts->mixed_collectives, NOTED_MIXED},
		{counts->forced, NOTED_FORCED},
		{counts->passed_over, NOTED_SKIPPED},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		note_count(report, kinds[i].count, kinds[i].noun);
}

static void note_layers(struct report *report)
{
	const char *const *files;
	size_t count = symbols_layers(report->source, &files);

	for (size_t i = 0; i < count; i++) {
		struct text text = {0};
		add_filled_phrase(&text, report_language(report), PHRASE_LAYER,
		                  (const char *[]){path_name(files[i])});
		add_note(report, false, arena_text(&report->arena, text_get(&text)));
		text_release(&text);
	}
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
	note_trust(report);
	note_layers(report);
	note_order(report);
	note_counts(report);
	note_path(report);
	/* the first is a reason */
	for (size_t i = 1; i < report->analysis->note_count; i++)
		add_note(report, false, report->analysis->notes[i]);
}
