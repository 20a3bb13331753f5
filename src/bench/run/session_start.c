#include "bench/run/session_start.h"

#include "bench/run/agreement.h"
#include "bench/run/control.h"
#include "bench/run/provenance.h"
#include "bench/run/self_test.h"
#include "bench/run/session_clock.h"
#include "bench/run/task.h"

#include <math.h>

/* Larger errors of self-tests are reported. */
static const double SELF_TEST_SHARE = 0.1, SELF_TEST_SECONDS = 0.5e-6;

void session_check_crowding(struct session *session, MPI_Comm comm)
{
	if (comm != MPI_COMM_NULL)
		session->crowding = crowding_find(comm);
	session->clock.is_crowded = session->crowding.is_crowded;
}

static void tell_self_test(struct session *session, const struct bench_operation *operation, double seconds)
{
	double right = self_test_answer(operation, session->size), off = fabs(seconds - right);

	if (isnan(seconds)) {
		results_fact(&session->results, "self-tests", operation->name, "no valid run");
		return;
	}
	results_fact(&session->results, "self-tests", operation->name, "%.3f us (expected: %.0f us)",
	             seconds * 1e6, right * 1e6);
	if (off > SELF_TEST_SECONDS + SELF_TEST_SHARE * right)
		session_note(
			session,
			"%s took %.3f us instead of %.0f us: use another timer, or a machine with less other load",
			operation->name, seconds * 1e6, right * 1e6);
}

static enum status self_test(struct session *session, const struct bench_operation *operation)
{
	struct task task = {operation, session->world, session->size, 0, NULL};
	struct arena arena = {0};
	struct points points = {0};
	enum status status = task_measure(session, &task, &arena, &points);

	if (status == OK && points.count && session->rank == 0)
		tell_self_test(session, operation, points.at->summary.mean);
	arena_release(&arena);
	return status;
}

static void find_crowding(struct session *session)
{
	session_check_crowding(session, session->world);
	if (session->rank != 0 || !session->crowding.is_crowded)
		return;
	session_note(
		session,
		"%d processes share %d processors of a node: they wait for each other to be scheduled, and times "
		"are unreliable",
		session->crowding.processes, session->crowding.processors);
	results_fact(&session->results, "machine", "oversubscribed", "%d processes on %d processors",
	             session->crowding.processes, session->crowding.processors);
}

enum status session_start(struct session *session)
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
