/* Two results side by side: which points became faster or slower, and what else is not the same.
 *
 *	struct differences differences;
 *	differences_find(&before, &after, &(struct comparing){.confidence = 0.95, .threshold = 0.05}, &differences);
 *	…
 *	differences_release(&differences);
 *
 * Points belong together when all that was chosen for them is the same: operation, variant, size, ranks, root, type, … */
#ifndef TARRY_BENCH_RESULTS_DIFFERENCES_H
#define TARRY_BENCH_RESULTS_DIFFERENCES_H

#include "base/text.h"
#include "bench/results/memory_differences.h"
#include "bench/results/results.h"
#include "bench/statistics/compare.h"

enum verdict {
	VERDICT_SAME,   /* the ratio is within the threshold, and its interval or the test says so too */
	VERDICT_FASTER, /* significant and beyond the threshold */
	VERDICT_SLOWER,
	VERDICT_UNSURE, /* too much scatter or too few runs to tell */
	VERDICTS_END
};

extern const char *const verdict_names[VERDICTS_END];

struct difference {
	const struct result_point *first, *second;
	struct sample_comparison comparison;
	double p; /* corrected for the number of points by Holm's method */
	enum verdict verdict;
};

/* A fact that is another one, or missing (NULL), in the second. */
struct fact_difference {
	const char *section, *name;
	const char *first, *second;
	size_t place; /* among the others */
};

struct comparing {
	double confidence; /* of intervals; a difference is significant when the corrected p is below 1 - confidence */
	double threshold; /* a ratio between 1 / (1 + threshold) and 1 + threshold is no difference that counts */
	struct memory_limits memory;
};

/* The points and texts are those of the results, which have to stay. */
struct differences {
	struct comparing how;
	size_t first_jobs,
		second_jobs;   /* 0: one job, whose runs are compared; else the medians of so many jobs are */
	struct difference *at; /* in the order of the first */
	size_t count;
	size_t verdicts[VERDICTS_END]; /* how many of each */
	const struct result_point **only_first, **only_second;
	size_t only_first_count, only_second_count;
	struct memory_differences memory;
	struct fact_difference *facts;
	size_t fact_count;
	struct arena arena;
};

void differences_find(const struct results *first, const struct results *second, const struct comparing *how,
                      struct differences *differences);
void differences_release(struct differences *differences);
/* A part of differences_find(): the facts. */
void match_facts(const struct results *first, const struct results *second, struct differences *differences);

/* Names of the two for people: the files. */
struct compared_names {
	const char *first, *second;
};

void differences_text(const struct differences *differences, const struct compared_names *names,
                      bool coloured, struct text *out);
void differences_json(const struct differences *differences, const struct compared_names *names,
                      struct text *out);
void differences_page(const struct differences *differences, const struct results *first,
                      const struct results *second, const struct compared_names *names, struct text *out);

#endif
