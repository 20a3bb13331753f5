/* Members of a communicator begin at one moment, though the clocks of their nodes are far apart and one of them drifts. Nodes are planted: every
 * third process shares one, and its clock is the machine's, shifted. */
#include "coll/algorithms/start.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NODES = 3, STARTS = 20, DRIFT_AT = 10 };
/* Comparing clocks on a busy machine may be wrong by some milliseconds; this is beyond doubt. */
static const double CLOSE_S = 0.5;

static double shift_s; /* of this node's clock */

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	const int code = __real_clock_gettime(clock, time);

	time->tv_sec += (time_t)shift_s;
	return code;
}

static void fail(const char *what, double first, double second)
{
	printf("%s: %.9f, %.9f\n", what, first, second);
	fflush(stdout);
	PMPI_Abort(MPI_COMM_WORLD, 1);
	exit(1);
}

static void start_once(const struct coll_comm *c, struct coll_start *start)
{
	const double begin_s = coll_start_together(c, start), true_s = begin_s - shift_s;
	double first_s, last_s;

	if (coll_clock_s() < begin_s)
		fail("begun too early", coll_clock_s(), begin_s);
	PMPI_Allreduce(&true_s, &first_s, 1, MPI_DOUBLE, MPI_MIN, c->comm);
	PMPI_Allreduce(&true_s, &last_s, 1, MPI_DOUBLE, MPI_MAX, c->comm);
	if (last_s - first_s > CLOSE_S)
		fail("begun at different moments", first_s, last_s);
	if (c->layout.nodes == 1 && last_s > first_s)
		fail("begun at different moments on one node", first_s, last_s);
}

int main(int argc, char **argv)
{
	int rank;
	struct coll_comm c;
	struct coll_start start = COLL_START_UNKNOWN;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	const int nodes = argc > 1 ? atoi(argv[1]) : NODES;
	shift_s = 1000.0 * (rank % nodes);
	if (coll_comm_make_as(&c, MPI_COMM_WORLD, rank % nodes) != MPI_SUCCESS)
		fail("no communicator", 0, 0);
	for (int i = 0; i < STARTS; i++) {
		/* Ten seconds later one clock has gained another ten. */
		if (i == DRIFT_AT)
			shift_s += rank % nodes == 1 ? 20 : 10;
		start_once(&c, &start);
	}
	coll_comm_release(&c);
	if (rank == 0)
		printf("%d starts on %d nodes\n", STARTS, nodes);
	MPI_Finalize();
	return 0;
}
