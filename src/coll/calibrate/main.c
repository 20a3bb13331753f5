/* tarry-calibrate-<mpi>: measures the cost of a message inside a node and between nodes and prints it in
 * the format of coll/choice/levels.h. `tarry coll calibrate` starts it. */
#include "coll/calibrate/links.h"
#include "coll/calibrate/messages.h"
#include "coll/choice/levels.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TAG = 1, WARM_UP = 3, ROUNDS_MIN = 20, ROUNDS_MAX = 2000, LONG_BYTES = 1 << 20 };
static const double SECONDS = 0.5; /* per size */

/* One-way time in seconds: half of the fastest of many round trips, because longer ones were disturbed.
 * Both processes call; rank 0 decides when to stop. */
static double measure(char *buffer, int bytes, int rank, int partner)
{
	double fastest = 0, begin = MPI_Wtime();
	char go_on = 1;

	for (int round = 0; go_on; round++) {
		const double start = MPI_Wtime();

		if (rank == 0) {
			double time;

			message_send(buffer, bytes, partner, TAG, MPI_COMM_WORLD);
			message_receive(buffer, bytes, partner, TAG, MPI_COMM_WORLD);
			time = (MPI_Wtime() - start) / 2;
			if (round >= WARM_UP && (fastest <= 0 || time < fastest))
				fastest = time;
			go_on = round < ROUNDS_MAX && (round < ROUNDS_MIN || MPI_Wtime() - begin < SECONDS);
			message_send(&go_on, 1, partner, TAG, MPI_COMM_WORLD);
		} else {
			message_receive(buffer, bytes, 0, TAG, MPI_COMM_WORLD);
			message_send(buffer, bytes, 0, TAG, MPI_COMM_WORLD);
			message_receive(&go_on, 1, 0, TAG, MPI_COMM_WORLD);
		}
	}
	return fastest;
}

/* Rank 0 gets the result. */
static struct coll_level measure_level(char *buffer, int rank, int partner)
{
	const double brief = measure(buffer, 1, rank, partner),
		     long_s = measure(buffer, LONG_BYTES, rank, partner);

	/* A long message that is not slower means that the latency was measured too high. */
	return (struct coll_level){brief < long_s ? brief : long_s,
	                           LONG_BYTES / (long_s > brief ? long_s - brief : long_s)};
}

/* The lowest rank except 0 for which `mine` holds; 0: none. */
static int find_partner(int rank, int is_one)
{
	int size = 0, mine, found = 0;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	mine = rank && is_one ? rank : size;
	MPI_Allreduce(&mine, &found, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	return found == size ? 0 : found;
}

/* A barrier whose waiting processes sleep, to leave the cores to measuring processes. */
static void wait_for_all(void)
{
	const struct timespec step = {.tv_nsec = 1000000};
	MPI_Request request;
	int is_over = 0;

	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	for (;;) {
		MPI_Test(&request, &is_over, MPI_STATUS_IGNORE);
		if (is_over)
			return;
		nanosleep(&step, NULL);
	}
}

int main(int argc, char **argv)
{
	struct coll_levels levels = COLL_LEVELS_DEFAULT;
	char *buffer = calloc(1, LONG_BYTES);
	int rank, near, partners[2];
	MPI_Comm node;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!buffer)
		MPI_Abort(MPI_COMM_WORLD, 1);
	/* Whether this process is on the node of rank 0. */
	int lowest = rank;
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
	MPI_Bcast(&lowest, 1, MPI_INT, 0, node);
	MPI_Comm_free(&node);
	near = lowest == 0;
	partners[0] = find_partner(rank, near);
	partners[1] = find_partner(rank, !near);
	if (partners[0] && (rank == 0 || rank == partners[0]))
		levels.node = measure_level(buffer, rank, partners[0]);
	wait_for_all();
	if (partners[1] && (rank == 0 || rank == partners[1]))
		levels.network = measure_level(buffer, rank, partners[1]);
	wait_for_all();
	if (rank == 0 && (partners[0] || partners[1]))
		coll_levels_write(partners[0] ? &levels.node : NULL, partners[1] ? &levels.network : NULL,
		                  stdout);
	MPI_Barrier(MPI_COMM_WORLD);
	links_measure(stdout);
	free(buffer);
	MPI_Finalize();
	return 0;
}
