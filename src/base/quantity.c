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

void text_disarm(struct text *text)
{
	for (size_t i = 0; i < text->length; i++)
		if (text->bytes[i] == '\t')
			text->bytes[i] = ' ';
		else if (((unsigned char)text->bytes[i] < ' ' && text->bytes[i] != '\n') ||
		         text->bytes[i] == 0x7f)
			text->bytes[i] = '?';
}
