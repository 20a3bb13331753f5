/* A file that appears whole or not at all: written under another name beside it, renamed when it is on disk. It is the
 * user's alone, as is what a trace tells.
 *
 *	TRY(output_open(&output, "run.tarry"));
 *	fwrite(…, output.file);
 *	return output_commit(&output);   or   output_discard(&output); */
#ifndef TARRY_TRACE_OUTPUT_H
#define TARRY_TRACE_OUTPUT_H

#include "base/status.h"

#include <stdio.h>

struct output {
	FILE *file;
	char *path;
	char *temporary; /* NULL for what cannot be renamed, such as a pipe */
};

enum status output_open(struct output *output, const char *path) MUST_CHECK;
/* Whatever it returns, the output is closed. */
enum status output_commit(struct output *output) MUST_CHECK;
void output_discard(struct output *output);

#endif
