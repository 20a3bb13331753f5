/* Distinct calls: a key has all that other processes see of a call, and each key has one struct announced_call. The table is bounded: when it
 * is full, it forgets all calls except those of pending requests. Functions need the lock under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_EVENTS_CALL_TABLE_H
#define TARRY_JOB_CHECK_EVENTS_CALL_TABLE_H

#include "job/check/wire/agent_call.h"
#include "job/check/wire/announced.h"

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

#endif
