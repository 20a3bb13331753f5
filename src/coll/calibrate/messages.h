/* Messages whose ends give their processor to others while they wait. MPI libraries wait in loops without end; where two processes share a
 * core, or others compete for it, the one that is to answer then waits for its next time slice, and milliseconds are measured in place of the
 * message. */
#ifndef TARRY_COLL_CALIBRATE_MESSAGES_H
#define TARRY_COLL_CALIBRATE_MESSAGES_H

#include <mpi.h>

void message_send(const void *buffer, int bytes, int to, int tag, MPI_Comm comm);
void message_receive(void *buffer, int bytes, int from, int tag, MPI_Comm comm);

#endif
