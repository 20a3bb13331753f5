/* What a program prints while something else has the terminal: kept in a file beside the trace, shown in its last lines, and printed when the
 * terminal is free again. If tarry is killed, the file stays.
 *
 *	struct top_output output;
 *	TRY(top_output_open("run.tarry", &arena, &output));
 *	… the job's streams are output.out and output.error …
 *	top_output_tail(&output, 5, &lines);
 *	top_output_replay(&output); */
#ifndef TARRY_CLI_TOP_OUTPUT_H
#define TARRY_CLI_TOP_OUTPUT_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"

struct top_output {
	const char *path;
	int file;
	/* For the job: the file in place of a terminal; both streams in the order in which they are written. */
	int out, error;
};

enum status top_output_open(const char *trace, struct arena *arena, struct top_output *output) MUST_CHECK;
/* The last lines, at most `count`, each with an end of line; without control characters. */
void top_output_tail(const struct top_output *output, size_t count, struct text *lines);
/* Prints everything, and removes the file. */
void top_output_replay(struct top_output *output);

#endif
