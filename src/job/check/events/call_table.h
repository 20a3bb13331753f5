/* Distinct calls: all that differs between two calls as others see them is in a key, and each key has one struct announced_call. The table is
 * bounded: when it is full, all are forgotten but those that requests under way have to do with. With the lock, if threads may come together. */
#ifndef TARRY_JOB_CHECK_EVENTS_CALL_TABLE_H
#define TARRY_JOB_CHECK_EVENTS_CALL_TABLE_H

#include "job/check/wire/agent_call.h"
#include "job/check/wire/announced.h"

#pragma GCC visibility push(hidden)

enum { CALL_KEY_WORDS = 12 };

/* NULL: not known. */
struct announced_call *announced_call_find(const int64_t *key, uint32_t words, uint64_t hash);
/* A new one with this key, zeroed, with the text of the arguments; NULL: no memory. Whoever makes it fills in `call`, `comm` and data, and then
 * counts references with announced_call_hold. */
struct announced_call *announced_call_new(const struct agent_call *call, const int64_t *key, uint32_t words,
                                          uint64_t hash);
void announced_call_hold(struct announced_call *announced);
/* There is room for the definition of a communicator. */
void announced_calls_make_room(void);

#pragma GCC visibility pop

#endif
