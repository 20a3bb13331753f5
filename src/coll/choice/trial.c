#include "coll/choice/trial.h"

#include <assert.h>
#include <string.h>

/* To be chosen an algorithm has to need less than this part of the library's time, in the median and at its best. */
static const float CLEAR_WIN = 0.95F;

static_assert(2 * FINAL_ROUNDS <= TRIAL_TIMES, "both phases share the place for times");

void trial_decide(struct coll_trial *trial, int candidate)
{
	trial->phase = TRIAL_DECIDED;
	trial->chosen = (uint8_t)candidate;
}

void trial_begin(struct coll_trial *trial, int candidates)
{
	*trial = (struct coll_trial){
		.phase = TRIAL_SCREENING,
		.candidates = (uint8_t)(candidates < TRIAL_CANDIDATES ? candidates : TRIAL_CANDIDATES)};
	if (candidates < 2)
		trial_decide(trial, TRIAL_LIBRARY);
}

/* The second phase goes library, rival, rival, library and so on: whoever is first gains nothing by it. */
int trial_next(const struct coll_trial *trial)
{
	if (trial->phase == TRIAL_SCREENING)
		return trial->measured % trial->candidates;
	if (trial->phase == TRIAL_DECIDED)
		return trial->chosen;
	return (trial->measured & 3) == 0 || (trial->measured & 3) == 3 ? TRIAL_LIBRARY : trial->rival;
}

int trial_count(const struct coll_trial *trial)
{
	return trial->phase == TRIAL_SCREENING ? trial->candidates * SCREENING_ROUNDS : 2 * FINAL_ROUNDS;
}

bool trial_add(struct coll_trial *trial, double seconds)
{
	trial->seconds[trial->measured++] = (float)seconds;
	return trial->measured == trial_count(trial);
}

struct trial_times {
	float at[SCREENING_ROUNDS > FINAL_ROUNDS ? SCREENING_ROUNDS : FINAL_ROUNDS];
	int count;
};

/* In ascending order. */
static void insert_time(struct trial_times *times, float seconds)
{
	int at = times->count++;

	for (; at > 0 && times->at[at - 1] > seconds; at--)
		times->at[at] = times->at[at - 1];
	times->at[at] = seconds;
}

static float median(const struct trial_times *times)
{
	const int half = times->count / 2;

	return times->count % 2 ? times->at[half] : (times->at[half - 1] + times->at[half]) / 2;
}

static void judge_screening(struct coll_trial *trial)
{
	float best[TRIAL_CANDIDATES] = {TRIAL_FAILED, TRIAL_FAILED};

	for (int i = 0; i < trial->candidates; i++) {
		best[i] = TRIAL_FAILED;
		for (int round = 1; round < SCREENING_ROUNDS; round++) {
			const float seconds = trial->seconds[round * trial->candidates + i];

			best[i] = seconds < best[i] ? seconds : best[i];
		}
	}
	trial->rival = 1;
	for (int i = 2; i < trial->candidates; i++)
		if (best[i] < best[trial->rival])
			trial->rival = (uint8_t)i;
	trial->library_s = best[TRIAL_LIBRARY];
	trial->rival_s = best[trial->rival];
	trial->measured = 0;
	if (best[trial->rival] < best[TRIAL_LIBRARY])
		trial->phase = TRIAL_FINAL;
	else
		trial_decide(trial, TRIAL_LIBRARY);
}

static void judge_final(struct coll_trial *trial)
{
	struct trial_times library = {.count = 0}, rival = {.count = 0};
	bool wins;

	for (int i = 0; i < 2 * FINAL_ROUNDS; i++)
		insert_time((i & 3) == 0 || (i & 3) == 3 ? &library : &rival, trial->seconds[i]);
	trial->library_s = median(&library);
	trial->rival_s = median(&rival);
	wins = trial->rival_s < CLEAR_WIN * trial->library_s && rival.at[0] < CLEAR_WIN * library.at[0];
	trial_decide(trial, wins ? trial->rival : TRIAL_LIBRARY);
}

void trial_judge(struct coll_trial *trial)
{
	if (trial->phase == TRIAL_SCREENING)
		judge_screening(trial);
	else if (trial->phase == TRIAL_FINAL)
		judge_final(trial);
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
