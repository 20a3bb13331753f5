/* A recording session begins when the process knows its rank, and ends when its part is finished. Earlier events also belong to it. */
#ifndef TARRY_JOB_RECORD_RECORDING_SESSION_H
#define TARRY_JOB_RECORD_RECORDING_SESSION_H

/* Describes the process in the trace: `rank` in a world of `size`, host, program and settings. */
void recording_begin(int rank, int size);

struct rank_state;

/* Adds another process of the same world in this system process. The caller holds the lock. NULL: no room, and a note says so. */
struct rank_state *recording_join(int rank);

/* Ends recording and gives the part its final name. The exit of the process calls it if nothing else did. */
void recording_end(void);

#endif
