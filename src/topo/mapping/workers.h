/* Processes that compute a mapping together.
 *
 * Work is a sequence of phases of independent tasks: worker t % count does task t. The smallest result wins, among equal results
 * the lowest task. So the result is the same for any number of workers.
 *
 *	for (int task = workers->me; task < tasks; task += workers->count)
 *		...
 *	if (!workers_min(workers, &value, &task))
 *		return false;
 *
 * All workers call each function, in the same order. It returns false on all of them or on none. This layer does not know how
 * workers communicate: coll/algorithms uses MPI. */
#ifndef TARRY_TOPO_MAPPING_WORKERS_H
#define TARRY_TOPO_MAPPING_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping_workers {
	int me, count;
	void *context;
	/* Minimum over all workers, and its task. False if a value is negative: that worker failed. */
	bool (*min)(void *context, int64_t *value, int64_t *task);
	/* Broadcasts data of one worker. */
	bool (*share)(void *context, int worker, void *data, size_t bytes);
	/* Element-wise maximum over all workers. */
	bool (*merge)(void *context, int *numbers, int count);
};

/* One process alone. */
extern const struct mapping_workers mapping_alone;

static inline bool workers_min(const struct mapping_workers *workers, int64_t *value, int64_t *task)
{
	return workers->count > 1 ? workers->min(workers->context, value, task) : *value >= 0;
}

/* Whether all workers succeeded. */
static inline bool workers_agree(const struct mapping_workers *workers, bool mine)
{
	int64_t value = mine ? 0 : -1, task = 0;

	return workers_min(workers, &value, &task) && mine;
}

static inline bool workers_share(const struct mapping_workers *workers, int64_t task, void *data,
                                 size_t bytes)
{
	return workers->count == 1 ||
	       workers->share(workers->context, (int)(task % workers->count), data, bytes);
}

static inline bool workers_merge(const struct mapping_workers *workers, int *numbers, int count)
{
	return workers->count == 1 || workers->merge(workers->context, numbers, count);
}

#endif
