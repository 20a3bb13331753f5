/* The phrases of the report, in the language of the reader and for the paradigm of the program. The key is
 * the English phrase for MPI programs; for UPC programs, ranks become threads, and so on (phrases.c). Texts
 * of rules are in rule files (rules/rulebook.h).
 *
 *	struct language language = {.lang = "ru", .paradigm = PARADIGM_UPC};
 *	language_phrase(language, "in MPI")                          "в UPC"
 *	add_counted(&text, language, 5, "process", "processes");     5 потоков */
#ifndef TARRY_OUTPUT_REPORT_PHRASES_H
#define TARRY_OUTPUT_REPORT_PHRASES_H

#include "analysis/model/processes.h"
#include "base/units.h"
#include "language/language.h"

struct language {
	const char *lang; /* NULL: English */
	enum paradigm paradigm;
};

const char *language_phrase(struct language language, const char *words);
/* The phrase with values for "$1", "$2" and so on. */
void add_filled_phrase(struct text *out, struct language language, const char *words,
                       const char *const *values);
void add_counted(struct text *out, struct language language, uint64_t number, const char *one,
                 const char *many);
/* The noun alone. */
const char *noun_form(struct language language, uint64_t number, const char *one, const char *many);

#endif
