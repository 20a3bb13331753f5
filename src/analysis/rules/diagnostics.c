#include "analysis/rules/diagnostics.h"
#include "analysis/rules/source.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Of a longer line, only the part around the place is shown. */
enum { LINE_SHOWN = 160, SHOWN_BEFORE = 80 };

/* Text from a file must not control the terminal. */
static const char *without_controls(struct diagnostics *errors, const char *text, size_t size)
{
	char *copy = arena_bytes_as_text(&errors->arena, text, size);

	utf8_strip_controls(copy, size, "\t");
	return copy;
}

static void keep_line(struct diagnostics *errors, struct diagnostic *diagnostic, struct source_range place)
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
	diagnostic->line = without_controls(errors, line + first, length - first);
	diagnostic->indent = (uint32_t)(begin - first);
	diagnostic->width = width ? (uint32_t)width : 1;
}

static void add_diagnostic(struct diagnostics *errors, enum severity severity, struct source_range place,
                           const char *sentence)
{
	struct diagnostic *diagnostic;

	if (severity == SEVERITY_ERROR)
		errors->is_muted = errors->error_count++ >= DIAGNOSTICS_MAX_ERRORS;
	if (errors->is_muted)
		return;
	arena_add(&errors->arena, errors->list, errors->count, (struct diagnostic){.severity = severity});
	diagnostic = &errors->list[errors->count - 1];
	diagnostic->sentence = without_controls(errors, sentence, strlen(sentence));
	if (!place.source)
		return;
	diagnostic->origin = origin_of(place);
	diagnostic->origin.file = arena_text(&errors->arena, place.source->path);
	keep_line(errors, diagnostic, place);
	if (severity == SEVERITY_ERROR && place.source->variant.source)
		add_diagnostic(errors, SEVERITY_NOTE, place.source->variant,
		               "in the variant with these values");
}

void note_hidden_errors(struct diagnostics *errors)
{
	if (!has_enough_errors(errors))
		return;
	errors->is_muted = false;
	add_diagnostic(errors, SEVERITY_NOTE, (struct source_range){0}, "further errors are not shown");
}

/* Longer ones are cut: names in them come from the user's file. */
enum { SENTENCE_MAX = 1000 };

static void add_formatted(struct diagnostics *errors, enum severity severity, struct source_range place,
                          const char *format, va_list args)
{
	char sentence[SENTENCE_MAX];

	vsnprintf(sentence, sizeof sentence, format, args);
	add_diagnostic(errors, severity, place, sentence);
}

void *add_error(struct diagnostics *errors, struct source_range place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_formatted(errors, SEVERITY_ERROR, place, format, args);
	va_end(args);
	return NULL;
}

void add_error_note(struct diagnostics *errors, struct source_range place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_formatted(errors, SEVERITY_NOTE, place, format, args);
	va_end(args);
}

void diagnostic_describe_place(const struct diagnostic *diagnostic, struct text *out)
{
	const struct origin *origin = &diagnostic->origin;

	if (origin->file)
		text_add(out, "%s:%u:%u: ", origin->file, origin->line, origin->column);
	text_add(out, "%s: ", diagnostic->severity == SEVERITY_ERROR ? "error" : "note");
}

void diagnostic_describe_source(const struct diagnostic *diagnostic, struct text *out)
{
	if (!diagnostic->line)
		return;
	text_add(out, "  %s\n  ", diagnostic->line);
	/* Tabs stay tabs, so that the caret is at the right position. */
	for (uint32_t i = 0; i < diagnostic->indent; i++)
		if (!utf8_continues(diagnostic->line[i]))
			text_add(out, "%c", diagnostic->line[i] == '\t' ? '\t' : ' ');
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

void diagnostics_release(struct diagnostics *errors)
{
	arena_release(&errors->arena);
	*errors = (struct diagnostics){0};
}
