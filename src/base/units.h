/* Units: their names and sizes, and how each language writes numbers with units.
 *
 *	const struct unit *unit = unit_by_name("ms");      of time, 1e6 ns
 *	const struct locale *locale = locale_of("ru");
 *	text_add_seconds_in(&text, locale, 0.0005);     0,50 мс
 *	text_add_size_in(&text, locale, 65536);         64 КиБ
 *	plural_form(locale, 5);                         2: 1 вызов, 2 вызова, 5 вызовов */
#ifndef TARRY_BASE_UNITS_H
#define TARRY_BASE_UNITS_H

#include "base/text.h"

enum unit_kind { UNIT_TIME, UNIT_SIZE, UNIT_SHARE };

/* As users write them: seconds, bytes, percent. */
struct unit {
	const char *name;
	enum unit_kind kind;
	double scale; /* in ns, bytes, wholes */
};

/* NULL: unknown. */
const struct unit *unit_by_name(const char *name);
/* NULL after the last. */
const struct unit *unit_at(size_t number);

struct locale {
	const char *lang; /* two letters */
	char point;       /* the decimal separator */
	const char *s, *ms, *us, *ns;
	const char *byte, *bytes;
	const char *sizes[5]; /* from KiB on */
	const char *per_second;
	size_t plural_forms; /* of a noun after a number */
};

/* English if `lang` is NULL or unknown. */
const struct locale *locale_of(const char *lang);
/* All languages, English first; NULL after the last. */
const struct locale *locale_at(size_t number);

void text_add_seconds_in(struct text *text, const struct locale *locale, double seconds);
void text_add_size_in(struct text *text, const struct locale *locale, uint64_t bytes);
/* With this number of decimal places. */
void text_add_decimal(struct text *text, const struct locale *locale, int places, double value);
/* The form of a noun after a number: 0 call and 1 calls, or 0 вызов, 1 вызова and 2 вызовов. */
size_t plural_form(const struct locale *locale, uint64_t number);

#endif
