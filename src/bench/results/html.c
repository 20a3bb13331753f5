#include "bench/results/html.h"

#include <string.h>

static const char REPLACEMENT[] = "\xef\xbf\xbd";

static const struct {
	unsigned char first, last; /* of the first byte */
	unsigned char low,
		high; /* of the second one: neither longer than needed nor a surrogate nor beyond the last */
	size_t size;
} LETTERS[] = {
	{0x20, 0x7e, 0, 0, 1},       {0xc2, 0xc2, 0xa0, 0xbf, 2}, {0xc3, 0xdf, 0x80, 0xbf, 2},
	{0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
	{0xee, 0xee, 0x80, 0xbf, 3}, {0xef, 0xef, 0x80, 0xbe, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
	{0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}, {'\t', '\n', 0, 0, 1},
};

static bool continues(const unsigned char *at, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (at[i] < 0x80 || at[i] > 0xbf)
			return false;
	}
	return true;
}

/* Bytes of the letter that begins here, 0 if none does. */
static size_t letter_size(const unsigned char *at)
{
	for (size_t i = 0; i < sizeof(LETTERS) / sizeof(*LETTERS); i++) {
		if (*at < LETTERS[i].first || *at > LETTERS[i].last)
			continue;
		if (LETTERS[i].size == 1)
			return 1;
		if (at[1] < LETTERS[i].low || at[1] > LETTERS[i].high || !continues(at, 2, LETTERS[i].size))
			return 0;
		return LETTERS[i].size;
	}
	return 0;
}

static void add_letter(struct text *out, const char *letter, size_t size)
{
	static const struct {
		char letter;
		const char *written;
	} SPECIAL[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};

	for (size_t i = 0; i < sizeof(SPECIAL) / sizeof(*SPECIAL); i++) {
		if (*letter == SPECIAL[i].letter) {
			text_add_bytes(out, SPECIAL[i].written, strlen(SPECIAL[i].written));
			return;
		}
	}
	if (size)
		text_add_bytes(out, letter, size);
	else
		text_add_bytes(out, REPLACEMENT, strlen(REPLACEMENT));
}

void html_add_cut(struct text *out, const char *words, size_t letters)
{
	for (size_t count = 1; *words; count++) {
		size_t size = letter_size((const unsigned char *)words);
		size_t step = size ? size : 1;

		if (count == letters && words[step]) {
			text_add(out, "…");
			return;
		}
		add_letter(out, words, size);
		words += step;
	}
}

void html_add(struct text *out, const char *words)
{
	html_add_cut(out, words, SIZE_MAX);
}
