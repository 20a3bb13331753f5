#include "analysis/model/iterations.h"

#include "analysis/model/spans.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>

/* Times of every nth call are kept; when there are too many, of every 2nth. */
enum { SAMPLES = 32 };

/* Minimum share of the run in iterations, and of regular ones among them. */
#define PART_MIN 0.5
#define REGULAR_MIN 0.5

/* An outlier takes so many times as long as the median, its excess is this part of all iterations, and few are like it. */
#define OUTLIER_TIMES 1.5
#define OUTLIER_PART 0.005
#define OUTLIERS_MAX 0.1

/* A group of iterations of one process. */
struct iteration_sums {
	int64_t length, computing;
	int64_t longest, longest_computing; /* of one of them … */
	uint64_t number;                    /* … which is this one */
};

/* The same over all processes. */
struct common_sums {
	double length, computing;
	double least_communication; /* of a process */
	struct iteration_sums longest;
	uint32_t late_process;
};

/* The calls of one process from one place. */
struct iterated_call {
	uint64_t count;
	uint32_t thread; /* of the first call; calls of other threads are ignored */
	int64_t last, min_gap, max_gap;
	int64_t computing_first, computing_last;
	int64_t samples[SAMPLES];     /* of call 0, stride, 2 * stride … */
	uint64_t stride, next_sample; /* the call whose time is kept next */
	const struct call *call;
	struct iteration_sums *groups; /* ITERATION_GROUPS of them; NULL: called once */
	uint64_t group_stride;         /* iterations of a group */
	uint32_t group;                /* of the next iteration, unless it is full … */
	uint64_t group_left;           /* … and has no room left */
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
	struct common_sums *groups; /* NULL: none yet */
	uint64_t group_stride;
};

struct iteration_search {
	ARRAY(struct iterated_call) calls; /* of the current process, by place */
	ARRAY(struct common_call) common;  /* by place */
	uint32_t process;                  /* at hand */
};

struct iteration_search *iteration_search_new(void)
{
	return memory_new(1, sizeof(struct iteration_search));
}

static void add_sample(struct iterated_call *call, int64_t end)
{
	uint64_t number;

	if (call->count != call->next_sample)
		return;
	number = call->count / call->stride;
	if (number == SAMPLES) {
		for (size_t i = 1; i < SAMPLES / 2; i++)
			call->samples[i] = call->samples[2 * i];
		call->stride *= 2;
		number = SAMPLES / 2;
	}
	call->samples[number] = end;
	call->next_sample = call->count + call->stride;
}

static void join_sums(struct iteration_sums *sums, const struct iteration_sums *more)
{
	struct iteration_sums longer = more->longest > sums->longest ? *more : *sums;

	longer.length = saturating_add(sums->length, more->length);
	longer.computing = saturating_add(sums->computing, more->computing);
	*sums = longer;
}

/* Of twice as many iterations each. */
static void join_groups(struct iterated_call *call)
{
	for (size_t i = 0; i < ITERATION_GROUPS; i++) {
		struct iteration_sums sums = call->groups[i];

		call->groups[i] = (struct iteration_sums){0};
		join_sums(&call->groups[i / 2], &sums);
	}
	call->group_stride *= 2;
	call->group = ITERATION_GROUPS / 2;
}

/* An iteration has ended. */
static void add_iteration(struct iterated_call *call, int64_t length, int64_t computing)
{
	struct iteration_sums *sums;

	if (!call->groups) {
		call->groups = memory_new(ITERATION_GROUPS, sizeof *call->groups);
		call->group_stride = call->group_left = 1;
	}
	if (!call->group_left) {
		if (++call->group == ITERATION_GROUPS)
			join_groups(call);
		call->group_left = call->group_stride;
	}
	call->group_left--;
	sums = &call->groups[call->group];
	if (length > sums->longest) {
		sums->longest = length;
		sums->longest_computing = computing;
		sums->number = call->count - 1;
	}
	sums->length = saturating_add(sums->length, length);
	sums->computing = saturating_add(sums->computing, computing);
}

void iteration_search_note(struct iteration_search *search, uint32_t place, uint32_t thread,
                           const struct call *made, int64_t end_ns, int64_t computing_ns)
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
		gap = interval_ns(call->last, end_ns);
		call->min_gap = gap < call->min_gap ? gap : call->min_gap;
		call->max_gap = gap > call->max_gap ? gap : call->max_gap;
		add_iteration(call, gap, interval_ns(call->computing_last, computing_ns));
	}
	add_sample(call, end_ns);
	call->count++;
	call->last = end_ns;
	call->computing_last = computing_ns;
}

static size_t samples_of(const struct iterated_call *call)
{
	return (size_t)((call->count - 1) / call->stride + 1);
}

/* Gaps about as long as the median make up most of the time: a few calls far apart, or many at the start,
 * are not an iteration. */
static bool is_regular(const struct iterated_call *call)
{
	int64_t gaps[SAMPLES], span = interval_ns(call->samples[0], call->samples[samples_of(call) - 1]);
	size_t count = samples_of(call) - 1;
	int64_t middle;

	for (size_t i = 0; i < count; i++)
		gaps[i] = interval_ns(call->samples[i], call->samples[i + 1]);
	if (!count)
		return false;
	sort_i64(gaps, count);
	middle = gaps[count / 2];
	return span > 0 && (double)middle * (double)count >= REGULAR_MIN * (double)span;
}

/* Means over about a third of the iterations: up to a sample, and from one to the last call. There are
 * always samples between. */
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

static void add_group(struct common_sums *all, const struct iteration_sums *own, uint32_t process)
{
	double communication = (double)interval_ns(own->computing, own->length);
	bool is_same = all->longest.number == own->number, is_longer = own->longest > all->longest.longest;

	all->least_communication = process && all->least_communication < communication
	                                   ? all->least_communication
	                                   : communication;
	all->length += (double)own->length;
	all->computing += (double)own->computing;
	/* In one iteration, the process that computes longest keeps the others waiting. */
	if (process && is_same ? own->longest_computing > all->longest.longest_computing
	                       : is_longer || !process) {
		int64_t longest = is_longer ? own->longest : all->longest.longest;

		all->longest = *own;
		all->longest.longest = longest;
		all->late_process = process;
	} else if (is_same && is_longer) {
		all->longest.longest = own->longest;
	}
}

static void add_groups(struct common_call *common, const struct iterated_call *call, uint32_t process)
{
	if (!common->groups)
		common->groups = memory_new(ITERATION_GROUPS, sizeof *common->groups);
	common->group_stride = call->group_stride;
	for (size_t i = 0; i < ITERATION_GROUPS; i++)
		add_group(&common->groups[i], &call->groups[i], process);
}

static void add_process(struct common_call *common, const struct iterated_call *call, int64_t length_ns,
                        uint32_t process)
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
	add_groups(common, call, process);
}

void iteration_search_end_process(struct iteration_search *search, int64_t length_ns)
{
	if (!search->process) {
		for (size_t i = 0; i < search->calls.count; i++)
			array_add(&search->common, (struct common_call){.count = search->calls.items[i].count,
			                                                .min_gap = INT64_MAX,
			                                                .call = search->calls.items[i].call});
	}
	for (size_t i = 0; i < search->calls.count && i < search->common.count; i++)
		if (search->calls.items[i].count >= ITERATIONS_MIN)
			add_process(&search->common.items[i], &search->calls.items[i], length_ns,
			            search->process);
	for (size_t i = 0; i < search->calls.count; i++)
		free(search->calls.items[i].groups);
	search->calls.count = 0;
	search->process++;
}

static bool is_iteration(const struct common_call *common, size_t processes)
{
	return !common->differs && common->processes == processes && common->longest_span > 0 &&
	       common->longest_computing > 0 && common->parts >= PART_MIN * (double)processes;
}

/* Groups of the iteration that was found */

static void describe_groups(const struct common_call *common, struct iteration *found)
{
	uint64_t iterations = common->count - 1, stride = common->group_stride;

	for (uint64_t first = 0; first < iterations; first += stride) {
		const struct common_sums *sums = &common->groups[first / stride];
		uint64_t count = first + stride < iterations ? stride : iterations - first;
		double processes = common->processes, times = processes * (double)count;
		double communication = (sums->length - sums->computing) / times;

		found->groups[found->group_count++] = (struct iteration_group){
			.first = first + 1,
			.count = count,
			.length_ns = (int64_t)(sums->length / times),
			.communication_ns = (int64_t)communication,
			.waiting_ns = (int64_t)(communication - sums->least_communication / (double)count),
			.longest_ns = sums->longest.longest,
			.longest = sums->longest.number + 1,
			.late_process = sums->late_process,
			.late_ns = sums->longest.longest_computing,
		};
	}
}

/* Of the lengths of groups, or of their computing. */
static int64_t median_of(const struct iteration *found, bool is_computing)
{
	int64_t times[ITERATION_GROUPS];

	for (size_t i = 0; i < found->group_count; i++)
		times[i] = found->groups[i].length_ns -
		           (is_computing ? found->groups[i].communication_ns : 0);
	sort_i64(times, found->group_count);
	return times[found->group_count / 2];
}

static void keep_outlier(struct iteration *found, const struct iteration_outlier *outlier)
{
	uint32_t place = found->outlier_count;

	while (place && found->outliers[place - 1].length_ns < outlier->length_ns)
		place--;
	if (place == ITERATION_OUTLIERS)
		return;
	found->outlier_count += found->outlier_count < ITERATION_OUTLIERS;
	for (uint32_t i = found->outlier_count - 1; i > place; i--)
		found->outliers[i] = found->outliers[i - 1];
	found->outliers[place] = *outlier;
}

static void find_outliers(const struct common_call *common, struct iteration *found)
{
	int64_t usual = median_of(found, true);
	double excess = OUTLIER_PART * (double)common->longest_span, many = OUTLIERS_MAX * found->group_count;
	size_t count = 0;

	for (size_t i = 0; i < found->group_count; i++) {
		const struct iteration_group *group = &found->groups[i];

		if ((double)group->longest_ns < OUTLIER_TIMES * (double)found->median_ns ||
		    (double)(group->longest_ns - found->median_ns) < excess)
			continue;
		count++;
		/* A call may have taken longer, while no rank computed longer than usual. */
		keep_outlier(found, &(struct iteration_outlier){
					    group->longest, group->longest_ns, group->late_process,
					    group->late_ns > usual ? group->late_ns - usual : 0});
	}
	/* Outliers are few. */
	if ((double)count > (many > 1 ? many : 1))
		found->outlier_count = 0;
}

/* Of about a third of the groups. */
static void compare_thirds(struct iteration *found)
{
	size_t third = found->group_count / 3;
	int64_t sum = 0;

	for (size_t i = 0; i < third; i++) {
		const struct iteration_group *first = &found->groups[i],
					     *last = &found->groups[found->group_count - 1 - i];
		sum += (last->length_ns - last->communication_ns) -
		       (first->length_ns - first->communication_ns);
	}
	found->computing_third_ns = third ? sum / (int64_t)third : 0;
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

	/* Places are numbered in order of appearance, so among equals the first begins the iteration. */
	for (size_t i = 0; i < search->common.count; i++) {
		const struct common_call *common = &search->common.items[i];
		if (is_iteration(common, processes) && (!best || common->count < best->count))
			best = common;
	}
	*found = best ? describe(best) : (struct iteration){0};
	if (best) {
		describe_groups(best, found);
		found->median_ns = median_of(found, false);
		find_outliers(best, found);
		compare_thirds(found);
	}
	for (size_t i = 0; i < search->common.count; i++)
		free(search->common.items[i].groups);
	array_release(&search->calls);
	array_release(&search->common);
	free(search);
}
