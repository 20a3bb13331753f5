/* The algorithms of the MPI library for a collective operation, and how to select one.
 *
 * The library itself lists its algorithms. A family is a mechanism to select them; facts of the results pass on the
 * data that the family's tuning file needs (tuning/tuning_file.h). */
#ifndef TARRY_BENCH_RUN_ALGORITHMS_H
#define TARRY_BENCH_RUN_ALGORITHMS_H

#include "bench/results/plan.h"
#include "bench/results/results.h"

#include <stdbool.h>

struct algorithm {
	const char *name; /* the variant of its points: "binomial", "chain,32K" */
	const char *term; /* its name in a tuning file */
	int number;
	int segment; /* bytes; 0: messages are not segmented */
};

struct algorithms {
	const struct family *family;
	const char *operation;
	struct algorithm *at;
	size_t count;
};

struct family {
	const char *name; /* FACT_LIBRARY */
	/* The algorithm is read when a communicator is created, not at each call. */
	bool is_kept_by_communicator;
	/* A rule of the tuning file also applies to non-commutative reductions. */
	bool is_for_all_reductions;
	bool (*is_there)(void);
	enum status (*list)(const char *operation, const struct bench_plan *wanted, struct arena *arena,
	                    struct algorithms *algorithms);
	/* Selects it in this process; `strictly`: calls that it cannot do fail, otherwise they use another
	 * one. */
	enum status (*force)(const struct algorithms *algorithms, const struct algorithm *algorithm,
	                     bool strictly);
	/* Undoes the selection. */
	void (*relent)(const struct algorithms *algorithms);
};

extern const struct family family_openmpi, family_mpich;

/* Local; the same in all processes. Fails, with the reason, if the library offers no choice. Omits
 * wanted->skip_algorithms (tuning/tuning_file.h). */
enum status algorithms_find(const char *operation, const struct bench_plan *wanted, struct arena *arena,
                            struct algorithms *algorithms) MUST_CHECK;

/* Facts for the writer of a tuning file; once per operation. */
void algorithms_tell(const struct algorithms *algorithms, struct results *results);

/* Path of the MPI library's file. */
const char *library_path(void);

#endif
