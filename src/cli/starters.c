#include "cli/starters.h"

#include "base/paths.h"
#include "cli/launcher.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct starter {
	const char *name;
	const char *one;     /* options that take a value, without dashes */
	int operands;        /* before the command */
	const char *skipped; /* words that may stand before the command as well */
} starters[] = {
	{"nice", " n adjustment ", 0, ""},
	{"env", " u unset C chdir ", 0, ""},
	{"time", " f format o output ", 0, ""},
	{"timeout", " k kill-after s signal ", 1, ""},
	{"stdbuf", " i input o output e error ", 0, ""},
	{"numactl",
         " i interleave w weighted-interleave p preferred P preferred-many N cpunodebind C physcpubind m membind ",
         0, ""},
	{"taskset", "", 1, ""},
	{"ionice", " c class n classdata ", 0, ""},
	{"setarch", "", 0, " x86_64 i386 i686 aarch64 arm64 linux32 linux64 ppc64le "},
	{"chrt", " T sched-runtime P sched-period D sched-deadline ", 1, ""},
	{"xvfb-run", " n server-num s server-args f auth-file e error-file w wait p xauth-protocol ", 0, ""},
	{"nohup", "", 0, ""},
	{"setsid", "", 0, ""},
};

static const struct starter *find_starter(const char *command)
{
	for (size_t i = 0; i < sizeof starters / sizeof *starters; i++)
		if (strcmp(starters[i].name, path_name(command)) == 0)
			return &starters[i];
	return NULL;
}

/* Of env: NAME=VALUE. */
static bool is_assignment(const char *word)
{
	size_t length = strcspn(word, "=");

	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)word[i]) && word[i] != '_')
			return false;
	return length && word[length] == '=';
}

static char *const *behind_starter(const struct starter *starter, char *const *words)
{
	char *const *at = words + 1;
	int operands = starter->operands;

	for (; *at && (*at)[0] == '-' && strcmp(*at, "--") != 0; at++)
		at += option_takes_value(starter->one, *at) && at[1];
	at += *at && strcmp(*at, "--") == 0;
	while (*at && (operands > 0 || is_assignment(*at) || list_has_word(starter->skipped, *at))) {
		operands--;
		at++;
	}
	/* Options may stand behind such a word: setarch x86_64 -R */
	while (*at && (*at)[0] == '-' && *starter->skipped)
		at++;
	return *at ? at : words;
}

static bool is_shell(const char *command)
{
	static const char shells[] = " sh bash dash ksh zsh ";

	return list_has_word(shells, path_name(command));
}

/* Words that a shell does not start a program for. */
static const char shell_words_of_its_own[] =
	" . : [ ! alias case cd command echo eval exit export false for function if printf read return set shift source test time trap"
	" true ulimit umask unset until wait while ";

/* What `sh -c` is given, as long as it is one command without anything that a shell would make something else of. */
static char *const *in_shell(char *const *words, struct arena *arena)
{
	char **inside;

	if (!words[1] || strcmp(words[1], "-c") != 0 || !words[2] ||
	    strpbrk(words[2], "$`;&|<>(){}*?[]~#!\n") || shell_words(words[2], arena, &inside) != OK ||
	    !inside[0])
		return words;
	inside += inside[1] && strcmp(inside[0], "exec") == 0;
	return is_assignment(inside[0]) || list_has_word(shell_words_of_its_own, inside[0]) ? words : inside;
}

char *const *command_behind(char *const *words, struct arena *arena)
{
	for (;;) {
		const struct starter *starter = find_starter(words[0]);
		char *const *behind = starter              ? behind_starter(starter, words)
		                      : is_shell(words[0]) ? in_shell(words, arena)
		                                           : words;

		if (behind == words)
			return words;
		words = behind;
	}
}
