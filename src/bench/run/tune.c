#include "bench/run/tune.h"

#include "bench/run/agreement.h"
#include "bench/run/algorithms.h"
#include "bench/run/journal.h"
#include "bench/run/measure.h"
#include "bench/run/order.h"
#include "bench/run/session_clock.h"
#include "bench/tuning/choice.h"
#include "bench/tuning/tuning_file.h"

#include <math.h>
#include <string.h>

enum { RUNS_FOR_A_RIGHT_ONE = 8 };

/* An algorithm that takes more than this multiple of the fastest in the first round is dropped. */
static const double HOPELESS = 2;

struct candidate {
	const struct algorithm *algorithm; /* NULL: the library's own choice */
	MPI_Comm comm;
	bool is_out;
	double *times; /* of valid runs, of all rounds; in process 0 */
	size_t count;
	struct result_point point;
};

struct tuning {
	struct session *session;
	const struct bench_operation *operation;
	MPI_Comm comm;
	uint64_t bytes;
	struct algorithms algorithms;
	struct candidate *candidates;
	size_t count;
	struct bench_plan round; /* the plan of a round */
	struct trial trial;
	struct arena *arena;
};

static const char *variant_of(const struct candidate *candidate)
{
	return candidate->algorithm ? candidate->algorithm->name : UNTUNED;
}

/* The same buffers with another communicator of the same processes. Our own messages stay on the old one:
 * a forced broadcast must not transport the orders for its own runs. */
static void move_to(struct tuning *tuning, MPI_Comm comm)
{
	tuning->trial.call_on = comm;
}

static enum status force(const struct tuning *tuning, const struct candidate *candidate, bool strictly)
{
	if (!candidate->algorithm)
		return OK;
	return tuning->algorithms.family->force(&tuning->algorithms, candidate->algorithm, strictly);
}

static void relent(const struct tuning *tuning, const struct candidate *candidate)
{
	if (candidate->algorithm)
		tuning->algorithms.family->relent(&tuning->algorithms);
}

static void note(const struct tuning *tuning, const struct candidate *candidate)
{
	if (tuning->trial.rank == 0)
		journal_write(tuning->session->wanted->journal, tuning->operation->name, tuning->trial.ranks,
		              tuning->bytes, variant_of(candidate));
}

/* The algorithm itself, not a substitute of the library. */
static enum status run_once(struct tuning *tuning, const struct candidate *candidate)
{
	bool is_kept = tuning->algorithms.family->is_kept_by_communicator;
	enum status status = is_kept ? OK : force(tuning, candidate, true);

	move_to(tuning, candidate->comm);
	trial_turn(&tuning->trial);
	if (status == OK)
		status = mpi_status(tuning->operation->run(&tuning->trial), tuning->operation->name);
	if (tuning->operation->after)
		tuning->operation->after(&tuning->trial);
	if (!is_kept)
		relent(tuning, candidate);
	return agree(tuning->comm, status);
}

static enum status look_at_result(struct tuning *tuning, const struct candidate *candidate)
{
	struct bench_plan careful = *tuning->session->wanted;
	struct trial trial = {0};
	enum status status;

	careful.verify = true;
	if (!tuning->algorithms.family->is_kept_by_communicator)
		TRY(force(tuning, candidate, false));
	status = trial_prepare(&trial, tuning->operation, &careful, candidate->comm, tuning->bytes);
	if (status == OK)
		trial_release(&trial);
	if (!tuning->algorithms.family->is_kept_by_communicator)
		relent(tuning, candidate);
	return agree(tuning->comm, status);
}

/* Open MPI: its rules cannot distinguish reductions. */
static bool must_keep_order(const struct tuning *tuning, const struct candidate *candidate)
{
	return candidate->algorithm && tuning->operation->traits & REDUCES &&
	       tuning->algorithms.family->is_for_all_reductions && !tuning->session->wanted->commutative;
}

static enum status look_at_order(struct tuning *tuning, const struct candidate *candidate)
{
	move_to(tuning, candidate->comm);
	return agree(tuning->comm, order_check(&tuning->trial));
}

/* Creates its communicator, runs it once and checks the result. */
static enum status try_out(struct tuning *tuning, struct candidate *candidate)
{
	note(tuning, candidate);
	TRY(agree(tuning->comm, force(tuning, candidate, false)));
	TRY(agree(tuning->comm, mpi_status(MPI_Comm_dup(tuning->comm, &candidate->comm), "MPI_Comm_dup")));
	relent(tuning, candidate);
	TRY(run_once(tuning, candidate));
	TRY(look_at_result(tuning, candidate));
	return must_keep_order(tuning, candidate) ? look_at_order(tuning, candidate) : OK;
}

static bool is_noted(const struct results *results, const char *operation, const char *reason)
{
	for (const struct omission *omission = results->omissions; omission; omission = omission->next)
		if (strcmp(omission->operation, operation) == 0 && strcmp(omission->reason, reason) == 0)
			return true;
	return false;
}

/* MPICH reports a whole stack of errors with addresses; the cause is the end of its last line. */
static const char *cause(void)
{
	const char *text = trail_text(), *line = strrchr(text, '\n'), *function_end;

	if (!line)
		return text;
	function_end = strstr(line, "): ");
	return function_end ? function_end + strlen("): ") : line + 1;
}

static void leave_out(struct tuning *tuning, struct candidate *candidate)
{
	struct results *results = &tuning->session->results;
	const char *reason = arena_format(tuning->arena, "algorithm '%s' with %d processes: %s",
	                                  variant_of(candidate), tuning->trial.ranks, cause());

	candidate->is_out = true;
	if (tuning->trial.rank == 0 && !is_noted(results, tuning->operation->name, reason))
		results_omit(results, tuning->operation->name, reason);
}

static enum status try_all(struct tuning *tuning)
{
	for (size_t i = 0; i < tuning->count; i++)
		if (try_out(tuning, &tuning->candidates[i]) != OK) {
			if (!tuning->candidates[i].algorithm)
				return FAILED;
			leave_out(tuning, &tuning->candidates[i]);
		}
	return OK;
}

/* The same in all processes. */
static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void shuffle(size_t *order, size_t count, uint64_t *state)
{
	for (size_t i = 0; i < count; i++)
		order[i] = i;
	for (size_t i = count; i > 1; i--) {
		size_t other = random_next(state) % i, kept = order[i - 1];
		order[i - 1] = order[other];
		order[other] = kept;
	}
}

static void keep_times(struct tuning *tuning, struct candidate *candidate, const struct result_point *point)
{
	size_t count = candidate->count + point->summary.count;
	double *times = arena_array(tuning->arena, double, count);

	if (candidate->count)
		memcpy(times, candidate->times, candidate->count * sizeof(double));
	if (point->summary.count)
		memcpy(times + candidate->count, point->times, point->summary.count * sizeof(double));
	candidate->times = times;
	candidate->count = count;
	candidate->point.runs += point->runs;
	candidate->point.stages += point->stages;
	candidate->point.window = point->window;
	candidate->point.marks |= point->marks & (unsigned)~(MARK_FEW | MARK_UNSTEADY);
}

static enum status measure_candidate(struct tuning *tuning, struct candidate *candidate)
{
	bool is_kept = tuning->algorithms.family->is_kept_by_communicator;
	struct result_point point = {0};
	enum status status;

	note(tuning, candidate);
	if (!is_kept)
		TRY(force(tuning, candidate, false));
	move_to(tuning, candidate->comm);
	status = measure(&tuning->trial, &tuning->round, &tuning->session->clock, tuning->arena, &point);
	if (!is_kept)
		relent(tuning, candidate);
	TRY(status);
	keep_times(tuning, candidate, &point);
	return OK;
}

static enum status measure_round(struct tuning *tuning, const size_t *order)
{
	for (size_t i = 0; i < tuning->count; i++) {
		struct candidate *candidate = &tuning->candidates[order[i]];
		if (candidate->is_out || measure_candidate(tuning, candidate) == OK)
			continue;
		if (!candidate->algorithm)
			return FAILED;
		leave_out(tuning, candidate);
	}
	return OK;
}

static void sum_up(const struct tuning *tuning, struct candidate *candidate)
{
	const struct bench_plan *wanted = tuning->session->wanted;

	candidate->point.times = candidate->times;
	candidate->point.summary = summarize_values(candidate->times, candidate->count, wanted->trim,
	                                            wanted->confidence);
}

static double fastest(const struct tuning *tuning)
{
	double least = INFINITY;

	for (size_t i = 0; i < tuning->count; i++) {
		struct candidate *candidate = &tuning->candidates[i];
		sum_up(tuning, candidate);
		if (!candidate->is_out && candidate->count && candidate->point.summary.median < least)
			least = candidate->point.summary.median;
	}
	return least;
}

static void drop_hopeless(struct tuning *tuning)
{
	int *are_out = arena_array(tuning->arena, int, tuning->count);

	if (tuning->trial.rank == 0) {
		double limit = HOPELESS * fastest(tuning);
		for (size_t i = 1; i < tuning->count; i++)
			are_out[i] = tuning->candidates[i].is_out ||
			             tuning->candidates[i].point.summary.median > limit;
	}
	MPI_Bcast(are_out, (int)tuning->count, MPI_INT, 0, tuning->comm);
	for (size_t i = 0; i < tuning->count; i++)
		tuning->candidates[i].is_out = are_out[i];
}

static enum status measure_all(struct tuning *tuning)
{
	uint64_t state = (uint64_t)tuning->session->wanted->seed * 0x9e3779b97f4a7c15U + tuning->bytes + 1;
	size_t *order = arena_array(tuning->arena, size_t, tuning->count);

	for (int64_t i = 0; i < tuning->session->wanted->rounds; i++) {
		shuffle(order, tuning->count, &state);
		TRY(measure_round(tuning, order));
		if (i == 0)
			drop_hopeless(tuning);
	}
	return OK;
}

static struct bench_plan plan_of_round(const struct bench_plan *wanted)
{
	struct bench_plan round = *wanted;

	/* As many valid runs as a stage has, unless too many are invalid. */
	round.right_max = wanted->stage_runs - 1;
	round.runs_max = RUNS_FOR_A_RIGHT_ONE * wanted->stage_runs;
	round.right_min = round.right_max + 1;
	round.time_limit = wanted->time_limit / wanted->rounds + 1;
	round.per_process = false;
	return round;
}

/* All measured ones, including dropped ones and those without a valid run. */
static void hand_over(struct tuning *tuning, struct points *points)
{
	double clock_error = clock_look(tuning->session, tuning->comm) * 1e-9;

	*points = (struct points){.at = arena_array(tuning->arena, struct result_point, tuning->count)};
	move_to(tuning, tuning->comm);
	for (size_t i = 0; i < tuning->count && tuning->trial.rank == 0; i++) {
		struct candidate *candidate = &tuning->candidates[i];
		struct result_point *point = &candidate->point;
		if (!candidate->point.runs)
			continue;
		sum_up(tuning, candidate);
		point->clock_error = clock_error;
		point->overlap = point->computing = point->total = point->rate = NAN;
		task_describe(tuning->session, &tuning->trial, point);
		point->variant = variant_of(candidate);
		points->at[points->count++] = *point;
	}
}

static void make_candidates(struct tuning *tuning)
{
	tuning->count = tuning->algorithms.count + 1;
	tuning->candidates = arena_array(tuning->arena, struct candidate, tuning->count);
	for (size_t i = 0; i < tuning->count; i++) {
		tuning->candidates[i].comm = MPI_COMM_NULL;
		tuning->candidates[i].algorithm = i ? &tuning->algorithms.at[i - 1] : NULL;
	}
}

static void free_candidates(struct tuning *tuning)
{
	for (size_t i = 0; i < tuning->count; i++)
		if (tuning->candidates[i].comm != MPI_COMM_NULL)
			MPI_Comm_free(&tuning->candidates[i].comm);
}

static enum status tune_prepared(struct tuning *tuning, struct points *points)
{
	make_candidates(tuning);
	enum status status = try_all(tuning);
	if (status == OK)
		status = measure_all(tuning);
	if (status == OK)
		hand_over(tuning, points);
	free_candidates(tuning);
	return status;
}

/* Tuning files of some libraries distinguish processes of one node from processes of several nodes. */
static enum status tell_nodes(const struct tuning *tuning)
{
	struct results *results = &tuning->session->results;
	int rank, is_first, nodes;
	MPI_Comm node;

	TRY(mpi_status(MPI_Comm_split_type(tuning->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
	               "MPI_Comm_split_type"));
	MPI_Comm_rank(node, &rank);
	MPI_Comm_free(&node);
	is_first = rank == 0;
	MPI_Reduce(&is_first, &nodes, 1, MPI_INT, MPI_SUM, 0, tuning->comm);
	if (tuning->trial.rank == 0)
		results_fact(results, FACTS_TUNING,
		             arena_format(&results->arena, FACT_NODES, tuning->trial.ranks), "%d", nodes);
	return OK;
}

enum status tune(struct session *session, const struct bench_operation *operation, MPI_Comm comm,
                 uint64_t bytes, struct arena *arena, struct points *points)
{
	struct tuning tuning = {.session = session,
	                        .operation = operation,
	                        .comm = comm,
	                        .bytes = bytes,
	                        .round = plan_of_round(session->wanted),
	                        .arena = arena};
	enum status status;

	TRY(agree(comm, algorithms_find(operation->name, session->wanted, arena, &tuning.algorithms)));
	TRY(trial_prepare(&tuning.trial, operation, session->wanted, comm, bytes));
	if (tuning.trial.rank == 0)
		algorithms_tell(&tuning.algorithms, &session->results);
	status = tell_nodes(&tuning);
	if (status == OK)
		status = tune_prepared(&tuning, points);
	move_to(&tuning, comm);
	trial_release(&tuning.trial);
	return status;
}
