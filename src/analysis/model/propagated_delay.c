#include "analysis/model/propagated_delay.h"

#include "analysis/model/eager.h"
#include "analysis/model/logical_clock.h"
#include "analysis/model/spans.h"
#include "analysis/model/windows.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>

enum { NS_PER_US = 1000 };

struct point {
	int64_t from;
	int64_t delay;
};

/* A thread, and the call that it is at. */
struct delay_line {
	uint32_t thread; /* number of its stream */
	struct point *points;
	size_t count, room;
	int64_t delay;
	int64_t last_end; /* of the call before */
	bool has_begun;
	int64_t noticed_stolen, noticed_tool; /* since then */
	/* Fruitless tests and the call that ends them wait together, from the first on. */
	bool is_testing;
	int64_t waits_since;
	int64_t stolen; /* inside, since then */
	/* The last to come of those whom it waited for: really, and if nobody had been delayed. */
	int64_t cause, ideal_cause;
};

struct propagated_delays {
	const struct corrected_time *time;
	struct delay_line **lines;  /* by process; as many as it has streams */
	struct clock_piece *clocks; /* by process; of the replay */
	struct reader *reader;
	struct eager_inference limits; /* without nodes: nobody asks */
	int64_t all_ns, scheduling_ns, harmful_ns;
};

static struct delay_line *line_of(const struct propagated_delays *delays, uint32_t process, uint32_t thread)
{
	size_t count = process < delays->reader->process_count
	                       ? delays->reader->processes[process].stream_count
	                       : 0;

	/* Threads are numbered from 0 as a rule. */
	if (thread < count && delays->lines[process][thread].thread == thread)
		return &delays->lines[process][thread];
	for (size_t i = 0; i < count; i++)
		if (delays->lines[process][i].thread == thread)
			return &delays->lines[process][i];
	return NULL;
}

/* The last change before. */
static int64_t delay_on(const struct delay_line *line, int64_t ns)
{
	size_t low = 0, high = line->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (line->points[middle].from <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? line->points[low - 1].delay : 0;
}

int64_t propagated_delay_at(const struct propagated_delays *delays, uint32_t process, uint32_t thread,
                            int64_t ns)
{
	const struct delay_line *line = line_of(delays, process, thread);

	return line ? delay_on(line, ns) : 0;
}

/* Of a process, whichever thread it was that came. */
static int64_t process_delay(const struct propagated_delays *delays, uint32_t process, int64_t ns)
{
	int64_t most = 0;

	for (size_t i = 0; i < delays->reader->processes[process].stream_count; i++) {
		int64_t delay = delay_on(&delays->lines[process][i], ns);
		most = delay > most ? delay : most;
	}
	return most;
}

/* From the middle of this time on: so it is before or after what begins and ends then, whatever is rounded. */
static void change(struct delay_line *line, int64_t from, int64_t to, int64_t delay)
{
	if (delay == line->delay)
		return;
	line->delay = delay;
	array_fit(line->points, line->room, line->count + 1u);
	line->points[line->count++] = (struct point){from + (to - from) / 2, delay};
}

/* As corrected_ns(). */
static int64_t ns_of(const struct propagated_delays *delays, const struct step *step, uint64_t tick)
{
	struct shifts *shifts = &delays->time->shifts[step->process];
	int64_t ns = clock_piece_ns(&delays->clocks[step->process], tick);

	return shifts->count ? ns + shift_at(shifts, ns, true) : ns;
}

/* MPI_Wtime and the like are part of what is between the others: a delay is often noticed at one that is shorter than it. */
static bool is_between_calls(const struct step *step)
{
	const struct call_info *info = step->semantics->kind->info;

	return info && call_is_local(info);
}

static void enter(void *context, struct step *step)
{
	struct propagated_delays *delays = context;
	struct delay_line *line = line_of(delays, step->process, step->stream->number);
	int64_t start = ns_of(delays, step, step->event->start);
	int64_t gap = line->has_begun ? most(start - line->last_end, 0) : 0;
	int64_t tool, stolen;

	line->noticed_tool += (int64_t)step->event->tool_before * NS_PER_US;
	line->noticed_stolen += (int64_t)step->event->stolen_before * NS_PER_US;
	step->moment = start;
	if (is_between_calls(step))
		return;
	tool = least(line->noticed_tool, gap);
	stolen = least(line->noticed_stolen, gap - tool);
	line->noticed_tool = line->noticed_stolen = 0;
	delays->all_ns += stolen;
	delays->scheduling_ns += stolen;
	delays->harmful_ns += stolen;
	change(line, start - gap, start, line->delay + stolen + tool);
	if (!line->is_testing) {
		line->waits_since = start;
		line->stolen = 0;
	}
	line->cause = line->ideal_cause = INT64_MIN;
}

static void wait_for(struct delay_line *line, int64_t start, int64_t delay)
{
	line->cause = most(line->cause, start);
	line->ideal_cause = most(line->ideal_cause, start - delay);
}

static void got_message(void *context, struct step *step, const struct message *message)
{
	const struct propagated_delays *delays = context;

	if (delays->limits.nodes)
		eager_inference_add(&delays->limits, message);
	wait_for(line_of(delays, step->process, step->stream->number), message->from.moment,
	         propagated_delay_at(delays, message->from.process, message->from.stream->number,
	                             message->from.moment));
}

static void has_met(void *context, struct step *step, const struct collective_end *collective)
{
	const struct propagated_delays *delays = context;
	struct delay_line *line = line_of(delays, step->process, step->stream->number);

	/* Where MPI lets processes leave early, those have waited for all that left behind the last. */
	if (collective->meets == MEETS_SOME &&
	    collective->cause_moment > ns_of(delays, step, step->event->end))
		return;
	if (collective->cause != NO_PROCESS)
		wait_for(line, collective->cause_moment,
		         process_delay(delays, collective->cause, collective->cause_moment));
	/* Who came last only because it was delayed would have waited for others. */
	line->ideal_cause = most(line->ideal_cause, collective->undelayed_cause);
}

static int64_t undelayed_moment(void *context, uint32_t process, uint32_t thread, int64_t moment)
{
	return moment - propagated_delay_at(context, process, thread, moment);
}

/* When those whom a call waited for had come. */
static int64_t waited_until(const struct delay_line *line, int64_t end)
{
	return most(line->waits_since, least(line->cause, end));
}

/* What came behind that takes several turns of all of them: if this thread had no processor most of that time, it waited in the rest
 * for others that had none. */
static int64_t delay_after(const struct delay_line *line, int64_t rest)
{
	bool is_noise = line->cause != INT64_MIN && line->stolen && line->stolen >= rest / 2;

	return is_noise ? rest : least(line->stolen, rest);
}

/* Its delay at its end. */
static int64_t delay_behind(const struct delay_line *line, int64_t end)
{
	int64_t begin = waited_until(line, end);
	int64_t ideal = most(line->waits_since - line->delay, least(line->ideal_cause, end));

	return begin - ideal + delay_after(line, most(end - begin, 0));
}

static void leave(void *context, struct step *step)
{
	struct propagated_delays *delays = context;
	struct delay_line *line = line_of(delays, step->process, step->stream->number);
	int64_t start = ns_of(delays, step, step->event->start), end = ns_of(delays, step, step->event->end);
	int64_t stolen = least((int64_t)step->event->stolen_inside * NS_PER_US, end - start);
	/* Starting and ending MPI is no part of the run, which both sums are compared with. */
	bool counts = stolen && !starts_mpi(step->event->call) && !ends_mpi(step->event->call);

	if (is_between_calls(step)) {
		line->noticed_stolen += (int64_t)step->event->stolen_inside * NS_PER_US;
		return;
	}
	delays->all_ns += stolen;
	delays->scheduling_ns += counts ? stolen : 0;
	line->stolen += stolen;
	line->is_testing = step->event->polls != 0;
	if (!line->is_testing) {
		delays->harmful_ns += counts ? least(stolen, most(end - waited_until(line, end), 0)) : 0;
		change(line, start, end, delay_behind(line, end));
	}
	line->last_end = end;
	line->has_begun = true;
}

static void make_lines(struct propagated_delays *delays)
{
	const struct reader *reader = delays->reader;
	const struct clocks *clocks = delays->time->clocks;

	delays->lines = memory_new(reader->process_count + 1, sizeof *delays->lines);
	delays->clocks = memory_new(reader->process_count + 1, sizeof *delays->clocks);
	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		delays->clocks[i] = clock_piece_new(&clocks->lines[clocks->line_of[i]]);
		delays->lines[i] = memory_new(process->stream_count + 1, sizeof **delays->lines);
		for (size_t j = 0; j < process->stream_count; j++)
			delays->lines[i][j].thread = process->streams[j].number;
	}
}

struct propagated_delays *propagated_delays_new(struct reader *reader, const struct corrected_time *time,
                                                struct nodes *nodes, void (*progress)(double part))
{
	struct propagated_delays *delays = memory_new(1, sizeof *delays);
	struct visitor visitor = {.context = delays,
	                          .enter = enter,
	                          .message = got_message,
	                          .collective = has_met,
	                          .leave = leave,
	                          .undelayed_moment = undelayed_moment,
	                          .progress = progress};
	struct replay_counts counts;

	delays->reader = reader;
	delays->time = time;
	make_lines(delays);
	if (nodes)
		delays->limits = eager_inference_new(time, nodes);
	replay(reader, &visitor, &counts);
	if (nodes)
		eager_inference_end(&delays->limits);
	free(delays->clocks);
	delays->clocks = NULL;
	return delays;
}

void propagated_delays_free(struct propagated_delays *delays)
{
	if (!delays)
		return;
	for (size_t i = 0; i < delays->reader->process_count; i++) {
		for (size_t j = 0; j < delays->reader->processes[i].stream_count; j++)
			free(delays->lines[i][j].points);
		free(delays->lines[i]);
	}
	free(delays->lines);
	free(delays);
}

int64_t propagated_delays_scheduling_ns(const struct propagated_delays *delays)
{
	return delays->scheduling_ns;
}

int64_t propagated_delays_all_ns(const struct propagated_delays *delays)
{
	return delays->all_ns;
}

int64_t propagated_delays_harmful_ns(const struct propagated_delays *delays)
{
	return delays->harmful_ns;
}

/* The recorder tells the sums of a process, in microseconds. Less than one cannot matter: no rule charges shorter waits. */
static bool is_needed(const struct process *process)
{
	const char *scheduling = process_property(process, "stolen");
	const char *recorder = process_property(process, "overhead");
	bool needed = (scheduling && strtoull(scheduling, NULL, 10)) ||
	              (recorder && strtoull(recorder, NULL, 10));

	for (size_t i = 0; i < process->stream_count && !needed; i++)
		needed = (!scheduling && process->streams[i].has_stolen) ||
		         (!recorder && process->streams[i].has_overhead);
	return needed;
}

bool propagated_delays_are_needed(const struct reader *reader)
{
	for (size_t i = 0; i < reader->process_count; i++)
		if (is_needed(&reader->processes[i]))
			return true;
	return false;
}
