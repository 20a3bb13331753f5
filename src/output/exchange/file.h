/* The one file of a format that needs no more: whole or not at all, or standard output as it goes. */
#ifndef TARRY_OUTPUT_EXCHANGE_FILE_H
#define TARRY_OUTPUT_EXCHANGE_FILE_H

#include "output/exchange/export.h"
#include "trace/output.h"

/* Opens job->path, which has to be new unless the job says that it may be replaced. */
enum status export_open(const struct export_job *job, struct output *output) MUST_CHECK;
/* Writes what has come together, and clears it. */
enum status export_write(struct output *output, struct text *bytes) MUST_CHECK;
/* Takes the status of all the writing, and returns that of the whole: nothing is left behind of a failure. */
enum status export_close(struct output *output, enum status written) MUST_CHECK;
bool is_standard_output(const struct output *output);

#endif
