/* Findings for people: a line that says how far they can be relied on, then a block for each. */
#include "output/findings/findings.h"

#include "base/paths.h"
#include "base/utf8.h"
#include "calls/calls.h"
#include "output/findings/wording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RUNS_SHOWN = 8, FRAMES_SHOWN = 3, SOURCE_BYTES_MAX = 64 << 20 };

struct findings_sheet {
	const struct findings *findings;
	const struct findings_style *style;
	struct text *out;
};

static const char *word(const struct findings_sheet *sheet, enum findings_word number)
{
	return findings_word(number, sheet->findings->language);
}

static const char *look(const char *code)
{
	return code ? code : "";
}

/* Texts of logs may hold anything, and a terminal would obey. */
static void add_paragraph(const struct findings_sheet *sheet, size_t indent, struct text *words)
{
	if (words->length)
		utf8_strip_controls(words->bytes, words->length, "");
	text_add_repeated(sheet->out, ' ', indent);
	text_add_wrapped(sheet->out, text_get(words), indent, sheet->style->width);
	text_release(words);
}

static void add_clipped(const struct findings_sheet *sheet, const char *line, size_t room)
{
	size_t length = strlen(line), kept = 0;

	if (text_width(line) > room) {
		room = room > 3 ? room - 3 : 0;
		for (size_t columns = 0; kept < length && columns < room; columns++)
			for (kept++; utf8_continues(line[kept]); kept++)
				;
		text_add(sheet->out, "%.*s...", (int)kept, line);
	} else {
		text_add(sheet->out, "%s", line);
	}
}

/* Ranks: "rank 3", "ranks 0-2, 7". */

static void add_run(const struct findings_sheet *sheet, const struct world_rank *from,
                    const struct world_rank *to, struct text *words)
{
	if (from->rank == UINT32_MAX)
		text_add(words, "%s", word(sheet, WORD_BEFORE_INIT));
	else if (from->rank == to->rank)
		text_add(words, "%" PRIu32, from->rank);
	else
		text_add(words, from->rank + 1 == to->rank ? "%" PRIu32 ", %" PRIu32 : "%" PRIu32 "-%" PRIu32,
		         from->rank, to->rank);
	if (sheet->findings->world_count > 1 && from->rank != UINT32_MAX)
		text_add(words, "%s%" PRIu32, word(sheet, WORD_OF_WORLD), from->world + 1);
}

static void add_ranks(const struct findings_sheet *sheet, const struct finding_ranks *list,
                      struct text *words)
{
	size_t runs = 0, i = 0;

	if (list->count && list->items[0].rank != UINT32_MAX)
		text_add(words, "%s", word(sheet, list->count == 1 ? WORD_RANK : WORD_RANKS));
	for (; i < list->count && runs < RUNS_SHOWN; runs++) {
		size_t end = i + 1;
		while (end < list->count && list->items[end].world == list->items[i].world &&
		       list->items[end].rank == list->items[end - 1].rank + 1)
			end++;
		text_add(words, "%s", runs ? ", " : "");
		add_run(sheet, &list->items[i], &list->items[end - 1], words);
		i = end;
	}
	if (i < list->count)
		text_add(words, ", %zu%s", list->count - i, word(sheet, WORD_MORE));
}

/* The source */

/* A line of a file without what stands around it; NULL: it cannot be read. The caller frees it. */
static char *source_line(const char *path, int wanted)
{
	struct stat about;
	FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size < SOURCE_BYTES_MAX
	                     ? fopen(path, "re")
	                     : NULL;
	char *line = NULL, *begin;
	ssize_t length = -1;
	size_t room = 0;

	for (int number = 0; file && number < wanted; number++)
		if ((length = getline(&line, &room, file)) < 0)
			break;
	if (file)
		fclose(file);
	if (length <= 0) {
		free(line);
		return NULL;
	}
	while (length > 0 && strchr(" \t\r\n", line[length - 1]))
		line[--length] = 0;
	begin = line + strspn(line, " \t");
	memmove(line, begin, strlen(begin) + 1);
	utf8_strip_controls(line, strlen(line), "");
	return line;
}

static void add_source(const struct findings_sheet *sheet, const struct stack_frame *frame)
{
	char *line = frame->file && !frame->is_near ? source_line(frame->file, frame->line) : NULL;
	char number[16];

	if (line && *line) {
		snprintf(number, sizeof number, "%d | ", frame->line);
		text_add(sheet->out, "    %s%s", look(sheet->style->faint), number);
		add_clipped(sheet, line, sheet->style->width - 4 - strlen(number));
		text_add(sheet->out, "%s\n", look(sheet->style->none));
	}
	free(line);
}

/* Calls */

static void add_where(const struct findings_sheet *sheet, const struct shown_call *call)
{
	const char *note = findings_note(call->first->note, sheet->findings->language);
	struct text words = {0};

	text_add(&words, "%s%s%s, ", note, *note ? ": " : "", all_calls[call->first->function].name);
	add_ranks(sheet, &call->ranks, &words);
	if (call->stack.count) {
		text_add(&words, ", %s", call->stack.items[0].is_near ? word(sheet, WORD_NEAR) : "");
		stack_frame_describe(&call->stack.items[0], &words);
	}
	add_paragraph(sheet, 2, &words);
}

/* "count=10, tag=7", so that lines break between arguments. */
static void add_compact(struct text *words, const char *arguments)
{
	for (const char *equals; (equals = strstr(arguments, " = ")); arguments = equals + strlen(" = "))
		text_add(words, "%.*s=", (int)(equals - arguments), arguments);
	text_add(words, "%s", arguments);
}

static void add_arguments(const struct findings_sheet *sheet, const struct shown_call *call)
{
	struct text words = {0};

	if (!*call->first->arguments)
		return;
	text_add(&words, "%s", word(sheet, WORD_WITH));
	add_compact(&words, call->first->arguments);
	if (call->arguments_vary && call->first->rank != UINT32_MAX)
		text_add(&words, " (%s%" PRIu32 ")", word(sheet, WORD_RANK), call->first->rank);
	add_paragraph(sheet, 4, &words);
}

/* The callers in one line, or all frames in a line each. */
static void add_callers(const struct findings_sheet *sheet, const struct shown_call *call)
{
	const struct stack_frames *stack = &call->stack;
	size_t shown = stack->count;
	struct text words = {0};

	if (!sheet->style->stacks && shown > FRAMES_SHOWN + 1)
		shown = FRAMES_SHOWN + 1;
	for (size_t i = 1; i < shown; i++) {
		struct text frame = {0};
		stack_frame_describe(&stack->items[i], &frame);
		if (sheet->style->stacks) {
			struct text line = {0};
			text_add(&line, "%s%s", word(sheet, WORD_CALLED_FROM), text_get(&frame));
			add_paragraph(sheet, 4, &line);
		} else {
			text_add(&words, "%s%s", i == 1 ? word(sheet, WORD_CALLED_FROM) : ", ",
			         text_get(&frame));
		}
		text_release(&frame);
	}
	if (shown < stack->count)
		text_add(&words, ", ...");
	if (words.length)
		add_paragraph(sheet, 4, &words);
}

/* Blocks */

static void add_title(const struct findings_sheet *sheet, size_t number, const struct shown_finding *finding)
{
	bool is_error = finding->info->severity == SEVERITY_ERROR;
	const struct findings_style *style = sheet->style;

	text_add(sheet->out, "%s%s %zu%s: %s%s%s %s[%s]%s\n", look(is_error ? style->error : style->warning),
	         word(sheet, is_error ? WORD_ERROR : WORD_WARNING), number, look(style->none),
	         look(style->strong), finding->name, look(style->none), look(style->faint), finding->info->id,
	         look(style->none));
}

/* Lines behind the first begin where the text begins. */
static void add_labelled(const struct findings_sheet *sheet, enum findings_word label, const char *text)
{
	struct text words = {0};

	text_add(sheet->out, "  %s: ", word(sheet, label));
	text_add(&words, "%s", text);
	if (words.length)
		utf8_strip_controls(words.bytes, words.length, "");
	text_add_wrapped(sheet->out, text_get(&words), text_width(word(sheet, label)) + 4,
	                 sheet->style->width);
	text_release(&words);
}

/* The section stands in the last sentence. */
static void add_why(const struct findings_sheet *sheet, const struct shown_finding *finding)
{
	size_t length = strlen(finding->why) - text_ends(finding->why, ".");
	struct text words = {0};

	text_add(&words, "%.*s (%s%s).", (int)length, finding->why, word(sheet, WORD_STANDARD),
	         finding->info->standard);
	add_labelled(sheet, WORD_WHY, text_get(&words));
	text_release(&words);
}

static void add_times(const struct findings_sheet *sheet, const struct shown_finding *finding)
{
	struct text words = {0};

	if (finding->times < 2)
		return;
	text_add(&words, "%s", word(sheet, WORD_SEEN));
	text_add_count(&words, finding->times);
	text_add(&words, "%s", word(sheet, WORD_TIMES_ON));
	add_ranks(sheet, &finding->ranks, &words);
	add_paragraph(sheet, 2, &words);
}

static void add_block(const struct findings_sheet *sheet, size_t number)
{
	const struct shown_finding *finding = &sheet->findings->items[number];

	text_add(sheet->out, "\n");
	add_title(sheet, number + 1, finding);
	for (size_t i = 0; i < finding->call_count; i++) {
		const struct shown_call *call = &finding->calls[i];
		add_where(sheet, call);
		if (call->stack.count)
			add_source(sheet, &call->stack.items[0]);
		add_arguments(sheet, call);
		add_callers(sheet, call);
	}
	add_why(sheet, finding);
	add_labelled(sheet, WORD_FIX, finding->fix);
	add_times(sheet, finding);
}

/* What stands around the blocks */

static void add_trust(const struct findings_sheet *sheet)
{
	const struct check_trust *trust = &sheet->findings->trust;
	bool has_logs = sheet->findings->run->logs.count;
	struct text words = {0};

	if (trust->is_complete) {
		text_add(&words, "%s", word(sheet, WORD_COMPLETE));
		add_findings_counted(&words, trust->processes, FINDINGS_PROCESS, sheet->findings->language);
		text_add(&words, ".");
		add_paragraph(sheet, 0, &words);
	}
	for (size_t i = 0; i < trust->reason_count; i++) {
		text_add(&words, "%s%s", word(sheet, has_logs ? WORD_INCOMPLETE : WORD_NOT_CHECKED),
		         trust->reasons[i]);
		add_paragraph(sheet, 0, &words);
	}
}

static void add_count(const struct findings_sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	struct text words = {0};

	if (findings->errors || findings->warnings)
		text_add(&words, "%s", word(sheet, WORD_FOUND));
	else
		text_add(&words, "%s",
		         word(sheet, findings->trust.is_complete ? WORD_NOTHING : WORD_NOTHING_SO_FAR));
	if (findings->errors)
		add_findings_counted(&words, findings->errors, FINDINGS_ERROR, findings->language);
	if (findings->errors && findings->warnings)
		text_add(&words, "%s", word(sheet, WORD_AND));
	if (findings->warnings)
		add_findings_counted(&words, findings->warnings, FINDINGS_WARNING, findings->language);
	if (findings->errors || findings->warnings)
		text_add(&words, ".");
	add_paragraph(sheet, 0, &words);
}

static void add_suppressed(const struct findings_sheet *sheet)
{
	const struct suppressions *lines = sheet->findings->wish.suppressions;
	struct text words = {0};

	if (sheet->findings->suppressed) {
		text_add(&words, "%s%zu", word(sheet, WORD_HIDDEN), sheet->findings->suppressed);
		add_paragraph(sheet, 0, &words);
	}
	for (size_t i = 0; lines && i < lines->list.count; i++) {
		const struct suppression *line = &lines->list.items[i];
		if (line->used)
			continue;
		text_add(&words, "%s%s:%u: %s%s%s", word(sheet, WORD_UNUSED), line->file, line->line,
		         line->check, line->place ? " " : "", line->place ? line->place : "");
		add_paragraph(sheet, 0, &words);
	}
}

static void add_notes(const struct findings_sheet *sheet)
{
	const struct check_run *run = sheet->findings->run;

	for (size_t i = 0; i < run->notes.count; i++) {
		struct text words = {0};
		text_add(&words, "%s%s", word(sheet, WORD_NOTE), run->notes.items[i]);
		add_paragraph(sheet, 0, &words);
	}
}

static void add_suppression_lines(const struct findings_sheet *sheet)
{
	text_add(sheet->out, "\n%s\n", word(sheet, WORD_SUPPRESSIONS));
	for (size_t i = 0; i < sheet->findings->count; i++) {
		const struct shown_finding *finding = &sheet->findings->items[i];
		const struct stack_frames *stack = finding->call_count ? &finding->calls[0].stack : NULL;
		const struct stack_frame *frame = stack && stack->count ? &stack->items[0] : NULL;

		text_add(sheet->out, "%s", finding->info->id);
		if (frame && frame->file)
			text_add(sheet->out, " %s:%d", path_name(frame->file), frame->line);
		else if (frame && frame->function)
			text_add(sheet->out, " %s", frame->function);
		text_add(sheet->out, "   # %s\n", finding->name);
	}
}

void findings_text(const struct findings *findings, const struct findings_style *style, struct text *out)
{
	struct findings_sheet sheet = {findings, style, out};

	add_trust(&sheet);
	add_count(&sheet);
	add_suppressed(&sheet);
	add_notes(&sheet);
	for (size_t i = 0; i < findings->count; i++)
		add_block(&sheet, i);
	if (style->suppressions && findings->count)
		add_suppression_lines(&sheet);
}
