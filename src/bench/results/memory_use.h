/* Memory that an MPI library takes, step by step: what it has after MPI_Init, after the first message to each process, for each
 * further communicator. Bytes are those that the step added, of one process: the mean of all. */
#ifndef TARRY_BENCH_RESULTS_MEMORY_USE_H
#define TARRY_BENCH_RESULTS_MEMORY_USE_H

#include "base/arena.h"
#include "base/text.h"
#include "bench/statistics/line.h"

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

/* What a process takes by it: private and shared. */
static inline double memory_own(const struct memory_use *use)
{
	return use->private_bytes + use->shared_bytes;
}

/* All of one step, in the order of the results. */
struct memory_of_step {
	const char *name;
	const struct memory_use **uses;
	size_t count;
};

struct memory_of_steps {
	struct memory_of_step *at;
	size_t count;
};

/* In the order in which the results come to them. */
struct memory_of_steps memory_by_step(const struct results *results, struct arena *arena);

/* By step and ranks; 0: they belong together. */
int memory_order(const struct memory_use *left, const struct memory_use *right);

/* What a process takes over ranks: the slope is what one more process costs each of the others. False: there are not two
 * numbers of ranks. */
bool memory_growth(const struct memory_of_step *step, struct fitted_line *growth);

/* "-4 KiB": it may also have been given back. */
void text_add_memory(struct text *out, double bytes);

void memory_table(const struct results *results, struct text *out);

#endif
