#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct unit units[] = {
	{"ns", UNIT_TIME, 1},        {"us", UNIT_TIME, 1e3},      {"µs", UNIT_TIME, 1e3}, /* the micro sign */
	{"μs", UNIT_TIME, 1e3}, /* the Greek letter */
	{"ms", UNIT_TIME, 1e6},      {"s", UNIT_TIME, 1e9},       {"min", UNIT_TIME, 60e9},
	{"h", UNIT_TIME, 3600e9},    {"B", UNIT_SIZE, 1},         {"kB", UNIT_SIZE, 1e3},
	{"KB", UNIT_SIZE, 1e3},      {"MB", UNIT_SIZE, 1e6},      {"GB", UNIT_SIZE, 1e9},
	{"KiB", UNIT_SIZE, 1 << 10}, {"MiB", UNIT_SIZE, 1 << 20}, {"GiB", UNIT_SIZE, 1 << 30},
	{"%", UNIT_SHARE, 0.01},
};

const struct unit *unit_at(size_t number)
{
	return number < sizeof units / sizeof *units ? &units[number] : NULL;
}

const struct unit *unit_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

static const struct locale locales[] = {
	{"en", '.', "s", "ms", "us", "ns", "byte", "bytes", {"KiB", "MiB", "GiB", "TiB", "PiB"}, "/s", 2},
	{"ru", ',', "с", "мс", "мкс", "нс", "Б", "Б", {"КиБ", "МиБ", "ГиБ", "ТиБ", "ПиБ"}, "/с", 3},
};

enum { LOCALES = sizeof locales / sizeof *locales, SIZES = sizeof locales->sizes / sizeof *locales->sizes };

const struct locale *locale_at(size_t number)
{
	return number < LOCALES ? &locales[number] : NULL;
}

const struct locale *locale_of(const char *lang)
{
	for (size_t i = 1; i < LOCALES && lang; i++)
		if (strcmp(locales[i].lang, lang) == 0)
			return &locales[i];
	return locales;
}

void text_add_decimal(struct text *text, const struct locale *locale, int places, double value)
{
	size_t before = text->length;
	char *point;

	text_add(text, "%.*f", places, value);
	point = strchr(text->bytes + before, '.');
	if (point)
		*point = locale->point;
}

/* Three digits. A value that would be rounded up to 1000 of its unit is shown in the next unit. */
void text_add_seconds_in(struct text *text, const struct locale *locale, double seconds)
{
	const struct {
		double from, scale;
		const char *unit;
	} scales[] = {
		{0.9995, 1, locale->s},
		{0.9995e-3, 1e3, locale->ms},
		{0.9995e-6, 1e6, locale->us},
		{-INFINITY, 1e9, locale->ns},
	};
	size_t i = 0;
	double value;

	while (fabs(seconds) < scales[i].from)
		i++;
	value = seconds * scales[i].scale;
	text_add_decimal(text, locale,
	                 scales[i].unit == locale->ns ? 0
	                 : fabs(value) < 9.995        ? 2
	                                              : fabs(value) < 99.95,
	                 value);
	text_add(text, " %s", scales[i].unit);
}

void text_add_size_in(struct text *text, const struct locale *locale, uint64_t bytes)
{
	double value = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 1024) {
		text_add(text, "%d %s", (int)bytes, bytes == 1 ? locale->byte : locale->bytes);
		return;
	}
	for (; value >= 1024 && unit + 1 < SIZES; unit++)
		value /= 1024;
	text_add_decimal(text, locale, value < 10 && value != (double)(uint64_t)value, value);
	text_add(text, " %s", locale->sizes[unit]);
}

void text_add_seconds(struct text *text, double seconds)
{
	text_add_seconds_in(text, locales, seconds);
}

void text_add_size(struct text *text, uint64_t bytes)
{
	text_add_size_in(text, locales, bytes);
}

void text_add_count(struct text *text, uint64_t number)
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%" PRIu64, number);

	for (int i = 0; i < length; i++)
		text_add(text, i && (length - i) % 3 == 0 ? " %c" : "%c", digits[i]);
}

void text_add_counted(struct text *text, uint64_t number, const char *one, const char *many)
{
	text_add_count(text, number);
	text_add(text, " %s", number == 1 ? one : many);
}

static const char *take_words(struct text *text, char *words)
{
	snprintf(words, WORDS_ROOM, "%s", text_get(text));
	text_release(text);
	return words;
}

const char *words_of_size(char words[WORDS_ROOM], uint64_t bytes)
{
	struct text text = {0};

	text_add_size(&text, bytes);
	return take_words(&text, words);
}

const char *words_of_seconds(char words[WORDS_ROOM], double seconds)
{
	struct text text = {0};

	text_add_seconds(&text, seconds);
	return take_words(&text, words);
}

const char *words_of_count(char words[WORDS_ROOM], uint64_t number, const char *one, const char *many)
{
	struct text text = {0};

	text_add_counted(&text, number, one, many);
	return take_words(&text, words);
}

/* With two forms, the first is the singular. With three, as in Slavic languages, the last digit decides,
 * except from 11 to 14. */
size_t plural_form(const struct locale *locale, uint64_t number)
{
	uint64_t last = number % 10;

	if (locale->plural_forms == 2)
		return number != 1;
	if (number % 100 / 10 == 1 || last == 0 || last >= 5)
		return 2;
	return last != 1;
}
