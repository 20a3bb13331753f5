/* Writing a trace in another format. Each format is one function of this shape, and one line in the table of
 * cli/cmd_export.c. */
#ifndef TARRY_OUTPUT_EXCHANGE_EXPORT_H
#define TARRY_OUTPUT_EXCHANGE_EXPORT_H

#include "analysis/symbols/source.h"
#include "trace/reader.h"

#include <stdio.h>

struct export_job {
	struct reader *reader;
	struct source *source;
	const char *path;              /* of what is to be made: a file or a folder, as the format has it */
	bool force;                    /* what is there already is replaced */
	FILE *standard_output;         /* which the path "-" means, for formats that are one file */
	void (*progress)(double part); /* from 0 to 1; may be NULL */
};

#endif
