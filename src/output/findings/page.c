#include "output/findings/page.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES_SHOWN = 3 };

const char *page_word(const struct findings_page *page, const char *english)
{
	return translate(page->findings->lang, english);
}

const char *page_look(const char *code)
{
	return code ? code : "";
}

void page_paragraph(const struct findings_page *page, size_t indent, struct text *words)
{
	if (words->length)
		utf8_strip_controls(words->bytes, words->length, "");
	text_add_repeated(page->out, ' ', indent);
	text_add_wrapped(page->out, text_get(words), indent, page->style->width);
	text_release(words);
}

/* Next to a drawing: the words are wrapped first, then each line gets its margin. */

static void add_margined_line(const struct findings_page *page, const struct page_margin *margin,
                              bool is_first, const char *line, size_t length)
{
	const struct findings_style *style = page->style;
	size_t strong = is_first ? margin->strong : 0;

	strong = strong < length ? strong : length;
	text_add(page->out, "%s%s%s", page_look(margin->look), is_first ? margin->first : margin->next,
	         margin->look ? page_look(style->none) : "");
	if (strong)
		text_add(page->out, "%s%.*s%s", page_look(style->strong), (int)strong, line,
		         page_look(style->none));
	text_add(page->out, "%.*s\n", (int)(length - strong), line + strong);
}

void page_beside(const struct findings_page *page, const struct page_margin *margin, struct text *words)
{
	size_t taken = text_width(margin->first), width = page->style->width;
	scoped_text lines = {0};
	bool is_first = true;

	if (words->length)
		utf8_strip_controls(words->bytes, words->length, "");
	text_add_wrapped(&lines, text_get(words), 0, width > taken ? width - taken : 1);
	for (const char *line = text_get(&lines); *line; is_first = false) {
		size_t length = strcspn(line, "\n");
		add_margined_line(page, margin, is_first, line, length);
		line += length + (line[length] == '\n');
	}
	text_release(words);
}

/* The source */

void page_source(const struct findings_page *page, const struct stack_frame *frame)
{
	struct source_excerpts *excerpts = page->findings->excerpts;
	const struct source_excerpt *excerpt = stack_frame_excerpt(page->findings, frame);
	const char *line = excerpt ? source_excerpt_line(excerpts, excerpt) : "";
	char number[16];
	size_t room;
	bool fits;

	if (!*line)
		return;
	room = page->style->width - 4 - (size_t)snprintf(number, sizeof number, "%d | ", frame->line);
	fits = text_width(line) <= room;
	room = fits ? SIZE_MAX : room > 3 ? room - 3 : 0;
	text_add(page->out, "    %s%s%.*s%s%s\n", page_look(page->style->faint), number,
	         (int)utf8_bytes(line, room), line, fits ? "" : "...", page_look(page->style->none));
}

void page_callers(const struct findings_page *page, const struct stack_frames *stack)
{
	size_t shown = stack->count;
	struct text words = {0};

	if (!page->style->stacks && shown > FRAMES_SHOWN + 1)
		shown = FRAMES_SHOWN + 1;
	for (size_t i = 1; i < shown; i++) {
		scoped_text frame = {0};
		stack_frame_describe(&stack->items[i], &frame);
		if (page->style->stacks) {
			struct text line = {0};
			text_add(&line, "%s%s", page_word(page, "called from "), text_get(&frame));
			page_paragraph(page, 4, &line);
		} else {
			text_add(&words, "%s%s", i == 1 ? page_word(page, "called from ") : ", ",
			         text_get(&frame));
		}
	}
	if (shown < stack->count)
		text_add(&words, ", ...");
	if (words.length)
		page_paragraph(page, 4, &words);
}
