#include "bench/run/first_call.h"

#include "base/clock.h"
#include "bench/results/first_call.h"
#include "bench/run/agreement.h"
#include "bench/run/plant.h"
#include "bench/run/provenance.h"
#include "bench/run/task.h"
#include "bench/run/timer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Processes cannot agree on a start by messages, because these would connect them. They start at the next
 * multiple of GRID_NS on the wall clock instead, and again one step later. */
enum {
	SECOND_NS = 1000 * 1000 * 1000,
	GRID_NS = SECOND_NS / 2,
	LEAD_NS = SECOND_NS / 10,   /* minimum time until the first start */
	SPIN_NS = SECOND_NS / 1000, /* no sleep closer to the start, because it could last too long */
	LATE_NS = SECOND_NS / 100,  /* a start that is later is invalid */
};

enum { FIRST, SECOND, CALLS };

/* The two calls of one process. */
struct two_calls {
	int64_t ns[CALLS];
	int64_t start;   /* the multiple that this process chose */
	int64_t late_ns; /* the larger delay of both starts */
	int64_t code;    /* of MPI */
};

static int64_t wall_ns(void)
{
	return (int64_t)clock_system_ns(CLOCK_REALTIME);
}

static int64_t next_start(void)
{
	return (wall_ns() + LEAD_NS + GRID_NS - 1) / GRID_NS * GRID_NS;
}

static void wait_for_start(int64_t start)
{
	int64_t left = start - SPIN_NS - wall_ns();

	if (left > 0)
		sleep_ns(left);
	while (wall_ns() < start)
		;
}

static void call_once(struct trial *trial, const struct bench_timer *timer, int which,
                      struct two_calls *calls)
{
	int64_t start = calls->start + which * GRID_NS, begin, late;
	int code;

	trial_turn(trial);
	wait_for_start(start);
	if (trial->rank == plant.late_rank)
		sleep_ns(2 * LATE_NS);
	late = wall_ns() - start;
	begin = timer->now();
	code = trial->operation->run(trial);
	if (trial->rank == plant.slow_rank && which == FIRST)
		sleep_ns(plant.slow_ns);
	calls->ns[which] = timer->now() - begin;
	if (trial->operation->after)
		trial->operation->after(trial);
	if (late > calls->late_ns)
		calls->late_ns = late;
	if (code != MPI_SUCCESS)
		calls->code = code;
}

static double seconds_of(const struct two_calls *all, int ranks, enum first_call_variant variant)
{
	int which = variant == FIRST_SLOWEST || variant == FIRST_RANK_0 ? FIRST : SECOND;
	bool is_rank_0 = variant == FIRST_RANK_0 || variant == SECOND_RANK_0;
	int64_t longest = all[0].ns[which];

	for (int i = 1; i < ranks && !is_rank_0; i++)
		if (all[i].ns[which] > longest)
			longest = all[i].ns[which];
	return (double)longest * 1e-9;
}

static bool is_on_time(const struct two_calls *all, int ranks)
{
	for (int i = 0; i < ranks; i++)
		if (all[i].start != all[0].start || all[i].late_ns > LATE_NS)
			return false;
	return true;
}

static void add_points(const struct trial *trial, const struct two_calls *all, struct results *results)
{
	size_t valid = is_on_time(all, trial->ranks) ? 1 : 0;

	for (int i = 0; i < FIRST_CALL_VARIANTS; i++) {
		double seconds = seconds_of(all, trial->ranks, (enum first_call_variant)i);
		struct result_point point = {
			.overlap = NAN, .computing = NAN, .total = NAN, .rate = NAN, .runs = 1};

		point.times = &seconds;
		point.summary = summarize_values(&seconds, valid, 0, trial->wanted->confidence);
		point_describe(trial->wanted, trial, &point);
		point.variant = first_call_variants[i];
		results_add(results, &point);
	}
}

static enum status write_results(const struct trial *trial, const struct two_calls *all,
                                 struct results *results)
{
	for (int i = 0; i < trial->ranks; i++)
		TRY(mpi_status((int)all[i].code, trial->operation->name));
	add_points(trial, all, results);
	results->is_complete = true;
	if (!trial->wanted->quiet) {
		struct text table = {0};

		first_call_table(results, &table);
		fputs(text_get(&table), stdout);
		fflush(stdout);
		text_release(&table);
	}
	return results_write(results, &trial->wanted->files);
}

static enum status gather(struct trial *trial, const struct two_calls *own)
{
	enum { NUMBERS = sizeof *own / sizeof(int64_t) };
	struct two_calls *all = arena_array(&trial->arena, struct two_calls, (size_t)trial->ranks);
	struct results results;
	enum status status;

	MPI_Gather(own, NUMBERS, MPI_INT64_T, all, NUMBERS, MPI_INT64_T, 0, trial->comm);
	results_init(&results);
	provenance_gather(&results, trial->wanted, trial->comm);
	status = agree(trial->comm, trial->rank == 0 ? write_results(trial, all, &results) : OK);
	results_release(&results);
	return status;
}

/* The same in all processes, because only the plan decides it. */
static enum status choose(const struct bench_plan *wanted, struct arena *arena,
                          const struct bench_operation **operation, uint64_t *bytes)
{
	const struct bench_operation **chosen;
	struct uint_list sizes;
	size_t count;

	TRY(operations_choose(wanted->operations.at, wanted->operations.count, &chosen, &count));
	*operation = chosen[0];
	free(chosen);
	if (count != 1)
		return fail("a job has only one first call: name one operation with '--first-call', not %zu",
		            count);
	TRY(trial_check_words(wanted));
	TRY(plan_sizes(wanted->sizes, arena, &sizes));
	if (sizes.count != 1)
		return fail("a job has only one first call: give one size with '--sizes', not %zu",
		            sizes.count);
	*bytes = (*operation)->traits & HAS_SIZE ? sizes.at[0] : 0;
	return trial_can_be_silent(*operation);
}

/* From here on the processes must stay together: one that fails ends the job. */
static void prepare(struct trial *trial, const struct bench_operation *operation,
                    const struct bench_plan *wanted, MPI_Comm world, uint64_t bytes)
{
	if (trial_prepare_silently(trial, operation, wanted, world, bytes) == OK)
		return;
	fprintf(stderr, "tarry-bench: %s\n", trail_text());
	MPI_Abort(world, EXIT_FAILURE);
}

enum status first_call_run(const struct bench_plan *wanted, MPI_Comm world)
{
	const struct bench_operation *operation;
	const struct bench_timer *timer;
	struct two_calls calls = {.code = MPI_SUCCESS};
	struct arena arena = {0};
	struct trial trial;
	uint64_t bytes = 0;
	enum status status = choose(wanted, &arena, &operation, &bytes);

	arena_release(&arena);
	TRY(status);
	TRY(timer_find(wanted->timer, &timer));
	TRY(plant_faults(wanted->plant));
	prepare(&trial, operation, wanted, world, bytes);
	trial_freshen(&trial, CALLS);
	calls.start = next_start();
	call_once(&trial, timer, FIRST, &calls);
	call_once(&trial, timer, SECOND, &calls);
	status = gather(&trial, &calls);
	trial_release(&trial);
	return status;
}
