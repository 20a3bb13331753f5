/* Output files of a command, given by options. '-' is stdout and replaces the text of the command. Input
 * files and traces are never overwritten. */
#ifndef TARRY_CLI_OUTPUTS_H
#define TARRY_CLI_OUTPUTS_H

#include "base/text.h"

/* Adds one form of a command's output: a table, JSON, a page. */
typedef void output_form(const void *shown, struct text *out);

struct output_option {
	const char *name; /* "json" of "--json" */
	const char *path; /* NULL: not wanted */
	output_form *form;
};

bool is_stdout(const char *path);
/* True if one of the paths is stdout, so that the text is not printed. */
bool any_is_stdout(const char *const *paths, size_t count);

/* `read`: files that the command reads, NULL after the last. */
enum status outputs_check(const struct output_option *outputs, size_t count, char *const *read) MUST_CHECK;

/* Writes the requested files. Prints `usual` if none of them is stdout. */
enum status outputs_write(const struct output_option *outputs, size_t count, output_form *usual,
                          const void *shown) MUST_CHECK;

#endif
