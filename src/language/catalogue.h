/* The table of translations, made from ru.po and mpi.checks by translations.py; sorted by English text. */
#ifndef TARRY_LANGUAGE_CATALOGUE_H
#define TARRY_LANGUAGE_CATALOGUE_H

#include <stddef.h>

struct catalogue_entry {
	const char *english; /* "of|process": after its context and a bar, if it has one */
	const char *forms
		[3]; /* after 1, after 2 to 4, after other numbers; only the first for a text that is not counted */
};

extern const struct catalogue_entry russian[];
extern const size_t russian_count;

#endif
