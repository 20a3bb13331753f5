#include "analysis/model/rank_statistics.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MIN = 4 };

#define DEVIATIONS_MIN 3
#define NORMAL_DEVIATION 1.4826 /* normal standard deviation, in median absolute deviations */
#define PART_OF_MEDIAN 0.1
#define PART_OF_RUN 0.01

static double value_of(const struct figures *figures, const int64_t *waiting_ns, size_t process,
                       enum rank_measure measure)
{
	const struct rank_figures *rank = &figures->ranks[process];

	switch (measure) {
	case RANK_COMPUTING:
		return (double)rank->computing_ns;
	case RANK_COMMUNICATION:
		return (double)rank->communication_ns;
	case RANK_WAITING:
		return waiting_ns ? (double)waiting_ns[process] : 0;
	case RANK_SENT:
		return (double)rank->sent_bytes;
	case RANK_RECEIVED:
		return (double)rank->received_bytes;
	default:
		return (double)rank->calls;
	}
}

/* Sorts the values. */
static double median_of(double *values, size_t count)
{
	size_t middle = count / 2;

	sort_doubles(values, count);
	return count % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

static struct measure_statistics summarise(const double *values, size_t count, double *room)
{
	struct measure_statistics statistics = {.is_known = true, .least = values[0], .most = values[0]};

	for (size_t i = 0; i < count; i++) {
		statistics.mean += values[i] / (double)count;
		if (values[i] < statistics.least) {
			statistics.least = values[i];
			statistics.least_process = (uint32_t)i;
		}
		if (values[i] > statistics.most) {
			statistics.most = values[i];
			statistics.most_process = (uint32_t)i;
		}
	}
	memcpy(room, values, count * sizeof *values);
	statistics.median = median_of(room, count);
	return statistics;
}

/* The farthest first; for each process, its largest deviation. */
static void add_outlier(struct rank_statistics *all, struct rank_outlier outlier)
{
	size_t at = 0, end;

	while (at < all->outlier_count && all->outliers[at].process != outlier.process)
		at++;
	if (at < all->outlier_count) {
		if (all->outliers[at].deviations >= outlier.deviations)
			return;
		memmove(&all->outliers[at], &all->outliers[at + 1],
		        (all->outlier_count - at - 1) * sizeof *all->outliers);
		all->outlier_count--;
	}
	at = 0;
	while (at < all->outlier_count && all->outliers[at].deviations >= outlier.deviations)
		at++;
	if (at == OUTLIERS_MAX)
		return;
	end = all->outlier_count < OUTLIERS_MAX ? all->outlier_count++ : OUTLIERS_MAX - 1;
	memmove(&all->outliers[at + 1], &all->outliers[at], (end - at) * sizeof *all->outliers);
	all->outliers[at] = outlier;
}

struct rank_statistics rank_statistics_of(const struct figures *figures, size_t process_count,
                                          const int64_t *waiting_ns)
{
	struct rank_statistics all = {0};
	double *values = memory_new(2 * process_count + 1, sizeof *values);

	for (enum rank_measure i = 0; i < RANK_MEASURES && process_count; i++) {
		if (i == RANK_WAITING && !waiting_ns)
			continue;
		for (size_t j = 0; j < process_count; j++)
			values[j] = value_of(figures, waiting_ns, j, i);
		all.measures[i] = summarise(values, process_count, values + process_count);
		if (process_count >= PROCESSES_MIN) {
			double length_ns = (double)figures->run->length_ns;
			double *room = values + process_count;
			double median = all.measures[i].median, deviation;
			double far = PART_OF_MEDIAN * median;
			if (i <= RANK_WAITING && far < PART_OF_RUN * length_ns)
				far = PART_OF_RUN * length_ns;
			for (size_t k = 0; k < process_count; k++)
				room[k] = fabs(values[k] - median);
			deviation = NORMAL_DEVIATION * median_of(room, process_count);
			for (size_t k = 0; k < process_count; k++) {
				double distance = fabs(values[k] - median);
				if (distance > far && distance > DEVIATIONS_MIN * deviation)
					add_outlier(&all,
					            (struct rank_outlier){(uint32_t)k, i, values[k],
					                                  deviation > 0 ? distance / deviation
					                                                : INFINITY});
			}
		}
	}
	free(values);
	return all;
}
