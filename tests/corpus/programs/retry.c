/* corpus: ranks=3 unrecorded=MPI_Ssend
 *
 * A computation that survives failures: the error handler jumps out of the MPI call that failed (longjmp), back to the loop
 * over the steps, which takes the state of the last snapshot and tries again. Snapshots are kept by a neighbour too
 * (Sendrecv). What fails is a send to a partner that does not exist, on one rank or another now and then; all ranks hear
 * of it before they continue (Allreduce).
 *
 * Check: the result is that of a computation without failures, and the failures were met. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 32, STEPS = 20, STEPS_BETWEEN_SNAPSHOTS = 4, STEPS_BETWEEN_FAILURES = 5 };

struct state {
	int step;
	long cells[CELLS];
};

static struct state now, snapshot, of_neighbour;
static int rank, size, failures, repeated;
static jmp_buf next_try;

static void give_up(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	longjmp(next_try, 1);
}

static void save(void)
{
	snapshot = now;
	MPI_Sendrecv(&snapshot, sizeof(snapshot), MPI_BYTE, (rank + 1) % size, 1, &of_neighbour,
	             sizeof(of_neighbour), MPI_BYTE, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
}

/* The first attempt at some steps fails on one of the ranks. It never returns from the call. */
static void meet_failure(void)
{
	static int last_failed = -1;

	if (now.step % STEPS_BETWEEN_FAILURES != 3 || now.step / STEPS_BETWEEN_FAILURES % size != rank)
		return;
	if (last_failed == now.step)
		return;
	last_failed = now.step;
	failures++;
	MPI_Ssend(now.cells, 1, MPI_LONG, size + 1, 0, MPI_COMM_WORLD);
}

/* Returns whether everybody is well. */
static int ask_all(int well)
{
	int all;

	MPI_Allreduce(&well, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	return all;
}

/* A cell gets what its neighbours had, across ranks too. */
static void compute(struct state *s, long left, long right)
{
	long before[CELLS];

	memcpy(before, s->cells, sizeof(before));
	for (int i = 0; i < CELLS; i++)
		s->cells[i] = ((i ? before[i - 1] : left) + (i + 1 < CELLS ? before[i + 1] : right) * 3 + 1) %
		              1000003;
	s->step++;
}

/* A step needs room on the stack, which reaches further down than the call that failed. */
static void do_step(void)
{
	long scratch[2000], right;

	MPI_Sendrecv(&now.cells[0], 1, MPI_LONG, (rank + size - 1) % size, 2, &right, 1, MPI_LONG,
	             (rank + 1) % size, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(&now.cells[CELLS - 1], 1, MPI_LONG, (rank + 1) % size, 3, &scratch[rank], 1, MPI_LONG,
	             (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	compute(&now, scratch[rank], right);
}

static void try_step(void)
{
	volatile int well = 0;

	if (setjmp(next_try) == 0) {
		meet_failure();
		well = 1;
	}
	if (!ask_all(well)) {
		now = snapshot;
		repeated++;
		return;
	}
	do_step();
	if (now.step % STEPS_BETWEEN_SNAPSHOTS == 0)
		save();
}

static void fill(struct state *s, int of_rank)
{
	s->step = 0;
	for (int i = 0; i < CELLS; i++)
		s->cells[i] = of_rank * 1000 + i * i;
}

/* All ranks' cells as they are without failures, and how many of the own ones differ. */
static int count_wrong_cells(void)
{
	struct state all[64], before[64];
	int wrong = 0;

	for (int i = 0; i < size; i++)
		fill(&all[i], i);
	for (int step = 0; step < STEPS; step++) {
		memcpy(before, all, sizeof(before));
		for (int i = 0; i < size; i++)
			compute(&all[i], before[(i + size - 1) % size].cells[CELLS - 1],
			        before[(i + 1) % size].cells[0]);
	}
	for (int i = 0; i < CELLS; i++)
		wrong += all[rank].cells[i] != now.cells[i];
	return wrong;
}

int main(int argc, char **argv)
{
	MPI_Errhandler handler;
	int own[2], all[2];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_create_errhandler(give_up, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	fill(&now, rank);
	save();
	while (now.step < STEPS)
		try_step();
	MPI_Errhandler_free(&handler);
	own[0] = count_wrong_cells();
	own[1] = failures;
	MPI_Reduce(own, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%s : %d failures, %d steps tried again\n",
		       !all[0] && all[1] == repeated && repeated > 1 ? "ok" : "wrong", all[1], repeated);
	MPI_Finalize();
	return 0;
}
