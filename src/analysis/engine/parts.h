/* The parts of an analysis: which rules belong together, and who works on them.
 *
 * Event types that are made of each other belong together, and so do problems of the same ones. Nothing of one such
 * component is known in another: each is worked on by one thread, and what it finds does not depend on the others. */
#ifndef TARRY_ANALYSIS_ENGINE_PARTS_H
#define TARRY_ANALYSIS_ENGINE_PARTS_H

#include "analysis/engine/plan.h"

struct parts {
	struct share **shares;
	uint32_t count;
	unsigned threads;
	struct crew *crew; /* NULL: the caller does everything */
};

/* 0 threads: as many as there are cores. One of them is the caller, who replays. */
struct parts *parts_new(unsigned threads);
enum status parts_compile(struct parts *parts, struct engine *engine) MUST_CHECK;
void parts_start(struct parts *parts);
/* Takes the block. Returns one that can be filled again, or NULL. */
struct row_block *parts_run(void *parts, struct row_block *block);
/* All blocks were handed in: waits until nobody looks at them any more. */
void parts_catch_up(struct parts *parts);
/* Then: waits until everything is calculated. */
void parts_finish(struct parts *parts);
void parts_free(struct parts *parts);

#endif
