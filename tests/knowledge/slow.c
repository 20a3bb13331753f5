/* Linked to a planted program: an MPI library some of whose functions take SLOW_US longer, asleep. What such a call costs is then
 * the same on a busy machine, where the time that a processor needs for it would be lost in the noise. The program's own
 * definition of PMPI_X comes before the library's, also for the recorder.
 *
 *	cc -DSLOW_MPI_Recv -DSLOW_US=1000 bad.c slow.c */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

#define SLOW(function, parameters, arguments) \
	__attribute__((visibility("default"))) int P##function parameters \
	{ \
		static int(*real) parameters; \
\
		if (!real) \
			*(void **)&real = dlsym(RTLD_NEXT, "P" #function); \
		usleep(SLOW_US); \
		return real arguments; \
	}

#ifdef SLOW_MPI_Barrier
SLOW(MPI_Barrier, (MPI_Comm comm), (comm))
#endif

#ifdef SLOW_MPI_Allreduce
SLOW(MPI_Allreduce, (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (in, out, count, type, op, comm))
#endif

#ifdef SLOW_MPI_Send
SLOW(MPI_Send, (const void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm),
     (data, count, type, peer, tag, comm))
#endif

#ifdef SLOW_MPI_Isend
SLOW(MPI_Isend,
     (const void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request),
     (data, count, type, peer, tag, comm, request))
#endif

#ifdef SLOW_MPI_Wait
SLOW(MPI_Wait, (MPI_Request * request, MPI_Status *status), (request, status))
#endif

#ifdef SLOW_MPI_Waitall
SLOW(MPI_Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses))
#endif

#ifdef SLOW_MPI_Recv
SLOW(MPI_Recv,
     (void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Status *status),
     (data, count, type, peer, tag, comm, status))
#endif
