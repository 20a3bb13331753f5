/* Rank 0 sends to rank 1 in many ways; CASE names a receive whose data a faulty layer can change (layer.c). With an argument each message goes twice, so that
 * the second finds the places of the first. Prints how many bytes rank 1 received. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 64, MANY = 300000 };

static int rank, tag;
static unsigned char data[LENGTH], more[LENGTH];
static long received;

static void fill(void)
{
	for (int i = 0; i < LENGTH; i++)
		data[i] = (unsigned char)rand();
	tag++;
}

static void count(const MPI_Status *status)
{
	int bytes;

	MPI_Get_elements(status, MPI_BYTE, &bytes);
	received += bytes;
}

static void blocking(void)
{
	MPI_Status status;

	fill();
	if (rank == 0) {
		MPI_Send(data, LENGTH, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
	} else {
		MPI_Recv(data, LENGTH, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &status); /* CASE blocking */
		count(&status);
	}
	fill();
	if (rank == 0) {
		MPI_Ssend(data, LENGTH / 2, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
	} else {
		MPI_Recv(data, LENGTH, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
		         &status); /* CASE wildcard */
		count(&status);
	}
	fill();
	if (rank == 0)
		MPI_Sendrecv(data, LENGTH, MPI_BYTE, 1, tag, more, LENGTH, MPI_BYTE, 1, tag, MPI_COMM_WORLD,
		             MPI_STATUS_IGNORE); /* CASE sendrecv */
	else
		MPI_Sendrecv_replace(data, LENGTH, MPI_BYTE, 0, tag, 0, tag, MPI_COMM_WORLD,
		                     MPI_STATUS_IGNORE); /* CASE replace */
}

static void probed(void)
{
	MPI_Request request;
	MPI_Message message;
	MPI_Status status;

	fill();
	if (rank == 0) {
		MPI_Send(data, LENGTH, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
		MPI_Send(data, LENGTH, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
		return;
	}
	MPI_Mprobe(0, tag, MPI_COMM_WORLD, &message, &status);
	MPI_Mrecv(data, LENGTH, MPI_BYTE, &message, &status); /* CASE mrecv */
	MPI_Mprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &message, &status);
	MPI_Imrecv(data, LENGTH, MPI_BYTE, &message, &request); /* CASE imrecv */
	MPI_Wait(&request, &status);
	count(&status);
}

/* Completed in the other order. */
static void nonblocking(void)
{
	MPI_Request requests[2];
	int done = 0, index;

	fill();
	if (rank == 0) {
		MPI_Isend(data, 10, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &requests[0]);
		MPI_Issend(data + 10, 20, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	} else {
		MPI_Irecv(data, LENGTH, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &requests[0]); /* CASE irecv */
		MPI_Irecv(more, LENGTH, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &requests[1]); /* CASE test */
		while (!done)
			MPI_Test(&requests[1], &done, MPI_STATUS_IGNORE);
		MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	}
	fill();
	if (rank == 0) {
		MPI_Send(data, 30, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
		MPI_Bsend(data + 20, 40, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
		data[20]++; /* MPI has a copy */
	} else {
		MPI_Irecv(data, LENGTH, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD,
		          &requests[0]); /* CASE any */
		MPI_Irecv(more, LENGTH, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD,
		          &requests[1]); /* CASE any_tag */
		for (int i = 0; i < 2; i++)
			MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
	}
}

static void persistent(void)
{
	MPI_Request request;

	if (rank == 0)
		MPI_Send_init(data, LENGTH, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
	else
		MPI_Recv_init(data, LENGTH, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request); /* CASE persistent */
	for (int i = 0; i < 3; i++) {
		fill();
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
}

/* One byte of data and one without, alternating: the byte at 1 is not data. */
static void with_gaps(void)
{
	MPI_Datatype type;

	MPI_Type_vector(LENGTH / 2, 1, 2, MPI_BYTE, &type);
	MPI_Type_commit(&type);
	fill();
	if (rank == 0)
		MPI_Send(data, LENGTH / 2, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
	else
		MPI_Recv(data, 1, type, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* CASE gaps */
	fill();
	if (rank == 0) {
		MPI_Send(data, 1, type, 1, tag, MPI_COMM_WORLD);
	} else {
		MPI_Request request;

		MPI_Irecv(data, LENGTH, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &request); /* CASE from_gaps */
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Type_free(&type);
}

/* Two at a time, completed in the other order, from another root. */
static void broadcasts(void)
{
	MPI_Request requests[2];
	MPI_Datatype type;

	MPI_Type_vector(LENGTH / 2, 1, 2, MPI_BYTE, &type);
	MPI_Type_commit(&type);
	fill();
	MPI_Bcast(data, LENGTH, MPI_BYTE, 0, MPI_COMM_WORLD); /* CASE bcast */
	fill();
	MPI_Bcast(data, rank ? 1 : LENGTH / 2, rank ? type : MPI_BYTE, 0,
	          MPI_COMM_WORLD); /* CASE bcast_gaps */
	fill();
	MPI_Ibcast(data, 10, MPI_BYTE, 1, MPI_COMM_WORLD, &requests[0]);      /* CASE ibcast */
	MPI_Ibcast(data + 10, 20, MPI_BYTE, 1, MPI_COMM_WORLD, &requests[1]); /* CASE second_ibcast */
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Bcast(data, 0, MPI_BYTE, 0, MPI_COMM_SELF);
	MPI_Type_free(&type);
}

/* What cannot be compared, or has nothing to compare: never found. */
static void uncompared(void)
{
	const int lengths[] = {1, 1}, backwards[] = {1, 0};
	MPI_Datatype turned, pieces;
	MPI_Request request, never;
	unsigned char *many;

	MPI_Type_indexed(2, lengths, backwards, MPI_SHORT, &turned);
	MPI_Type_commit(&turned);
	fill();
	if (rank == 0) {
		MPI_Send(data, 1, turned, 1, tag, MPI_COMM_WORLD);
		MPI_Send(data, 0, MPI_INT, 1, tag, MPI_COMM_WORLD);
		MPI_Send(NULL, 0, MPI_BYTE, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
	} else {
		MPI_Recv(data, 2, MPI_SHORT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(data, 2, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Irecv(more, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &never);
		MPI_Cancel(&never);
		MPI_Wait(&never, MPI_STATUS_IGNORE);
	}
	fill();
	MPI_Irecv(more, LENGTH, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &request); /* CASE self */
	MPI_Send(data, LENGTH, MPI_BYTE, rank, tag, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Type_free(&turned);
	/* more pieces than the checker keeps */
	MPI_Type_vector(MANY, 1, 2, MPI_BYTE, &pieces);
	MPI_Type_commit(&pieces);
	many = calloc(MANY, 2);
	if (rank == 0)
		MPI_Send_init(many, 1, pieces, 1, tag, MPI_COMM_WORLD, &request);
	else
		MPI_Recv_init(many, MANY, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &request);
	MPI_Start(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Request_free(&request);
	free(many);
	MPI_Type_free(&pieces);
}

int main(int argc, char **argv)
{
	void *room = malloc(4096);

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Buffer_attach(room, 4096);
	for (int i = 0; i < argc; i++) {
		blocking();
		probed();
		nonblocking();
		persistent();
		with_gaps();
		broadcasts();
		uncompared();
	}
	MPI_Buffer_detach(&room, &(int){0});
	MPI_Finalize();
	free(room);
	if (rank == 1)
		printf("%ld bytes\n", received);
	return 0;
}
