/* Compares two results: which points became faster or slower, and other differences.
 *
 *	struct differences differences;
 *	differences_find(&before, &after, &(struct comparing){.confidence = 0.95, .threshold = 0.05}, &differences);
 *	…
 *	differences_release(&differences);
 *
 * Two points correspond if all their parameters are equal: operation, variant, size, ranks, root, type, … */
#ifndef TARRY_BENCH_RESULTS_DIFFERENCES_H
#define TARRY_BENCH_RESULTS_DIFFERENCES_H

#include "base/text.h"
#include "bench/results/memory_differences.h"
#include "bench/results/results.h"
#include "statistics/compare.h"

enum verdict {
	VERDICT_SAME,   /* the ratio is within the threshold, and so is its interval or the test */
	VERDICT_FASTER, /* significant and beyond the threshold */
	VERDICT_SLOWER,
	VERDICT_UNSURE, /* too much scatter or too few runs */
	VERDICTS_END
};

extern const char *const verdict_names[VERDICTS_END];

struct difference {
	const struct result_point *first, *second;
	struct sample_comparison comparison;
	double p; /* Holm's correction for the number of points */
	enum verdict verdict;
};

/* A fact that differs or is missing (NULL) in the second result. */
struct fact_difference {
	const char *section, *name;
	const char *first, *second;
	size_t place; /* position in the file */
};

struct comparing {
	double confidence; /* of intervals; significant: corrected p below 1 - confidence */
	double threshold;  /* ratios from 1 / (1 + threshold) to 1 + threshold do not count as differences */
	struct memory_limits memory;
};

/* Refers to points and texts of the results, which must outlive it. */
struct differences {
	struct comparing how;
	size_t first_jobs,
		second_jobs; /* 0: one job, whose runs are compared; otherwise medians of this many jobs are compared */
	struct difference *at; /* in the order of the first result */
	size_t count;
	size_t verdicts[VERDICTS_END]; /* number of each */
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
/* The facts; part of differences_find(). */
void match_facts(const struct results *first, const struct results *second, struct differences *differences);

/* Names of the two results for people: the files. */
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
