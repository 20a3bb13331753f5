#include "bench/run/memory.h"

#include "bench/results/memory_use.h"
#include "bench/run/agreement.h"
#include "bench/run/memory_steps.h"
#include "bench/run/provenance.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define ROLLUP "/proc/self/smaps_rollup"

enum { SETTLE_NS = 50 * 1000 * 1000, LINES = 3 };

static enum status read_rollup(FILE *file, struct memory_look *look)
{
	struct {
		const char *name;
		double *bytes;
	} wanted[LINES] = {
		{"Pss_Anon:", &look->anonymous}, {"Pss_Shmem:", &look->shared}, {"Pss_File:", &look->file}};
	int found = 0;
	char line[128];
	long kib;

	while (fgets(line, sizeof line, file))
		for (int i = 0; i < LINES; i++)
			if (strncmp(line, wanted[i].name, strlen(wanted[i].name)) == 0 &&
			    sscanf(line + strlen(wanted[i].name), "%ld", &kib) == 1) {
				*wanted[i].bytes = (double)kib * 1024;
				found++;
			}
	return found == LINES
	               ? OK
	               : fail("'" ROLLUP "' does not show anonymous memory: Linux 5.3 or newer is needed");
}

/* Older C libraries use 32-bit counters. */
static double heap_bytes(void)
{
#if __GLIBC_PREREQ(2, 33)
	struct mallinfo2 heap = mallinfo2();
#else
	struct mallinfo heap = mallinfo();
#endif

	return (double)heap.uordblks + (double)heap.hblkhd;
}

static enum status look_at_memory(struct memory_look *look)
{
	FILE *file = fopen(ROLLUP, "r");
	enum status status;

	if (!file)
		return fail("cannot read '" ROLLUP "': %s", strerror(errno));
	status = read_rollup(file, look);
	fclose(file);
	look->heap = heap_bytes();
	return status;
}

enum status memory_begin(struct memory_look *before)
{
	memory_steps_prepare();
	return look_at_memory(before);
}

/* All processes read their values while none continues. Before the first message, a fixed time must be
 * enough. */
static enum status look_together(MPI_Comm world, bool can_meet, struct memory_look *look)
{
	enum status status;

	if (can_meet)
		memory_meet(world);
	nanosleep(&(struct timespec){.tv_nsec = SETTLE_NS}, NULL);
	status = look_at_memory(look);
	nanosleep(&(struct timespec){.tv_nsec = SETTLE_NS}, NULL);
	if (can_meet)
		memory_meet(world);
	return status;
}

static struct memory_look less(const struct memory_look *a, const struct memory_look *b)
{
	return (struct memory_look){a->anonymous - b->anonymous, a->shared - b->shared, a->file - b->file,
	                            a->heap - b->heap};
}

enum { FIGURES = 4 };

/* Mean over all processes, and maximum. */
static void add_step(const struct allocating *step, const struct memory_look *added, MPI_Comm world,
                     struct results *results)
{
	double own[FIGURES] = {added->anonymous, added->shared, added->file, added->heap}, sums[FIGURES];
	double sum = added->anonymous + added->shared, most;
	int rank, size;

	MPI_Comm_rank(world, &rank);
	MPI_Comm_size(world, &size);
	MPI_Reduce(own, sums, FIGURES, MPI_DOUBLE, MPI_SUM, 0, world);
	MPI_Reduce(&sum, &most, 1, MPI_DOUBLE, MPI_MAX, 0, world);
	if (rank != 0)
		return;
	for (int i = 0; i < FIGURES; i++)
		sums[i] /= (double)size * step->times;
	results_add_memory(results, &(struct memory_use){.step = step->name,
	                                                 .ranks = size,
	                                                 .private_bytes = sums[0],
	                                                 .shared_bytes = sums[1],
	                                                 .file_bytes = sums[2],
	                                                 .heap_bytes = sums[3],
	                                                 .most_bytes = most / step->times});
}

/* Steps that the library does not support are skipped. */
static void leave_out(const char *step, MPI_Comm world, struct results *results)
{
	int rank;

	MPI_Comm_rank(world, &rank);
	if (rank == 0)
		results_omit(results, step, trail_text());
}

static enum status do_steps(const struct allocating *steps, MPI_Comm world, struct memory_look *looks,
                            int *codes)
{
	for (size_t i = 0; steps[i].name; i++) {
		codes[i] = steps[i].run ? steps[i].run(world) : MPI_SUCCESS;
		TRY(look_together(world, steps[i].run, &looks[i + 1]));
	}
	return OK;
}

static enum status measure_steps(const struct allocating *steps, const struct memory_look *before,
                                 MPI_Comm world, struct results *results)
{
	struct memory_look looks[MEMORY_STEPS_MAX + 1] = {*before};
	int codes[MEMORY_STEPS_MAX] = {0};

	TRY(agree(world, do_steps(steps, world, looks, codes)));
	memory_steps_release();
	/* Printed at the end, because printing allocates memory. */
	for (size_t i = 0; steps[i].name; i++) {
		struct memory_look added = less(&looks[i + 1], &looks[i]);

		if (agree(world, mpi_status(codes[i], "it")) == OK)
			add_step(&steps[i], &added, world, results);
		else
			leave_out(steps[i].name, world, results);
	}
	return OK;
}

static enum status tell(struct results *results, const struct bench_plan *wanted)
{
	struct text table = {0};

	results->is_complete = true;
	memory_table(results, &table);
	if (!wanted->quiet)
		fputs(text_get(&table), stdout);
	fflush(stdout);
	text_release(&table);
	return results_write(results, &wanted->files);
}

enum status memory_run(const struct memory_look *before, const struct bench_plan *wanted, MPI_Comm world)
{
	bool is_planted = wanted->plant && strcmp(wanted->plant, MEMORY_PLANT) == 0;
	struct results results;
	enum status status;
	int rank;

	MPI_Comm_rank(world, &rank);
	results_init(&results);
	status = measure_steps(is_planted ? planted_memory_steps : memory_steps, before, world, &results);
	if (status == OK) {
		/* Last, because it allocates memory itself. */
		provenance_gather(&results, wanted, world);
		status = agree(world, rank == 0 ? tell(&results, wanted) : OK);
	}
	results_release(&results);
	return status;
}
