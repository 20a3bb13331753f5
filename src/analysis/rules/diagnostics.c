#include "analysis/rules/diagnostics.h"
#include "analysis/rules/tell.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A longer line is shown around the place only. */
enum { LINE_SHOWN = 160, SHOWN_BEFORE = 80 };

/* What a file says goes to a terminal, which is not to obey it. */
static const char *without_controls(struct diagnostics *told, const char *text, size_t size)
{
	char *copy = arena_bytes_as_text(&told->arena, text, size);

	utf8_strip_controls(copy, size, "\t");
	return copy;
}

static void keep_line(struct diagnostics *told, struct diagnostic *diagnostic, struct place place)
{
	size_t length, first = 0, width;
	const char *line = source_line(place.source, diagnostic->origin.line, &length);
	size_t begin = place.begin - (size_t)(line - place.source->text);
	size_t end = begin + (place.end > place.begin ? place.end - place.begin : 1);

	begin = begin < length ? begin : length;
	end = end < length ? end : length;
	if (length > LINE_SHOWN) {
		first = begin > SHOWN_BEFORE ? begin - SHOWN_BEFORE : 0;
		while (first < begin && utf8_continues(line[first]))
			first++;
		length = length - first < LINE_SHOWN ? length : first + LINE_SHOWN;
		while (length > begin && utf8_continues(line[length]))
			length--;
		end = end < length ? end : length;
	}
	width = utf8_count(line + begin, end > begin ? end - begin : 0);
	diagnostic->line = without_controls(told, line + first, length - first);
	diagnostic->indent = (uint32_t)(begin - first);
	diagnostic->width = width ? (uint32_t)width : 1;
}

static void grow(struct diagnostics *told)
{
	struct diagnostic *list;

	if (told->count < told->capacity)
		return;
	told->capacity = told->capacity ? 2 * told->capacity : 16;
	list = arena_array(&told->arena, struct diagnostic, told->capacity);
	if (told->count)
		memcpy(list, told->list, told->count * sizeof *list);
	told->list = list;
}

static bool may_tell(struct diagnostics *told, enum severity severity)
{
	if (severity == SEVERITY_ERROR)
		told->is_muted = told->error_count++ >= DIAGNOSTICS_MAX_ERRORS;
	return !told->is_muted;
}

static void tell(struct diagnostics *told, enum severity severity, struct place place, const char *sentence)
{
	struct diagnostic *diagnostic;

	if (!may_tell(told, severity))
		return;
	grow(told);
	diagnostic = &told->list[told->count++];
	*diagnostic = (struct diagnostic){.severity = severity};
	diagnostic->sentence = without_controls(told, sentence, strlen(sentence));
	if (!place.source)
		return;
	diagnostic->origin = origin_of(place);
	diagnostic->origin.file = arena_text(&told->arena, place.source->path);
	keep_line(told, diagnostic, place);
	if (severity == SEVERITY_ERROR && place.source->variant.source)
		tell(told, SEVERITY_NOTE, place.source->variant, "in the variant with these values");
}

void tell_hidden(struct diagnostics *told)
{
	if (!told_enough(told))
		return;
	told->is_muted = false;
	tell(told, SEVERITY_NOTE, (struct place){0}, "there are more errors, which are not shown");
}

/* Longer ones are cut: names in them come from the user's file. */
enum { SENTENCE_MAX = 1000 };

static void tell_formatted(struct diagnostics *told, enum severity severity, struct place place,
                           const char *format, va_list args)
{
	char sentence[SENTENCE_MAX];

	vsnprintf(sentence, sizeof sentence, format, args);
	tell(told, severity, place, sentence);
}

void tell_error(struct diagnostics *told, struct place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell_formatted(told, SEVERITY_ERROR, place, format, args);
	va_end(args);
}

void tell_note(struct diagnostics *told, struct place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell_formatted(told, SEVERITY_NOTE, place, format, args);
	va_end(args);
}

void diagnostic_describe_place(const struct diagnostic *diagnostic, struct text *out)
{
	const struct origin *origin = &diagnostic->origin;

	if (origin->file)
		text_add(out, "%s:%u:%u: ", origin->file, origin->line, origin->column);
	text_add(out, "%s: ", diagnostic->severity == SEVERITY_ERROR ? "error" : "note");
}

/* Tabs stay tabs, so that the caret is where the eye sees the place. */
static void add_indent(const struct diagnostic *diagnostic, struct text *out)
{
	for (uint32_t i = 0; i < diagnostic->indent; i++)
		if (!utf8_continues(diagnostic->line[i]))
			text_add(out, "%c", diagnostic->line[i] == '\t' ? '\t' : ' ');
}

void diagnostic_describe_source(const struct diagnostic *diagnostic, struct text *out)
{
	if (!diagnostic->line)
		return;
	text_add(out, "  %s\n  ", diagnostic->line);
	add_indent(diagnostic, out);
	text_add(out, "^");
	text_add_repeated(out, '~', diagnostic->width - 1);
	text_add(out, "\n");
}

void diagnostic_describe(const struct diagnostic *diagnostic, struct text *out)
{
	diagnostic_describe_place(diagnostic, out);
	text_add(out, "%s\n", diagnostic->sentence);
	diagnostic_describe_source(diagnostic, out);
}

void diagnostics_release(struct diagnostics *diagnostics)
{
	arena_release(&diagnostics->arena);
	*diagnostics = (struct diagnostics){0};
}
