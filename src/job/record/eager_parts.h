/* Two parts of finding the eager limit (eager.h): what earlier runs found, and the measurement itself. */
#ifndef TARRY_JOB_RECORD_EAGER_PARTS_H
#define TARRY_JOB_RECORD_EAGER_PARTS_H

#include "job/record/flavour.h"

/* Bytes; a larger eager limit is not looked for. */
enum { EAGER_MAX = 8 << 20 };

enum distance { NEAR, FAR, DISTANCES };

/* "node" and "network", as in the trace. */
extern const char *const distance_names[DISTANCES];

/* The cache folder of the user, by MPI library and settings. False: nothing is known. */
bool eager_read_cache(enum distance distance, long *bytes);
void eager_write_cache(enum distance distance, long bytes);

/* On a communicator of two: process 0 searches, process 1 answers; each has a buffer of EAGER_MAX bytes. The search
 * finds the bytes of the largest send that ends alone. */
long eager_search(MPI_Comm pair, const char *buffer);
void eager_answer(MPI_Comm pair, char *buffer);

void eager_pause_us(long us);

#endif
