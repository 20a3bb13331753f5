/* The eager limit: up to which size a standard send ends without its receiver. It decides who waits in a blocking send. Some MPI
 * libraries tell it in control variables (MPI_T), which are only read; no message is sent. Where the library does not tell it, the
 * trace says so, and the analysis infers a lower bound from the messages (analysis/model/eager.h). */
#ifndef TARRY_JOB_RECORD_EAGER_H
#define TARRY_JOB_RECORD_EAGER_H

/* Writes what the library tells into the trace: the first process of a world does it for all. Before MPI_Finalize, not after
 * MPI_Init: Open MPI reads the parameters of all its parts for it, and a process that is 0.2 s late makes all others wait. */
void eager_find(void);

#endif
