/* Differences between the processes of a run: minimum, mean and maximum of each figure, and outliers.
 *
 *	struct rank_statistics statistics = rank_statistics_of(figures, process_count, waiting_ns);
 *	statistics.measures[RANK_COMPUTING].most_process
 *	statistics.outliers[0].process, .measure, .value
 *
 * A process is an outlier if a figure deviates from the median by more than 3 robust standard deviations
 * (1.4826 times the median absolute deviation) and by a significant amount: a tenth of the median and, for
 * times, a hundredth of the length of the run. Fewer than 4 processes have no outliers. */
#ifndef TARRY_ANALYSIS_MODEL_RANK_STATISTICS_H
#define TARRY_ANALYSIS_MODEL_RANK_STATISTICS_H

#include "analysis/model/figures.h"

enum rank_measure {
	RANK_COMPUTING,
	RANK_COMMUNICATION,
	RANK_WAITING,
	RANK_SENT,
	RANK_RECEIVED,
	RANK_CALLS,
	RANK_MEASURES,
};

enum { OUTLIERS_MAX = 5 };

struct measure_statistics {
	bool is_known;
	double least, mean, most, median;
	uint32_t least_process, most_process; /* the first with that value */
};

struct rank_outlier {
	uint32_t process;
	enum rank_measure measure;
	double value;
	double deviations; /* from the median; INFINITY if more than half have the same value */
};

struct rank_statistics {
	struct measure_statistics measures[RANK_MEASURES];
	struct rank_outlier outliers[OUTLIERS_MAX]; /* the farthest first, each process once */
	size_t outlier_count;
};

/* `waiting_ns` is by process; NULL: unknown. */
struct rank_statistics rank_statistics_of(const struct figures *figures, size_t process_count,
                                          const int64_t *waiting_ns);

#endif
