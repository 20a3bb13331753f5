#include "bench/run/window.h"

#include "base/sort.h"
#include "bench/results/results.h"

enum {
	SHORTEST_WINDOW_NS = 1000,
	WIDEST = 8,            /* multiple of most runs' length */
	IN_VAIN_MAX = 2,       /* a window more than this factor too long is narrowed */
	LEAD_NS = 1000 * 1000, /* maximum lead, … */
	LEAD_GROWTH = 8,       /* … or maximum growth; decreases by this fraction */
	SHARED_PART = 4,
	STAGES_IN_VAIN = 3,
};

bool run_is_wrong(const struct timed_run *run, int64_t window_ns, int64_t slack_ns)
{
	return run->started > run->due + slack_ns || run->ended > run->due + window_ns;
}

int64_t third_quartile(int64_t *values, int64_t count)
{
	sort_i64(values, (size_t)count);
	return values[(count - 1) * 3 / 4];
}

static int64_t widened(double needed_ns, const struct bench_plan *wanted)
{
	int64_t window = (int64_t)(wanted->widening * needed_ns);

	return window > SHORTEST_WINDOW_NS ? window : SHORTEST_WINDOW_NS;
}

/* A window that suffices for most runs, but is so short that each delayed run spoils several others. */
static int64_t doubled(int64_t window_ns, int64_t needed_ns)
{
	int64_t most = needed_ns * WIDEST > window_ns ? needed_ns * WIDEST : window_ns;

	return 2 * window_ns < most ? 2 * window_ns : most;
}

static int64_t window_wider(const struct stage *stage, const struct bench_plan *wanted)
{
	double mean = (double)stage->length_ns / (double)stage->runs, usual = (double)stage->usual_ns;
	int64_t needed = widened(stage->is_shared || mean < usual ? mean : usual, wanted);

	return needed > stage->window_ns ? needed : doubled(stage->window_ns, needed);
}

int64_t window_next(const struct stage *stage, const struct bench_plan *wanted)
{
	double wrong = (double)stage->wrong / (double)stage->runs;
	int64_t needed = widened((double)stage->longest_ns, wanted);

	if (!stage->window_ns || wrong > wanted->wrong_share)
		return window_wider(stage, wanted);
	if (wrong < wanted->wrong_share / 2 && needed < stage->window_ns / IN_VAIN_MAX)
		return needed;
	return stage->window_ns;
}

static bool is_steady(const struct progress *progress, const struct bench_plan *wanted)
{
	return progress->right >= wanted->right_min && progress->relative_error <= wanted->relative_error;
}

int64_t time_left_ns(const struct progress *progress, const struct bench_plan *wanted)
{
	return wanted->time_limit * 1000000000 - progress->elapsed_ns;
}

int64_t runs_max(const struct bench_plan *wanted)
{
	return wanted->runs_max * RUNS_IN_NEED;
}

bool measured_enough(const struct progress *progress, const struct bench_plan *wanted)
{
	int64_t most = progress->right >= wanted->right_min ? wanted->runs_max : runs_max(wanted);

	return progress->runs > most || progress->right > wanted->right_max || is_steady(progress, wanted) ||
	       time_left_ns(progress, wanted) <= 0;
}

int64_t stage_length(const struct progress *progress, int64_t window_ns, const struct bench_plan *wanted)
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

bool processors_seem_shared(const struct progress *progress, const struct bench_plan *wanted)
{
	return progress->right == 0 && progress->runs >= STAGES_IN_VAIN * wanted->stage_runs;
}

unsigned progress_marks(const struct progress *progress, const struct bench_plan *wanted)
{
	unsigned marks = 0;

	if (progress->right < wanted->right_min)
		marks |= MARK_FEW;
	if (!(progress->relative_error <= wanted->relative_error))
		marks |= MARK_UNSTEADY;
	return marks;
}

int64_t lead_next(int64_t lead_ns, int64_t usual_ns, bool first_was_late, int64_t left_ns)
{
	int64_t most = usual_ns * LEAD_GROWTH > LEAD_NS ? usual_ns * LEAD_GROWTH : LEAD_NS;
	int64_t next = first_was_late ? 2 * lead_ns : lead_ns - (lead_ns - usual_ns) / LEAD_GROWTH;

	if (most > left_ns)
		most = left_ns > usual_ns ? left_ns : usual_ns;
	return next < most ? next : most;
}

double hidden_part(double alone, double computing, double total)
{
	double part = 1 - (total - computing) / alone;

	if (part < 0)
		return 0;
	return part > 1 ? 1 : part;
}
