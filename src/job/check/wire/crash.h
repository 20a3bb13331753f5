/* The signal that ends the process, and where it occurred, for end.crash. A handler (program_signals.h)
 * writes both into memory that outlives the process (check/protocol/unsent_ring.h). The analyser reads it
 * only if the process vanishes without making another call. Signals that a program handles and survives are
 * recorded a few times and then ignored. */
#ifndef TARRY_JOB_CHECK_WIRE_CRASH_H
#define TARRY_JOB_CHECK_WIRE_CRASH_H

/* MPI has begun. */
void crash_watch(void);

#endif
