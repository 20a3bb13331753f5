/* The algorithms that the MPI library at hand offers for a collective operation, and how it is made to use one.
 *
 * Which there are, is asked of the library itself. A family is a way in which libraries let one choose; what the family's tuning
 * file needs to know is left in the results' facts (tuning/tuning_file.h). */
#ifndef TARRY_BENCH_RUN_ALGORITHMS_H
#define TARRY_BENCH_RUN_ALGORITHMS_H

#include "bench/results/plan.h"
#include "bench/results/results.h"

#include <stdbool.h>

struct algorithm {
	const char *name; /* the variant of its points: "binomial", "chain,32K" */
	const char *term; /* what a tuning file calls it */
	int number;
	int segment; /* bytes, 0: messages are not cut */
};

struct algorithms {
	const struct family *family;
	const char *operation;
	struct algorithm *at;
	size_t count;
};

struct family {
	const char *name; /* FACT_LIBRARY */
	/* The algorithm is looked at when a communicator is made, not at each call. */
	bool is_kept_by_communicator;
	/* What a tuning file says of a reduction holds also for operations that do not commute. */
	bool is_for_all_reductions;
	bool (*is_there)(void);
	enum status (*list)(const char *operation, const struct bench_plan *wanted, struct arena *arena,
	                    struct algorithms *algorithms);
	/* In this process, from now on; `strictly`: calls that the algorithm cannot do fail, else they get another. */
	enum status (*force)(const struct algorithms *algorithms, const struct algorithm *algorithm,
	                     bool strictly);
	/* As if nothing had been forced. */
	void (*relent)(const struct algorithms *algorithms);
};

extern const struct family family_openmpi, family_mpich;

/* Local, and the same in all processes. Fails, with the reason, if the library offers no choice. Without those of
 * wanted->skip_algorithms (tuning/tuning_file.h). */
enum status algorithms_find(const char *operation, const struct bench_plan *wanted, struct arena *arena,
                            struct algorithms *algorithms) MUST_CHECK;

/* What the writer of a tuning file has to know; once for each operation. */
void algorithms_tell(const struct algorithms *algorithms, struct results *results);

/* Path of the MPI library's file. */
const char *library_path(void);

#endif
