#include "bench/window.h"

#include "results/results.h"

enum {
	SHORTEST_WINDOW_NS = 1000,
	LONGEST_LEAD_NS = 10 * 1000 * 1000,
	MOST_IN_VAIN = 2, /* a run of a window twice as long as it needs */
	SHARED_PART = 4,
	STAGES_IN_VAIN = 3,
};

bool run_is_wrong(const struct run *run, int64_t window_ns, int64_t slack_ns)
{
	return run->started > run->due + slack_ns || run->ended > run->due + window_ns;
}

static int64_t widened(double needed_ns, const struct plan *wanted)
{
	int64_t window = (int64_t)(wanted->widening * needed_ns);

	return window > SHORTEST_WINDOW_NS ? window : SHORTEST_WINDOW_NS;
}

int64_t window_next(const struct stage *stage, const struct plan *wanted)
{
	double wrong = (double)stage->wrong / (double)stage->runs;
	int64_t needed;

	if (!stage->window_ns || wrong > wanted->wrong_share)
		return widened((double)stage->length_ns / (double)stage->runs, wanted);
	needed = widened((double)stage->longest_ns, wanted);
	if (wrong < wanted->wrong_share / 2 && needed < stage->window_ns / MOST_IN_VAIN)
		return needed;
	return stage->window_ns;
}

static bool is_steady(const struct progress *progress, const struct plan *wanted)
{
	return progress->right >= wanted->right_min && progress->relative_error <= wanted->relative_error;
}

static int64_t time_left_ns(const struct progress *progress, const struct plan *wanted)
{
	return wanted->time_limit * 1000000000 - progress->elapsed_ns;
}

bool measured_enough(const struct progress *progress, const struct plan *wanted)
{
	return progress->runs > wanted->runs_max || progress->right > wanted->right_max ||
	       is_steady(progress, wanted) || time_left_ns(progress, wanted) <= 0;
}

int64_t stage_length(const struct progress *progress, int64_t window_ns, const struct plan *wanted)
{
	int64_t fitting = time_left_ns(progress, wanted) / (window_ns ? window_ns : 1);

	if (fitting >= wanted->stage_runs)
		return wanted->stage_runs;
	return fitting > 1 ? fitting : 1;
}

int64_t slack_of(int64_t exact_ns, int64_t window_ns, bool is_shared)
{
	int64_t share = is_shared ? window_ns / SHARED_PART : 0;

	return share > exact_ns ? share : exact_ns;
}

bool processors_seem_shared(const struct progress *progress, const struct plan *wanted)
{
	return progress->right == 0 && progress->runs >= STAGES_IN_VAIN * wanted->stage_runs;
}

unsigned progress_marks(const struct progress *progress, const struct plan *wanted)
{
	unsigned marks = 0;

	if (progress->right < wanted->right_min)
		marks |= MARK_FEW;
	if (!(progress->relative_error <= wanted->relative_error))
		marks |= MARK_UNSTEADY;
	return marks;
}

int64_t lead_next(int64_t lead_ns, bool first_was_late)
{
	if (!first_was_late)
		return lead_ns;
	return 2 * lead_ns < LONGEST_LEAD_NS ? 2 * lead_ns : LONGEST_LEAD_NS;
}

double hidden_part(double alone, double computing, double total)
{
	double part = 1 - (total - computing) / alone;

	if (part < 0)
		return 0;
	return part > 1 ? 1 : part;
}
