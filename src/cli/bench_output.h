/* Files of measurements that commands read and write: '-' is stdout, and what was read is never written over. */
#ifndef TARRY_CLI_BENCH_OUTPUT_H
#define TARRY_CLI_BENCH_OUTPUT_H

#include "base/text.h"

/* An option that names a file to write, and what goes there. */
struct bench_output {
	const char *option; /* "--json" */
	const char *path;   /* NULL: not wanted */
};

/* `read`: files that the command reads, NULL behind the last. */
enum status bench_outputs_check(const struct bench_output *outputs, size_t count,
                                char *const *read) MUST_CHECK;

bool is_to_stdout(const struct bench_output *output);

enum status bench_output_write(const struct bench_output *output, const struct text *text) MUST_CHECK;

#endif
