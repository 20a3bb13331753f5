#include "base/tongue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct tongue tongues[] = {
	{"en", '.', "s", "ms", "us", "ns", "byte", "bytes", {"KiB", "MiB", "GiB", "TiB", "PiB"}, "/s"},
	{"ru", ',', "с", "мс", "мкс", "нс", "Б", "Б", {"КиБ", "МиБ", "ГиБ", "ТиБ", "ПиБ"}, "/с"},
};

enum { TONGUES = sizeof tongues / sizeof *tongues, SIZES = sizeof tongues->sizes / sizeof *tongues->sizes };

const struct tongue *tongue_at(size_t number)
{
	return number < TONGUES ? &tongues[number] : NULL;
}

const struct tongue *tongue_of(const char *lang)
{
	for (size_t i = 1; i < TONGUES && lang; i++)
		if (strcmp(tongues[i].lang, lang) == 0)
			return &tongues[i];
	return tongues;
}

void text_add_decimal(struct text *text, const struct tongue *tongue, int places, double value)
{
	size_t before = text->length;
	char *point;

	text_add(text, "%.*f", places, value);
	point = strchr(text->bytes + before, '.');
	if (point)
		*point = tongue->point;
}

/* What would be rounded up to a thousand of its unit is shown in the next one. */
void text_add_seconds_in(struct text *text, const struct tongue *tongue, double seconds)
{
	const struct {
		double from, scale;
		int places;
		const char *unit;
	} scales[] = {
		{99.995, 1, 0, tongue->s},         {0.999995, 1, 2, tongue->s},
		{0.999995e-3, 1e3, 2, tongue->ms}, {0.9995e-6, 1e6, 2, tongue->us},
		{-INFINITY, 1e9, 0, tongue->ns},
	};
	size_t i = 0;

	while (fabs(seconds) < scales[i].from)
		i++;
	text_add_decimal(text, tongue, scales[i].places, seconds * scales[i].scale);
	text_add(text, " %s", scales[i].unit);
}

void text_add_size_in(struct text *text, const struct tongue *tongue, uint64_t bytes)
{
	double value = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 1024) {
		text_add(text, "%d %s", (int)bytes, bytes == 1 ? tongue->byte : tongue->bytes);
		return;
	}
	for (; value >= 1024 && unit + 1 < SIZES; unit++)
		value /= 1024;
	text_add_decimal(text, tongue, value < 10 && value != (double)(uint64_t)value, value);
	text_add(text, " %s", tongue->sizes[unit]);
}

void text_add_seconds(struct text *text, double seconds)
{
	text_add_seconds_in(text, tongues, seconds);
}

void text_add_size(struct text *text, uint64_t bytes)
{
	text_add_size_in(text, tongues, bytes);
}
