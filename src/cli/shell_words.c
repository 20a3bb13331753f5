#include "cli/shell_words.h"

#include <stdbool.h>
#include <string.h>

#define BLANKS " \t\n"

static bool is_escape(const char *at, char quote)
{
	if (*at != '\\' || !at[1] || quote == '\'')
		return false;
	return !quote || at[1] == '"' || at[1] == '\\';
}

/* Copies a word from `*line` to `*to`, and moves both on. */
static enum status take_word(const char **line, char **to)
{
	const char *at = *line;
	char quote = 0;

	for (; *at && (quote || !strchr(BLANKS, *at)); at++)
		if (is_escape(at, quote))
			*(*to)++ = *++at;
		else if (quote ? *at == quote : *at == '\'' || *at == '"')
			quote = quote ? 0 : *at;
		else
			*(*to)++ = *at;
	if (quote)
		return fail("%s is left open in '%s': close it", quote == '"' ? "a \"" : "an apostrophe",
		            *line);
	*(*to)++ = '\0';
	*line = at + strspn(at, BLANKS);
	return OK;
}

enum status shell_words(const char *line, struct arena *arena, char ***words)
{
	size_t length = strlen(line), count = 0;
	char **found = arena_array(arena, char *, length / 2 + 2);
	char *to = arena_array(arena, char, length + 1);

	line += strspn(line, BLANKS);
	while (*line) {
		found[count++] = to;
		TRY(take_word(&line, &to));
	}
	*words = found;
	return OK;
}
