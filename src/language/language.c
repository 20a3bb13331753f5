#include "language/language.h"

#include "base/units.h"
#include "language/catalogue.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *english, const void *translation)
{
	return strcmp(english, ((const struct catalogue_entry *)translation)->english);
}

/* NULL: English, or no translation. */
static const struct catalogue_entry *find(const char *lang, const char *english)
{
	if (!lang || strcmp(lang, "ru") != 0)
		return NULL;
	return bsearch(english, russian, russian_count, sizeof *russian, compare);
}

static const char *without_context(const char *english)
{
	const char *bar = strchr(english, '|');

	return bar ? bar + 1 : english;
}

const char *translate(const char *lang, const char *english)
{
	const struct catalogue_entry *translation = find(lang, english);

	return translation ? translation->forms[0] : without_context(english);
}

const char *translate_value(const char *lang, const char *value)
{
	const struct catalogue_entry *translation = find(lang, value);

	return translation ? translation->forms[0] : value;
}

const char *translate_own(const char *lang, const char *english, const struct translation *own)
{
	while (own && lang && strcmp(own->lang, lang) != 0)
		own = own->next;
	return own && lang ? own->text : english ? translate_value(lang, english) : NULL;
}

const char *translate_noun(const char *lang, uint64_t number, const char *one, const char *many)
{
	const struct catalogue_entry *translation = find(lang, one);

	if (translation)
		return translation->forms[plural_form(locale_of(lang), number)];
	return without_context(number == 1 ? one : many);
}

void add_count_in(struct text *out, const char *lang, uint64_t number, const char *one, const char *many)
{
	text_add_count(out, number);
	text_add(out, " %s", translate_noun(lang, number, one, many));
}

void add_filled(struct text *out, const char *text, const char *const *values)
{
	const char *mark;

	for (; (mark = strchr(text, '$')); text = mark + 2) {
		text_add_bytes(out, text, (size_t)(mark - text));
		text_add(out, "%s", values[mark[1] - '1']);
	}
	text_add(out, "%s", text);
}

const char *filled_in(struct arena *arena, const char *lang, const char *english, const char *const *values)
{
	struct text text = {0};
	const char *filled;

	add_filled(&text, translate(lang, english), values);
	filled = arena_text(arena, text_get(&text));
	text_release(&text);
	return filled;
}
