#include "bench/run/measure.h"

#include "bench/run/agreement.h"
#include "bench/run/runs.h"
#include "bench/run/window.h"

#include <math.h>

enum {
	ORDER_WORDS = sizeof(struct order) / sizeof(int64_t),
	REPORT_WORDS = 4, /* before the values of the runs */
	RUN_WORDS = 3,
	LEAD_ROUNDS = 10,
	LEAD_ROUNDS_NS = 100 * 1000 * 1000, /* limit for all of them */
	LEAD_RESERVE = 4,
	QUICK = 3, /* in leads: a ping and its answers */
	CALLS = 20,
	CALLS_NS = 100 * 1000 * 1000, /* limit for all of them */
	SLACK_NS_MAX = 1000,
	SURPRISE_NS = 20, /* a CPU needs this long to leave its polling loop (branch misprediction) */
};

/* The state of one point; process 0 makes all decisions. */
struct measuring {
	struct runs_setup running;
	const struct method *method;
	const struct bench_plan *wanted;
	int64_t *report;    /* of this process: REPORT_WORDS, times, wrong, needed */
	int64_t *all;       /* maximum over all processes */
	int64_t *own_times; /* of all stages */
	int64_t *times;     /* the same over all processes */
	signed char *wrong;
	size_t values;    /* number of values in the three above */
	int64_t slack_ns; /* if cores are not shared */
	bool is_shared;
	int64_t usual_lead_ns, lead_ns;
	int64_t window_ns;
	int64_t began_ns;
	size_t stages;
	double *right; /* scratch: times of valid runs, in seconds */
	struct progress progress;
	struct sample_summary summary;
};

static bool decides(const struct measuring *m)
{
	return m->running.trial->rank == 0;
}

static int64_t most_runs(const struct bench_plan *wanted)
{
	return wanted->stage_runs > wanted->warm_up_runs ? wanted->stage_runs : wanted->warm_up_runs;
}

static void claim_memory(struct measuring *m, struct arena *arena)
{
	size_t words = REPORT_WORDS + RUN_WORDS * (size_t)most_runs(m->wanted);
	size_t room = (size_t)runs_max(m->wanted) + (size_t)m->wanted->stage_runs + 1;

	m->report = arena_array(arena, int64_t, words);
	m->all = arena_array(arena, int64_t, words);
	m->own_times = arena_array(arena, int64_t, room);
	m->times = arena_array(arena, int64_t, room);
	m->wrong = arena_array(arena, signed char, room);
	m->right = arena_array(arena, double, room);
}

/* Broadcasts one time stamp: its travel time to this process. */
static bool send_stamp(const struct measuring *m, bool is_last, int64_t *taken_ns)
{
	const struct global_clock *clock = m->running.clock;
	int64_t stamp[2];

	/* The sender must not run ahead of the receivers. */
	MPI_Barrier(m->running.trial->comm);
	stamp[0] = global_now(clock);
	stamp[1] = is_last;
	MPI_Bcast(stamp, 2, MPI_INT64_T, 0, m->running.trial->comm);
	*taken_ns = global_now(clock) - stamp[0];
	return !stamp[1];
}

/* An upper bound of the time of a broadcast: a multiple of the shortest of several. Others may have been
 * delayed, and a long lead makes processes sleep and wake up late. */
static int64_t measure_lead(const struct measuring *m)
{
	int64_t (*read)(void) = m->running.clock->timer->now;
	int64_t taken[LEAD_ROUNDS], shortest = INT64_MAX;
	int rounds = 0;

	while (send_stamp(m, rounds == LEAD_ROUNDS - 1 || read() - m->began_ns > LEAD_ROUNDS_NS,
	                  &taken[rounds]))
		rounds++;
	MPI_Allreduce(MPI_IN_PLACE, taken, rounds + 1, MPI_INT64_T, MPI_MAX, m->running.trial->comm);
	for (int i = 0; i <= rounds; i++)
		if (taken[i] < shortest)
			shortest = taken[i];
	return shortest * LEAD_RESERVE + m->slack_ns;
}

static void send_order(const struct measuring *m, struct order *order)
{
	MPI_Bcast(order, ORDER_WORDS, MPI_INT64_T, 0, m->running.trial->comm);
}

/* Process 0 pings all others until they answer at once. Otherwise a process has no CPU, and a stage
 * without it is lost. If processes share cores, some never have one. */
static void call_together(const struct measuring *m)
{
	int64_t (*read)(void) = m->running.clock->timer->now;
	int64_t first = read(), begin, taken;
	int calls = 0;

	do {
		begin = read();
		send_order(m, &(struct order){.is_call = 1});
		MPI_Barrier(m->running.trial->comm);
		taken = read() - begin;
	} while (taken > QUICK * m->usual_lead_ns && ++calls < CALLS && read() - first < CALLS_NS &&
	         !m->running.clock->is_crowded);
}

static void give_order(const struct measuring *m, struct order *order)
{
	call_together(m);
	order->start = global_now(m->running.clock) + m->lead_ns;
	send_order(m, order);
}

static void get_order(const struct measuring *m, struct order *order)
{
	for (send_order(m, order); order->is_call; send_order(m, order))
		MPI_Barrier(m->running.trial->comm);
}

/* The order: given in process 0, received in all others. */
static void share_order(const struct measuring *m, struct order *order)
{
	trial_freshen(m->running.trial, most_runs(m->wanted));
	if (decides(m))
		give_order(m, order);
	else
		get_order(m, order);
}

static struct runs_report run_stage(struct measuring *m, const struct order *order,
                                    void (*stage)(const struct runs_setup *, const struct order *,
                                                  struct runs_report *))
{
	size_t words = REPORT_WORDS + RUN_WORDS * (size_t)order->runs;
	struct runs_report report = {.times = m->report + REPORT_WORDS,
	                             .wrong = m->report + REPORT_WORDS + order->runs,
	                             .needed = m->report + REPORT_WORDS + 2 * order->runs};

	for (size_t i = 0; i < words; i++)
		m->report[i] = 0;
	stage(&m->running, order, &report);
	m->report[0] = report.ended;
	m->report[1] = report.longest;
	m->report[2] = report.is_late;
	m->report[3] = report.code;
	MPI_Reduce(m->report, m->all, (int)words, MPI_INT64_T, MPI_MAX, 0, m->running.trial->comm);
	return (struct runs_report){m->all[0],
	                            m->all[1],
	                            m->all[2],
	                            m->all[3],
	                            m->all + REPORT_WORDS,
	                            m->all + REPORT_WORDS + order->runs,
	                            m->all + REPORT_WORDS + 2 * order->runs};
}

static void keep_times(struct measuring *m, int64_t count, const struct runs_report *report)
{
	for (int64_t i = 0; i < count; i++, m->values++) {
		m->own_times[m->values] = m->report[REPORT_WORDS + i];
		m->times[m->values] = report->times[i];
		m->wrong[m->values] = (signed char)report->wrong[i];
		m->progress.right += !report->wrong[i];
	}
}

static size_t collect_right(const struct measuring *m, const int64_t *times, double *right)
{
	size_t count = 0;

	for (size_t i = 0; i < m->values; i++)
		if (!m->wrong[i])
			right[count++] = (double)times[i] * 1e-9;
	return count;
}

static void summarize(struct measuring *m)
{
	size_t right = collect_right(m, m->times, m->right);

	m->summary = summarize_values(m->right, right, m->wanted->trim, m->wanted->confidence);
	m->progress.relative_error = relative_error(&m->summary);
}

/* Minimal work, because it evicts cached data that the next runs need, in process 0 only. */
static void take_stock(struct measuring *m)
{
	m->progress.elapsed_ns = m->running.clock->timer->now() - m->began_ns;
	m->is_shared |= processors_seem_shared(&m->progress, m->wanted);
	if (m->progress.right >= m->wanted->right_min)
		summarize(m);
}

static void evaluate_stage(struct measuring *m, const struct order *order, const struct runs_report *report)
{
	struct stage stage = {.runs = order->runs,
	                      .window_ns = order->window,
	                      .is_shared = m->is_shared,
	                      .length_ns = report->ended - order->start,
	                      .usual_ns = third_quartile(report->needed, order->runs),
	                      .longest_ns = report->longest};

	for (int64_t i = 0; i < order->runs; i++)
		stage.wrong += report->wrong[i];
	m->lead_ns = lead_next(m->lead_ns, m->usual_lead_ns, report->is_late,
	                       time_left_ns(&m->progress, m->wanted));
	/* Other methods need it only to limit the duration: the value of the warm-up will do. */
	if (!order->window || m->method->has_windows)
		m->window_ns = window_next(&stage, m->wanted);
}

/* Stage 0: not counted; gives the first window. Returns MPI's error code, in process 0. */
static int64_t warm_up(struct measuring *m)
{
	struct order order = {.runs = m->wanted->warm_up_runs};
	struct runs_report report;

	share_order(m, &order);
	report = run_stage(m, &order, run_at_once);
	evaluate_stage(m, &order, &report);
	return report.code;
}

static bool next_order(const struct measuring *m, int64_t code, struct order *order)
{
	*order = (struct order){.window = m->window_ns,
	                        .slack = slack_of(m->slack_ns, m->window_ns, m->is_shared),
	                        .code = code};
	if (decides(m) && code == MPI_SUCCESS && !measured_enough(&m->progress, m->wanted))
		order->runs = stage_length(&m->progress, m->window_ns, m->wanted);
	share_order(m, order);
	return order->runs;
}

/* Returns MPI's error code. */
static int64_t run_stages(struct measuring *m, int64_t code)
{
	struct order order;

	while (next_order(m, code, &order)) {
		struct runs_report report = run_stage(m, &order, m->method->stage);

		keep_times(m, m->method->is_one_value ? 1 : order.runs, &report);
		m->stages++;
		m->progress.runs += order.runs;
		code = report.code;
		if (!decides(m))
			continue;
		take_stock(m);
		evaluate_stage(m, &order, &report);
	}
	return order.code;
}

static struct process_time own_summary(const struct measuring *m, const double *own, size_t count)
{
	struct sample_summary summary = summarize_values(own, count, m->wanted->trim, m->wanted->confidence);

	return (struct process_time){summary.mean, summary.min, summary.max, NULL};
}

/* Mean, minimum and maximum of each process, in process 0. */
static struct process_time *gather_summaries(const struct measuring *m, struct process_time own,
                                             struct arena *arena)
{
	const struct trial *trial = m->running.trial;
	size_t ranks = decides(m) ? (size_t)trial->ranks : 0;
	struct process_time *processes = arena_array(arena, struct process_time, ranks);
	double(*all)[3] = arena_alloc(arena, ranks, sizeof *all);

	MPI_Gather((double[]){own.mean, own.min, own.max}, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, 0, trial->comm);
	for (size_t i = 0; i < ranks; i++)
		processes[i] = (struct process_time){all[i][0], all[i][1], all[i][2], NULL};
	return processes;
}

static void gather_times(const struct measuring *m, const double *own, size_t count, struct arena *arena,
                         struct process_time *processes)
{
	const struct trial *trial = m->running.trial;
	size_t ranks = decides(m) ? (size_t)trial->ranks : 0;
	double *all = arena_array(arena, double, ranks *count);

	MPI_Gather(own, (int)count, MPI_DOUBLE, all, (int)count, MPI_DOUBLE, 0, trial->comm);
	for (size_t i = 0; i < ranks; i++)
		processes[i].times = all + i * count;
}

/* Times of valid runs in each process. */
static void gather_processes(const struct measuring *m, struct arena *arena, struct result_point *point)
{
	double *own = arena_array(arena, double, m->values);
	struct process_time *processes;
	size_t count;

	MPI_Bcast(m->wrong, (int)m->values, MPI_SIGNED_CHAR, 0, m->running.trial->comm);
	count = collect_right(m, m->own_times, own);
	processes = gather_summaries(m, own_summary(m, own, count), arena);
	if (m->wanted->per_process)
		gather_times(m, own, count, arena, processes);
	point->processes = decides(m) ? processes : NULL;
}

static void fill_in(struct measuring *m, struct result_point *point)
{
	summarize(m);
	point->runs = (size_t)m->progress.runs;
	point->stages = m->stages;
	point->window = m->method->has_windows ? (double)m->window_ns * 1e-9 : NAN;
	point->times = m->right;
	point->summary = m->summary;
	point->marks |= progress_marks(&m->progress, m->wanted);
	if (m->is_shared)
		point->marks |= MARK_OVERSUBSCRIBED;
}

/* A start delay below the clock error does no harm, unless the clock error itself is large. */
static int64_t exact_slack(const struct global_clock *clock)
{
	return llround(fmin(clock->error_ns, SLACK_NS_MAX)) + clock->quality.resolution_ns +
	       2 * clock->quality.cost_ns + SURPRISE_NS;
}

enum status measure(struct trial *trial, const struct bench_plan *wanted, const struct global_clock *clock,
                    struct arena *arena, struct result_point *point)
{
	struct measuring m = {.running = {trial, clock, clock->is_crowded},
	                      .slack_ns = exact_slack(clock),
	                      .is_shared = clock->is_crowded,
	                      .wanted = wanted,
	                      .began_ns = clock->timer->now(),
	                      .progress = {.relative_error = INFINITY}};

	TRY(method_find(wanted->method, &m.method));
	claim_memory(&m, arena);
	m.lead_ns = m.usual_lead_ns = measure_lead(&m);
	TRY(mpi_status((int)run_stages(&m, warm_up(&m)), trial->operation->name));
	gather_processes(&m, arena, point);
	if (decides(&m))
		fill_in(&m, point);
	return OK;
}
