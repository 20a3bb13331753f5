/* A binomial tree: those who know the global time teach it to as many others in each of log2(n) rounds. A pupil asks for it
 * again and again for some time and lays a line through the answers, so that it knows offset and drift. */
#include "bench/pair.h"

#include <time.h>

enum {
	POINTS = 50,                /* of a line */
	PAUSE_NS = 4 * 1000 * 1000, /* between them: a line of 0.2 s */
	PATIENCE_SHARE = 5,         /* a point of many is found with less patience than the only one */
	LIMIT_NS = 100 * 1000 * 1000,
	TOTAL_LIMIT_NS = 1000 * 1000 * 1000,
};

static void pause_asking(void)
{
	nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

static size_t ask_often(const struct timer *timer, MPI_Comm comm, int teacher, int patience,
                        struct exchange points[POINTS])
{
	int64_t deadline = timer->now() + TOTAL_LIMIT_NS;
	size_t count = 0;

	while (count < POINTS && (count < 3 || timer->now() < deadline)) {
		points[count++] = pair_ask(timer, comm, teacher, patience, LIMIT_NS);
		pause_asking();
	}
	pair_end(comm, teacher);
	return count;
}

static void learn(struct global_clock *clock, MPI_Comm comm, int teacher, int patience)
{
	struct exchange points[POINTS];
	size_t count = ask_often(clock->timer, comm, teacher, patience / PATIENCE_SHARE + 1, points);
	int64_t shortest = INT64_MAX;

	for (size_t i = 0; i < count; i++)
		if (round_trip(&points[i]) < shortest)
			shortest = round_trip(&points[i]);
	clock->line = clock_line_fit(points, count);
	clock->round_trip_ns = (double)shortest;
}

static void run(struct global_clock *clock, MPI_Comm comm, int patience)
{
	int rank, size;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	for (int reach = 1; reach < size; reach *= 2)
		if (tree_teacher(rank, reach) >= 0)
			learn(clock, comm, tree_teacher(rank, reach), patience);
		else if (tree_pupil(rank, size, reach) >= 0)
			pair_serve(clock, comm, tree_pupil(rank, size, reach));
}

const struct sync_method sync_tree = {"tree", "in log2(n) rounds, with the drift of each clock", true, run};
