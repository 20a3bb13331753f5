/* A file that appears whole or not at all. It is written under a temporary name and renamed when it is on disk. Only the user can
 * read it.
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
	char *temporary; /* NULL: the output cannot be renamed, such as a pipe */
};

enum status output_open(struct output *output, const char *path) MUST_CHECK;
/* Closes the output, also on failure. */
enum status output_commit(struct output *output) MUST_CHECK;
void output_discard(struct output *output);

#endif
