#include "bench/results/html.h"

#include "base/utf8.h"

#include <string.h>

/* XML has no place for others. */
static bool may_stand(uint32_t code)
{
	return (code <= 0x10ffff && code != 0xfffe && code != 0xffff && !utf8_is_control(code)) ||
	       code == '\t' || code == '\n';
}

static void add_character(struct text *out, uint32_t code, const char *bytes, size_t size)
{
	static const struct {
		char letter;
		const char *written;
	} SPECIAL[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};

	for (size_t i = 0; i < sizeof(SPECIAL) / sizeof(*SPECIAL); i++) {
		if (*bytes == SPECIAL[i].letter) {
			text_add(out, "%s", SPECIAL[i].written);
			return;
		}
	}
	if (may_stand(code))
		text_add_bytes(out, bytes, size);
	else
		text_add(out, UTF8_REPLACEMENT);
}

void html_add_cut(struct text *out, const char *words, size_t letters)
{
	const char *end = words + strlen(words);

	for (size_t count = 1; words < end; count++) {
		const char *begin = words;
		uint32_t code = utf8_next(&words, end);

		if (count == letters && words < end) {
			text_add(out, "…");
			return;
		}
		add_character(out, code, begin, (size_t)(words - begin));
	}
}

void html_add(struct text *out, const char *words)
{
	html_add_cut(out, words, SIZE_MAX);
}
