#include "analysis/model/iterations.h"

#include "analysis/model/spans.h"
#include "base/memory.h"

#include <stdlib.h>

/* Times of every nth call are kept; when there are too many, of every 2nth. */
enum { SAMPLES = 32 };

/* Iterations make up at least this part of the run, and regular ones this part of them. */
#define PART_LEAST 0.5
#define REGULAR_LEAST 0.5

/* The calls of one process from one place. */
struct iterated_call {
	uint64_t count;
	uint32_t thread; /* that made the first; calls of others are left out */
	int64_t last, min_gap, max_gap;
	int64_t computing_first, computing_last;
	int64_t samples[SAMPLES]; /* of call 0, stride, 2 * stride … */
	uint64_t stride;
	const struct call *call;
};

/* The same over all processes. */
struct common_call {
	uint32_t processes;
	bool differs; /* or is not regular */
	uint64_t count;
	int64_t min_gap, max_gap, longest_span;
	double spans, parts; /* sums over processes */
	double computing, longest_computing;
	double first_third, last_third;
	const struct call *call;
};

struct iteration_search {
	ARRAY(struct iterated_call) calls; /* of the process at hand, by place */
	ARRAY(struct common_call) common;  /* by place */
	bool is_first;
};

struct iteration_search *iteration_search_new(void)
{
	struct iteration_search *search = memory_new(1, sizeof *search);

	search->is_first = true;
	return search;
}

static void add_sample(struct iterated_call *call, int64_t start)
{
	uint64_t number = call->count / call->stride;

	if (call->count % call->stride)
		return;
	if (number == SAMPLES) {
		for (size_t i = 1; i < SAMPLES / 2; i++)
			call->samples[i] = call->samples[2 * i];
		call->stride *= 2;
		number = SAMPLES / 2;
	}
	call->samples[number] = start;
}

void iteration_search_note(struct iteration_search *search, uint32_t place, uint32_t thread,
                           const struct call *made, int64_t start_ns, int64_t computing_ns)
{
	struct iterated_call *call = &array_extend(&search->calls, place + 1u)->items[place];
	int64_t gap;

	if (!call->count) {
		*call = (struct iterated_call){.thread = thread,
		                               .min_gap = INT64_MAX,
		                               .computing_first = computing_ns,
		                               .stride = 1,
		                               .call = made};
	} else if (call->thread != thread) {
		return;
	} else {
		gap = interval_ns(call->last, start_ns);
		call->min_gap = gap < call->min_gap ? gap : call->min_gap;
		call->max_gap = gap > call->max_gap ? gap : call->max_gap;
	}
	add_sample(call, start_ns);
	call->count++;
	call->last = start_ns;
	call->computing_last = computing_ns;
}

static int by_length(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

static size_t samples_of(const struct iterated_call *call)
{
	return (size_t)((call->count - 1) / call->stride + 1);
}

/* The gaps that are about as long as the middle one make up most of the time: a few calls far apart, or many at the beginning, are no
 * iteration. */
static bool is_regular(const struct iterated_call *call)
{
	int64_t gaps[SAMPLES], span = interval_ns(call->samples[0], call->samples[samples_of(call) - 1]);
	size_t count = samples_of(call) - 1;
	int64_t middle;

	for (size_t i = 0; i < count; i++)
		gaps[i] = interval_ns(call->samples[i], call->samples[i + 1]);
	if (!count)
		return false;
	qsort(gaps, count, sizeof *gaps, by_length);
	middle = gaps[count / 2];
	return span > 0 && (double)middle * (double)count >= REGULAR_LEAST * (double)span;
}

/* Means of about a third of the iterations: up to a sample, and from one to the last call. There are always samples between. */
static void add_thirds(struct common_call *common, const struct iterated_call *call)
{
	uint64_t gaps = call->count - 1, first = gaps / 3 / call->stride;
	uint64_t last = (2 * gaps / 3 + call->stride) / call->stride;

	first = first ? first : 1;
	common->first_third += (double)interval_ns(call->samples[0], call->samples[first]) /
	                       (double)(first * call->stride);
	common->last_third += (double)interval_ns(call->samples[last], call->last) /
	                      (double)(gaps - last * call->stride);
}

static void add_process(struct common_call *common, const struct iterated_call *call, int64_t length_ns)
{
	int64_t span = interval_ns(call->samples[0], call->last);
	double computing = (double)interval_ns(call->computing_first, call->computing_last);

	common->processes++;
	common->differs |= common->count != call->count || !is_regular(call);
	if (common->differs)
		return;
	common->min_gap = call->min_gap < common->min_gap ? call->min_gap : common->min_gap;
	common->max_gap = call->max_gap > common->max_gap ? call->max_gap : common->max_gap;
	common->longest_span = span > common->longest_span ? span : common->longest_span;
	common->spans += (double)span;
	common->parts += length_ns > 0 ? (double)span / (double)length_ns : 0;
	common->computing += computing;
	common->longest_computing = computing > common->longest_computing ? computing
	                                                                  : common->longest_computing;
	add_thirds(common, call);
}

void iteration_search_end_process(struct iteration_search *search, int64_t length_ns)
{
	if (search->is_first) {
		for (size_t i = 0; i < search->calls.count; i++)
			array_add(&search->common, (struct common_call){.count = search->calls.items[i].count,
			                                                .min_gap = INT64_MAX,
			                                                .call = search->calls.items[i].call});
	}
	search->is_first = false;
	for (size_t i = 0; i < search->calls.count && i < search->common.count; i++)
		if (search->calls.items[i].count >= ITERATIONS_LEAST)
			add_process(&search->common.items[i], &search->calls.items[i], length_ns);
	search->calls.count = 0;
}

static bool is_iteration(const struct common_call *common, size_t processes)
{
	return !common->differs && common->processes == processes && common->longest_span > 0 &&
	       common->longest_computing > 0 && common->parts >= PART_LEAST * (double)processes;
}

static struct iteration describe(const struct common_call *common)
{
	double processes = common->processes, gaps = (double)(common->count - 1);

	return (struct iteration){
		.is_known = true,
		.count = common->count,
		.call = common->call,
		.mean_ns = (int64_t)(common->spans / processes / gaps),
		.min_ns = common->min_gap,
		.max_ns = common->max_gap,
		.first_third_ns = (int64_t)(common->first_third / processes),
		.last_third_ns = (int64_t)(common->last_third / processes),
		.part = common->parts / processes,
		.efficiency = efficiency_of(processes, common->computing, common->longest_computing,
	                                    (double)common->longest_span),
	};
}

void iteration_search_finish(struct iteration_search *search, size_t processes, struct iteration *found)
{
	const struct common_call *best = NULL;

	/* Places are numbered as they appear, so that of equals the first begins the iteration. */
	for (size_t i = 0; i < search->common.count; i++) {
		const struct common_call *common = &search->common.items[i];
		if (is_iteration(common, processes) && (!best || common->count < best->count))
			best = common;
	}
	*found = best ? describe(best) : (struct iteration){0};
	array_release(&search->calls);
	array_release(&search->common);
	free(search);
}
