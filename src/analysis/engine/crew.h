/* Threads that work on blocks: every worker sees every block, in the same order, so that what comes out does not depend on
 * how many there are.
 *
 *	struct crew *crew = crew_new(shares, count);
 *	block = crew_hand_over(crew, relation, block);     gives another one back, or NULL
 *	crew_catch_up(crew);                               all blocks were looked at
 *	crew_finish(crew);                                 all is calculated
 *	crew_free(crew);
 *
 * Blocks wait in a ring: who tells more than workers can take waits for the slowest. */
#ifndef TARRY_ANALYSIS_ENGINE_CREW_H
#define TARRY_ANALYSIS_ENGINE_CREW_H

#include "analysis/engine/plan.h"

/* Shares for which no thread could be started are worked on by the caller. */
struct crew *crew_new(struct share **shares, uint32_t count);
/* Takes the block. Returns one that can be filled again, or NULL. */
struct row_block *crew_hand_over(struct crew *crew, struct row_block *block);
void crew_catch_up(struct crew *crew);
void crew_finish(struct crew *crew);
void crew_free(struct crew *crew);

#endif
