/* Memory that an MPI library needs, step by step: after MPI_Init, after the first message to each process,
 * for each further communicator. Values are the bytes that a step added to a process, on average. */
#ifndef TARRY_BENCH_RESULTS_MEMORY_USE_H
#define TARRY_BENCH_RESULTS_MEMORY_USE_H

#include "base/arena.h"
#include "base/text.h"
#include "statistics/line.h"

#include <stdbool.h>
#include <stddef.h>

struct results;

struct memory_use {
	const char *step; /* "MPI_Init" */
	int ranks;
	double private_bytes; /* anonymous pages of this process alone */
	double shared_bytes;  /* its share of memory that processes share */
	double file_bytes;    /* of mapped files, mainly libraries; each sharing process counts its share */
	double heap_bytes;    /* allocated by malloc, touched or not */
	double most_bytes;    /* private and shared memory of the process with the most */
};

/* All values by name; ends with an entry without a name. */
struct memory_field {
	const char *name; /* "private_bytes" */
	size_t offset;
};

extern const struct memory_field memory_fields[];

static inline const double *memory_value(const struct memory_field *field, const struct memory_use *use)
{
	return (const double *)(const void *)((const char *)use + field->offset);
}

/* Copies its argument. */
void results_add_memory(struct results *results, const struct memory_use *use);

/* Private and shared memory of a process. */
static inline double memory_own(const struct memory_use *use)
{
	return use->private_bytes + use->shared_bytes;
}

/* All entries of one step, in the order of the results. */
struct memory_of_step {
	const char *name;
	const struct memory_use **uses;
	size_t count;
};

struct memory_of_steps {
	struct memory_of_step *at;
	size_t count;
};

/* In the order of the results. */
struct memory_of_steps memory_by_step(const struct results *results, struct arena *arena);

/* By step and ranks; 0: they correspond. */
int memory_order(const struct memory_use *left, const struct memory_use *right);

/* Regression over ranks: the slope is the cost of one more process for each other process. False: fewer
 * than two numbers of ranks. */
bool memory_growth(const struct memory_of_step *step, struct fitted_line *growth);

/* "-4 KiB": memory may also be freed. */
void text_add_memory(struct text *out, double bytes);

void memory_table(const struct results *results, struct text *out);

#endif
