#include "bench/run/session.h"

#include "bench/run/agreement.h"
#include "bench/run/communicators.h"
#include "bench/run/control.h"
#include "bench/run/session_clock.h"
#include "bench/run/session_start.h"
#include "bench/run/task.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

static void omit(struct session *session, const struct bench_operation *operation)
{
	if (session->rank == 0)
		results_omit(&session->results, operation->name, trail_text());
}

/* For tests of the results of a job that died. */
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
	if (task_measure(session, task, &arena, &points) == OK)
		status = agree(session->world, keep_points(session, &points));
	else
		omit(session, task->operation);
	arena_release(&arena);
	session->points_done++;
	die_if_planned(session);
	return status;
}

static enum status do_sizes(struct session *session, struct task task, const struct uint_list *sizes)
{
	session_check_crowding(session, task.comm);
	if (!(task.operation->traits & HAS_SIZE))
		return do_task(session, &task);
	for (size_t i = 0; i < sizes->count; i++) {
		task.bytes = sizes->at[i];
		TRY(do_task(session, &task));
	}
	return OK;
}

/* `layout`: NULL, or which processes. */
static enum status do_ranks(struct session *session, const struct bench_operation *operation, int ranks,
                            const struct rank_layout *layout, const struct uint_list *sizes)
{
	struct task task = {operation, MPI_COMM_NULL, ranks, 0, layout ? layout->words : NULL};
	enum status status = OK;

	if (session->part != MPI_COMM_NULL && layout)
		status = communicator_layout(session->part, layout, &task.comm);
	else if (session->part != MPI_COMM_NULL)
		status = communicator_first(session->part, ranks, &task.comm);
	status = agree(session->world, status);
	if (status == OK)
		status = do_sizes(session, task, sizes);
	communicator_free(&task.comm);
	return status;
}

/* The points to measure, as lists. */
struct agenda {
	const struct bench_operation **operations;
	size_t count;
	struct uint_list ranks, sizes;
	struct rank_layout_list layouts; /* if not empty, instead of `ranks` */
};

/* The processes that measure. */
static enum status take_part(struct session *session)
{
	TRY(agree(session->world, communicator_part(session->wanted->communicator, &session->part)));
	if (session->rank == 0)
		MPI_Comm_size(session->part, &session->part_size);
	MPI_Bcast(&session->part_size, 1, MPI_INT, 0, session->world);
	return OK;
}

/* Before anything is measured. */
static enum status check_layouts(struct session *session, const struct rank_layout_list *layouts)
{
	for (size_t i = 0; i < layouts->count; i++) {
		MPI_Comm comm = MPI_COMM_NULL;
		enum status status = OK;

		if (session->part != MPI_COMM_NULL)
			status = communicator_layout(session->part, &layouts->at[i], &comm);
		communicator_free(&comm);
		TRY(agree(session->world, status));
	}
	return OK;
}

static enum status make_agenda(struct session *session, struct arena *arena, struct agenda *agenda)
{
	const struct bench_plan *wanted = session->wanted;

	session->is_misused = true;
	TRY(clock_choose(session));
	TRY(operations_choose(wanted->operations.at, wanted->operations.count, &agenda->operations,
	                      &agenda->count));
	TRY(trial_check_words(wanted));
	TRY(take_part(session));
	TRY(plan_ranks(wanted->ranks, session->part_size, arena, &agenda->ranks));
	TRY(plan_layouts(wanted->layouts, arena, &agenda->layouts));
	TRY(check_layouts(session, &agenda->layouts));
	TRY(plan_sizes(wanted->sizes, arena, &agenda->sizes));
	session->is_misused = false;
	return OK;
}

static void count_points(struct session *session, const struct agenda *agenda)
{
	const size_t groups = agenda->layouts.count ? agenda->layouts.count : agenda->ranks.count;

	for (size_t i = 0; i < agenda->count; i++)
		session->points_wanted +=
			groups * (agenda->operations[i]->traits & HAS_SIZE ? agenda->sizes.count : 1);
}

static enum status do_operation(struct session *session, const struct bench_operation *operation,
                                const struct agenda *agenda)
{
	for (size_t i = 0; i < agenda->layouts.count; i++) {
		const struct rank_layout *layout = &agenda->layouts.at[i];
		TRY(do_ranks(session, operation, layout->nodes * layout->per_node, layout, &agenda->sizes));
	}
	for (size_t i = 0; i < agenda->ranks.count && !agenda->layouts.count; i++)
		TRY(do_ranks(session, operation, (int)agenda->ranks.at[i], NULL, &agenda->sizes));
	return OK;
}

static enum status do_agenda(struct session *session, const struct agenda *agenda)
{
	for (size_t i = 0; i < agenda->count; i++)
		TRY(do_operation(session, agenda->operations[i], agenda));
	return OK;
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
		return fail("nothing could be measured: the list of skipped points gives the reasons");
	return OK;
}

enum status session_run(struct session *session, const struct bench_plan *wanted)
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
	TRY(session_start(session));
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
	array_release(&session->truths);
}
