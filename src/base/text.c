#include "base/text.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIRST_CAPACITY = 128 };

static void make_room(struct text *text, size_t more)
{
	size_t needed = text->length + more + 1;

	if (needed <= text->capacity)
		return;
	if (!text->capacity)
		text->capacity = FIRST_CAPACITY;
	while (text->capacity < needed)
		text->capacity *= 2;
	text->bytes = memory_grow(text->bytes, text->capacity, 1);
}

void text_add(struct text *text, const char *format, ...)
{
	va_list args, again;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length > 0) {
		make_room(text, (size_t)length);
		vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
		text->length += (size_t)length;
	}
	va_end(again);
}

void text_add_bytes(struct text *text, const char *bytes, size_t size)
{
	make_room(text, size);
	if (size)
		memcpy(text->bytes + text->length, bytes, size);
	text->length += size;
	text->bytes[text->length] = 0;
}

/* Spreadsheets interpret such a cell as a formula and evaluate it. Numbers and single signs are harmless. */
static bool is_formula(const char *value)
{
	return *value && strchr("=+-@\t\r", *value) && value[1] && value[strspn(value, "+-.0123456789eE")];
}

static void add_csv_cell(struct text *text, const char *value)
{
	const char *mark = is_formula(value) ? "'" : "";

	if (!*mark && !value[strcspn(value, ",\"\r\n")]) {
		text_add_bytes(text, value, strlen(value));
		return;
	}
	text_add(text, "\"%s", mark);
	for (; *value; value++)
		text_add_bytes(text, *value == '"' ? "\"\"" : value, *value == '"' ? 2 : 1);
	text_add(text, "\"");
}

void text_add_csv(struct text *text, const char *value)
{
	struct text clean = {0};

	text_add_bytes(&clean, value, strlen(value));
	utf8_strip_controls(clean.bytes, clean.length, "\n\t");
	add_csv_cell(text, text_get(&clean));
	text_release(&clean);
}

void text_add_levels(struct text *text, const double *values, size_t count)
{
	static const char letters[] = "_.:-=+*#";
	const double darkest = sizeof letters - 2;
	double most = 0;

	for (size_t i = 0; i < count; i++)
		most = values[i] > most ? values[i] : most;
	for (size_t i = 0; i < count; i++) {
		double level = most > 0 && values[i] > 0 ? 1 + (values[i] * (darkest - 1) / most) : 0;
		text_add(text, "%c", letters[(size_t)level]);
	}
}

void text_add_repeated(struct text *text, char letter, size_t times)
{
	make_room(text, times);
	memset(text->bytes + text->length, letter, times);
	text->length += times;
	text->bytes[text->length] = 0;
}

static bool is_digit(char letter)
{
	return letter >= '0' && letter <= '9';
}

/* Up to the next space, but not a space inside a number: 1 234 567. */
static size_t word_length(const char *words)
{
	size_t length = strcspn(words, " ");

	while (length && is_digit(words[length - 1]) && words[length] == ' ' && is_digit(words[length + 1]) &&
	       is_digit(words[length + 2]) && is_digit(words[length + 3]) && !is_digit(words[length + 4]))
		length += 1 + strcspn(words + length + 1, " ");
	return length;
}

void text_add_wrapped(struct text *text, const char *words, size_t indent, size_t width)
{
	size_t column = indent;

	while (*words) {
		size_t length = word_length(words);
		if (column > indent && column + 1 + utf8_count(words, length) > width) {
			text_add(text, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			text_add(text, " ");
			column++;
		}
		text_add_bytes(text, words, length);
		column += utf8_count(words, length);
		words += length + strspn(words + length, " ");
	}
	text_add(text, "\n");
}

size_t text_width(const char *text)
{
	return utf8_count(text, strlen(text));
}

void text_clear(struct text *text)
{
	text->length = 0;
	if (text->bytes)
		text->bytes[0] = 0;
}

void text_release(struct text *text)
{
	free(text->bytes);
	*text = (struct text){0};
}

const char *text_get(const struct text *text)
{
	return text->bytes ? text->bytes : "";
}

char *text_take(struct text *text)
{
	char *bytes = text->bytes ? text->bytes : memory_copy_text("");

	*text = (struct text){0};
	return bytes;
}

bool text_begins(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_ends(const char *text, const char *suffix)
{
	size_t length = strlen(text), end = strlen(suffix);

	return length >= end && strcmp(text + length - end, suffix) == 0;
}

void text_strip_controls(struct text *text)
{
	for (size_t i = 0; i < text->length; i++)
		if (text->bytes[i] == '\t')
			text->bytes[i] = ' ';
	utf8_strip_controls(text->bytes, text->length, "\n");
}

/* Numbers in text */

static const char units[] = "KMGTP";

/* The power of 1024 of a suffix; -1: not a suffix. */
static int unit_power(const char *suffix)
{
	const char *unit;

	if (!*suffix || strcasecmp(suffix, "B") == 0)
		return 0;
	unit = strchr(units, toupper((unsigned char)suffix[0]));
	if (!unit || (suffix[1] && strcasecmp(suffix + 1, "B") != 0 && strcasecmp(suffix + 1, "iB") != 0))
		return -1;
	return (int)(unit - units) + 1;
}

enum status parse_size(const char *text, uint64_t *bytes)
{
	char *end;
	unsigned long long number;
	int power;

	errno = 0;
	number = strtoull(text, &end, 10);
	power = unit_power(end);
	if (!isdigit((unsigned char)text[0]) || power < 0)
		return fail("'%s' is not a size; write it like 4096, 64K, 16M or 1G", text);
	if (errno || number > UINT64_MAX >> 10 * power)
		return fail("'%s' does not fit in 64 bits", text);
	*bytes = (uint64_t)number << 10 * power;
	return OK;
}

enum status parse_integer(const char *text, int64_t *number)
{
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (end == text || *end)
		return fail("'%s' is not a whole number", text);
	if (errno)
		return fail("'%s' does not fit in 64 bits", text);
	*number = value;
	return OK;
}

enum status parse_real(const char *text, double *number)
{
	char *end;
	double value = strtod(text, &end);
	bool is_share = *end == '%' && end[1] == 0;

	/* Rejects "inf", "nan" and hexadecimal numbers. */
	if (end == text || (*end && !is_share) || text[strspn(text, "+-.0123456789eE%")])
		return fail("'%s' is not a number; write it like 0.25 or 25%%", text);
	if (!isfinite(value))
		return fail("'%s' is too large a number", text);
	*number = is_share ? value / 100 : value;
	return OK;
}

/* The nearest word */

enum { WORD_MAX = 64 };

static size_t smaller_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* One cell of the table: rows are prefixes of a, columns prefixes of b; `rows` holds the last three. */
static size_t cell(size_t rows[3][WORD_MAX + 1], const char *a, const char *b, size_t i, size_t j)
{
	const size_t *before = rows[(i - 1) % 3];
	size_t best = before[j - 1] + (a[i - 1] != b[j - 1]);

	best = smaller_of(best, before[j] + 1);
	best = smaller_of(best, rows[i % 3][j - 1] + 1);
	if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
		best = smaller_of(best, rows[(i - 2) % 3][j - 2] + 1);
	return best;
}

size_t edit_distance(const char *a, const char *b)
{
	size_t rows[3][WORD_MAX + 1];
	size_t height = strnlen(a, WORD_MAX), width = strnlen(b, WORD_MAX);

	for (size_t j = 0; j <= width; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= height; i++) {
		rows[i % 3][0] = i;
		for (size_t j = 1; j <= width; j++)
			rows[i % 3][j] = cell(rows, a, b, i, j);
	}
	return rows[height % 3][width];
}

static size_t longer(const char *a, const char *b)
{
	size_t first = strlen(a), second = strlen(b);

	return first > second ? first : second;
}

enum { FAR = 3 }; /* letters: more are not a typing error */

/* Up to two of five letters may be wrong. In short words, nearly all of which share letters, almost none. */
static bool is_near(const struct nearest *nearest, const char *candidate, size_t distance)
{
	return distance <= FAR && 5 * distance <= 2 * longer(nearest->word, candidate);
}

/* A prefix of a valid word is nearer than its length says: "--out" means "--output". */
static bool is_beginning(const char *word, const char *candidate)
{
	return strlen(word) >= 2 && 3 * strlen(word) >= strlen(candidate) && text_begins(candidate, word);
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
	size_t most = longer(nearest->word, candidate), distance = 1;

	if (!is_beginning(nearest->word, candidate)) {
		if (most > FAR + strlen(nearest->word) || most > FAR + strlen(candidate))
			return;
		distance = edit_distance(nearest->word, candidate);
	}
	if (!is_near(nearest, candidate, distance) || (nearest->found && nearest->distance <= distance))
		return;
	nearest->found = candidate;
	nearest->distance = distance;
}

const char *nearest_found(const struct nearest *nearest)
{
	return nearest->found;
}
