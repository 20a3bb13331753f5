/* Options of a command as a table. The parser, --help and the test of the manual use it.
 *
 *	static struct { const char *output; bool quiet; } chosen;
 *
 *	static const struct option_spec options[] = {
 *		{"output", 'o', "NAME", "name of the trace", OPTION_TEXT, &chosen.output},
 *		{"quiet", 'q', NULL, "print nothing", OPTION_FLAG, &chosen.quiet},
 *		OPTIONS_END
 *	};
 *
 * Accepted: --output NAME, --output=NAME, -o NAME, -oNAME, -qo NAME; "--" ends the options. Targets keep
 * their value, the default, when the option is not given. Every table has --help. */
#ifndef TARRY_BASE_OPTIONS_H
#define TARRY_BASE_OPTIONS_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>

enum option_kind {
	OPTION_FLAG,   /* bool, set to true */
	OPTION_TEXT,   /* const char * */
	OPTION_LIST,   /* const char *, a second one is an error */
	OPTION_NUMBER, /* int64_t */
	OPTION_COUNT,  /* int64_t, at least 1; 0: the option was not given */
	OPTION_REAL,   /* double, parse_real(): "0.25", "25%" */
	OPTION_SIZE,   /* uint64_t, parse_size() */
	OPTION_CHOICE, /* const char *, one of the words of `argument`: "text|json" */
	OPTION_WORDS,  /* struct string_list: one more item for each use */
	OPTION_AMOUNT, /* int64_t; "[=N]": without a value it becomes OPTION_NO_VALUE */
	OPTION_HELP,   /* no target */
};

enum { OPTION_NO_VALUE = -1 };

/* As the user gave them, in order; NULL after the last. */
struct string_list {
	const char **at; /* NULL while there are none */
	size_t count;
};

struct option_spec {
	const char *name;     /* long form without dashes */
	char letter;          /* short form, or 0 */
	const char *argument; /* as help shows it; NULL: takes none */
	const char *help;     /* NULL: only for Tarry's own programs; not shown */
	enum option_kind kind;
	void *target;
};

// clang-format off
#define OPTIONS_END {"help", 'h', NULL, "print this help", OPTION_HELP, NULL}, {0}
// clang-format on

enum options_order {
	OPTIONS_ANYWHERE,  /* also after and between operands */
	OPTIONS_FIRST,     /* the first operand ends them: it is a program with its own options */
	OPTIONS_TO_DASHES, /* anywhere before "--", which stays among the operands: a command line follows */
};

struct operands {
	int count;
	char **at; /* in the caller's argv; at[count] is NULL */
	bool help; /* --help was given, and parsing stopped */
};

/* `argv` holds `argc` words and a NULL, without the command's own name; operands are moved to its front. */
enum status options_parse(const struct option_spec *specs, enum options_order order, int argc, char **argv,
                          struct operands *operands) MUST_CHECK;

/* Adds an option's value as it would be written; adds nothing if there is none. `target` is the option's own
 * target, or a copy of it. */
void option_value(const struct option_spec *spec, const void *target, struct text *out);

/* One option a line (or more: wrapped at 80 columns). */
void options_help(const struct option_spec *specs, struct text *out);

#endif
