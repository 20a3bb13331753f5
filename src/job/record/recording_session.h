/* A recording session: it begins when the process knows which of its world it is, whoever told it, and ends when its
 * part is finished. What comes before belongs to it too, as soon as it is known whose it is. */
#ifndef TARRY_JOB_RECORD_RECORDING_SESSION_H
#define TARRY_JOB_RECORD_RECORDING_SESSION_H

/* This is process `rank` of a world of `size`: says so in the trace, and what else is known of it. */
void recording_begin(int rank, int size);

struct rank_state;

/* One more process of the same world in this one; the caller holds the lock. NULL: there is no room for it, and a note says so. */
struct rank_state *recording_join(int rank);

/* Nothing is recorded any more; the part gets its final name. If it is not called, the end of the process is. */
void recording_end(void);

#endif
