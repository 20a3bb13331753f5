/* The eager limit: up to which size a standard send ends without its receiver. It decides who waits in a blocking
 * send, no library tells it, and it depends on the transport: so it is measured, once for each MPI library,
 * its settings and the distance between two processes, and remembered in the user's cache folder. */
#ifndef TARRY_JOB_RECORD_EAGER_H
#define TARRY_JOB_RECORD_EAGER_H

/* Writes what is known into the trace; measures what is not. Needs MPI_COMM_WORLD. */
void eager_find(void);

#endif
