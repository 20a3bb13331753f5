/* Messages that yield the core while they wait. MPI libraries poll. If two processes share a core, or other programs compete for
 * it, the answering process would wait for its next time slice: milliseconds instead of the time of a message. */
#ifndef TARRY_COLL_CALIBRATE_MESSAGES_H
#define TARRY_COLL_CALIBRATE_MESSAGES_H

#include <mpi.h>

void message_send(const void *buffer, int bytes, int to, int tag, MPI_Comm comm);
void message_receive(void *buffer, int bytes, int from, int tag, MPI_Comm comm);

#endif
