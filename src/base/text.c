#include "base/text.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	memcpy(text->bytes + text->length, bytes, size);
	text->length += size;
	text->bytes[text->length] = 0;
}

void text_add_csv(struct text *text, const char *value)
{
	if (!value[strcspn(value, ",\"\r\n")]) {
		text_add_bytes(text, value, strlen(value));
		return;
	}
	text_add(text, "\"");
	for (; *value; value++)
		text_add_bytes(text, *value == '"' ? "\"\"" : value, *value == '"' ? 2 : 1);
	text_add(text, "\"");
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

/* Up to the next space, but not one inside of a number: 1 234 567. */
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
