#include "job/record/eager_parts.h"

#include <time.h>

enum {
	TESTS = 200, /* of a send that does not complete, before it is believed not to */
	TESTS_AT_ONCE = 10,
	PATIENCE_US = 100,
	TAG_DATA = 1,
	TAG_SIZE = 2,
	TAG_GO = 3,
	THE_END = -1,
};

void eager_pause_us(long us)
{
	struct timespec time = {0, us * 1000};

	nanosleep(&time, NULL);
}

/* Does a send of this size end while nobody receives it? */
static bool ends_alone(MPI_Comm pair, const char *buffer, int bytes)
{
	MPI_Request request;
	int done = 0;

	PMPI_Send(&bytes, 1, MPI_INT, 1, TAG_SIZE, pair);
	PMPI_Isend(buffer, bytes, MPI_BYTE, 1, TAG_DATA, pair, &request);
	for (int i = 1; i <= TESTS && !done; i++) {
		PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (!done && i % TESTS_AT_ONCE == 0)
			eager_pause_us(PATIENCE_US);
	}
	PMPI_Send(&bytes, 1, MPI_INT, 1, TAG_GO, pair);
	if (!done)
		PMPI_Wait(&request, MPI_STATUS_IGNORE);
	return done;
}

/* The largest power of two that ends alone, then halving of what lies between it and the next. */
static long search(MPI_Comm pair, const char *buffer)
{
	long low = 0, high = 1;

	while (high <= EAGER_MAX && ends_alone(pair, buffer, (int)high)) {
		low = high;
		high *= 2;
	}
	while (high <= EAGER_MAX && high - low > 1) {
		long middle = (low + high) / 2;
		if (ends_alone(pair, buffer, (int)middle))
			low = middle;
		else
			high = middle;
	}
	return low;
}

long eager_search(MPI_Comm pair, const char *buffer)
{
	long bytes = search(pair, buffer);
	int end = THE_END;

	PMPI_Send(&end, 1, MPI_INT, 1, TAG_SIZE, pair);
	return bytes;
}

void eager_answer(MPI_Comm pair, char *buffer)
{
	int size, go;

	for (;;) {
		PMPI_Recv(&size, 1, MPI_INT, 0, TAG_SIZE, pair, MPI_STATUS_IGNORE);
		if (size == THE_END)
			break;
		PMPI_Recv(&go, 1, MPI_INT, 0, TAG_GO, pair, MPI_STATUS_IGNORE);
		PMPI_Recv(buffer, size, MPI_BYTE, 0, TAG_DATA, pair, MPI_STATUS_IGNORE);
	}
}
