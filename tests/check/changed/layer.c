/* A faulty layer between the checker and MPI, to be preloaded: it changes the byte at CHANGED_BYTE of whatever a call or a request receives, once that is complete.
 * Without CHANGED_BYTE it changes nothing. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>

enum { REQUESTS = 64 };

/* Requests that receive, by their handles. */
static struct {
	MPI_Request request;
	void *buffer; /* NULL: a free place */
	int is_persistent;
} receiving[REQUESTS];

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void change(void *buffer)
{
	const char *place = getenv("CHANGED_BYTE");

	if (place)
		((unsigned char *)buffer)[atoi(place)] ^= 1;
}

static int remember(int rc, MPI_Request request, void *buffer, int is_persistent)
{
	int i = 0;

	while (i < REQUESTS && receiving[i].buffer)
		i++;
	if (i == REQUESTS)
		abort();
	receiving[i].request = request;
	receiving[i].buffer = buffer;
	receiving[i].is_persistent = is_persistent;
	return rc;
}

static void complete(MPI_Request request)
{
	for (int i = 0; i < REQUESTS; i++)
		if (receiving[i].buffer && receiving[i].request == request) {
			change(receiving[i].buffer);
			if (!receiving[i].is_persistent)
				receiving[i].buffer = NULL;
			return;
		}
}

static int is_at(int root, MPI_Comm comm)
{
	int rank;

	PMPI_Comm_rank(comm, &rank);
	return rank == root;
}

int PMPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
	const int rc = NEXT(PMPI_Bcast)(buf, count, type, root, comm);

	if (!is_at(root, comm))
		change(buf);
	return rc;
}

int PMPI_Ibcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request)
{
	const int rc = NEXT(PMPI_Ibcast)(buf, count, type, root, comm, request);

	return is_at(root, comm) ? rc : remember(rc, *request, buf, 0);
}

int PMPI_Request_free(MPI_Request *request)
{
	for (int i = 0; i < REQUESTS; i++)
		if (receiving[i].request == *request)
			receiving[i].buffer = NULL;
	return NEXT(PMPI_Request_free)(request);
}

int PMPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	const int rc = NEXT(PMPI_Recv)(buf, count, type, source, tag, comm, status);

	change(buf);
	return rc;
}

int PMPI_Mrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
	const int rc = NEXT(PMPI_Mrecv)(buf, count, type, message, status);

	change(buf);
	return rc;
}

int PMPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                  void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                  MPI_Status *status)
{
	const int rc = NEXT(PMPI_Sendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
	                                   recvtype, source, recvtag, comm, status);

	change(recvbuf);
	return rc;
}

int PMPI_Sendrecv_replace(void *buf, int count, MPI_Datatype type, int dest, int sendtag, int source,
                          int recvtag, MPI_Comm comm, MPI_Status *status)
{
	const int rc = NEXT(PMPI_Sendrecv_replace)(buf, count, type, dest, sendtag, source, recvtag, comm,
	                                           status);

	change(buf);
	return rc;
}

int PMPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Request *request)
{
	const int rc = NEXT(PMPI_Irecv)(buf, count, type, source, tag, comm, request);

	return remember(rc, *request, buf, 0);
}

int PMPI_Imrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
	const int rc = NEXT(PMPI_Imrecv)(buf, count, type, message, request);

	return remember(rc, *request, buf, 0);
}

int PMPI_Recv_init(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
	const int rc = NEXT(PMPI_Recv_init)(buf, count, type, source, tag, comm, request);

	return remember(rc, *request, buf, 1);
}

int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
	const MPI_Request before = *request;
	const int rc = NEXT(PMPI_Wait)(request, status);

	complete(before);
	return rc;
}

int PMPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
	MPI_Request before[REQUESTS];
	int rc;

	for (int i = 0; i < count; i++)
		before[i] = requests[i];
	rc = NEXT(PMPI_Waitall)(count, requests, statuses);
	for (int i = 0; i < count; i++)
		complete(before[i]);
	return rc;
}

int PMPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
	MPI_Request before[REQUESTS];
	int rc;

	for (int i = 0; i < count; i++)
		before[i] = requests[i];
	rc = NEXT(PMPI_Waitany)(count, requests, index, status);
	if (*index >= 0)
		complete(before[*index]);
	return rc;
}

int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	const MPI_Request before = *request;
	const int rc = NEXT(PMPI_Test)(request, flag, status);

	if (*flag)
		complete(before);
	return rc;
}
