#include "coll/calibrate/messages.h"

#include <sched.h>

/* A message inside a node arrives within a few polls; longer waits yield the core. */
enum { POLLS = 64 };

static void wait_for(MPI_Request *request)
{
	int is_over = 0;

	for (;;) {
		for (int i = 0; i < POLLS; i++) {
			MPI_Test(request, &is_over, MPI_STATUS_IGNORE);
			if (is_over)
				return;
		}
		sched_yield();
	}
}

void message_send(const void *buffer, int bytes, int to, int tag, MPI_Comm comm)
{
	MPI_Request request;

	MPI_Isend(buffer, bytes, MPI_CHAR, to, tag, comm, &request);
	wait_for(&request);
}

void message_receive(void *buffer, int bytes, int from, int tag, MPI_Comm comm)
{
	MPI_Request request;

	MPI_Irecv(buffer, bytes, MPI_CHAR, from, tag, comm, &request);
	wait_for(&request);
}
