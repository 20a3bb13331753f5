#include "trace/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum field_form form;
} fields[FIELD_KEYS] = {
#define FIELD(number, NAME, text, form) [number] = {text, FORM_##form},
	TRACE_FIELDS(FIELD)
#undef FIELD
};

const char *const comm_kind_names[] = {"intra", "inter", "cart", "graph", "dist_graph", "upc", NULL};
const char *const object_kind_names[] = {"none", "win", "file", NULL};
const char *const special_rank_names[] = {"any", "null", "root", NULL};

const char *field_name(uint32_t key)
{
	return key < FIELD_KEYS ? fields[key].name : NULL;
}

enum field_form field_form(uint32_t key)
{
	return key < FIELD_KEYS ? fields[key].form : FORM_integer;
}

static void add_escaped(struct text *text, unsigned char letter)
{
	if (letter == '"' || letter == '\\')
		text_add(text, "\\%c", letter);
	else if (letter == '\n')
		text_add(text, "\\n");
	else if (letter == '\t')
		text_add(text, "\\t");
	else
		text_add(text, "\\x%02x", letter);
}

static bool is_plain(unsigned char letter)
{
	return letter >= ' ' && letter != 0x7f && letter != '"' && letter != '\\';
}

void text_add_quoted(struct text *text, const char *string)
{
	text_add_bytes(text, "\"", 1);
	for (; *string; string++) {
		if (is_plain((unsigned char)*string))
			text_add_bytes(text, string, 1);
		else
			add_escaped(text, (unsigned char)*string);
	}
	text_add_bytes(text, "\"", 1);
}

static bool is_word(const char *string)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

	return *string && (unsigned char)(*string - '0') > 9 && !string[strspn(string, letters)];
}

void text_add_word(struct text *text, const char *string)
{
	if (is_word(string))
		text_add_bytes(text, string, strlen(string));
	else
		text_add_quoted(text, string);
}

/* As few digits as tell it from all others. */
void text_add_real(struct text *text, int64_t bits)
{
	enum { DIGITS_USUAL = 15, DIGITS_ENOUGH = 17 };
	char shown[40];
	double number;

	memcpy(&number, &bits, sizeof number);
	if (!isfinite(number)) {
		text_add(text, "0x%" PRIx64, (uint64_t)bits);
		return;
	}
	for (int digits = DIGITS_USUAL; digits <= DIGITS_ENOUGH; digits++) {
		snprintf(shown, sizeof shown, "%.*g", digits, number);
		if (strtod(shown, NULL) == number)
			break;
	}
	text_add(text, "%s", shown);
}
