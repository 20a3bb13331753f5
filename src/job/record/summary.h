/* Records sums of calls instead of events (--summary), for runs of days. Calls of one function from one place, with sizes of the same magnitude,
 * share one SUMMED record of the thread's chunk. Its numbers change in place, so a killed process loses nothing. When the chunk has little room
 * left, new calls are summed by function alone, so a thread never needs another chunk.
 *
 *	if (selection.sums)
 *		summary_add(s, key, words, start, end);     instead of an event */
#ifndef TARRY_JOB_RECORD_SUMMARY_H
#define TARRY_JOB_RECORD_SUMMARY_H

#include "job/record/stream.h"

/* Bytes of a chunk of sums. The first thread of a process and the process's own chunk take less than 1 MiB together. */
enum { SUMMARY_BYTES = 13 * PAGE_BYTES, SUMMARY_BYTES_OF_OTHERS = 2 * PAGE_BYTES };

#pragma GCC visibility push(hidden)

void summary_add(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t start,
                 uint64_t end);

/* An event will follow sums: its distance from the last event counts from `start`. */
void summary_interrupt(struct recording_stream *s, uint64_t start);

#pragma GCC visibility pop

#endif
