#include "cli/compiler_words.h"

#include "base/shell.h"
#include "base/text.h"
#include "base/user_files.h"
#include "cli/launcher.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { RESPONSE_DEPTH = 8, RESPONSE_MAX = 1 << 20 };

const char gnu_values[] =
	" o x I L D U A l e u z T G F J include imacros isystem iquote idirafter iprefix iwithprefix isysroot MF MT MQ"
	" Xlinker Xpreprocessor Xassembler Xclang mllvm wrapper aux-info param arch target gcc-toolchain ";

struct word_reading {
	const char *values, *ends_early;
	struct compiler_use use;
	bool takes_value; /* the next word belongs to the one before */
};

static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; length && (at = strstr(at, word)); at++)
		if (at > list && at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}

static void read_word(struct word_reading *reading, const char *word, int depth);

/* Words with quotes and backslashes, as GCC reads them. */
static void read_response_text(struct word_reading *reading, const char *at, int depth)
{
	struct text word = {0};
	char quote = 0;
	bool is_word = false;

	for (; *at; at++) {
		if (*at == '\\' && at[1]) {
			text_add_bytes(&word, ++at, 1);
			is_word = true;
		} else if (quote ? *at == quote : *at == '"' || *at == '\'') {
			quote = quote ? 0 : *at;
			is_word = true;
		} else if (quote || !isspace((unsigned char)*at)) {
			text_add_bytes(&word, at, 1);
			is_word = true;
		} else if (is_word) {
			read_word(reading, text_get(&word), depth);
			text_clear(&word);
			is_word = false;
		}
	}
	if (is_word)
		read_word(reading, text_get(&word), depth);
	text_release(&word);
}

/* False: there is no such file, so the word is not replaced. */
static bool read_response(struct word_reading *reading, const char *path, int depth)
{
	struct text text = {0};
	bool is_read = depth < RESPONSE_DEPTH &&
	               (text_add_user_file(&text, path, RESPONSE_MAX) || errno == EFBIG);

	if (is_read)
		read_response_text(reading, text_get(&text), depth + 1);
	text_release(&text);
	return is_read;
}

static void read_word(struct word_reading *reading, const char *word, int depth)
{
	const char *name = word + strspn(word, "-");

	if (reading->takes_value) {
		reading->takes_value = false;
	} else if (word[0] == '@' && read_response(reading, word + 1, depth)) {
		return;
	} else if (word[0] != '-' || !word[1]) { /* "-": from a pipe */
		reading->use.has_input = true;
	} else {
		reading->takes_value = has_word(reading->values, name);
		reading->use.ends_early |= has_word(reading->ends_early, name);
		reading->use.names_language |= text_begins(word, "-x");
		if (text_begins(word, "-O"))
			reading->use.optimisation = word[2] ? word[2] : '1';
	}
}

struct compiler_use compiler_use_find(char **words, const char *values, const char *ends_early)
{
	struct word_reading reading = {.values = values, .ends_early = ends_early, .use.optimisation = '0'};

	for (char **word = words + 1; *word; word++)
		read_word(&reading, *word, 0);
	return reading.use;
}

struct command_words command_begin(char **words, size_t added_max, struct arena *arena)
{
	struct command_words command = {.arena = arena};
	const size_t count = (size_t)count_words(words);

	command.words = arena_array(arena, char *, count + added_max);
	command.words[command.count++] = words[0];
	return command;
}

void add_word(struct command_words *command, const char *word)
{
	command->words[command->count++] = arena_text(command->arena, word);
}

void add_words(struct command_words *command, const char *const *words)
{
	for (; *words; words++)
		add_word(command, *words);
}

void command_print(char **words)
{
	for (char **word = words; *word; word++)
		printf("%s%s", word > words ? " " : "", shell_word(*word, (char[PATH_MAX]){0}, PATH_MAX));
	putchar('\n');
}
