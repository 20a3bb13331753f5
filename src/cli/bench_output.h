/* Files of measurements that commands read and write: '-' is stdout, and what was read is never written over. */
#ifndef TARRY_CLI_BENCH_OUTPUT_H
#define TARRY_CLI_BENCH_OUTPUT_H

#include "base/text.h"

/* Adds one form of what a command shows: a table, JSON, a page. */
typedef void bench_form(const void *shown, struct text *out);

/* An option that names a file to write, and what goes there. */
struct bench_output {
	const char *option; /* "--json" */
	bench_form *form;
	const char *path; /* NULL: not wanted */
};

/* `read`: files that the command reads, NULL behind the last. */
enum status bench_outputs_check(const struct bench_output *outputs, size_t count,
                                char *const *read) MUST_CHECK;

/* Writes the files that are wanted. Prints `usual` if none of these goes to stdout. */
enum status bench_outputs_write(const struct bench_output *outputs, size_t count, bench_form *usual,
                                const void *shown) MUST_CHECK;

#endif
