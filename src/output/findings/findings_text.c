/* Findings for people: a line about their reliability, then a block for each. */
#include "base/map.h"
#include "base/notes.h"
#include "base/paths.h"
#include "base/text.h"
#include "base/utf8.h"
#include "calls/calls.h"
#include "output/findings/page.h"
#include "output/findings/wait_picture.h"
#include "output/findings/words.h"

#include <inttypes.h>
#include <string.h>

enum { PLACES_SHOWN = 3 };

/* Calls */

static void add_where(const struct findings_page *page, const struct shown_call *call)
{
	const char *note = findings_note(call->first->note, page->findings->lang);
	struct text words = {0};

	text_add(&words, "%s%s%s%s", note, *note ? ": " : "", findings_function(call->first),
	         *findings_function(call->first) ? ", " : "");
	rank_list_describe(page->findings, &call->ranks, &words);
	if (call->stack.count) {
		text_add(&words, ", %s", call->stack.items[0].is_near ? page_word(page, "near ") : "");
		stack_frame_describe(&call->stack.items[0], &words);
	}
	page_paragraph(page, 2, &words);
}

static void add_arguments(const struct findings_page *page, const struct shown_call *call)
{
	struct text words = {0};

	if (!*call->first->arguments)
		return;
	text_add(&words, "%s", page_word(page, "with "));
	call_arguments_describe(call->first, &words);
	if (call->arguments_vary && call->first->rank != UINT32_MAX)
		text_add(&words, " (%s%" PRIu32 ")", page_word(page, "rank "), call->first->rank);
	page_paragraph(page, 4, &words);
}

/* Blocks */

/* The id goes to the next line if it does not fit. */
static void add_title(const struct findings_page *page, size_t number, const struct shown_finding *finding)
{
	const struct findings_style *style = page->style;
	const struct {
		const char *word;
		const char *look;
	} kinds[CHECK_SEVERITIES] = {[SEVERITY_ERROR] = {"error", style->error},
	                             [SEVERITY_WARNING] = {"warning", style->warning},
	                             [SEVERITY_NOTE] = {"note", style->strong}};
	const char *severity = page_word(page, kinds[finding->info->severity].word), *id = finding->info->id;
	scoped_text head = {0};
	bool fits;

	text_add(&head, "%s %zu", severity, number);
	fits = text_width(text_get(&head)) + text_width(finding->name) + strlen(id) + strlen(":  []") <=
	       style->width;
	text_add(page->out, "%s%s%s: %s%s%s%s%s[%s]%s\n", page_look(kinds[finding->info->severity].look),
	         text_get(&head), page_look(style->none), page_look(style->strong), finding->name,
	         page_look(style->none), fits ? " " : "\n  ", page_look(style->faint), id,
	         page_look(style->none));
}

/* Continuation lines are aligned with the text. */
static void add_labelled(const struct findings_page *page, const char *label, const char *text)
{
	scoped_text words = {0};

	text_add(page->out, "  %s: ", page_word(page, label));
	text_add(&words, "%s", text);
	if (words.length)
		utf8_strip_controls(words.bytes, words.length, "");
	text_add_wrapped(page->out, text_get(&words), text_width(page_word(page, label)) + 4,
	                 page->style->width);
}

static void add_times(const struct findings_page *page, const struct shown_finding *finding)
{
	struct text words = {0};

	if (finding->times < 2)
		return;
	text_add(&words, "%s", page_word(page, "seen "));
	text_add_count(&words, finding->times);
	text_add(&words, "%s",
	         page_word(page, rank_list_is_known(&finding->ranks) ? " times, on " : " times, "));
	rank_list_describe(page->findings, &finding->ranks, &words);
	page_paragraph(page, 2, &words);
}

/* Possible problems are short: --stacks shows the rest. */
static bool is_brief(const struct findings_page *page, const struct shown_finding *finding)
{
	const char *group = finding->info->group;

	return finding->info->severity != SEVERITY_ERROR && !page->style->stacks &&
	       (strcmp(group, "race") == 0 || strcmp(group, "deadlock") == 0);
}

static void add_other_paths(const struct findings_page *page, const struct shown_call *call)
{
	struct text words = {0};

	if (!call->other_paths)
		return;
	text_add(&words, "%s", page_word(page, "and "));
	add_count_in(&words, page->findings->lang, call->other_paths, "other call path", "other call paths");
	page_paragraph(page, 4, &words);
}

static const char *place_of_finding(const struct shown_finding *finding, struct arena *arena)
{
	scoped_text words = {0};

	if (finding->call_count && finding->calls[0].stack.count)
		stack_frame_describe(&finding->calls[0].stack.items[0], &words);
	return arena_text(arena, text_get(&words));
}

/* Places of these findings, each once. */
static const char **places_of(const struct shown_finding *findings, size_t count, struct arena *arena,
                              size_t *found)
{
	const char **places = arena_array(arena, const char *, count);
	struct text_map known = {0};

	*found = 0;
	for (size_t i = 0; i < count; i++) {
		const char *place = place_of_finding(&findings[i], arena);

		if (*place && text_map_number(&known, place) == *found)
			places[(*found)++] = place;
	}
	text_map_release(&known);
	return places;
}

/* "also at app.c:31 (halo), app.c:40 (main) and 9 other places: --all shows them". */
static void add_alike(const struct findings_page *page, const struct shown_finding *first, size_t count)
{
	struct arena arena = {0};
	size_t found, end;
	const char **places = places_of(first, count, &arena, &found), *lang = page->findings->lang;
	struct text words = {0};

	end = found > 1 + PLACES_SHOWN ? 1 + PLACES_SHOWN : found;
	for (size_t i = 1; i < end; i++)
		text_add(&words, "%s%s", i > 1 ? ", " : page_word(page, "also at "), places[i]);
	if (found > end) {
		text_add(&words, "%s", page_word(page, "list| and "));
		add_count_in(&words, lang, found - end, "other place", "other places");
	} else if (end < 2) {
		text_add(&words, "%s", page_word(page, "and "));
		add_count_in(&words, lang, count - 1, "other note at this place",
		             "other notes at this place");
	}
	text_add(&words, "%s", page_word(page, ": --all shows them"));
	page_paragraph(page, 2, &words);
	arena_release(&arena);
}

/* Checks of deadlocks also find those of OpenSHMEM. Their sections are of MPI. */
static void add_section(const struct findings_page *page, const struct shown_finding *finding,
                        struct text *words)
{
	const bool is_of_shmem = check_is_of_shmem(finding->info),
		   is_call_of_mpi = !finding->call_count ||
	                            !all_calls[finding->calls[0].first->function].pgas;

	if (is_of_shmem || is_call_of_mpi)
		text_add(words, " (%s%s)",
		         is_of_shmem ? page_word(page, "OpenSHMEM 1.4, section ")
		                     : page_word(page, "MPI 4.0, section "),
		         finding->info->standard);
	text_add(words, ".");
}

static void add_block(const struct findings_page *page, size_t number, const struct shown_finding *finding)
{
	size_t length;
	scoped_text words = {0};

	text_add(page->out, "\n");
	add_title(page, number, finding);
	if (finding->picture)
		page_picture(page, finding);
	else {
		bool in_short = is_brief(page, finding);

		for (size_t i = 0; i < finding->call_count; i++) {
			const struct shown_call *call = &finding->calls[i];
			if (call->is_other_path && !page->style->stacks)
				continue;
			add_where(page, call);
			if (call->stack.count && !(in_short && i))
				page_source(page, &call->stack.items[0]);
			if (in_short)
				continue;
			add_arguments(page, call);
			page_callers(page, &call->stack);
			if (!page->style->stacks)
				add_other_paths(page, call);
		}
	}
	/* The section is in the last sentence. */
	length = strlen(finding->why) - text_ends(finding->why, ".");
	text_add(&words, "%.*s", (int)length, finding->why);
	add_section(page, finding, &words);
	add_labelled(page, "why", text_get(&words));
	add_labelled(page, "fix", finding->fix);
	if (finding->picture)
		page_picture_calls(page, finding);
	add_times(page, finding);
}

static void add_blocks(const struct findings_page *page)
{
	const struct findings *findings = page->findings;
	size_t number = 0;

	for (size_t first = 0, end; first < findings->count; first = end) {
		const struct shown_finding *finding = &findings->items[first];

		for (end = first + 1; end < findings->count && !page->style->all; end++)
			if (!findings_are_alike(finding, &findings->items[end]))
				break;
		add_block(page, ++number, finding);
		if (end - first > 1)
			add_alike(page, finding, end - first);
	}
}

/* Before and after the blocks */

static void add_stopped(const struct findings_page *page)
{
	const struct check_run *run = page->findings->run;
	const char *sentence = "A deadlock ended the run. Checked up to that point: ";
	struct text words = {0};

	for (size_t i = 0; i < run->findings.count; i++)
		if (run->findings.items[i]->check == CHECK_DEADLOCK_HANG)
			sentence = "A hang ended the run. Checked up to that point: ";
	text_add(&words, "%s", page_word(page, sentence));
	add_count_in(&words, page->findings->lang, page->findings->trust.processes, "process", "processes");
	text_add(&words, ".");
	page_paragraph(page, 0, &words);
}

/* Several reasons are a list. */
static void add_reasons(const struct findings_page *page, const char *const *reasons, size_t count)
{
	const bool has_logs = page->findings->run->logs.count;
	struct text words = {0};

	text_add(&words, "%s%s", page_word(page, has_logs ? "Check incomplete: " : "Nothing was checked: "),
	         count == 1 ? reasons[0] : "");
	page_paragraph(page, 0, &words);
	for (size_t i = 0; count > 1 && i < count; i++) {
		text_add(&words, "%s", reasons[i]);
		page_paragraph(page, 2, &words);
	}
}

static void add_trust(const struct findings_page *page)
{
	const struct check_trust *trust = &page->findings->trust;
	size_t first = 0;
	struct text words = {0};

	if (trust->is_complete) {
		text_add(&words, "%s", page_word(page, "Check complete: "));
		add_count_in(&words, page->findings->lang, trust->processes, "process", "processes");
		text_add(&words, ".");
		page_paragraph(page, 0, &words);
	}
	if (page->findings->end == JOB_STOPPED) {
		add_stopped(page);
		first = 1; /* that reason has been given */
	}
	if (first < trust->reason_count)
		add_reasons(page, trust->reasons + first, trust->reason_count - first);
}

/* "1 error, 2 warnings and 1 note" */
static void add_counts(const struct findings *findings, struct text *words)
{
	const struct {
		size_t count;
		const char *one, *many;
	} parts[] = {{findings->errors, "error", "errors"},
	             {findings->warnings, "warning", "warnings"},
	             {findings->notes, "note", "notes"}};
	size_t left = !!findings->errors + !!findings->warnings + !!findings->notes;
	bool is_first = true;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!parts[i].count)
			continue;
		if (!is_first)
			text_add(words, "%s", translate(findings->lang, left == 1 ? "list| and " : ", "));
		add_count_in(words, findings->lang, parts[i].count, parts[i].one, parts[i].many);
		is_first = false;
		left--;
	}
}

static void add_count(const struct findings_page *page)
{
	const struct findings *findings = page->findings;
	struct text words = {0};

	if (!findings->errors && !findings->warnings)
		text_add(&words, "%s%s",
		         page_word(page, findings->trust.is_complete
		                                 ? "No errors found."
		                                 : "No errors found in the checked part."),
		         findings->notes ? " " : "");
	if (findings->count) {
		text_add(&words, "%s",
		         findings->errors || findings->warnings ? page_word(page, "Found ") : "");
		add_counts(findings, &words);
		text_add(&words, ".");
	}
	page_paragraph(page, 0, &words);
}

static void add_suppressed(const struct findings_page *page)
{
	const struct suppressions *lines = page->findings->options.suppressions;
	struct text words = {0};

	if (page->findings->suppressed) {
		text_add(&words, "%s%zu", page_word(page, "Hidden by suppressions: "),
		         page->findings->suppressed);
		page_paragraph(page, 0, &words);
	}
	for (size_t i = 0; lines && i < lines->list.count; i++) {
		const struct suppression *line = &lines->list.items[i];
		if (line->used)
			continue;
		text_add(&words, "%s%s:%u: %s%s%s", page_word(page, "Unused suppression: "), line->file,
		         line->line, line->check, line->place ? " " : "", line->place ? line->place : "");
		page_paragraph(page, 0, &words);
	}
}

static void add_suppression_lines(const struct findings_page *page)
{
	text_add(page->out, "\n%s\n", page_word(page, "Lines for a suppression file:"));
	for (size_t i = 0; i < page->findings->count; i++) {
		const struct shown_finding *finding = &page->findings->items[i];
		const struct stack_frames *stack = finding->call_count ? &finding->calls[0].stack : NULL;
		const struct stack_frame *frame = stack && stack->count ? &stack->items[0] : NULL;

		text_add(page->out, "%s", finding->info->id);
		if (frame) {
			scoped_text words = {0};

			/* A control character becomes a question mark, which matches any
			 * character in such a file. */
			if (frame->file)
				text_add(&words, " %s:%d", path_name(frame->file), frame->line);
			else if (frame->function)
				text_add(&words, " %s", frame->function);
			if (words.length)
				utf8_strip_controls(words.bytes, words.length, "");
			text_add(page->out, "%s", text_get(&words));
		}
		text_add(page->out, "   # %s\n", finding->name);
	}
}

/* The last line. */
static void add_unchecked(const struct findings_page *page)
{
	const struct check_run *run = page->findings->run;
	struct text words = {0};

	for (size_t i = 0; i < run->notes.count; i++)
		if (text_begins(run->notes.items[i], UNCHECKED_NOTE))
			text_add(&words, "%s%s", words.length ? "; " : page_word(page, "Not checked: "),
			         run->notes.items[i] + strlen(UNCHECKED_NOTE));
	if (!words.length)
		return;
	text_add(&words, ".");
	page_paragraph(page, 0, &words);
}

void findings_text(const struct findings *findings, const struct findings_style *style, struct text *out)
{
	struct findings_page page = {findings, style, out};
	const struct check_run *run;

	add_trust(&page);
	add_count(&page);
	add_suppressed(&page);
	run = page.findings->run;
	for (size_t i = 0; i < run->notes.count; i++) {
		struct text words = {0};

		if (text_begins(run->notes.items[i], UNCHECKED_NOTE))
			continue;
		text_add(&words, "%s%s", page_word(&page, "Note: "), run->notes.items[i]);
		page_paragraph(&page, 0, &words);
	}
	add_blocks(&page);
	if (style->suppressions && findings->count)
		add_suppression_lines(&page);
	add_unchecked(&page);
}
