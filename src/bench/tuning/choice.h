/* Which algorithm is the fastest, by what was measured of each.
 *
 * Results to choose from have, for each operation, number of processes and size, a point with the variant UNTUNED (the
 * library's own choice) and one for each algorithm, measured in turn with it. An algorithm is taken when it is faster than
 * UNTUNED beyond chance and by more than a threshold; else the library knows better. As the fastest of many is looked for, chance
 * has as many occasions: the level of the test is divided by their number (Bonferroni). */
#ifndef TARRY_BENCH_TUNING_CHOICE_H
#define TARRY_BENCH_TUNING_CHOICE_H

#include "bench/results/results.h"
#include "bench/statistics/compare.h"

#define UNTUNED "untuned"
#define TUNED "tuned"

struct demand {
	double gain;       /* the least share of the time that must be saved */
	double confidence; /* of the intervals, and of the test */
};

struct choice {
	const struct result_point *untuned;
	const struct result_point *best;   /* the fastest of the algorithms; NULL: there was none */
	size_t rivals;                     /* how many there were */
	struct sample_comparison measured; /* of best with untuned */
	bool is_taken;
	/* Once the tuning file has been tried in jobs of its own. */
	bool is_tried;
	struct sample_comparison tried; /* of the job with it and that without */
};

/* Sorted by operation (in the order of the results), ranks, bytes. Points are the results'. */
struct choices {
	struct choice *at;
	size_t count;
};

void choices_make(const struct results *results, const struct demand *demand, struct arena *arena,
                  struct choices *choices);

/* Compares what was measured without and with the tuning file: choices that it does not make faster, in all runs together and from job
 * to job, are taken no more. Returns how many those are. */
size_t choices_confirm(struct choices *choices, const struct results *without, const struct results *with,
                       const struct demand *demand);

/* Choices of one operation and number of processes are neighbours: how many there are from here on. */
size_t choices_alike(const struct choices *choices, size_t first);

bool any_taken(const struct choice *choices, size_t count);

/* What a tuning file cannot say is taken no more. */
void choices_give_up(struct choice *choices, size_t count);
/* Of alike choices that a tuning file cannot tell apart by size: all, if they are not of one mind. */
void choices_agree_or_give_up(struct choice *choices, size_t count);

/* The algorithm from this size on, up to the next stretch. */
struct stretch {
	uint64_t bytes;
	const char *variant; /* NULL: the library's choice */
};

/* Each taken choice holds as far as to the (geometric) middle between it and its neighbours, the smallest from its own size on and the
 * largest up to its own: what lies beyond has not been measured. Without sizes (`is_sized` false: the library does not look at them),
 * an algorithm must have been taken for all. Room for 2 * count + 1 is needed; begins at 0 bytes. Returns how many there are. */
size_t stretches_make(const struct choice *choices, size_t count, bool is_sized, struct stretch *stretches);

#endif
