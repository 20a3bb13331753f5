/* Which of several ways to do an operation is the fastest, found out with the program's own calls.
 *
 * The MPI library's way is candidate 0; up to three algorithms compete with it. All processes measure the same calls of the same
 * candidates in the same order. When a phase is over they agree on its times, those of the slowest process, and so come to the same judgement:
 *
 *	struct coll_trial trial;
 *	trial_begin(&trial, candidates);
 *	… at each call …
 *	if (trial.phase != TRIAL_DECIDED) {
 *		… do the call by candidate trial_next(&trial), measure seconds …
 *		if (trial_add(&trial, seconds)) {
 *			… all processes replace trial.seconds by the largest of all, trial_count(&trial) of them …
 *			trial_judge(&trial);
 *		}
 *	}
 *
 * In the first phase each candidate is measured a few times, and the first time does not count, because memory and connections are made
 * then. The best algorithm and the library compete again in the second phase. The algorithm is chosen only if it wins clearly: what is as fast as the library
 * is left to the library. Memory is fixed, and nothing here knows MPI. */
#ifndef TARRY_COLL_CHOICE_TRIAL_H
#define TARRY_COLL_CHOICE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

enum { TRIAL_LIBRARY = 0, TRIAL_CANDIDATES = 4, SCREENING_ROUNDS = 3, FINAL_ROUNDS = 4 };
enum { TRIAL_TIMES = TRIAL_CANDIDATES * SCREENING_ROUNDS };

enum trial_phase { TRIAL_UNBEGUN, TRIAL_SCREENING, TRIAL_FINAL, TRIAL_DECIDED };

struct coll_trial {
	uint8_t phase; /* enum trial_phase; 0 is unbegun */
	uint8_t candidates, measured;
	uint8_t rival;            /* second phase: who competes with the library */
	uint8_t chosen;           /* decided: a candidate */
	float library_s, rival_s; /* what was found last of the library and its best competitor; 0: nothing */
	float seconds[TRIAL_TIMES];
};

/* A time that is longer than any other: the candidate could not do the call. */
#define TRIAL_FAILED 1e30F

/* The library and `candidates` - 1 others. With the library alone it is decided at once. */
void trial_begin(struct coll_trial *trial, int candidates);
/* Without trying: `candidate` it is. */
void trial_decide(struct coll_trial *trial, int candidate);

/* The candidate for the next call. */
int trial_next(const struct coll_trial *trial);
/* What that took. True: the phase is over, and the times are to be agreed on. */
bool trial_add(struct coll_trial *trial, double seconds);
int trial_count(const struct coll_trial *trial);
void trial_judge(struct coll_trial *trial);

/* Operations of similar size share a trial: classes by powers of two, coarser for small ones. */
enum { SIZE_CLASSES = 28 };
int size_class(uint64_t bytes);

#endif
