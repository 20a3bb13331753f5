/* The eager limit: the largest standard send that completes without its receiver. Some MPI libraries have control variables for it
 * (MPI_T), which are only read. Without one, the trace says so, and the analysis infers a lower bound from the messages
 * (analysis/model/eager.h). */
#ifndef TARRY_JOB_RECORD_EAGER_H
#define TARRY_JOB_RECORD_EAGER_H

/* Writes the limits into the trace, in the first process of a world. Called before MPI_Finalize and not after MPI_Init, because it takes
 * 0.2 s in Open MPI, and all other processes would wait. */
void eager_find(void);

#endif
