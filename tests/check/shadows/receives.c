/* Receives of all kinds, whose buffers are printed as checksums, gaps and all: they have to be the same under `tarry check --buffers=all`, which lets
 * MPI receive into other memory. Two processes. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 17, MANY = 6 };

static int rank;
static unsigned char *mine, *theirs; /* the sent data, and the receive buffer */

static uint64_t checksum(const unsigned char *bytes, size_t count)
{
	uint64_t sum = 14695981039346656037u;

	for (size_t i = 0; i < count; i++)
		sum = (sum ^ bytes[i]) * 1099511628211u;
	return sum;
}

static void prepare(unsigned seed)
{
	for (size_t i = 0; i < ROOM; i++) {
		seed = seed * 1103515245 + 12345;
		mine[i] = (unsigned char)(seed >> 16);
		theirs[i] = (unsigned char)(seed >> 24);
	}
}

static void show(const char *what, int number)
{
	if (rank == 1)
		printf("%s %d: %016llx\n", what, number, (unsigned long long)checksum(theirs, ROOM));
}

/* Types, with lower bounds below and above 0, gaps, and elements that interleave. */
static MPI_Datatype make_type(int number)
{
	const int lengths[] = {3, 1, 4}, places[] = {9, 0, 4}, sizes[] = {20, 30}, parts[] = {7, 11},
		  starts[] = {3, 5};
	const MPI_Aint displacements[] = {64, -32, 8};
	MPI_Datatype members[] = {MPI_INT, MPI_DOUBLE, MPI_SHORT}, type, inner;

	switch (number) {
	case 0:
		MPI_Type_contiguous(5, MPI_FLOAT, &type);
		break;
	case 1:
		MPI_Type_vector(40, 2, 5, MPI_DOUBLE, &type);
		break;
	case 2:
		MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
		break;
	case 3:
		MPI_Type_create_struct(3, lengths, displacements, members, &type);
		break;
	case 4:
		MPI_Type_create_resized(MPI_INT, -4, 24, &type);
		break;
	case 5:
		MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
		break;
	case 6:
		MPI_Type_vector(6, 1, 8, MPI_INT, &inner);
		MPI_Type_create_resized(inner, 0, sizeof(int), &type); /* neighbouring columns */
		MPI_Type_free(&inner);
		break;
	case 7:
		MPI_Type_vector(3, 2, -4, MPI_LONG, &type);
		break;
	case 8:
		MPI_Type_create_hvector(4, 3, 100, MPI_DOUBLE_INT, &type);
		break;
	default:
		MPI_Type_dup(MPI_BYTE, &type);
	}
	MPI_Type_commit(&type);
	return type;
}

/* As a message of packed data, so that every type of the receiver fits. */
static void send_like(MPI_Datatype type, int count, int tag)
{
	int bytes;

	MPI_Type_size(type, &bytes);
	MPI_Send(mine, bytes * count, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
}

static void receive_types(int count, int sent)
{
	for (int number = 0; number < 10; number++) {
		MPI_Datatype type = make_type(number);
		MPI_Request request;
		MPI_Status status;
		int bytes;

		prepare((unsigned)number);
		if (rank == 0) {
			MPI_Send(mine + 4096, sent, type, 1, number, MPI_COMM_WORLD);
		} else {
			MPI_Irecv(theirs + 4096, count, type, 0, number, MPI_COMM_WORLD, &request);
			MPI_Wait(&request, &status);
			MPI_Get_count(&status, type, &bytes);
			printf("count %d\n", bytes);
		}
		show("type", number);
		MPI_Type_free(&type);
	}
}

static void receive_large(void)
{
	MPI_Request requests[2];

	prepare(77);
	if (rank == 0) {
		MPI_Send(mine, ROOM / 2, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
		MPI_Send(mine + ROOM / 2, ROOM / 4, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(theirs + 1, ROOM / 2, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[0]);
		MPI_Irecv(theirs + ROOM / 2 + 1, ROOM / 2 - 1, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
		          &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	show("large", 0);
}

/* Absolute addresses. */
static void receive_bottom(void)
{
	const int length = 100;
	MPI_Datatype type, byte = MPI_BYTE;
	MPI_Request request;
	MPI_Aint address;

	prepare(5);
	MPI_Get_address(rank ? theirs + 50 : mine, &address);
	MPI_Type_create_struct(1, &length, &address, &byte, &type);
	MPI_Type_commit(&type);
	if (rank == 0) {
		MPI_Send(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	show("bottom", 0);
	MPI_Type_free(&type);
}

static void receive_persistent(void)
{
	MPI_Datatype type = make_type(1);
	MPI_Request requests[2];

	prepare(9);
	if (rank == 1) {
		MPI_Recv_init(theirs + 8, 3, type, 0, 0, MPI_COMM_WORLD, &requests[0]);
		MPI_Recv_init(theirs + 40000, 5000, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
	}
	for (int i = 0; i < 4; i++) {
		mine[i] = mine[5000 + i] = (unsigned char)i;
		if (rank == 0) {
			send_like(type, 3 - i % 2, 0);
			MPI_Send(mine, 4 * (5000 - i), MPI_BYTE, 1, 1, MPI_COMM_WORLD);
		} else {
			theirs[8 + i] = theirs[40000 + i] = 100;
			MPI_Startall(2, requests);
			MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		}
		show("persistent", i);
	}
	for (int i = 0; i < 2 && rank == 1; i++)
		MPI_Request_free(&requests[i]);
	MPI_Type_free(&type);
}

/* Completed one after the other, some by copies of their handles. */
static void receive_many(int how)
{
	MPI_Request requests[MANY], copies[MANY];
	int index, count, indices[MANY], left = MANY;

	prepare(20 + (unsigned)how);
	for (int i = 0; i < MANY && rank == 0; i++)
		MPI_Send(mine + 500 * i, 400 + i, MPI_BYTE, 1, i, MPI_COMM_WORLD);
	for (int i = 0; i < MANY && rank == 1; i++)
		MPI_Irecv(theirs + 1000 * i, 500, MPI_BYTE, 0, i, MPI_COMM_WORLD, &requests[i]);
	for (int i = 0; i < MANY && rank == 1; i++)
		copies[MANY - 1 - i] = requests[i];
	while (rank == 1 && left > 0) {
		count = 1;
		if (how == 0)
			MPI_Waitany(MANY, requests, &index, MPI_STATUS_IGNORE);
		else if (how == 1)
			MPI_Testsome(MANY, requests, &count, indices, MPI_STATUSES_IGNORE);
		else if (how == 2)
			MPI_Testany(MANY, copies, &index, &count, MPI_STATUS_IGNORE);
		else
			MPI_Waitsome(MANY, copies, &count, indices, MPI_STATUSES_IGNORE);
		left -= count;
	}
	show("many", how);
}

static void receive_nothing(void)
{
	MPI_Request requests[3];
	MPI_Status status;
	int cancelled;

	prepare(30);
	MPI_Irecv(theirs, 100, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(theirs + 9000, 50000, MPI_BYTE, !rank, 99, MPI_COMM_WORLD, &requests[1]);
	MPI_Irecv(theirs, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[2]);
	MPI_Cancel(&requests[1]);
	MPI_Wait(&requests[1], &status);
	MPI_Test_cancelled(&status, &cancelled);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
	if (rank == 1)
		printf("cancelled %d\n", cancelled);
	show("nothing", 0);
}

static void receive_too_much(void)
{
	MPI_Request request;
	int class = 0, error;

	prepare(40);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	if (rank == 0) {
		MPI_Send(mine, 300, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(theirs, 100, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
		error = MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Error_class(error, &class);
		printf("truncated %d\n", class == MPI_ERR_TRUNCATE);
	}
	show("too much", 0);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* The receive is complete when the second message, which the first one was sent before, has come. */
static void receive_freed(void)
{
	MPI_Request request;
	MPI_Status status;
	int flag = 0;

	prepare(50);
	if (rank == 0) {
		MPI_Recv(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Ssend(mine, 20000, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
		MPI_Ssend(mine + 20000, 10, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
		MPI_Send(mine, 700, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(theirs, 20000, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
		MPI_Request_free(&request);
		printf("null %d\n", request == MPI_REQUEST_NULL);
		MPI_Send(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
		MPI_Recv(theirs + 20000, 10, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		show("freed", 0);
		MPI_Irecv(theirs, 700, MPI_BYTE, 0, 3, MPI_COMM_WORLD, &request);
		while (!flag)
			MPI_Request_get_status(request, &flag, &status);
		show("seen", 0);
		theirs[3] = 1; /* it is the program's again */
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		show("seen", 1);
	}
}

static void receive_collective(void)
{
	MPI_Datatype type = make_type(6);
	MPI_Request requests[3];
	const int counts[] = {100, 50}, places[] = {1000, 0};

	prepare(60 + (unsigned)rank);
	MPI_Ibcast(rank ? theirs : mine, 4, type, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Iallgatherv(mine, counts[rank], MPI_INT, theirs + 8192, counts, places, MPI_INT, MPI_COMM_WORLD,
	                &requests[1]);
	memcpy(theirs + 32768, mine, 4000);
	MPI_Iallreduce(MPI_IN_PLACE, theirs + 32768, 1000, MPI_UNSIGNED, MPI_BXOR, MPI_COMM_WORLD,
	               &requests[2]);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	show("collective", 0);
	MPI_Igather(mine, 30, MPI_LONG, rank == 1 ? theirs : NULL, 30, MPI_LONG, 1, MPI_COMM_WORLD,
	            &requests[0]);
	MPI_Ialltoall(mine, 500, MPI_INT, theirs + 65536, 500, MPI_INT, MPI_COMM_WORLD, &requests[1]);
	MPI_Iscan(mine, theirs + 100000, 20, MPI_INT, MPI_SUM, MPI_COMM_SELF, &requests[2]);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	show("collective", 1);
	MPI_Type_free(&type);
}

static void receive_probed(void)
{
	MPI_Message message;
	MPI_Request request;

	prepare(70);
	if (rank == 0) {
		MPI_Send(mine, 30000, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
		MPI_Imrecv(theirs + 7, 40000, MPI_BYTE, &message, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	show("probed", 0);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	mine = malloc(ROOM);
	theirs = malloc(ROOM);
	receive_types(7, 7);
	receive_types(7, 4); /* shorter than the buffer */
	receive_large();
	receive_bottom();
	receive_persistent();
	for (int how = 0; how < 4; how++)
		receive_many(how);
	receive_nothing();
	receive_too_much();
	receive_freed();
	receive_collective();
	receive_probed();
	MPI_Finalize();
	free(mine);
	free(theirs);
	return 0;
}
