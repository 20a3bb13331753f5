/* Command lines of compilers, to which `tarry upcc` and `tarry cc` add words. They are parsed only as far as
 * needed to know the step of the compilation.
 *
 *	struct compiler_use use = compiler_use_find(words, gnu_values, " c E S ");
 *	struct command_words command = command_begin(words, 2, arena);      "gcc"
 *	add_word(&command, "-g");                                           "gcc -g"
 *	add_words(&command, words + 1);                                     "gcc -g x.c" */
#ifndef TARRY_CLI_COMPILER_WORDS_H
#define TARRY_CLI_COMPILER_WORDS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct compiler_use {
	bool has_input;
	bool ends_early;     /* a word such as -c ends the compilation before linking */
	bool names_language; /* -x */
	char optimisation;   /* the letter after the last -O; '0': none */
};

/* Options of GCC and Clang whose value is the next word, without dashes, between spaces. */
extern const char gnu_values[];

/* Both lists have words without dashes, between spaces. */
struct compiler_use compiler_use_find(char **words, const char *values, const char *ends_early);

struct command_words {
	struct arena *arena;
	char **words; /* NULL after the last */
	size_t count;
};

/* The name of the compiler, with room for the other words and `added_max` more. */
struct command_words command_begin(char **words, size_t added_max, struct arena *arena);
void add_word(struct command_words *command, const char *word);
void add_words(struct command_words *command, const char *const *words);

/* Prints the command, quoted for the shell. */
void command_print(char **words);

#endif
