#include "job/coll/coll.h"
#include "job/coll/settings.h"
#include "job/coll/states.h"

/* A candidate algorithm. */
struct coll_candidate {
	int algorithm;
	double log_s; /* logarithm of the expected time */
	bool is_observed;
};

/* Largest ln(expected time / best) of candidates for a trial, for expectations based on observations and for those of the model alone. */
static const double OBSERVED_BEHIND = 0.7, PREDICTED_BEHIND = 2;

static struct coll_prediction predict(const struct coll_state *state, int algorithm, size_t bytes)
{
	const struct coll_algorithm *a = &coll_algorithms[algorithm];

	return coll_model_predict(&coll_settings.levels, &state->shape, coll_operation_names[a->operation],
	                          a->name, bytes);
}

/* Inserts by expected time; drops the last one if the list is full. */
static void insert_candidate(struct coll_candidate *candidates, int *count, struct coll_candidate one)
{
	int at = *count < TRIAL_CANDIDATES ? (*count)++ : TRIAL_CANDIDATES;

	for (; at > 1 && candidates[at - 1].log_s > one.log_s; at--)
		if (at < TRIAL_CANDIDATES)
			candidates[at] = candidates[at - 1];
	if (at < TRIAL_CANDIDATES)
		candidates[at] = one;
}

static void find_candidates(const struct coll_state *state, struct coll_entry *entry,
                            const struct coll_call *call, size_t bytes)
{
	struct coll_candidate found[TRIAL_CANDIDATES];
	int count = 1, kept = 1; /* MPI */

	for (int i = 0; i < coll_algorithm_count; i++) {
		const struct coll_algorithm *a = &coll_algorithms[i];
		struct coll_candidate one = {.algorithm = i};
		if (a->operation != call->operation || !a->applies(&state->coll, call, bytes))
			continue;
		const struct coll_prediction prediction = predict(state, i, bytes);
		one.log_s = correction_predict(&state->correction, i, &prediction, &one.is_observed);
		insert_candidate(found, &count, one);
	}
	for (int i = 1; i < count; i++)
		if (found[i].log_s <
		    found[1].log_s + (found[i].is_observed ? OBSERVED_BEHIND : PREDICTED_BEHIND))
			entry->algorithms[kept++] = (int16_t)found[i].algorithm;
	trial_begin(&entry->trial, kept);
}

/* Collective over all members. */
static void measured(struct coll_state *state, struct coll_entry *entry, double seconds)
{
	const size_t place = (size_t)(entry - &state->entries[0][0]);
	const bool is_screening = entry->trial.phase == TRIAL_SCREENING;

	if (!trial_add(&entry->trial, seconds))
		return;
	if (PMPI_Allreduce(MPI_IN_PLACE, entry->trial.seconds, trial_count(&entry->trial), MPI_FLOAT, MPI_MAX,
	                   state->coll.comm) != MPI_SUCCESS) {
		trial_decide(&entry->trial, TRIAL_LIBRARY);
		return;
	}
	trial_evaluate(&entry->trial);
	if (is_screening && entry->trial.phase != TRIAL_SCREENING) {
		/* After the screening: compares the candidates' times with the expected ones. */
		for (int i = 1; i < TRIAL_CANDIDATES; i++)
			if (trial_was_screened(&entry->trial, i)) {
				const struct coll_prediction prediction = predict(state, entry->algorithms[i],
				                                                  entry->bytes_max);
				correction_learn(&state->correction, entry->algorithms[i], &prediction,
				                 entry->trial.logs[i]);
			}
	}
	if (entry->trial.phase == TRIAL_DECIDED)
		outcome_write(state, (int)(place / SIZE_CLASSES), (int)(place % SIZE_CLASSES));
}

void coll_measure_library(const struct coll_turn *turn)
{
	measured(turn->state, turn->entry, coll_clock_s() - turn->start_s);
}

/* Executes the call with our algorithm. If that declines, on all members, MPI gets the call. */
static bool run(struct coll_turn *turn, struct coll_state *state, const struct coll_algorithm *algorithm,
                const struct coll_call *call, size_t bytes)
{
	if (!algorithm->applies(&state->coll, call, bytes))
		return false;
	turn->code = algorithm->run(&state->coll, call);
	if (turn->code == COLL_DECLINED)
		return false;
	/* The error occurred on our communicator, which returns errors; the program's error handler must get it. */
	if (turn->code != MPI_SUCCESS)
		PMPI_Comm_call_errhandler(state->of, turn->code);
	turn->code = turn->code;
	return true;
}

/* Starts on all members together, so that the operation is measured and not the lateness of a process. */
static bool try_candidate(struct coll_turn *turn, struct coll_state *state, struct coll_entry *entry,
                          const struct coll_call *call, size_t bytes)
{
	const int candidate = trial_next(&entry->trial);
	const struct coll_algorithm *algorithm = &coll_algorithms[entry->algorithms[candidate]];
	double start_s;
	bool is_done;

	/* The call has a different datatype or operation than the first one. */
	if (candidate != TRIAL_LIBRARY && !algorithm->applies(&state->coll, call, bytes))
		return false;
	start_s = coll_start_together(&state->coll, &state->start);
	if (candidate == TRIAL_LIBRARY) {
		turn->state = state;
		turn->entry = entry;
		turn->start_s = start_s;
		return false;
	}
	is_done = run(turn, state, algorithm, call, bytes);
	measured(state, entry, is_done ? coll_clock_s() - start_s : TRIAL_FAILED);
	return is_done;
}

bool coll_begin(struct coll_turn *turn, const struct coll_call *call, MPI_Comm comm)
{
	struct coll_state *state;
	struct coll_entry *entry;
	size_t bytes;

	turn->entry = NULL;
	if (!(state = state_find(comm, call)))
		return false;
	bytes = coll_bytes(&state->coll, call);
	if (!bytes && call->operation != COLL_BARRIER)
		return false;
	entry = &state->entries[call->operation][size_class(bytes)];
	if (entry->trial.phase == TRIAL_UNBEGUN) {
		const int forced = coll_settings.forced[call->operation];
		entry->bytes_min = entry->bytes_max = bytes;
		entry->is_forced = forced != FREE_CHOICE;
		if (forced == FREE_CHOICE) {
			find_candidates(state, entry, call, bytes);
		} else {
			entry->algorithms[1] = (int16_t)(forced == MPI_ITSELF ? 0 : forced);
			trial_begin(&entry->trial, 2);
			trial_decide(&entry->trial, forced == MPI_ITSELF ? TRIAL_LIBRARY : 1);
		}
	}
	entry->calls++;
	if (bytes < entry->bytes_min)
		entry->bytes_min = bytes;
	if (bytes > entry->bytes_max)
		entry->bytes_max = bytes;
	if (trial_is_measuring(&entry->trial))
		return try_candidate(turn, state, entry, call, bytes);
	if (entry->trial.chosen == TRIAL_LIBRARY)
		return false;
	return run(turn, state, &coll_algorithms[entry->algorithms[entry->trial.chosen]], call, bytes);
}
