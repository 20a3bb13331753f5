#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

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

/* What would be rounded up to a thousand of its unit is shown in the next one. */
void text_add_seconds(struct text *text, double seconds)
{
	double size = seconds < 0 ? -seconds : seconds;

	if (size >= 99.995)
		text_add(text, "%.0f s", seconds);
	else if (size >= 0.999995)
		text_add(text, "%.2f s", seconds);
	else if (size >= 0.999995e-3)
		text_add(text, "%.2f ms", seconds * 1e3);
	else if (size >= 0.9995e-6)
		text_add(text, "%.2f us", seconds * 1e6);
	else
		text_add(text, "%.0f ns", seconds * 1e9);
}

void text_disarm(struct text *text)
{
	for (size_t i = 0; i < text->length; i++)
		if (text->bytes[i] == '\t')
			text->bytes[i] = ' ';
		else if (((unsigned char)text->bytes[i] < ' ' && text->bytes[i] != '\n') ||
		         text->bytes[i] == 0x7f)
			text->bytes[i] = '?';
}
