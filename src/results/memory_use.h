/* Memory that an MPI library takes, step by step: what it has after MPI_Init, after the first message to each process, for each
 * further communicator. Bytes are those that the step added, of one process: the mean of all. */
#ifndef TARRY_RESULTS_MEMORY_USE_H
#define TARRY_RESULTS_MEMORY_USE_H

#include "base/text.h"
#include "statistics/line.h"

#include <stdbool.h>
#include <stddef.h>

struct results;

struct memory_use {
	const char *step; /* "MPI_Init" */
	int ranks;
	double private_bytes; /* anonymous pages of this process alone */
	double shared_bytes;  /* its part of memory that processes share */
	double file_bytes; /* of mapped files, libraries above all: the more processes share them, the less are a process's */
	double heap_bytes; /* what the C library's malloc has handed out, be it touched or not */
	double most_bytes; /* private and shared, of the process that has most */
};

/* All bytes, by name; ends with one without. */
struct memory_field {
	const char *name; /* "private_bytes" */
	size_t offset;
};

extern const struct memory_field memory_fields[];

static inline const double *memory_value(const struct memory_field *field, const struct memory_use *use)
{
	return (const double *)(const void *)((const char *)use + field->offset);
}

/* Copies it. */
void results_add_memory(struct results *results, const struct memory_use *use);

/* Private and shared bytes of a step over ranks: the slope is what one more process costs each of the others. False: there are not two
 * numbers of ranks. */
bool memory_growth(const struct results *results, const char *step, struct line *growth);

void memory_table(const struct results *results, struct text *out);

#endif
