/* Processes that share the work of making a mapping.
 *
 * The work is a row of phases. A phase has tasks that do not depend on each other: worker t % count does task t. The smallest of all results
 * wins, or the lowest task among equal results. So the result is the same for any number of workers, and for a process alone.
 *
 *	for (int task = workers->me; task < tasks; task += workers->count)
 *		...
 *	if (!workers_least(workers, &value, &task))
 *		return false;
 *
 * Each function is called by all workers in the same order. They return false on all of them, or on none. This layer does not know how
 * workers communicate: coll/algorithms uses MPI.
 */
#ifndef TARRY_TOPO_MAPPING_WORKERS_H
#define TARRY_TOPO_MAPPING_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping_workers {
	int me, count;
	void *context;
	/* The least value of all workers, and its task. A value below 0 says that a worker failed: then false. */
	bool (*least)(void *context, int64_t *value, int64_t *task);
	/* What one worker has, to all. */
	bool (*share)(void *context, int worker, void *data, size_t bytes);
	/* Each number becomes the largest of all workers'. */
	bool (*merge)(void *context, int *numbers, int count);
};

/* A process alone. */
extern const struct mapping_workers mapping_alone;

static inline bool workers_least(const struct mapping_workers *workers, int64_t *value, int64_t *task)
{
	return workers->count > 1 ? workers->least(workers->context, value, task) : *value >= 0;
}

/* Whether all workers are well. */
static inline bool workers_agree(const struct mapping_workers *workers, bool mine)
{
	int64_t value = mine ? 0 : -1, task = 0;

	return workers_least(workers, &value, &task) && mine;
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
