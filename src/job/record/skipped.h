/* Counts the calls that the user's rules exclude. The order of calls determines which message a receive gets and which collective calls belong
 * together. So the trace contains the number of excluded calls before a recorded one (SKIPPED records, docs/trace-format.md).
 *
 *	if (!wanted)
 *		skipped_add(s, kind, key, words, end);
 *	else if (skipped_are_pending())
 *		skipped_write(s, start);                     before the event
 *
* Sends, receives and collective calls are counted by their destination, for all functions together. Requests count if a recorded call began
 * them or will end them; receives with wildcards always count. There is one set of counts per process. When a table is full, it is written. */
#ifndef TARRY_JOB_RECORD_SKIPPED_H
#define TARRY_JOB_RECORD_SKIPPED_H

#include "job/record/stream.h"

/* The effect of a function on the order of others. */
enum skipped_kind {
	SKIPPED_SENDS = 1,
	SKIPPED_RECEIVES = 2,
	SKIPPED_FINDS = 4, /* finds a message and numbers it: MPI_Mprobe */
	SKIPPED_TAKES = 8, /* receives that message */
	SKIPPED_STARTS = 16,
	SKIPPED_COMPLETES = 32,
	SKIPPED_COLLECTIVE = 64,
	SKIPPED_BEGINS = 128, /* begins a request */
	SKIPPED_TRAFFIC = SKIPPED_SENDS | SKIPPED_RECEIVES | SKIPPED_FINDS | SKIPPED_TAKES,
};

/* 0: no effect. */
uint32_t skipped_kind(uint32_t call);

/* With several threads, the caller of the following functions holds the lock. */

/* Counts an excluded call. If the tables are full, they are written to the stream. */
void skipped_add(struct recording_stream *s, uint32_t kind, const int64_t *key, uint32_t words,
                 uint64_t tick);
/* Notes a recorded call. If it begins a request, the request's number now means this one. */
void skipped_recorded(uint32_t kind, const int64_t *key, uint32_t words);
/* A pause begins. All active requests are in the trace. */
void skipped_begin(void);
/* Calls that complete requests are not recorded, so only receives with wildcards must be written. */
void skipped_without_completions(void);
bool skipped_are_pending(void);
/* Writes the calls that were skipped before this time to the thread's stream. */
void skipped_write(struct recording_stream *s, uint64_t tick);
/* False: something could not be counted. Called once at the end of each pause. */
bool skipped_are_counted(void);

#endif
