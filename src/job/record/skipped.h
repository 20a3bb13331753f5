/* Counts of the calls that the user's rules leave out. Which message a receive got, and which collective calls belong together, follows from their order;
 * so a trace says how many were not recorded before those that were (SKIPPED records, docs/trace-format.md).
 *
 *	if (!wanted)
 *		skipped_add(s, kind, key, words, end);
 *	else if (skipped_are_pending())
 *		skipped_write(s, start);                     before the event
 *
 * Sends, receives and collective calls are counted by where they go, whatever the function. Of requests, those matter that a recorded call has
 * begun or will end, and receives whose sender is not known yet. All of a process is counted together; the tables are as long as they are, and are
 * written when they are full. */
#ifndef TARRY_JOB_RECORD_SKIPPED_H
#define TARRY_JOB_RECORD_SKIPPED_H

#include "job/record/stream.h"

/* What a function does to the order of others. */
enum skipped_kind {
	SKIPPED_SENDS = 1,
	SKIPPED_RECEIVES = 2,
	SKIPPED_FINDS = 4, /* a message, under a number: MPI_Mprobe */
	SKIPPED_TAKES = 8, /* that message */
	SKIPPED_STARTS = 16,
	SKIPPED_COMPLETES = 32,
	SKIPPED_MEETS = 64,
	SKIPPED_BEGINS = 128, /* a request */
	SKIPPED_TRAFFIC = SKIPPED_SENDS | SKIPPED_RECEIVES | SKIPPED_FINDS | SKIPPED_TAKES,
};

/* 0: it changes no order. */
uint32_t skipped_kind(uint32_t call);

/* All of these want the lock held, if there may be more threads. */

/* A call that is not recorded. If no room is left, what was counted so far is written to the stream. */
void skipped_add(struct recording_stream *s, uint32_t kind, const int64_t *key, uint32_t words,
                 uint64_t tick);
/* A call that is recorded: the number of a request that it begins means that one from now on. */
void skipped_not(uint32_t kind, const int64_t *key, uint32_t words);
/* A pause begins: the requests that are under way were recorded, or the trace knows of them. */
void skipped_begin(void);
/* No function that completes requests is recorded: only what receives with wildcards got has to be told. */
void skipped_without_completions(void);
bool skipped_are_pending(void);
/* Says in the thread's stream what was skipped before this time. */
void skipped_write(struct recording_stream *s, uint64_t tick);
/* False: something could not be counted. Asked once for each pause that ends. */
bool skipped_are_counted(void);

#endif
