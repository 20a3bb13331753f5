/* Texts in the language of the reader. The English text is the key; ru.po has the Russian ones.
 *
 *	translate("ru", "likely")                                  "вероятно"
 *	add_count_in(&text, "ru", 5, "call", "calls");              5 вызовов
 *	add_filled(&text, translate(lang, "$1 of $2 ended"), (const char *[]){"1 process", "4"});
 *
 * A prefix before a bar is a context: it distinguishes texts that are equal only in English ("of|process"),
 * and is not part of the text. For a language without translations, English is used. */
#ifndef TARRY_LANGUAGE_LANGUAGE_H
#define TARRY_LANGUAGE_LANGUAGE_H

#include "base/arena.h"
#include "base/text.h"

#include <stdint.h>

const char *translate(const char *lang, const char *english);
/* A value of a finding: translated if it is one of the words of ru.po, otherwise
 * unchanged, including bars. */
const char *translate_value(const char *lang, const char *value);
/* A translation that rules bring themselves: they are written outside of the program, and their authors cannot change ru.po. */
struct translation {
	const char *lang; /* two letters: "ru" */
	const char *text;
	const struct translation *next;
};

/* One of the text's own translations; if there is none, as translate_value(). NULL stays NULL. */
const char *translate_own(const char *lang, const char *english, const struct translation *own);
/* The form of a noun that goes with a number. */
const char *translate_noun(const char *lang, uint64_t number, const char *one, const char *many);
/* The number and the noun. */
void add_count_in(struct text *out, const char *lang, uint64_t number, const char *one, const char *many);
/* A text with values for "$1", "$2" and so on. */
void add_filled(struct text *out, const char *text, const char *const *values);
const char *filled_in(struct arena *arena, const char *lang, const char *english, const char *const *values);

#endif
