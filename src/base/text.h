/* Text: a builder that grows, sizes as people write them, and suggestions for misspelled words.
 *
 *	struct text text = {0};
 *	text_add(&text, "%d ranks", 4);
 *	puts(text_get(&text));
 *	text_release(&text); */
#ifndef TARRY_BASE_TEXT_H
#define TARRY_BASE_TEXT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *bytes; /* ends with a zero byte; NULL while empty */
	size_t length;
	size_t capacity;
};

void text_add(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_add_bytes(struct text *text, const char *bytes, size_t size);
/* A CSV value (RFC 4180): quoted where it contains a separator. */
void text_add_csv(struct text *text, const char *value);
void text_add_repeated(struct text *text, char letter, size_t times);
/* A character for each value, on a scale from 0 to the largest value, from light to dark: "_.:-=+*#". */
void text_add_levels(struct text *text, const double *values, size_t count);
/* Words broken into lines of at most `width` columns; the first begins at the current column,
 * which must be `indent`; the others are indented to it. Ends with a newline. */
void text_add_wrapped(struct text *text, const char *words, size_t indent, size_t width);
/* The columns of the text on a terminal, if none of its characters is wide. */
size_t text_width(const char *text);
void text_clear(struct text *text);
void text_release(struct text *text);
/* A text that is released at the end of its block: scoped_text words = {0}, name = {0}; */
#define scoped_text __attribute__((cleanup(text_release))) struct text
/* Never NULL; valid until the next change. */
const char *text_get(const struct text *text);
/* The caller frees the result; the builder is empty again. */
char *text_take(struct text *text);

bool text_begins(const char *text, const char *prefix);
bool text_ends(const char *text, const char *suffix);

/* "4096", "64K", "16M", "16MiB", "1G": powers of 1024. */
enum status parse_size(const char *text, uint64_t *bytes) MUST_CHECK;
enum status parse_integer(const char *text, int64_t *number) MUST_CHECK;
/* "0.25", "1e-3", "25%" (equal to the first). */
enum status parse_real(const char *text, double *number) MUST_CHECK;
/* "16 MiB", "1.4 MiB", "310 bytes"; adds it. */
void text_add_size(struct text *text, uint64_t bytes);
/* "1 234 567". */
void text_add_count(struct text *text, uint64_t number);
/* "3 calls", "1 call". */
void text_add_counted(struct text *text, uint64_t number, const char *one, const char *many);
/* "1.50 ms". */
void text_add_seconds(struct text *text, double seconds);

/* The same as arguments of a format, valid until the end of the block:
 *
 *	text_add(out, "%s in %s", AS_COUNTED(calls, "call", "calls"), AS_SECONDS(time_s)); */
enum { WORDS_ROOM = 80 };
#define AS_SIZE(bytes) words_of_size((char[WORDS_ROOM]){0}, bytes)
#define AS_SECONDS(seconds) words_of_seconds((char[WORDS_ROOM]){0}, seconds)
#define AS_COUNTED(number, one, many) words_of_count((char[WORDS_ROOM]){0}, number, one, many)
const char *words_of_size(char words[WORDS_ROOM], uint64_t bytes);
const char *words_of_seconds(char words[WORDS_ROOM], double seconds);
const char *words_of_count(char words[WORDS_ROOM], uint64_t number, const char *one, const char *many);

/* Replaces control characters by question marks and tabs by spaces; newlines stay. Texts from a trace may
 * contain anything, and a terminal would obey. */
void text_strip_controls(struct text *text);

/* The number of letters to add, drop, replace or swap to turn one word into the other. Words
 * above 64 letters are cut. */
size_t edit_distance(const char *a, const char *b);

/* Offer all valid words, then ask for the nearest:
 *
 *	struct nearest nearest = {.word = "ouput"};
 *	nearest_offer(&nearest, "output");
 *	if (nearest_found(&nearest)) … */
struct nearest {
	const char *word;
	const char *found;
	size_t distance;
};

void nearest_offer(struct nearest *nearest, const char *candidate);
/* NULL: none is near enough. */
const char *nearest_found(const struct nearest *nearest);

#endif
