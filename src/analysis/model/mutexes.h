/* Locks of UPC: each from the call that takes it to the one that gives it back, and the unlock of another thread that the
 * taker had to wait for. UPC promises no order among those who wait, so it is told from the times alone: the hold before is
 * the last one whose unlock began before that of this one, and it was waited for if its unlock and the call that took the
 * lock overlap.
 *
 *	struct mutexes *mutexes = mutexes_new(reader, teller, counts);
 *	if (mutexes_want(role))                          each distinct call
 *		mutexes_call(mutexes, &call);            each call of it
 *	if (mutexes_are_full(mutexes))
 *		mutexes_settle(mutexes, now);            by process: no call that follows starts before
 *	mutexes_finish(mutexes);
 *
 * Memory is that of holds for which another process may yet tell an earlier one. */
#ifndef TARRY_ANALYSIS_MODEL_MUTEXES_H
#define TARRY_ANALYSIS_MODEL_MUTEXES_H

#include "analysis/model/relations.h"

struct mutexes;

struct mutexes *mutexes_new(const struct reader *reader, const struct teller *teller,
                            struct replay_counts *counts);
bool mutexes_want(const struct role *role);
void mutexes_call(struct mutexes *mutexes, const struct occurrence *call);
/* Calls of the process may be missing from here on. */
void mutexes_blind(struct mutexes *mutexes, uint32_t process);
/* Much of what this process did waits for others. */
bool mutexes_are_ahead(const struct mutexes *mutexes, uint32_t process);
bool mutexes_are_full(const struct mutexes *mutexes);
void mutexes_settle(struct mutexes *mutexes, const int64_t *now);
void mutexes_finish(struct mutexes *mutexes);

#endif
