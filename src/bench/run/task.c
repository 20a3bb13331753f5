#include "bench/run/task.h"

#include "bench/run/agreement.h"
#include "bench/run/measure.h"
#include "bench/run/session_clock.h"
#include "bench/run/tune.h"
#include "bench/run/window.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
	RESOLUTIONS = 5, /* a shorter time is marked as too short for the timer */
	REST_NS = 500 * 1000,
};

/* A barrier that leaves the cores to processes that still work. */
static void rest_together(MPI_Comm comm)
{
	MPI_Request all;
	int are_here = 0;

	MPI_Ibarrier(comm, &all);
	while (MPI_Test(&all, &are_here, MPI_STATUS_IGNORE) == MPI_SUCCESS && !are_here)
		nanosleep(&(struct timespec){.tv_nsec = REST_NS}, NULL);
}

static const char *variant_of(const struct bench_plan *wanted, const struct bench_operation *operation)
{
	if (wanted->variant)
		return wanted->variant;
	if (!(operation->traits & IN_NEIGHBOURHOOD))
		return "";
	return wanted->topology ? wanted->topology : "cartesian";
}

void point_describe(const struct bench_plan *wanted, const struct trial *trial, struct result_point *point)
{
	bool reduces = trial->operation->traits & REDUCES;

	point->operation = trial->operation->name;
	point->variant = variant_of(wanted, trial->operation);
	if (trial->operation->messages)
		point->rate = (double)trial->bytes * trial->operation->messages / point->summary.mean;
	point->bytes = trial->bytes;
	point->ranks = trial->ranks;
	point->root = trial->operation->traits & HAS_ROOT ? trial->root : -1;
	point->datatype = trial->datatype.name;
	point->reduction = !reduces ? "" : wanted->reduction ? wanted->reduction : "sum";
	point->communicator = wanted->communicator ? wanted->communicator : "world";
	point->cache = wanted->cache ? wanted->cache : "cold";
	point->in_place = trial->in_place;
}

/* The same again while each process computes as long as the operation takes alone. */
static enum status measure_overlap(struct session *session, struct trial *trial, struct arena *arena,
                                   struct result_point *point)
{
	struct result_point second = {0};
	double alone = point->summary.mean;

	MPI_Bcast(&alone, 1, MPI_DOUBLE, 0, trial->comm);
	if (!(alone > 0))
		return OK;
	trial->compute_ns = llround(alone * 1e9);
	TRY(measure(trial, session->wanted, &session->clock, arena, &second));
	trial->compute_ns = 0;
	point->computing = alone;
	point->total = second.summary.mean;
	point->overlap = hidden_part(alone, point->computing, point->total);
	return OK;
}

static void mark(const struct session *session, struct result_point *point)
{
	if (point->clock_error > session->wanted->clock_share * point->summary.mean)
		point->marks |= MARK_CLOCK;
	if (point->summary.mean < RESOLUTIONS * 1e-9 * (double)session->clock.quality.resolution_ns)
		point->marks |= MARK_RESOLUTION;
}

void task_describe(const struct session *session, const struct trial *trial, struct result_point *point)
{
	point_describe(session->wanted, trial, point);
	mark(session, point);
}

static enum status measure_trial(struct session *session, struct trial *trial, struct arena *arena,
                                 struct result_point *point)
{
	TRY(measure(trial, session->wanted, &session->clock, arena, point));
	if (trial->operation->traits & CAN_OVERLAP && !session->wanted->no_overlap)
		TRY(measure_overlap(session, trial, arena, point));
	point->clock_error = clock_look(session, trial->comm) * 1e-9;
	task_describe(session, trial, point);
	return OK;
}

/* Each message once, though it may hold for many operations. */
static void note_of_trial(struct session *session, const char *note)
{
	char line[NOTE_LETTERS + sizeof "\n\n"];

	snprintf(line, sizeof line, "\n%s\n", note);
	if (!*note || strstr(text_get(&session->notes), line))
		return;
	text_add(&session->notes, "%s", line);
	session_note(session, "%s", note);
}

static void tell_about(struct session *session, const struct trial *trial)
{
	if (session->rank != 0)
		return;
	trial_facts(trial, &session->results);
	note_of_trial(session, trial->note);
}

static enum status measure_task(struct session *session, const struct task *task, struct arena *arena,
                                struct result_point *point)
{
	struct trial trial = {0};
	enum status status;

	*point = (struct result_point){.overlap = NAN, .computing = NAN, .total = NAN, .rate = NAN};
	TRY(trial_prepare(&trial, task->operation, session->wanted, task->comm, task->bytes));
	tell_about(session, &trial);
	status = measure_trial(session, &trial, arena, point);
	trial_release(&trial);
	return status;
}

/* One point, or one per algorithm. */
static enum status measure_variants(struct session *session, const struct task *task, struct arena *arena,
                                    struct points *points)
{
	if (session->wanted->tune && !(task->operation->traits & IS_SELF_TEST))
		return tune(session, task->operation, task->comm, task->bytes, arena, points);
	*points = (struct points){arena_new(arena, struct result_point), 1};
	return measure_task(session, task, arena, points->at);
}

enum status task_measure(struct session *session, const struct task *task, struct arena *arena,
                         struct points *points)
{
	enum status status = OK;

	TRY(agree(session->world, trial_check(task->operation, session->wanted, task->bytes, task->ranks)));
	clock_refresh(session);
	if (task->comm != MPI_COMM_NULL)
		status = measure_variants(session, task, arena, points);
	for (size_t i = 0; i < points->count && task->layout; i++)
		points->at[i].communicator = task->layout;
	rest_together(session->world);
	return agree(session->world, status);
}
