#include "base/shell.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_plain(const char *word)
{
	for (const char *at = word; *at; at++)
		if (!isalnum((unsigned char)*at) && (unsigned char)*at < 0x80 && !strchr("_./:=@%+,-", *at))
			return false;
	return *word;
}

static const char *quote(const char *begin, const char *word, char *quoted, size_t room)
{
	static const char apostrophe[] = "'\\''";
	char *to = quoted;

	if (room < strlen(word) * strlen(apostrophe) + sizeof "'./'")
		return word;
	to = stpcpy(to, begin);
	for (; *word; word++) {
		if (*word == '\'')
			to = stpcpy(to, apostrophe);
		else
			*to++ = *word;
	}
	stpcpy(to, "'");
	return quoted;
}

const char *shell_word(const char *word, char *quoted, size_t room)
{
	return is_plain(word) ? word : quote("'", word, quoted, room);
}

const char *shell_quote(const char *word, char *quoted, size_t room)
{
	return *word == '-' ? quote("'./", word, quoted, room) : shell_word(word, quoted, room);
}
