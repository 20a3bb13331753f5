/* Finds the fastest of several algorithms for an operation, with the program's own calls.
 *
* Candidate 0 is the MPI library; a few algorithms compete with it. All processes measure the same calls of the same candidates
 * in the same order. After a round they agree on its times (those of the slowest process), so all make the same decision:
 *
 *	struct coll_trial trial;
 *	trial_begin(&trial, candidates);
 *	… at each call …
 *	if (trial_is_measuring(&trial)) {
 *		… execute the call by candidate trial_next(&trial), measure seconds …
 *		if (trial_add(&trial, seconds)) {
 *			… all processes replace trial.seconds by the maximum, trial_count(&trial) values …
 *			trial_evaluate(&trial);
 *		}
 *	} else {
 *		… execute the call by candidate trial.chosen …
 *	}
 *
 * Screening: candidates and the library take turns. The first round does not count, because it allocates memory and connects
 * processes. After each further round, slow candidates drop out, so that they get few calls.
 *
* Final: the best algorithm and the library execute calls in pairs, close in time and in both orders. The logarithms of their ratios
 * are averaged, so that one disturbed call counts little, but occasional slow calls show. A t-test decides. As long as it is
 * undecided, more pairs are measured, up to a limit. If in doubt, the library is chosen.
 *
* Recheck: after the decision, more pairs are measured at growing intervals. New pairs count more. An algorithm that is no longer
 * faster is replaced by the library. If it had lost by little, it may replace the library.
 *
* Memory is fixed, and nothing here uses MPI. Decisions do not use functions of the C library whose results may differ between CPUs. */
#ifndef TARRY_COLL_CHOICE_TRIAL_H
#define TARRY_COLL_CHOICE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

enum { TRIAL_LIBRARY = 0, TRIAL_CANDIDATES = 5 };
enum { SCREENING_ROUNDS = 5 }; /* including the first */
/* Pairs per round, and at most in the final; the last one, if the algorithm seems much faster. */
enum { ROUND_PAIRS = 4, FINAL_PAIRS = 16, FINAL_PAIRS_PROMISING = 32 };
enum { RECHECK_FIRST = 128, RECHECK_LAST = 8192 }; /* calls until a recheck, which double each time */
enum { TRIAL_TIMES = 2 * ROUND_PAIRS };

enum trial_phase { TRIAL_UNBEGUN, TRIAL_SCREENING, TRIAL_FINAL, TRIAL_DECIDED, TRIAL_RECHECK };

/* The results of pairs of calls. */
struct trial_pairs {
	float count;
	float mean, deviations; /* of ln(rival / library): mean, and sum of squared deviations */
	float summed;
	float library_sum, rival_sum; /* seconds of `summed` pairs */
	float library_log, rival_log; /* means of ln(seconds) */
};

struct coll_trial {
	uint8_t phase;    /* enum trial_phase; 0: not begun */
	uint8_t alive;    /* screening: one bit per remaining candidate */
	uint8_t screened; /* one bit per candidate with a mean in `logs` */
	uint8_t round, measured;
	uint8_t rival;                /* after the screening: the library's competitor */
	uint8_t chosen;               /* if decided: a candidate */
	float library_s, rival_s;     /* latest results of the library and its best competitor; 0: none */
	uint32_t rest, interval;      /* calls until the next recheck (0: none), and its initial value */
	float logs[TRIAL_CANDIDATES]; /* screening: means of ln(seconds) */
	float best_logs[TRIAL_CANDIDATES][2]; /* the two smallest ln(seconds), including the first round */
	struct trial_pairs pairs;
	float seconds[TRIAL_TIMES];
};

/* Longer than any other time: the candidate could not execute the call. */
#define TRIAL_FAILED 1e30F

/* The candidates are the library and `candidates` - 1 others. With the library alone, the trial is decided. */
void trial_begin(struct coll_trial *trial, int candidates);
/* Decides for `candidate` without a trial, permanently. */
void trial_decide(struct coll_trial *trial, int candidate);

static inline bool trial_is_decided(const struct coll_trial *trial)
{
	return trial->phase >= TRIAL_DECIDED;
}

static inline bool trial_was_screened(const struct coll_trial *trial, int candidate)
{
	return trial->screened >> candidate & 1;
}

/* Whether the next operation is to be measured. Must be called once before each operation. */
static inline bool trial_is_measuring(struct coll_trial *trial)
{
	if (__builtin_expect(trial->phase != TRIAL_DECIDED, 0))
		return true;
	if (__builtin_expect(trial->rest == 1, 0))
		trial->phase = TRIAL_RECHECK;
	trial->rest -= trial->rest > 0;
	return trial->phase != TRIAL_DECIDED;
}

/* The candidate for the next call. */
int trial_next(const struct coll_trial *trial);
/* Adds its time. True: the round is complete, and its times must be agreed on. */
bool trial_add(struct coll_trial *trial, double seconds);
int trial_count(const struct coll_trial *trial);
void trial_evaluate(struct coll_trial *trial);

/* The natural logarithm, bitwise equal on all IEEE 754 processors. */
double trial_log(double value);

/* The size class of an operation: powers of two, coarser for small sizes. */
enum { SIZE_CLASSES = 28 };
int size_class(uint64_t bytes);

#endif
