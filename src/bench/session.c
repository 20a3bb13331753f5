#include "bench/session.h"

#include "bench/agreement.h"
#include "bench/communicators.h"
#include "bench/control.h"
#include "bench/measure.h"
#include "bench/provenance.h"
#include "bench/self_test.h"
#include "bench/session_clock.h"
#include "bench/tune.h"
#include "bench/window.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	RESOLUTIONS = 5, /* of a time in which the timer's steps are not a tenth */
	REST_NS = 500 * 1000,
};

/* Self-tests that are farther off than this are told about. */
static const double SELF_TEST_SHARE = 0.1, SELF_TEST_SECONDS = 0.5e-6;

/* One line of the table. */
struct task {
	const struct operation *operation;
	MPI_Comm comm; /* MPI_COMM_NULL in those who only watch */
	int ranks;
	uint64_t bytes;
};

void session_note(const struct session *session, const char *format, ...)
{
	va_list arguments;

	if (session->rank != 0)
		return;
	fputs("tarry-bench: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

/* Until all are here, without taking a processor from those who still work. */
static void rest_together(MPI_Comm comm)
{
	MPI_Request all;
	int are_here = 0;

	MPI_Ibarrier(comm, &all);
	while (MPI_Test(&all, &are_here, MPI_STATUS_IGNORE) == MPI_SUCCESS && !are_here)
		nanosleep(&(struct timespec){.tv_nsec = REST_NS}, NULL);
}

static void show_progress(const struct session *session, const char *what)
{
	if (session->rank == 0 && session->wanted->show_progress)
		fprintf(stderr, "\036tarry %.4f %zu/%zu %s\n",
		        (double)session->points_done / (double)session->points_wanted, session->points_done,
		        session->points_wanted, what);
}

static void print(const struct session *session, struct text *text)
{
	if (!session->wanted->quiet)
		fputs(text_get(text), stdout);
	fflush(stdout);
	text_release(text);
}

static const char *variant_of(const struct plan *wanted, const struct operation *operation)
{
	if (wanted->variant)
		return wanted->variant;
	if (!(operation->traits & IN_NEIGHBOURHOOD))
		return "";
	return wanted->topology ? wanted->topology : "cartesian";
}

static void describe(const struct plan *wanted, const struct trial *trial, struct point *point)
{
	bool reduces = trial->operation->traits & REDUCES;

	point->operation = trial->operation->name;
	point->variant = variant_of(wanted, trial->operation);
	if (trial->operation->messages)
		point->rate = (double)trial->bytes * trial->operation->messages / point->summary.mean;
	point->bytes = trial->bytes;
	point->ranks = trial->ranks;
	point->root = trial->operation->traits & HAS_ROOT ? trial->root : -1;
	point->datatype = wanted->datatype ? wanted->datatype : reduces ? "int" : "byte";
	point->reduction = !reduces ? "" : wanted->reduction ? wanted->reduction : "sum";
	point->communicator = wanted->communicator ? wanted->communicator : "world";
	point->cache = wanted->cache ? wanted->cache : "cold";
	point->in_place = trial->in_place;
}

/* The same again while each process computes as long as the operation takes alone. */
static enum status measure_overlap(struct session *session, struct trial *trial, struct arena *arena,
                                   struct point *point)
{
	struct point second = {0};
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

static void mark(const struct session *session, struct point *point)
{
	if (point->clock_error > session->wanted->clock_share * point->summary.mean)
		point->marks |= MARK_CLOCK;
	if (point->summary.mean < RESOLUTIONS * 1e-9 * (double)session->clock.quality.resolution_ns)
		point->marks |= MARK_RESOLUTION;
}

void session_describe(const struct session *session, const struct trial *trial, struct point *point)
{
	describe(session->wanted, trial, point);
	mark(session, point);
}

static enum status measure_trial(struct session *session, struct trial *trial, struct arena *arena,
                                 struct point *point)
{
	TRY(measure(trial, session->wanted, &session->clock, arena, point));
	if (trial->operation->traits & CAN_OVERLAP && !session->wanted->no_overlap)
		TRY(measure_overlap(session, trial, arena, point));
	point->clock_error = clock_look(session, trial->comm) * 1e-9;
	session_describe(session, trial, point);
	return OK;
}

/* Each thing once, though it may be true of many operations. */
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
                                struct point *point)
{
	struct trial trial = {0};
	enum status status;

	*point = (struct point){.overlap = NAN, .computing = NAN, .total = NAN, .rate = NAN};
	TRY(trial_prepare(&trial, task->operation, session->wanted, task->comm, task->bytes));
	tell_about(session, &trial);
	status = measure_trial(session, &trial, arena, point);
	trial_release(&trial);
	return status;
}

/* One point, or one for each algorithm. */
static enum status measure_variants(struct session *session, const struct task *task, struct arena *arena,
                                    struct points *points)
{
	if (session->wanted->tune && !(task->operation->traits & IS_SELF_TEST))
		return tune(session, task->operation, task->comm, task->bytes, arena, points);
	*points = (struct points){arena_new(arena, struct point), 1};
	return measure_task(session, task, arena, points->at);
}

/* Collective over all: those who do not take part rest. */
static enum status measure_together(struct session *session, const struct task *task, struct arena *arena,
                                    struct points *points)
{
	enum status status = OK;

	TRY(agree(session->world, trial_check(task->operation, session->wanted, task->bytes, task->ranks)));
	clock_refresh(session);
	if (task->comm != MPI_COMM_NULL)
		status = measure_variants(session, task, arena, points);
	rest_together(session->world);
	return agree(session->world, status);
}

static enum status keep_points(struct session *session, const struct points *points)
{
	struct text rows = {0};

	if (session->rank != 0)
		return OK;
	for (size_t i = 0; i < points->count; i++) {
		results_add(&session->results, &points->at[i]);
		table_row(&session->table, &points->at[i], &rows);
	}
	print(session, &rows);
	return results_write(&session->results, &session->wanted->files);
}

static void omit(struct session *session, const struct operation *operation)
{
	if (session->rank == 0)
		results_omit(&session->results, operation->name, trail_text());
}

/* For tests of what remains of a job that died. */
static void die_if_planned(const struct session *session)
{
	if (session->wanted->die_after != (int64_t)session->points_done)
		return;
	MPI_Barrier(session->world);
	if (session->rank == session->size - 1)
		raise(SIGKILL);
}

static enum status do_task(struct session *session, const struct task *task)
{
	struct arena arena = {0};
	struct points points = {0};
	enum status status = OK;

	show_progress(session, task->operation->name);
	if (measure_together(session, task, &arena, &points) == OK)
		status = agree(session->world, keep_points(session, &points));
	else
		omit(session, task->operation);
	arena_release(&arena);
	session->points_done++;
	die_if_planned(session);
	return status;
}

/* By those who measure: the others sleep. */
static void judge_crowd(struct session *session, MPI_Comm comm)
{
	if (comm != MPI_COMM_NULL)
		session->crowding = crowding_find(comm);
	session->clock.is_crowded = session->crowding.is_crowded;
}

static enum status do_sizes(struct session *session, struct task task, const struct numbers *sizes)
{
	judge_crowd(session, task.comm);
	if (!(task.operation->traits & HAS_SIZE))
		return do_task(session, &task);
	for (size_t i = 0; i < sizes->count; i++) {
		task.bytes = sizes->at[i];
		TRY(do_task(session, &task));
	}
	return OK;
}

static enum status do_ranks(struct session *session, const struct operation *operation, int ranks,
                            const struct numbers *sizes)
{
	struct task task = {operation, MPI_COMM_NULL, ranks, 0};
	enum status status = OK;

	if (session->part != MPI_COMM_NULL)
		status = communicator_first(session->part, ranks, &task.comm);
	status = agree(session->world, status);
	if (status == OK)
		status = do_sizes(session, task, sizes);
	communicator_free(&task.comm);
	return status;
}

/* What is to be measured, as lists. */
struct agenda {
	const struct operation **operations;
	size_t count;
	struct numbers ranks, sizes;
};

/* Those who measure. */
static enum status take_part(struct session *session)
{
	TRY(agree(session->world, communicator_part(session->wanted->communicator, &session->part)));
	if (session->rank == 0)
		MPI_Comm_size(session->part, &session->part_size);
	MPI_Bcast(&session->part_size, 1, MPI_INT, 0, session->world);
	return OK;
}

static enum status make_agenda(struct session *session, struct arena *arena, struct agenda *agenda)
{
	const struct plan *wanted = session->wanted;

	session->is_misused = true;
	TRY(clock_choose(session));
	TRY(operations_choose(wanted->operations.at, wanted->operations.count, &agenda->operations,
	                      &agenda->count));
	TRY(trial_check_words(wanted));
	TRY(take_part(session));
	TRY(plan_ranks(wanted->ranks, session->part_size, arena, &agenda->ranks));
	TRY(plan_sizes(wanted->sizes, arena, &agenda->sizes));
	session->is_misused = false;
	return OK;
}

static void count_points(struct session *session, const struct agenda *agenda)
{
	for (size_t i = 0; i < agenda->count; i++)
		session->points_wanted += agenda->ranks.count * (agenda->operations[i]->traits & HAS_SIZE
		                                                         ? agenda->sizes.count
		                                                         : 1);
}

static enum status do_agenda(struct session *session, const struct agenda *agenda)
{
	for (size_t i = 0; i < agenda->count; i++)
		for (size_t j = 0; j < agenda->ranks.count; j++)
			TRY(do_ranks(session, agenda->operations[i], (int)agenda->ranks.at[j],
			             &agenda->sizes));
	return OK;
}

static void tell_self_test(struct session *session, const struct operation *operation, double seconds)
{
	double right = self_test_answer(operation, session->size), off = fabs(seconds - right);

	if (isnan(seconds)) {
		results_fact(&session->results, "self-tests", operation->name, "no run was right");
		return;
	}
	results_fact(&session->results, "self-tests", operation->name, "%.3f us, right: %.0f us",
	             seconds * 1e6, right * 1e6);
	if (off > SELF_TEST_SECONDS + SELF_TEST_SHARE * right)
		session_note(
			session,
			"%s took %.3f us, but %.0f us are right: take another timer, or a machine that does less "
			"besides",
			operation->name, seconds * 1e6, right * 1e6);
}

static enum status self_test(struct session *session, const struct operation *operation)
{
	struct task task = {operation, session->world, session->size, 0};
	struct arena arena = {0};
	struct points points = {0};
	enum status status = measure_together(session, &task, &arena, &points);

	if (status == OK && points.count && session->rank == 0)
		tell_self_test(session, operation, points.at->summary.mean);
	arena_release(&arena);
	return status;
}

static void find_crowding(struct session *session)
{
	judge_crowd(session, session->world);
	if (session->rank != 0 || !session->crowding.is_crowded)
		return;
	session_note(
		session,
		"%d processes share %d processors of a node: each waits for the others to be put aside, and times "
		"say little",
		session->crowding.processes, session->crowding.processors);
	results_fact(&session->results, "machine", "oversubscribed", "%d processes on %d processors",
	             session->crowding.processes, session->crowding.processors);
}

static enum status prepare(struct session *session)
{
	provenance_gather(&session->results, session->wanted, session->world);
	trial_look_around(session->world);
	find_crowding(session);
	if (session->wanted->tune)
		TRY(agree(session->world, controls_begin()));
	TRY(clock_start(session));
	self_test_prepare();
	TRY(self_test(session, &self_tests[WAIT_PATTERN_NULL]));
	return self_test(session, &self_tests[WAIT_PATTERN_UP]);
}

static enum status begin_results(struct session *session)
{
	struct text head = {0};

	if (session->rank != 0)
		return OK;
	results_fact(&session->results, "job", "points", "%zu", session->points_wanted);
	table_head(&session->results, &head);
	print(session, &head);
	return results_write(&session->results, &session->wanted->files);
}

static enum status end_results(struct session *session)
{
	struct text end = {0};

	clock_facts_at_end(session);
	if (session->rank != 0)
		return OK;
	session->results.is_complete = true;
	show_progress(session, "done");
	table_end(&session->results, &end);
	print(session, &end);
	TRY(results_write(&session->results, &session->wanted->files));
	if (!session->results.point_count && !session->wanted->tune)
		return fail("nothing could be measured: what was left out says why");
	return OK;
}

enum status session_run(struct session *session, const struct plan *wanted)
{
	struct arena arena = {0};
	struct agenda agenda = {0};
	enum status status;

	*session = (struct session){.wanted = wanted, .world = MPI_COMM_WORLD, .part = MPI_COMM_NULL};
	session->table.coloured = wanted->coloured;
	MPI_Comm_rank(session->world, &session->rank);
	MPI_Comm_size(session->world, &session->size);
	results_init(&session->results);
	TRY(make_agenda(session, &arena, &agenda));
	count_points(session, &agenda);
	show_progress(session, "clocks");
	TRY(prepare(session));
	TRY(agree(session->world, begin_results(session)));
	status = do_agenda(session, &agenda);
	free(agenda.operations);
	arena_release(&arena);
	TRY(status);
	return agree(session->world, end_results(session));
}

void session_release(struct session *session)
{
	controls_end();
	communicator_free(&session->part);
	results_release(&session->results);
	text_release(&session->notes);
	free(session->truths);
}
