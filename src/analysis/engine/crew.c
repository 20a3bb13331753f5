#include "analysis/engine/crew.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>

/* Blocks under way. Who sleeps is woken for some of them at a time: that takes longer than to look at one. */
enum { RING = 16, AT_ONCE = RING / 2 };

struct worker {
	struct crew *crew;
	struct share *share;
	pthread_t thread;
	uint64_t done; /* blocks */
};

struct crew {
	struct worker *workers;
	uint32_t count, started;
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t more, room;
	struct row_block *ring[RING];
	uint64_t put;
	bool is_over;
	/* Blocks that nobody looks at any more: by relation, as many as there ever were under way. */
	struct row_block *spare[RELATIONS_END][RING + 1];
	uint32_t spare_count[RELATIONS_END];
};

/* Workers */

/* NULL: there are no more. */
static struct row_block *next_block(struct worker *worker)
{
	struct crew *crew = worker->crew;
	struct row_block *block;

	pthread_mutex_lock(&crew->lock);
	while (worker->done == crew->put && !crew->is_over)
		pthread_cond_wait(&crew->more, &crew->lock);
	block = worker->done < crew->put ? crew->ring[worker->done % RING] : NULL;
	pthread_mutex_unlock(&crew->lock);
	return block;
}

static void block_done(struct worker *worker)
{
	pthread_mutex_lock(&worker->crew->lock);
	worker->done++;
	pthread_cond_signal(&worker->crew->room);
	pthread_mutex_unlock(&worker->crew->lock);
}

static void *work(void *context)
{
	struct worker *worker = context;
	const struct row_block *block;

	while ((block = next_block(worker))) {
		share_run(worker->share, block);
		block_done(worker);
	}
	share_finish(worker->share);
	return NULL;
}

struct crew *crew_new(struct share **shares, uint32_t count)
{
	struct crew *crew = memory_new(1, sizeof *crew);

	crew->workers = memory_new(count, sizeof *crew->workers);
	crew->count = count;
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->more, NULL);
	pthread_cond_init(&crew->room, NULL);
	for (uint32_t i = 0; i < count; i++)
		crew->workers[i] = (struct worker){.crew = crew, .share = shares[i]};
	while (crew->started < count && pthread_create(&crew->workers[crew->started].thread, NULL, work,
	                                               &crew->workers[crew->started]) == 0)
		crew->started++;
	return crew;
}

/* Who hands out */

static bool is_full(const struct crew *crew)
{
	for (uint32_t i = 0; i < crew->started; i++)
		if (crew->put - crew->workers[i].done == RING)
			return true;
	return false;
}

/* What its place in the ring held is done by all. */
static struct row_block *put_into_ring(struct crew *crew, struct row_block *block)
{
	struct row_block *old;

	pthread_mutex_lock(&crew->lock);
	while (is_full(crew))
		pthread_cond_wait(&crew->room, &crew->lock);
	old = crew->ring[crew->put % RING];
	crew->ring[crew->put % RING] = block;
	crew->put++;
	if (crew->put % AT_ONCE == 0)
		pthread_cond_broadcast(&crew->more);
	pthread_mutex_unlock(&crew->lock);
	return old;
}

struct row_block *crew_hand_over(struct crew *crew, struct row_block *block)
{
	enum relation relation = block->relation;
	struct row_block *old;

	for (uint32_t i = crew->started; i < crew->count; i++)
		share_run(crew->workers[i].share, block);
	if (!crew->started)
		return block;
	old = put_into_ring(crew, block);
	if (old)
		crew->spare[old->relation][crew->spare_count[old->relation]++] = old;
	return crew->spare_count[relation] ? crew->spare[relation][--crew->spare_count[relation]] : NULL;
}

static bool is_behind(const struct crew *crew)
{
	for (uint32_t i = 0; i < crew->started; i++)
		if (crew->workers[i].done < crew->put)
			return true;
	return false;
}

void crew_catch_up(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	pthread_cond_broadcast(&crew->more);
	while (is_behind(crew))
		pthread_cond_wait(&crew->room, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
}

void crew_finish(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	crew->is_over = true;
	pthread_cond_broadcast(&crew->more);
	pthread_mutex_unlock(&crew->lock);
	for (uint32_t i = 0; i < crew->started; i++)
		pthread_join(crew->workers[i].thread, NULL);
	for (uint32_t i = crew->started; i < crew->count; i++)
		share_finish(crew->workers[i].share);
}

void crew_free(struct crew *crew)
{
	if (!crew)
		return;
	for (uint32_t i = 0; i < RING; i++)
		row_block_free(crew->ring[i]);
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		for (uint32_t j = 0; j < crew->spare_count[i]; j++)
			row_block_free(crew->spare[i][j]);
	pthread_cond_destroy(&crew->more);
	pthread_cond_destroy(&crew->room);
	pthread_mutex_destroy(&crew->lock);
	free(crew->workers);
	free(crew);
}
