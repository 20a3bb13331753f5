#include "coll/choice/trial.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The minimum share of the library's time that an algorithm must save, to pay for rechecks. */
static const double MARGIN = 0.03;
/* A candidate drops out after the first, second, … counted round if its ln(seconds) exceeds the best by more than this. */
static const double BEHIND[SCREENING_ROUNDS - 1] = {1.4, 0.7, 0.4, 0.2};
/* A rival that lost by at most this is rechecked. */
static const double CLOSE = 0.2;
/* In standard errors. KEPT: a chosen algorithm is given up if it is ahead by less. HOPELESS: the final ends early if the rival
 * would be too slow even with this much luck. */
static const double KEPT = 0.5, HOPELESS = 2;
/* A time is limited to this multiple of its partner's, because longer times are disturbances. */
static const double OUTLIER = 6;
/* The weight of earlier pairs in a recheck: in means, if the library or if an algorithm is chosen; and in sums. */
static const float MEMORY_LIBRARY = 32, MEMORY_RIVAL = 8, MEMORY_SUMS = 64;

static_assert((int)TRIAL_CANDIDATES <= (int)TRIAL_TIMES && TRIAL_CANDIDATES <= 8,
              "a round has room for all candidates");

double trial_log(double value)
{
	static const double LN2 = 0.693147180559945309, SQRT_HALF = 0.707106781186547524;
	int exponent;
	double part = frexp(value > 1e-300 ? value : 1e-300, &exponent), y, square, sum = 0;

	if (part < SQRT_HALF) {
		part *= 2;
		exponent--;
	}
	y = (part - 1) / (part + 1);
	square = y * y;
	for (int k = 15; k > 0; k -= 2)
		sum = sum * square + 1.0 / k;
	return 2 * y * sum + exponent * LN2;
}

void trial_decide(struct coll_trial *trial, int candidate)
{
	trial->phase = TRIAL_DECIDED;
	trial->chosen = (uint8_t)candidate;
	trial->rest = 0;
	trial->round = trial->measured = 0;
}

void trial_begin(struct coll_trial *trial, int candidates)
{
	if (candidates > TRIAL_CANDIDATES)
		candidates = TRIAL_CANDIDATES;
	*trial = (struct coll_trial){.phase = TRIAL_SCREENING, .alive = (uint8_t)((1U << candidates) - 1)};
	if (candidates < 2)
		trial_decide(trial, TRIAL_LIBRARY);
}

static bool is_alive(const struct coll_trial *trial, int candidate)
{
	return trial->alive >> candidate & 1;
}

static int count_alive(const struct coll_trial *trial)
{
	return __builtin_popcount(trial->alive);
}

/* The candidate at position `place` of this round. Each round starts with another candidate, so that predecessors vary. */
static int screened(const struct coll_trial *trial, int place)
{
	int left = (place + trial->round) % count_alive(trial), candidate = 0;

	while (!is_alive(trial, candidate) || left-- > 0)
		candidate++;
	return candidate;
}

/* Pairs alternate (library, rival, rival, library, …), so that the order gives no advantage. */
static bool is_librarys_place(int place)
{
	return (place & 3) == 0 || (place & 3) == 3;
}

int trial_next(const struct coll_trial *trial)
{
	if (trial->phase == TRIAL_SCREENING)
		return screened(trial, trial->measured);
	if (trial->phase == TRIAL_DECIDED)
		return trial->chosen;
	return is_librarys_place(trial->measured) ? TRIAL_LIBRARY : trial->rival;
}

int trial_count(const struct coll_trial *trial)
{
	return trial->phase == TRIAL_SCREENING ? count_alive(trial) : 2 * ROUND_PAIRS;
}

bool trial_add(struct coll_trial *trial, double seconds)
{
	trial->seconds[trial->measured++] = (float)seconds;
	return trial->measured == trial_count(trial);
}

/* Screening */

/* Compares means, which also show occasional slow calls. */
static int find_rival(const struct coll_trial *trial)
{
	int rival = 0;

	for (int i = 1; i < TRIAL_CANDIDATES; i++)
		if (is_alive(trial, i) && (!rival || trial->logs[i] < trial->logs[rival]))
			rival = i;
	return rival;
}

/* A candidate's second best time (after the first counted round, its best): one disturbed call must not eliminate it. */
static double screened_log(const struct coll_trial *trial, int candidate)
{
	return trial->best_logs[candidate][trial->round > 1];
}

/* The reference for elimination. One call that seems to take no time must not eliminate the others; this happens if a root is late
 * for the common start, when all data has already arrived. */
static double counted_log(const struct coll_trial *trial, int candidate)
{
	return trial->round > 1 ? trial->best_logs[candidate][1] : trial->logs[candidate];
}

static void add_screened(struct coll_trial *trial, int candidate, float log)
{
	float *best = trial->best_logs[candidate];

	if (trial->round == 0) {
		best[0] = best[1] = log;
		return;
	}
	trial->logs[candidate] += (log - trial->logs[candidate]) / trial->round;
	if (trial->round == 1 || log < best[1])
		best[1] = log;
	if (best[1] < best[0]) {
		best[1] = best[0];
		best[0] = log;
	}
}

static void evaluate_screening(struct coll_trial *trial)
{
	for (int place = 0; place < count_alive(trial); place++)
		add_screened(trial, screened(trial, place), (float)trial_log(trial->seconds[place]));
	if (trial->round) {
		trial->screened |= trial->alive;
		trial->rival = (uint8_t)find_rival(trial);
		double best = counted_log(trial, TRIAL_LIBRARY);
		for (int i = 1; i < TRIAL_CANDIDATES; i++)
			if (is_alive(trial, i) && counted_log(trial, i) < best)
				best = counted_log(trial, i);
		for (int i = 1; i < TRIAL_CANDIDATES; i++)
			if (is_alive(trial, i) && screened_log(trial, i) > best + BEHIND[trial->round - 1])
				trial->alive &= (uint8_t) ~(1U << i);
	}
	trial->round++;
	trial->measured = 0;
	/* If one rival is left, the final decides. */
	if (trial->round < 2 || (trial->round < SCREENING_ROUNDS && count_alive(trial) > 2))
		return;
	if (find_rival(trial))
		trial->rival = (uint8_t)find_rival(trial);
	trial->library_s = expf(trial->logs[TRIAL_LIBRARY]);
	trial->rival_s = expf(trial->logs[trial->rival]);
	trial->phase = TRIAL_FINAL;
	if (!is_alive(trial, trial->rival))
		trial_decide(trial, TRIAL_LIBRARY);
}

/* Pairs */

static double at_most(double value, double limit)
{
	return value < limit ? value : limit;
}

static void add_pair(struct trial_pairs *pairs, double library_s, double rival_s)
{
	const double library = at_most(library_s, OUTLIER * rival_s),
		     rival = at_most(rival_s, OUTLIER * library_s);
	const double ratio = trial_log(rival) - trial_log(library), before = ratio - pairs->mean;

	pairs->count++;
	pairs->summed++;
	pairs->mean += (float)(before / pairs->count);
	pairs->deviations += (float)(before * (ratio - pairs->mean));
	pairs->library_sum += (float)library;
	pairs->rival_sum += (float)rival;
	pairs->library_log += (float)((trial_log(library_s) - pairs->library_log) / pairs->count);
	pairs->rival_log += (float)((trial_log(rival_s) - pairs->rival_log) / pairs->count);
}

/* Reduces the weight of earlier pairs. */
static void forget_pairs(struct trial_pairs *pairs, float count)
{
	if (pairs->count > count) {
		pairs->deviations *= count / pairs->count;
		pairs->count = count;
	}
	if (pairs->summed > MEMORY_SUMS) {
		pairs->library_sum *= MEMORY_SUMS / pairs->summed;
		pairs->rival_sum *= MEMORY_SUMS / pairs->summed;
		pairs->summed = MEMORY_SUMS;
	}
}

/* Student's t for an error of 1 in 1000, by rounds of pairs. One round is never enough; the last value also
 * holds for more than four rounds. */
static double beyond_doubt(double pairs)
{
	static const double of_rounds[] = {1e9, 4.8, 4.1, 3.8};
	const int rounds = (int)(pairs / ROUND_PAIRS);

	return of_rounds[rounds < 1 ? 0 : rounds > 4 ? 3 : rounds - 1];
}

static double standard_error(const struct trial_pairs *pairs)
{
	return sqrt(fmax(pairs->deviations, 0) / (pairs->count - 1) / pairs->count);
}

static bool is_faster(const struct trial_pairs *pairs, double errors, double margin)
{
	return pairs->mean + errors * standard_error(pairs) < -margin &&
	       pairs->rival_sum < (1 - margin) * pairs->library_sum;
}

/* Doubles the interval. It begins longer if the library is chosen, because then no gain pays for the common starts of a recheck. */
static void plan_recheck(struct coll_trial *trial)
{
	const uint32_t first = trial->chosen ? RECHECK_FIRST : 4 * RECHECK_FIRST;

	trial->interval = 2 * trial->interval > first ? 2 * trial->interval : first;
	if (trial->interval > RECHECK_LAST)
		trial->interval = RECHECK_LAST;
	if (trial->chosen || trial->pairs.mean < CLOSE)
		trial->rest = trial->interval;
}

static void evaluate_final(struct coll_trial *trial)
{
	const struct trial_pairs *pairs = &trial->pairs;
	const bool wins = is_faster(pairs, beyond_doubt(pairs->count), MARGIN);

	/* Disturbed calls can hide even a large gain for some time. Only for such a gain is a long final worthwhile. */
	const int limit = pairs->mean < -CLOSE ? FINAL_PAIRS_PROMISING : FINAL_PAIRS;

	if (!wins && pairs->count < (float)limit && pairs->mean - HOPELESS * standard_error(pairs) < -MARGIN)
		return;
	trial_decide(trial, wins ? trial->rival : TRIAL_LIBRARY);
	plan_recheck(trial);
}

static void evaluate_recheck(struct coll_trial *trial)
{
	const struct trial_pairs *pairs = &trial->pairs;
	const bool wins = trial->chosen ? is_faster(pairs, KEPT, 0)
	                                : is_faster(pairs, beyond_doubt(pairs->count), MARGIN);

	trial_decide(trial, wins ? trial->rival : TRIAL_LIBRARY);
	plan_recheck(trial);
}

static void evaluate_pairs(struct coll_trial *trial)
{
	const struct trial_pairs *pairs = &trial->pairs;
	bool is_able = true; /* the rival completed all calls */

	if (trial->phase == TRIAL_RECHECK)
		forget_pairs(&trial->pairs, trial->chosen ? MEMORY_RIVAL : MEMORY_LIBRARY);
	for (int place = 0; place < 2 * ROUND_PAIRS; place += 2) {
		const float *two = &trial->seconds[place];
		const int library = is_librarys_place(place) ? 0 : 1;
		is_able &= two[1 - library] < TRIAL_FAILED;
		add_pair(&trial->pairs, two[library], two[1 - library]);
	}
	trial->measured = 0;
	if (!is_able) {
		trial->rival_s = TRIAL_FAILED;
		trial_decide(trial, TRIAL_LIBRARY);
		return;
	}
	trial->library_s = expf(pairs->library_log);
	trial->rival_s = expf(pairs->rival_log);
	if (trial->phase == TRIAL_FINAL)
		evaluate_final(trial);
	else
		evaluate_recheck(trial);
}

void trial_evaluate(struct coll_trial *trial)
{
	if (trial->phase == TRIAL_SCREENING)
		evaluate_screening(trial);
	else if (trial->phase == TRIAL_FINAL || trial->phase == TRIAL_RECHECK)
		evaluate_pairs(trial);
}

int size_class(uint64_t bytes)
{
	int class;

	if (!bytes)
		return 0;
	if (bytes <= 8)
		return 1;
	if (bytes <= 64)
		return 2;
	/* 65 … 128 is class 3 */
	class = 64 - __builtin_clzll(bytes - 1) - 4;
	return class < SIZE_CLASSES ? class : SIZE_CLASSES - 1;
}
