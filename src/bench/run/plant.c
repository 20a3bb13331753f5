#include "bench/run/plant.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { DRIFTING_SHIFT_NS = 123456789, JUMP_EVERY = 1000, JUMP_NS = 5000, STEP_NS = 100 * 1000 };

struct plant plant = {.late_rank = -1, .slow_rank = -1};

static const struct bench_timer *true_timer;
static int64_t began_ns;

static enum status plant_word(const char *word)
{
	static char fault[16];
	long long microseconds;

	if (sscanf(word, "drift:%lf", &plant.drift_ppm) == 1 ||
	    sscanf(word, "late:%d", &plant.late_rank) == 1)
		return OK;
	if (sscanf(word, "slow:%d:%lld", &plant.slow_rank, &microseconds) == 2) {
		plant.slow_ns = microseconds * 1000;
		return OK;
	}
	if (sscanf(word, "timer:%15[a-z]", fault) == 1) {
		plant.timer_fault = fault;
		return OK;
	}
	return fail(
		"cannot plant '%s': known faults are drift:PPM, late:RANK, slow:RANK:MICROSECONDS and timer:FAULT",
		word);
}

enum status plant_faults(const char *words)
{
	char word[64];

	while (words && *words) {
		size_t length = strcspn(words, ",");

		snprintf(word, sizeof word, "%.*s", (int)length, words);
		TRY(plant_word(word));
		words += length + (words[length] == ',');
	}
	return OK;
}

static int64_t read_drifting(void)
{
	int64_t elapsed = true_timer->now() - began_ns;

	return began_ns + DRIFTING_SHIFT_NS + elapsed + (int64_t)((double)elapsed * plant.drift_ppm * 1e-6);
}

static int64_t read_backwards(void)
{
	static unsigned readings;

	return true_timer->now() - (++readings % JUMP_EVERY == 0 ? JUMP_NS : 0);
}

static int64_t read_coarse(void)
{
	return true_timer->now() / STEP_NS * STEP_NS;
}

static int64_t read_still(void)
{
	return began_ns;
}

static int64_t read_fast(void)
{
	return true_timer->now() * 2;
}

static const struct bench_timer faulty[] = {
	{"backwards", "", read_backwards, NULL}, {"coarse", "", read_coarse, NULL},
	{"still", "", read_still, NULL},         {"fast", "", read_fast, NULL},
	{"drifting", "", read_drifting, NULL},   {0},
};

const struct bench_timer *plant_timer(const struct bench_timer *timer, int rank)
{
	static struct bench_timer planted;
	const char *fault = plant.timer_fault;

	if (!fault && plant.drift_ppm != 0 && rank % 2)
		fault = "drifting";
	if (!fault)
		return timer;
	true_timer = timer;
	began_ns = timer->now();
	for (const struct bench_timer *found = faulty; found->name; found++)
		if (strcmp(found->name, fault) == 0) {
			planted = *found;
			planted.name = timer->name;
			return &planted;
		}
	return timer;
}
