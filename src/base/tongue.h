/* Numbers with units, as they are written in a language.
 *
 *	const struct tongue *tongue = tongue_of("ru");
 *	text_add_seconds_in(&text, tongue, 0.0005);     0,50 мс
 *	text_add_size_in(&text, tongue, 65536);         64 КиБ */
#ifndef TARRY_BASE_TONGUE_H
#define TARRY_BASE_TONGUE_H

#include "base/text.h"

struct tongue {
	const char *lang; /* two letters */
	char point;       /* between whole numbers and parts of one */
	const char *s, *ms, *us, *ns;
	const char *byte, *bytes;
	const char *sizes[5]; /* from KiB on */
	const char *per_second;
};

/* English if `lang` is NULL or there are no words for it. */
const struct tongue *tongue_of(const char *lang);
/* Those that there are, English first; NULL behind the last. */
const struct tongue *tongue_at(size_t number);

void text_add_seconds_in(struct text *text, const struct tongue *tongue, double seconds);
void text_add_size_in(struct text *text, const struct tongue *tongue, uint64_t bytes);
/* With so many places behind the point. */
void text_add_decimal(struct text *text, const struct tongue *tongue, int places, double value);

#endif
