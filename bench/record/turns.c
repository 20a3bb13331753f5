/* The overhead of recording on calls of a process with itself. Each case alternates between MPI_… , which
 * is recorded, and PMPI_… , which is not, so both see the same state of the machine. The fastest laps
 * count; each lap is long enough for the recorder's periodic work. One line of JSON per case. */
#include "../timed.h"

#include <mpi.h>

enum { SIDES = 4, CELLS = 64, TAGS = 32767, TURNS = 100 };

struct face {
	int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
	int (*irecv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
	int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
	int (*wait)(MPI_Request *, MPI_Status *);
	int (*waitall)(int, MPI_Request *, MPI_Status *);
};

static double edges[SIDES][CELLS], halos[SIDES][CELLS];

static void same(const struct face *face, int round)
{
	(void)round;
	face->send(edges, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

static void own_tag(const struct face *face, int round)
{
	face->send(edges, 1, MPI_DOUBLE, MPI_PROC_NULL, round % TAGS, MPI_COMM_WORLD);
}

static void own_size(const struct face *face, int round)
{
	face->send(edges, round, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

static void group(const struct face *face, int round)
{
	MPI_Request request[2];

	(void)round;
	face->irecv(halos, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request[0]);
	face->isend(edges, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request[1]);
	face->waitall(2, request, MPI_STATUSES_IGNORE);
}

static void begin_halo(const struct face *face, MPI_Request *request)
{
	for (int side = 0; side < SIDES; side++)
		face->irecv(halos[side], CELLS, MPI_DOUBLE, 0, side, MPI_COMM_SELF, &request[side]);
	for (int side = 0; side < SIDES; side++)
		face->isend(edges[side], CELLS, MPI_DOUBLE, 0, side ^ 1, MPI_COMM_SELF,
		            &request[SIDES + side]);
}

static void halo(const struct face *face, int round)
{
	MPI_Request request[2 * SIDES];

	(void)round;
	begin_halo(face, request);
	face->waitall(2 * SIDES, request, MPI_STATUSES_IGNORE);
}

static void halo_of_waits(const struct face *face, int round)
{
	MPI_Request request[2 * SIDES];

	(void)round;
	begin_halo(face, request);
	for (int i = 0; i < 2 * SIDES; i++)
		face->wait(&request[i], MPI_STATUS_IGNORE);
}

/* A program's own layer around MPI, called from two places. Code after the call prevents a tail call. */
static volatile int calls_made;

static __attribute__((noinline)) void layer_send(const struct face *face)
{
	face->send(edges, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
	calls_made++;
}

static __attribute__((noinline)) void layer_exchange(const struct face *face)
{
	layer_send(face);
	calls_made++;
}

static __attribute__((noinline)) void solve(const struct face *face)
{
	layer_exchange(face);
	layer_exchange(face);
	calls_made++;
}

static void layer(const struct face *face, int round)
{
	(void)round;
	solve(face);
}

static const struct {
	const char *name;
	void (*run)(const struct face *face, int round);
	int rounds; /* per lap */
	int calls;  /* per round */
} cases[] = {
	{"same", same, 32768, 1},
	{"tags", own_tag, 32768, 1},
	{"sizes", own_size, 32768, 1},
	{"layer", layer, 16384, 2},
	{"group", group, 8192, 3},
	{"halo", halo, 2048, 2 * SIDES + 1},
	{"waits", halo_of_waits, 2048, 4 * SIDES},
};

static double lap_ns(int which, const struct face *face)
{
	uint64_t start = now_ns();

	for (int round = 0; round < cases[which].rounds; round++)
		cases[which].run(face, round);
	return (double)(now_ns() - start) / cases[which].rounds;
}

int main(int argc, char **argv)
{
	static const struct face faces[] = {
		{PMPI_Send, PMPI_Irecv, PMPI_Isend, PMPI_Wait, PMPI_Waitall},
		{MPI_Send, MPI_Irecv, MPI_Isend, MPI_Wait, MPI_Waitall},
	};
	long turns = argument(argc, argv, 1, TURNS);
	const char *wanted = argc > 2 ? argv[2] : NULL;

	MPI_Init(&argc, &argv);
	for (int which = 0; which < (int)(sizeof cases / sizeof *cases); which++) {
		double best[2] = {1e9, 1e9};

		if (wanted && strcmp(wanted, cases[which].name) != 0)
			continue;
		for (long turn = 0; turn < 2 * turns; turn++) {
			double ns = lap_ns(which, &faces[turn % 2]);
			if (ns < best[turn % 2])
				best[turn % 2] = ns;
		}
		printf("{\"case\": \"%s\", \"calls\": %d, \"untraced_ns\": %.2f, \"added_ns\": %.2f}\n",
		       cases[which].name, cases[which].calls, best[0], best[1] - best[0]);
	}
	MPI_Finalize();
	return 0;
}
