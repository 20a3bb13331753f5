/* A trace as a table: one line for each event, values separated by commas, as RFC 4180 has it but with plain newlines.
 * docs/man/tarry-export.1 explains the columns; new ones come last. */
#ifndef TARRY_OUTPUT_EXCHANGE_CSV_H
#define TARRY_OUTPUT_EXCHANGE_CSV_H

#include "output/exchange/export.h"

/* Makes the file job->path. */
enum status csv_export(const struct export_job *job) MUST_CHECK;

#endif
