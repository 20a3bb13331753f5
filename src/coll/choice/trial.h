/* Which of several ways to do an operation is the fastest, found out with the program's own calls.
 *
 * The MPI library's way is candidate 0; a few algorithms compete with it. All processes measure the same calls of the same candidates in the same order.
 * When a round is over they agree on its times, those of the slowest process, and so come to the same judgement:
 *
 *	struct coll_trial trial;
 *	trial_begin(&trial, candidates);
 *	… at each call …
 *	if (trial_is_measuring(&trial)) {
 *		… do the call by candidate trial_next(&trial), measure seconds …
 *		if (trial_add(&trial, seconds)) {
 *			… all processes replace trial.seconds by the largest of all, trial_count(&trial) of them …
 *			trial_judge(&trial);
 *		}
 *	} else {
 *		… do the call by candidate trial.chosen …
 *	}
 *
 * Screening: candidates and the library take turns. The first round does not count, because memory and connections are made then. After each further
 * round, whoever is far behind drops out, so that a bad candidate has few calls.
 *
 * Final: the best algorithm and the library do calls in pairs, next to each other in time, and in both orders. Logarithms of the ratio of a pair are averaged:
 * one disturbed call counts little, but an algorithm that is slow now and then is seen. The algorithm is chosen only if it is faster beyond doubt by a
 * t-test; as long as that is open there are more pairs, up to a limit. Whenever there is a doubt the library is chosen.
 *
 * Recheck: seldom, and ever more seldom, some more pairs are measured after the decision. Recent ones count more. An algorithm that is not faster
 * any more gives way to the library, and the other way round if it had lost by little.
 *
 * Memory is fixed, and nothing here knows MPI. Numbers that decide are calculated without the C library, whose results may differ between processors. */
#ifndef TARRY_COLL_CHOICE_TRIAL_H
#define TARRY_COLL_CHOICE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

enum { TRIAL_LIBRARY = 0, TRIAL_CANDIDATES = 5 };
enum { SCREENING_ROUNDS = 5 }; /* the first one included */
/* Of a round; of the final at most, unless the algorithm seems to be much faster. */
enum { ROUND_PAIRS = 4, FINAL_PAIRS = 16, FINAL_PAIRS_PROMISING = 32 };
enum { RECHECK_FIRST = 128, RECHECK_LAST = 8192 }; /* calls until a recheck; twice as many each time */
enum { TRIAL_TIMES = 2 * ROUND_PAIRS };

enum trial_phase { TRIAL_UNBEGUN, TRIAL_SCREENING, TRIAL_FINAL, TRIAL_DECIDED, TRIAL_RECHECK };

/* What pairs of calls have shown. */
struct trial_pairs {
	float count;
	float mean, deviations; /* of ln(rival / library): the mean, and the sum of squares around it */
	float summed;
	float library_sum, rival_sum; /* seconds of `summed` pairs */
	float library_log, rival_log; /* means of ln(seconds) */
};

struct coll_trial {
	uint8_t phase;    /* enum trial_phase; 0 is unbegun */
	uint8_t alive;    /* screening: a bit for each candidate that still takes part */
	uint8_t screened; /* a bit for each candidate whose mean is in `logs` */
	uint8_t round, measured;
	uint8_t rival;            /* after the screening: who competes with the library */
	uint8_t chosen;           /* decided: a candidate */
	float library_s, rival_s; /* what was found last of the library and its best competitor; 0: nothing */
	uint32_t rest, interval;  /* calls until the next recheck, 0: there is none; what that was at first */
	float logs[TRIAL_CANDIDATES];     /* screening: means of ln(seconds) */
	float least[TRIAL_CANDIDATES][2]; /* the two least of them, the first round's included */
	struct trial_pairs pairs;
	float seconds[TRIAL_TIMES];
};

/* A time that is longer than any other: the candidate could not do the call. */
#define TRIAL_FAILED 1e30F

/* The library and `candidates` - 1 others. With the library alone it is decided at once. */
void trial_begin(struct coll_trial *trial, int candidates);
/* Without trying, and for good: `candidate` it is. */
void trial_decide(struct coll_trial *trial, int candidate);

static inline bool trial_is_decided(const struct coll_trial *trial)
{
	return trial->phase >= TRIAL_DECIDED;
}

static inline bool trial_was_screened(const struct coll_trial *trial, int candidate)
{
	return trial->screened >> candidate & 1;
}

/* To be asked once before each call: whether it is one to be measured. */
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
/* What that took. True: the round is over, and the times are to be agreed on. */
bool trial_add(struct coll_trial *trial, double seconds);
int trial_count(const struct coll_trial *trial);
void trial_judge(struct coll_trial *trial);

/* The natural logarithm, the same to the last bit on all processors that compute as IEEE 754 says. */
double trial_log(double value);

/* Operations of similar size share a trial: classes by powers of two, coarser for small ones. */
enum { SIZE_CLASSES = 28 };
int size_class(uint64_t bytes);

#endif
