/* Selects the fastest algorithm from measurements.
 *
 * For each operation, number of processes and size, the results have a point with the variant UNTUNED (the library's
 * own choice) and one for each algorithm, measured in alternation. An algorithm is taken if it is faster than UNTUNED
 * significantly and by more than a threshold. The fastest of many is selected, so the level of the test is divided by
 * their number (Bonferroni). */
#ifndef TARRY_BENCH_TUNING_CHOICE_H
#define TARRY_BENCH_TUNING_CHOICE_H

#include "bench/results/results.h"
#include "statistics/compare.h"

#define UNTUNED "untuned"
#define TUNED "tuned"

struct demand {
	double gain;       /* minimum share of the time that must be saved */
	double confidence; /* of the intervals and the test */
};

struct choice {
	const struct result_point *untuned;
	const struct result_point *best;   /* the fastest algorithm; NULL: none */
	size_t rivals;                     /* number of algorithms */
	struct sample_comparison measured; /* best compared with untuned */
	bool is_taken;
	/* After the tuning file was tried in its own jobs. */
	bool is_tried;
	struct sample_comparison tried; /* jobs with the file compared with those without */
};

/* Sorted by operation (in the order of the results), ranks, layout, bytes. The results own the points. */
struct choices {
	struct choice *at;
	size_t count;
};

void choices_make(const struct results *results, const struct demand *demand, struct arena *arena,
                  struct choices *choices);

/* Compares measurements without and with the tuning file: choices that it does not make faster, in all
 * runs together and from job to job, are dropped. Returns their number. */
size_t choices_confirm(struct choices *choices, const struct results *without, const struct results *with,
                       const struct demand *demand);

/* Choices of one operation, number of processes and layout are adjacent: their number from here. */
size_t choices_alike(const struct choices *choices, size_t first);
/* The same for all layouts. */
size_t choices_of_ranks(const struct choices *choices, size_t first);

bool any_taken(const struct choice *choices, size_t count);

/* Drops a choice that the tuning file cannot express. */
void choices_give_up(struct choice *choices, size_t count);
/* Drops adjacent choices that a tuning file cannot distinguish by size, unless they are equal. */
void choices_agree_or_give_up(struct choice *choices, size_t count);

/* Whether a tuning file has the same rules for two points of one operation and number of processes. */
typedef bool rules_are_common(const struct results *results, const struct result_point *first,
                              const struct result_point *second);
/* Drops choices of these adjacent ones that differ although the file has the same rules for them. */
void choices_merge(const struct results *results, struct choice *choices, size_t count,
                   rules_are_common *are_common);

/* The algorithm from this size up to the next stretch. */
struct stretch {
	uint64_t bytes;
	const char *variant; /* NULL: the library's choice */
};

/* Each taken choice is valid up to the geometric mean between it and its neighbours; the smallest from its
 * own size, the largest up to its own: other sizes were not measured. Without sizes (`is_sized` false: the
 * library ignores them), an algorithm must have been taken for all. Needs room for 2 * count + 1; begins
 * at 0 bytes. Returns the number of stretches. */
size_t stretches_make(const struct choice *choices, size_t count, bool is_sized, struct stretch *stretches);

#endif
