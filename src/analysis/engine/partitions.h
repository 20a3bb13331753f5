/* The partitions of an analysis: rules that must be evaluated together, and the threads that evaluate them.
 *
 * Event types that contain each other belong together, and so do problems of the same types. Such a component
 * does not depend on others: one thread evaluates it, and its findings do not depend on other partitions. */
#ifndef TARRY_ANALYSIS_ENGINE_PARTITIONS_H
#define TARRY_ANALYSIS_ENGINE_PARTITIONS_H

#include "analysis/engine/plan.h"

struct rule_partitions {
	struct partition **all;
	uint32_t count;
	unsigned threads;
	struct worker_pool *pool; /* NULL: the caller evaluates everything */
};

/* `threads` is at least 1 and includes the caller, which replays. */
struct rule_partitions *partitions_new(unsigned threads);
enum status partitions_compile(struct rule_partitions *partitions, struct engine *engine) MUST_CHECK;
void partitions_start(struct rule_partitions *partitions);
/* Takes the block. Returns a block that can be filled again, or NULL. */
struct row_block *partitions_run(void *partitions, struct row_block *block);
/* Call it after the last block: waits until all blocks are processed. */
void partitions_catch_up(struct rule_partitions *partitions);
/* Call it after partitions_catch_up(): waits until all results are computed. */
void partitions_finish(struct rule_partitions *partitions);
void partitions_free(struct rule_partitions *partitions);

#endif
