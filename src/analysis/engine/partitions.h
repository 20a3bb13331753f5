/* The partitions of an analysis: which rules belong together, and who works on them.
 *
 * Event types that are made of each other belong together, and so do problems of the same ones. Nothing of one such
 * component is known in another: one thread works on each, and its findings do not depend on the others. */
#ifndef TARRY_ANALYSIS_ENGINE_PARTITIONS_H
#define TARRY_ANALYSIS_ENGINE_PARTITIONS_H

#include "analysis/engine/plan.h"

struct rule_partitions {
	struct partition **all;
	uint32_t count;
	unsigned threads;
	struct worker_pool *pool; /* NULL: the caller does everything */
};

/* At least one thread. One of them is the caller, who replays. */
struct rule_partitions *partitions_new(unsigned threads);
enum status partitions_compile(struct rule_partitions *partitions, struct engine *engine) MUST_CHECK;
void partitions_start(struct rule_partitions *partitions);
/* Takes the block. Returns one that can be filled again, or NULL. */
struct row_block *partitions_run(void *partitions, struct row_block *block);
/* All blocks were handed in: waits until all were processed. */
void partitions_catch_up(struct rule_partitions *partitions);
/* Then: waits until everything is computed. */
void partitions_finish(struct rule_partitions *partitions);
void partitions_free(struct rule_partitions *partitions);

#endif
