/* A binomial tree: those who know the global time teach it to as many others in each of log2(n) rounds. A pupil asks for it
 * again and again for some time and lays a line through the answers, so that it knows offset and drift. */
#include "bench/run/pair.h"

#include <time.h>

enum {
	POINTS = 50,                /* of a line, if they are enough */
	POINTS_MAX = 250,           /* otherwise */
	PAUSE_NS = 4 * 1000 * 1000, /* between them: a line of 0.2 to 1 s */
	PATIENCE_SHARE = 5,         /* a point of many is found with less patience than the only one */
	TOTAL_LIMIT_NS = 2000 * 1000 * 1000,
};

/* A drift known to this: clocks part by a tenth of a microsecond in a second. */
static const double GOOD_ENOUGH = 1e-7;

/* One who learns the time. */
struct pupil {
	struct global_clock *clock;
	MPI_Comm comm;
	int teacher;
	int patience;
	struct exchange points[POINTS_MAX];
	size_t count;
	double slope_error;
};

static void pause_asking(void)
{
	nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

static void ask_often(struct pupil *pupil, int64_t deadline)
{
	const struct bench_timer *timer = pupil->clock->timer;

	for (int i = 0; i < POINTS && (pupil->count < 3 || timer->now() < deadline); i++) {
		pupil->points[pupil->count++] = pair_compare(timer, pupil->comm, pupil->teacher,
		                                             pupil->patience);
		pause_asking();
	}
}

static void learn(struct pupil *pupil)
{
	struct global_clock *clock = pupil->clock;
	int64_t deadline = clock->timer->now() + TOTAL_LIMIT_NS;
	int64_t shortest = INT64_MAX;

	do {
		ask_often(pupil, deadline);
		clock->line = clock_line_fit(pupil->points, pupil->count, clock->quality.resolution_ns,
		                             &pupil->slope_error);
	} while (pupil->slope_error > GOOD_ENOUGH && pupil->count < POINTS_MAX &&
	         clock->timer->now() < deadline);
	pair_end(pupil->comm, pupil->teacher);
	for (size_t i = 0; i < pupil->count; i++)
		if (round_trip(&pupil->points[i]) < shortest)
			shortest = round_trip(&pupil->points[i]);
	clock->round_trip_ns = (double)shortest;
}

static void run(struct global_clock *clock, MPI_Comm comm, int patience)
{
	int rank, size;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	for (int reach = 1; reach < size; reach *= 2)
		if (tree_teacher(rank, reach) >= 0)
			learn(&(struct pupil){.clock = clock,
			                      .comm = comm,
			                      .teacher = tree_teacher(rank, reach),
			                      .patience = patience / PATIENCE_SHARE + 1});
		else if (tree_pupil(rank, size, reach) >= 0)
			pair_serve(clock, comm, tree_pupil(rank, size, reach));
}

const struct sync_method sync_tree = {"tree", "in log2(n) rounds, with the drift of each clock", true, run};
