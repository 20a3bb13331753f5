#include "analysis/engine/partitions.h"

#include "analysis/engine/totals.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>

/* ---- worker pool ----
 *
 * Threads that process blocks. Every worker processes every block, in the same order, so the results do not
 * depend on the number of workers. Blocks wait in a ring; when it is full, the replay waits for the slowest
 * worker. The caller processes partitions for which no thread could be started. */

/* Blocks in the ring. A sleeping worker is woken for several blocks at a time, because waking it takes longer
 * than processing one. */
enum { RING = 16, AT_ONCE = RING / 2 };

struct worker {
	struct worker_pool *pool;
	struct partition *partition;
	pthread_t thread;
	uint64_t done; /* blocks */
};

struct worker_pool {
	struct worker *workers;
	uint32_t count, started;
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t more, room;
	struct row_block *ring[RING];
	uint64_t put;
	bool is_over;
	/* Processed blocks for reuse, by relation; their number is the maximum that was ever in use. */
	struct row_block *spare[RELATIONS_END][RING + 1];
	uint32_t spare_count[RELATIONS_END];
};

static void *work(void *context)
{
	struct worker *worker = context;
	struct worker_pool *pool = worker->pool;

	pthread_mutex_lock(&pool->lock);
	for (;;) {
		const struct row_block *block;

		while (worker->done == pool->put && !pool->is_over)
			pthread_cond_wait(&pool->more, &pool->lock);
		if (worker->done == pool->put)
			break;
		block = pool->ring[worker->done % RING];
		pthread_mutex_unlock(&pool->lock);
		partition_run(worker->partition, block);
		pthread_mutex_lock(&pool->lock);
		worker->done++;
		pthread_cond_signal(&pool->room);
	}
	pthread_mutex_unlock(&pool->lock);
	partition_finish(worker->partition);
	return NULL;
}

/* True if a worker still has this many blocks to process. */
static bool is_behind(const struct worker_pool *pool, uint64_t blocks)
{
	for (uint32_t i = 0; i < pool->started; i++)
		if (pool->put - pool->workers[i].done >= blocks)
			return true;
	return false;
}

struct rule_partitions *partitions_new(unsigned threads)
{
	struct rule_partitions *partitions = memory_new(1, sizeof *partitions);

	partitions->threads = threads;
	return partitions;
}

/* Components */

static uint32_t root_of(uint32_t *above, uint32_t type)
{
	while (above[type] != type)
		type = above[type] = above[above[type]];
	return type;
}

/* By type: another type of its component; at the end, the same one for the whole component. */
static uint32_t *find_components(const struct rulebook *book)
{
	uint32_t *above = memory_new(book->type_count + 1, sizeof *above);

	for (uint32_t i = 0; i < book->type_count; i++)
		above[i] = i;
	for (uint32_t i = 0; i < book->type_count; i++)
		for (uint32_t j = 0; j < book->types[i]->member_count; j++) {
			const struct event_type *member = book->types[i]->members[j].type;
			if (member->form != FORM_CALL && member->form != FORM_NATIVE)
				above[root_of(above, i)] = root_of(above, member->number);
		}
	return above;
}

enum status partitions_compile(struct rule_partitions *partitions, struct engine *engine)
{
	uint32_t place_slot = fact_slot(&engine->facts, FACT_COLUMN, CALL_COLUMN_PLACE);
	const struct rulebook *book = engine->book;
	uint32_t *above = find_components(book);
	bool *is_counted = memory_new(book->type_count + 1, sizeof *is_counted);
	struct partition **of_type = memory_new(book->type_count + 1, sizeof *of_type);
	uint32_t components = 0;
	enum status status = OK;

	for (size_t i = 0; i < book->problem_count; i++) {
		bool *counted = &is_counted[root_of(above, book->problems[i]->type->number)];
		components += !*counted;
		*counted = true;
	}
	partitions->count = partitions->threads > components ? components : partitions->threads - 1;
	partitions->count = partitions->count ? partitions->count : 1;
	partitions->all = memory_new(partitions->count, sizeof(struct partition *));
	for (uint32_t i = 0; i < partitions->count; i++)
		partitions->all[i] = partition_new(engine);
	for (size_t i = 0; i < book->problem_count && status == OK; i++) {
		struct partition **partition = &of_type[root_of(above, book->problems[i]->type->number)];
		/* A new component belongs to the partition with the fewest rules so far. */
		if (!*partition) {
			*partition = partitions->all[0];
			for (uint32_t j = 1; j < partitions->count; j++)
				if (partitions->all[j]->rule_count < (*partition)->rule_count)
					*partition = partitions->all[j];
		}
		status = partition_add(*partition, book->problems[i]);
	}
	for (uint32_t i = 0; i < partitions->count; i++)
		for (uint32_t j = 0; j < partitions->all[i]->rule_count; j++)
			totals_new(partitions->all[i]->rules[j], place_slot);
	free(of_type);
	free(is_counted);
	free(above);
	return status;
}

/* Working */

void partitions_start(struct rule_partitions *partitions)
{
	if (partitions->threads > 1) {
		uint32_t count = partitions->count;
		struct worker_pool *pool = memory_new(1, sizeof *pool);

		pool->workers = memory_new(count, sizeof *pool->workers);
		pool->count = count;
		pthread_mutex_init(&pool->lock, NULL);
		pthread_cond_init(&pool->more, NULL);
		pthread_cond_init(&pool->room, NULL);
		for (uint32_t i = 0; i < count; i++)
			pool->workers[i] = (struct worker){.pool = pool, .partition = partitions->all[i]};
		while (pool->started < count && pthread_create(&pool->workers[pool->started].thread, NULL,
		                                               work, &pool->workers[pool->started]) == 0)
			pool->started++;
		partitions->pool = pool;
	}
}

struct row_block *partitions_run(void *context, struct row_block *block)
{
	struct rule_partitions *partitions = context;

	if (partitions->pool) {
		struct worker_pool *pool = partitions->pool;
		enum relation relation = block->relation;
		struct row_block *old;

		for (uint32_t i = pool->started; i < pool->count; i++)
			partition_run(pool->workers[i].partition, block);
		if (!pool->started)
			return block;
		/* All workers have processed the previous block of this slot. */
		pthread_mutex_lock(&pool->lock);
		while (is_behind(pool, RING))
			pthread_cond_wait(&pool->room, &pool->lock);
		old = pool->ring[pool->put % RING];
		pool->ring[pool->put % RING] = block;
		pool->put++;
		if (pool->put % AT_ONCE == 0)
			pthread_cond_broadcast(&pool->more);
		pthread_mutex_unlock(&pool->lock);
		if (old)
			pool->spare[old->relation][pool->spare_count[old->relation]++] = old;
		return pool->spare_count[relation] ? pool->spare[relation][--pool->spare_count[relation]]
		                                   : NULL;
	}
	partition_run(partitions->all[0], block);
	return block;
}

void partitions_catch_up(struct rule_partitions *partitions)
{
	if (partitions->pool) {
		struct worker_pool *pool = partitions->pool;

		pthread_mutex_lock(&pool->lock);
		pthread_cond_broadcast(&pool->more);
		while (is_behind(pool, 1))
			pthread_cond_wait(&pool->room, &pool->lock);
		pthread_mutex_unlock(&pool->lock);
	}
}

void partitions_finish(struct rule_partitions *partitions)
{
	if (partitions->pool) {
		struct worker_pool *pool = partitions->pool;

		pthread_mutex_lock(&pool->lock);
		pool->is_over = true;
		pthread_cond_broadcast(&pool->more);
		pthread_mutex_unlock(&pool->lock);
		for (uint32_t i = 0; i < pool->started; i++)
			pthread_join(pool->workers[i].thread, NULL);
		for (uint32_t i = pool->started; i < pool->count; i++)
			partition_finish(pool->workers[i].partition);
	} else
		partition_finish(partitions->all[0]);
}

void partitions_free(struct rule_partitions *partitions)
{
	struct worker_pool *pool = partitions->pool;

	for (uint32_t i = 0; i < partitions->count; i++) {
		for (uint32_t j = 0; j < partitions->all[i]->rule_count; j++)
			totals_free(partitions->all[i]->rules[j]->totals);
		partition_free(partitions->all[i]);
	}
	if (pool) {
		for (uint32_t i = 0; i < RING; i++)
			row_block_free(pool->ring[i]);
		for (uint32_t i = 0; i < RELATIONS_END; i++)
			for (uint32_t j = 0; j < pool->spare_count[i]; j++)
				row_block_free(pool->spare[i][j]);
		pthread_cond_destroy(&pool->more);
		pthread_cond_destroy(&pool->room);
		pthread_mutex_destroy(&pool->lock);
		free(pool->workers);
		free(pool);
	}
	free(partitions->all);
	free(partitions);
}
