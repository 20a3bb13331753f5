#include "bench/run/runs.h"

#include "bench/run/plant.h"
#include "bench/run/window.h"

#include <sched.h>
#include <string.h>

enum {
	SPIN_NS = 1000 * 1000,    /* no sleep closer to the start, because it could last too long */
	ALONE_NS = 20 * 1000,     /* no yield closer to the start */
	LATENESS_NS = 100 * 1000, /* of a process that is planted to be late */
};

static void wait_until(const struct runs_setup *running, int64_t start)
{
	int64_t (*read)(void) = running->clock->timer->now;
	int64_t now = read();

	if (start - now > SPIN_NS) {
		sleep_ns(start - now - SPIN_NS);
		now = read();
	}
	for (; now < start; now = read())
		if (running->yields && start - now > ALONE_NS)
			sched_yield();
}

static bool is_planted(const struct runs_setup *running, int rank)
{
	return running->trial->rank == rank && !(running->trial->operation->traits & IS_SELF_TEST);
}

static int run_once(const struct runs_setup *running)
{
	int code = running->trial->operation->run(running->trial);

	if (is_planted(running, plant.slow_rank))
		sleep_ns(plant.slow_ns);
	return code;
}

static void note_code(struct runs_report *report, int code)
{
	if (code != MPI_SUCCESS)
		report->code = code;
}

static void clean_up(const struct runs_setup *running, struct runs_report *report)
{
	if (running->trial->operation->after)
		note_code(report, running->trial->operation->after(running->trial));
}

void run_at_once(const struct runs_setup *running, const struct order *order, struct runs_report *report)
{
	int64_t (*read)(void) = running->clock->timer->now;

	wait_until(running, local_time(running->clock, order->start));
	for (int64_t i = 0; i < order->runs; i++) {
		int64_t begin = read();

		trial_turn(running->trial);
		note_code(report, run_once(running));
		clean_up(running, report);
		report->needed[i] = read() - begin;
	}
	report->ended = global_now(running->clock);
}

/* One run at its time; returns when the process is ready for the next one. */
static void run_in_window(const struct runs_setup *running, const struct order *order, int64_t which,
                          struct runs_report *report)
{
	const struct global_clock *clock = running->clock;
	int64_t due = order->start + which * order->window, begin, end, ready;
	int64_t planted = is_planted(running, plant.late_rank) ? order->slack + LATENESS_NS : 0;
	struct timed_run run;

	wait_until(running, local_time(clock, due + planted));
	/* Not the reading that ended the polling loop: leaving it is a branch misprediction of some 15 ns. */
	begin = clock->timer->now();
	note_code(report, run_once(running));
	end = clock->timer->now();
	clean_up(running, report);
	trial_turn(running->trial);
	ready = clock->timer->now();

	run = (struct timed_run){due, global_time(clock, begin), global_time(clock, end)};
	report->times[which] = end - begin;
	report->wrong[which] = run_is_wrong(&run, order->window, order->slack);
	if (which == 0)
		report->is_late = run.started > due + order->slack;
	report->needed[which] = ready - begin;
	if (global_time(clock, ready) - due > report->longest)
		report->longest = global_time(clock, ready) - due;
	report->ended = run.ended;
}

static void stage_of_windows(const struct runs_setup *running, const struct order *order,
                             struct runs_report *report)
{
	trial_turn(running->trial);
	for (int64_t i = 0; i < order->runs; i++)
		run_in_window(running, order, i, report);
}

static void stage_of_barriers(const struct runs_setup *running, const struct order *order,
                              struct runs_report *report)
{
	int64_t (*read)(void) = running->clock->timer->now;

	for (int64_t i = 0; i < order->runs; i++) {
		int64_t begin;

		trial_turn(running->trial);
		MPI_Barrier(running->trial->comm);
		begin = read();
		note_code(report, run_once(running));
		report->times[i] = read() - begin;
		clean_up(running, report);
	}
	report->ended = global_now(running->clock);
}

static void stage_as_loop(const struct runs_setup *running, const struct order *order,
                          struct runs_report *report)
{
	int64_t (*read)(void) = running->clock->timer->now;
	int64_t begin;

	MPI_Barrier(running->trial->comm);
	begin = read();
	for (int64_t i = 0; i < order->runs; i++) {
		trial_turn(running->trial);
		note_code(report, run_once(running));
		clean_up(running, report);
	}
	report->times[0] = (read() - begin) / order->runs;
	report->ended = global_now(running->clock);
}

enum status method_find(const char *name, const struct method **method)
{
	static const struct method methods[] = {
		{.name = "window", .stage = stage_of_windows, .has_windows = true},
		{.name = "barrier", .stage = stage_of_barriers},
		{.name = "loop", .stage = stage_as_loop, .is_one_value = true},
	};

	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
		if (!name || strcmp(name, methods[i].name) == 0) {
			*method = &methods[i];
			return OK;
		}
	return fail("unknown method '%s': take one of window, barrier, loop", name);
}
