#include "analysis/model/lag.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>

enum { NS_PER_US = 1000 };

struct point {
	int64_t from;
	int64_t lag;
};

/* A thread, and the call that it is at. */
struct delay_line {
	uint32_t thread; /* number of its stream */
	struct point *points;
	size_t count, room;
	int64_t lag;
	int64_t last_end; /* of the call before */
	bool has_begun;
	/* Fruitless tests and the call that ends them wait together, from the first on. */
	bool is_testing;
	int64_t waits_since;
	int64_t stolen; /* inside, since then */
	/* The last to come of those whom it waited for: really, and if nobody had lagged. */
	int64_t cause, ideal_cause;
};

struct lags {
	const struct corrected_time *time;
	struct delay_line **lines; /* by process; as many as it has streams */
	struct reader *reader;
	int64_t stolen_ns, tool_ns;
};

static struct delay_line *line_of(const struct lags *lags, uint32_t process, uint32_t thread)
{
	size_t count = process < lags->reader->process_count ? lags->reader->processes[process].stream_count
	                                                     : 0;

	/* Threads are numbered from 0 as a rule. */
	if (thread < count && lags->lines[process][thread].thread == thread)
		return &lags->lines[process][thread];
	for (size_t i = 0; i < count; i++)
		if (lags->lines[process][i].thread == thread)
			return &lags->lines[process][i];
	return NULL;
}

/* The last change before. */
static int64_t lag_on(const struct delay_line *line, int64_t ns)
{
	size_t low = 0, high = line->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (line->points[middle].from <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? line->points[low - 1].lag : 0;
}

int64_t lag_at(const struct lags *lags, uint32_t process, uint32_t thread, int64_t ns)
{
	const struct delay_line *line = line_of(lags, process, thread);

	return line ? lag_on(line, ns) : 0;
}

/* Of a process, whichever thread it was that came. */
static int64_t process_lag(const struct lags *lags, uint32_t process, int64_t ns)
{
	int64_t most = 0;

	for (size_t i = 0; i < lags->reader->processes[process].stream_count; i++) {
		int64_t lag = lag_on(&lags->lines[process][i], ns);
		most = lag > most ? lag : most;
	}
	return most;
}

/* From the middle of this time on: so it is before or after what begins and ends then, whatever is rounded. */
static void change(struct delay_line *line, int64_t from, int64_t to, int64_t lag)
{
	if (lag == line->lag)
		return;
	line->lag = lag;
	array_fit(line->points, line->room, line->count + 1u);
	line->points[line->count++] = (struct point){from + (to - from) / 2, lag};
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t ns_of(const struct lags *lags, const struct step *step, uint64_t tick)
{
	return corrected_ns(lags->time, step->process, tick);
}

static void enter(void *context, struct step *step)
{
	struct lags *lags = context;
	struct delay_line *line = line_of(lags, step->process, step->stream->number);
	int64_t start = ns_of(lags, step, step->event->start);
	int64_t gap = line->has_begun ? most(start - line->last_end, 0) : 0;
	int64_t tool = least((int64_t)step->event->tool_before * NS_PER_US, gap);
	int64_t stolen = least((int64_t)step->event->stolen_before * NS_PER_US, gap - tool);

	lags->tool_ns += tool;
	lags->stolen_ns += stolen;
	change(line, start - gap, start, line->lag + stolen + tool);
	if (!line->is_testing) {
		line->waits_since = start;
		line->stolen = 0;
	}
	line->cause = line->ideal_cause = INT64_MIN;
	step->moment = start;
}

static void wait_for(struct delay_line *line, int64_t start, int64_t lag)
{
	line->cause = most(line->cause, start);
	line->ideal_cause = most(line->ideal_cause, start - lag);
}

static void got_message(void *context, struct step *step, const struct message *message)
{
	const struct lags *lags = context;

	wait_for(line_of(lags, step->process, step->stream->number), message->from.moment,
	         lag_at(lags, message->from.process, message->from.stream->number, message->from.moment));
}

static void has_met(void *context, struct step *step, const struct collective_end *collective)
{
	const struct lags *lags = context;
	struct delay_line *line = line_of(lags, step->process, step->stream->number);

	if (collective->cause != NO_PROCESS)
		wait_for(line, collective->cause_moment,
		         process_lag(lags, collective->cause, collective->cause_moment));
	/* Who came last only because it lagged would have waited for others. */
	line->ideal_cause = most(line->ideal_cause, collective->undelayed_cause);
}

static int64_t undelayed_moment(void *context, uint32_t process, uint32_t thread, int64_t moment)
{
	return moment - lag_at(context, process, thread, moment);
}

/* What it lags at its end. */
static int64_t lag_behind(const struct delay_line *line, int64_t end)
{
	int64_t begin = most(line->waits_since, least(line->cause, end));
	int64_t ideal = most(line->waits_since - line->lag, least(line->ideal_cause, end));

	return begin - ideal + least(line->stolen, most(end - begin, 0));
}

static void leave(void *context, struct step *step)
{
	struct lags *lags = context;
	struct delay_line *line = line_of(lags, step->process, step->stream->number);
	int64_t start = ns_of(lags, step, step->event->start), end = ns_of(lags, step, step->event->end);
	int64_t stolen = least((int64_t)step->event->stolen_inside * NS_PER_US, end - start);

	lags->stolen_ns += stolen;
	line->stolen += stolen;
	line->is_testing = step->event->polls != 0;
	if (!line->is_testing)
		change(line, start, end, lag_behind(line, end));
	line->last_end = end;
	line->has_begun = true;
}

static void make_lines(struct lags *lags)
{
	const struct reader *reader = lags->reader;

	lags->lines = memory_new(reader->process_count + 1, sizeof *lags->lines);
	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		lags->lines[i] = memory_new(process->stream_count + 1, sizeof **lags->lines);
		for (size_t j = 0; j < process->stream_count; j++)
			lags->lines[i][j].thread = process->streams[j].number;
	}
}

struct lags *lags_new(struct reader *reader, const struct corrected_time *time, void (*progress)(double part))
{
	struct lags *lags = memory_new(1, sizeof *lags);
	struct visitor visitor = {.context = lags,
	                          .enter = enter,
	                          .message = got_message,
	                          .collective = has_met,
	                          .leave = leave,
	                          .undelayed_moment = undelayed_moment,
	                          .progress = progress};
	struct replay_counts counts;

	lags->reader = reader;
	lags->time = time;
	make_lines(lags);
	replay(reader, &visitor, &counts);
	return lags;
}

void lags_free(struct lags *lags)
{
	if (!lags)
		return;
	for (size_t i = 0; i < lags->reader->process_count; i++) {
		for (size_t j = 0; j < lags->reader->processes[i].stream_count; j++)
			free(lags->lines[i][j].points);
		free(lags->lines[i]);
	}
	free(lags->lines);
	free(lags);
}

int64_t lags_stolen_ns(const struct lags *lags)
{
	return lags->stolen_ns;
}

int64_t lags_tool_ns(const struct lags *lags)
{
	return lags->tool_ns;
}

static bool is_told(const struct process *process, const char *property)
{
	const char *us = process_property(process, property);

	return us && strtoull(us, NULL, 10) > 0;
}

static bool is_needed(const struct process *process)
{
	bool needed = is_told(process, "stolen") || is_told(process, "overhead");

	for (size_t i = 0; i < process->stream_count && !needed; i++)
		needed = process->streams[i].has_stolen || process->streams[i].has_overhead;
	return needed;
}

bool lags_are_needed(const struct reader *reader)
{
	for (size_t i = 0; i < reader->process_count; i++)
		if (is_needed(&reader->processes[i]))
			return true;
	return false;
}
