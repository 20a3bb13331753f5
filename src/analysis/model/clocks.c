#include "analysis/model/clocks.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_LINE UINT32_MAX

/* Times beyond these come from a damaged trace, and any result is acceptable: differences of two times, even
 * if moved by the logical clock, still fit into 64 bits. */
static const double most_ns = 3.4e18;

/* The comparisons of one clock with its reference: which of them to use, and interpolation
 * between them (docs/time.md) */

/* No clock of a computer drifts by more than this, … */
static const double drift_max = 500e-6;
/* … usually by less than this if it was compared only once, … */
static const double drift_unknown = 50e-6;
/* … and its drift changes by less than this within a run. */
static const double drift_wander = 0.02e-6;

/* The straight segment around x: from `from` to below `to`, y + (… - x) * slope. */
struct clock_segment {
	double from, to;
	double x, y, slope;
};

static int by_time(const void *a, const void *b)
{
	const struct clock_knot *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return p->u < q->u ? -1 : p->u > q->u;
}

static bool tells_all_of(const struct clock_knot *p, const struct clock_knot *q)
{
	return p->u + drift_max * fabs(q->x - p->x) <= q->u;
}

static bool contradict(const struct clock_knot *p, const struct clock_knot *q)
{
	double change = (q->y - q->x) - (p->y - p->x);

	return fabs(change) > p->u + q->u + drift_max * (q->x - p->x);
}

/* True if only the better one of two knots is used. */
static bool compete(const struct clock_knot *p, const struct clock_knot *q)
{
	/* Two knots so close that the drift cannot be determined, even if the clocks drift
	 * as much as possible. */
	return drift_max * (q->x - p->x) <= p->u + q->u || tells_all_of(p, q) || tells_all_of(q, p) ||
	       contradict(p, q);
}

/* Adds the next knot after the knots kept so far. */
static uint32_t keep(struct clock_knot *knots, uint32_t kept, struct clock_knot next)
{
	while (kept && compete(&knots[kept - 1], &next)) {
		if (knots[kept - 1].u <= next.u)
			return kept;
		kept--;
	}
	knots[kept] = next;
	return kept + 1;
}

/* Noise or damage must not make time go backwards. */
static double plausible(double slope)
{
	return slope > 1 + drift_max ? 1 + drift_max : slope < 1 - drift_max ? 1 - drift_max : slope;
}

static double knots_slope(const struct clock_knot *knots, uint32_t count)
{
	if (count < 2)
		return 1;
	return plausible((knots[count - 1].y - knots[0].y) / (knots[count - 1].x - knots[0].x));
}

/* The last knot at or before x. */
static uint32_t find_knot(const struct clock_line *line, double x)
{
	return (uint32_t)sorted_find(1, line->knot_count, i, line->knots[i].x <= x) - 1;
}

static struct clock_segment knots_segment(const struct clock_line *line, double x)
{
	const struct clock_knot *knot = line->knot_count ? &line->knots[find_knot(line, x)] : NULL;
	const struct clock_knot *last = knot ? &line->knots[line->knot_count - 1] : NULL;
	struct clock_segment segment = {.from = -INFINITY, .to = INFINITY, .slope = 1};

	if (!knot)
		return segment;
	segment.x = knot->x;
	segment.y = knot->y;
	segment.slope = line->slope;
	if (x < knot->x)
		segment.to = knot->x;
	else
		segment.from = knot->x;
	if (x < knot->x || knot == last)
		return segment;
	segment.slope = (knot[1].y - knot->y) / (knot[1].x - knot->x);
	segment.to = knot[1].x;
	return segment;
}

static double knots_map(const struct clock_line *line, double x)
{
	struct clock_segment segment = knots_segment(line, x);

	return segment.y + (x - segment.x) * segment.slope;
}

static double knots_uncertainty(const struct clock_line *line, double x)
{
	const struct clock_knot *knot;
	double part, nearest;

	if (!line->knot_count)
		return 0;
	knot = &line->knots[find_knot(line, x)];
	if (x < knot->x || knot == &line->knots[line->knot_count - 1]) {
		double distance = fabs(x - knot->x);
		const struct clock_knot *first = line->knots, *last = line->knots + line->knot_count - 1;
		double drift = first == last ? drift_unknown : (first->u + last->u) / (last->x - first->x);
		/* Beyond the first or the last knot. */
		return knot->u + distance * (drift < drift_unknown ? drift + drift_wander : drift_unknown);
	}
	part = (x - knot->x) / (knot[1].x - knot->x);
	nearest = fmin(x - knot->x, knot[1].x - x);
	return knot->u + part * (knot[1].u - knot->u) + nearest * drift_wander;
}

/* The maximum is at an end, at a knot or in the middle between two. */
static double knots_uncertainty_within(const struct clock_line *line, double from, double to)
{
	double most = fmax(knots_uncertainty(line, from), knots_uncertainty(line, to));

	for (uint32_t i = 0; i < line->knot_count; i++) {
		const struct clock_knot *knot = &line->knots[i];
		double middle = i + 1 < line->knot_count ? (knot->x + knot[1].x) / 2 : knot->x;
		if (knot->x >= from && knot->x <= to)
			most = fmax(most, knot->u);
		if (middle >= from && middle <= to)
			most = fmax(most, knots_uncertainty(line, middle));
	}
	return most;
}

/* From comparisons to lines */

/* A comparison of two clocks, from both sides. */
struct clock_link {
	uint32_t lines[2];
	uint64_t ticks[2];
	double u;
};

struct building {
	const struct reader *reader;
	struct clocks *clocks;
	struct interner identities;
	struct clock_link *links;
	uint32_t link_count;
	uint32_t *first_link; /* by line, into … */
	uint32_t *link_order;
	uint32_t *component; /* by line */
	uint32_t *queue;
	bool *is_mapped;
};

static struct clock_line *add_line(struct building *building, const char *identity)
{
	struct clocks *clocks = building->clocks;

	if (!(clocks->line_count & (clocks->line_count - 1)))
		clocks->lines = memory_grow(clocks->lines,
		                            clocks->line_count ? (size_t)clocks->line_count * 2 : 1,
		                            sizeof *clocks->lines);
	clocks->lines[clocks->line_count] = (struct clock_line){
		.identity = identity, .name = "", .slope = 1, .rate = 1000000000};
	return &clocks->lines[clocks->line_count++];
}

/* The number of the line with this identity, which may be new. */
static uint32_t find_line(struct building *building, const char *identity, uint32_t *numbers)
{
	uint64_t number = intern(&building->identities, identity, strlen(identity))->number;

	if (numbers[number] == NO_LINE) {
		numbers[number] = building->clocks->line_count;
		add_line(building, identity);
	}
	return numbers[number];
}

/* The first process with a clock's rate and kind defines them. */
static void describe_line(struct clock_line *line, const struct process *process)
{
	const struct clock *clock = process->clock_count ? &process->clocks[0] : NULL;

	line->processes++;
	if (!clock || *line->name)
		return;
	line->name = clock->name;
	if (clock->ticks_per_second)
		line->rate = clock->ticks_per_second;
}

static void add_processes(struct building *building, uint32_t *numbers)
{
	struct clocks *clocks = building->clocks;

	for (uint32_t i = 0; i < building->reader->process_count; i++) {
		const struct process *process = &building->reader->processes[i];
		const char *identity = process_property(process, "clock");
		if (identity && *identity) {
			clocks->line_of[i] = find_line(building, identity, numbers);
		} else {
			clocks->line_of[i] = clocks->line_count;
			add_line(building, "");
		}
		describe_line(&clocks->lines[clocks->line_of[i]], process);
	}
}

static uint32_t other_end(const struct clock_link *link, uint32_t line)
{
	return link->lines[link->lines[0] == line];
}

/* Breadth-first search from a line to all lines connected with it, into the queue. Returns their number. */
static uint32_t walk(struct building *building, uint32_t from, uint32_t mark)
{
	struct clocks *clocks = building->clocks;
	uint32_t count = 0;

	building->component[from] = mark;
	building->queue[count++] = from;
	clocks->lines[from].hops = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t line = building->queue[i];
		for (uint32_t j = building->first_link[line]; j < building->first_link[line + 1]; j++) {
			uint32_t next = other_end(&building->links[building->link_order[j]], line);
			if (building->component[next] == mark)
				continue;
			building->component[next] = mark;
			clocks->lines[next].hops = clocks->lines[line].hops + 1;
			building->queue[count++] = next;
		}
	}
	return count;
}

/* The first clock with the most processes among the connected ones. */
static uint32_t choose_reference(struct building *building)
{
	struct clocks *clocks = building->clocks;
	uint32_t best = 0, best_users = 0;

	for (uint32_t i = 0; i < clocks->line_count; i++) {
		uint32_t count, users = 0;
		if (building->component[i])
			continue;
		count = walk(building, i, i + 1);
		for (uint32_t j = 0; j < count; j++)
			users += clocks->lines[building->queue[j]].processes;
		if (users > best_users) {
			best = i;
			best_users = users;
		}
	}
	return best;
}

static double own_ns(const struct clock_line *line, uint64_t tick)
{
	double ticks = tick >= line->tick ? (double)(tick - line->tick) : -(double)(line->tick - tick);

	return ticks * (1e9 / (double)line->rate);
}

/* All comparisons of a line with lines that are already mapped. */
static void map_line(struct building *building, uint32_t number)
{
	struct clocks *clocks = building->clocks;
	struct clock_line *line = &clocks->lines[number];
	uint32_t links = building->first_link[number + 1] - building->first_link[number], kept;
	struct clock_knot *knots = memory_new(links + 1u, sizeof *knots);
	uint32_t count = 0;

	for (uint32_t j = building->first_link[number]; j < building->first_link[number + 1]; j++) {
		const struct clock_link *link = &building->links[building->link_order[j]];
		uint32_t other = other_end(link, number);
		double x, y;
		if (!building->is_mapped[other])
			continue;
		x = own_ns(line, link->ticks[link->lines[0] != number]);
		y = own_ns(&clocks->lines[other], link->ticks[link->lines[0] == number]);
		knots[count++] = (struct clock_knot){x, knots_map(&clocks->lines[other], y),
		                                     link->u + knots_uncertainty(&clocks->lines[other], y)};
	}
	line->measured = count;
	line->knots = knots;
	kept = 0;
	if (count)
		qsort(knots, count, sizeof *knots, by_time);
	for (uint32_t i = 0; i < count; i++)
		kept = keep(knots, kept, knots[i]);
	line->knot_count = kept;
	line->slope = knots_slope(knots, line->knot_count);
	line->is_compared = building->is_mapped[number] = true;
}

/* The origin of the line's own time: any of its ticks near the run. */
static void find_origins(struct building *building)
{
	struct clocks *clocks = building->clocks;

	for (uint32_t i = 0; i < building->link_count; i++)
		for (int end = 0; end < 2; end++)
			clocks->lines[building->links[i].lines[end]].tick = building->links[i].ticks[end];
	for (uint32_t i = (uint32_t)building->reader->process_count; i-- > 0;) {
		const struct process *process = &building->reader->processes[i];
		const struct clock *clock = process->clock_count ? &process->clocks[0] : NULL;
		struct clock_line *line = &clocks->lines[clocks->line_of[i]];
		if (!clock || !clock->point_count)
			continue;
		line->tick = clock->points[0].tick;
		line->base_ns = clock->points[0].ns < (uint64_t)most_ns ? (int64_t)clock->points[0].ns : 0;
		clocks->has_date |= clocks->line_of[i] == clocks->reference;
	}
	if (!clocks->has_date)
		clocks->lines[clocks->reference].tick = 0;
}

static void map_lines(struct building *building)
{
	struct clocks *clocks = building->clocks;
	struct clock_line *reference = &clocks->lines[clocks->reference];
	uint32_t count = walk(building, clocks->reference, UINT32_MAX);

	reference->is_compared = building->is_mapped[clocks->reference] = true;
	for (uint32_t i = 1; i < count; i++)
		map_line(building, building->queue[i]);
	for (uint32_t i = 0; i < clocks->line_count; i++)
		if (clocks->lines[i].is_compared)
			clocks->lines[i].base_ns = reference->base_ns;
}

static size_t count_comparisons(const struct reader *reader)
{
	size_t count = 0;

	for (size_t i = 0; i < reader->process_count; i++)
		count += reader->processes[i].comparison_count;
	return count;
}

static void build(struct building *building)
{
	struct clocks *clocks = building->clocks;
	size_t comparisons = count_comparisons(building->reader);
	size_t names = building->reader->process_count + comparisons + 1;
	uint32_t *numbers = memory_new(names, sizeof *numbers), lines, *at;

	memset(numbers, 0xff, names * sizeof *numbers);
	building->links = memory_new(comparisons + 1, sizeof *building->links);
	add_processes(building, numbers);
	for (uint32_t i = 0; i < building->reader->process_count; i++) {
		const struct process *process = &building->reader->processes[i];
		for (size_t j = 0; j < process->comparison_count; j++) {
			uint32_t line = building->clocks->line_of[i];
			const struct clock_comparison *comparison = &process->comparisons[j];
			uint32_t other = find_line(building, comparison->clock, numbers);
			if (other == line || !comparison->other_rate)
				continue;
			if (!building->clocks->lines[other].processes)
				building->clocks->lines[other].rate = comparison->other_rate;
			building->links[building->link_count++] = (struct clock_link){
				.lines = {line, other},
				.ticks = {comparison->tick, comparison->other},
				.u = (double)comparison->uncertainty_ns,
			};
		}
	}
	free(numbers);
	/* Links by line: each is in the lists of both ends. */
	lines = building->clocks->line_count;
	building->first_link = memory_new(lines + 2u, sizeof *building->first_link);
	building->link_order = memory_new(2 * (size_t)building->link_count + 1, sizeof *building->link_order);
	at = building->first_link + 1;
	for (uint32_t i = 0; i < building->link_count; i++)
		for (int end = 0; end < 2; end++)
			at[building->links[i].lines[end]]++;
	for (uint32_t i = 1; i <= lines; i++)
		at[i] += at[i - 1];
	for (uint32_t i = building->link_count; i-- > 0;)
		for (int end = 0; end < 2; end++)
			building->link_order[--at[building->links[i].lines[end]]] = i;
	memmove(building->first_link, at, lines * sizeof *at);
	building->first_link[lines] = 2 * building->link_count;
	building->component = memory_new(clocks->line_count + 1u, sizeof *building->component);
	building->queue = memory_new(clocks->line_count + 1u, sizeof *building->queue);
	building->is_mapped = memory_new(clocks->line_count + 1u, sizeof *building->is_mapped);
	clocks->reference = choose_reference(building);
	find_origins(building);
	map_lines(building);
}

struct clocks *clocks_new(const struct reader *reader)
{
	struct clocks *clocks = memory_new(1, sizeof *clocks);
	struct building building = {.reader = reader, .clocks = clocks};

	building.identities.arena = &clocks->arena;
	clocks->line_of = memory_new(reader->process_count + 1, sizeof *clocks->line_of);
	if (reader->process_count)
		build(&building);
	free(building.links);
	free(building.first_link);
	free(building.link_order);
	free(building.component);
	free(building.queue);
	free(building.is_mapped);
	return clocks;
}

void clocks_free(struct clocks *clocks)
{
	for (uint32_t i = 0; i < clocks->line_count; i++)
		free(clocks->lines[i].knots);
	free(clocks->lines);
	free(clocks->line_of);
	arena_release(&clocks->arena);
	free(clocks);
}

static int64_t limited(double ns)
{
	return (int64_t)(ns > most_ns ? most_ns : ns < -most_ns ? -most_ns : ns < 0 ? ns - 0.5 : ns + 0.5);
}

/* A piece has at most a few hours, so that rounding errors of a tick's length stay below a nanosecond. */
static const int64_t piece_ticks = 1ll << 44;

/* Ticks relative to the line's own. `from` is a possible start of a piece. */
static int64_t piece_begin(int64_t tick, int64_t from)
{
	return from + ((tick - from) & ~(piece_ticks - 1));
}

/* False: its numbers would be too large. */
static bool find_piece(const struct clock_line *line, uint64_t tick, struct clock_piece *piece)
{
	double factor = 1e9 / (double)line->rate, x = own_ns(line, tick), most = most_ns / 8;
	struct clock_segment segment = knots_segment(line, x);
	double one = (double)(1ull << CLOCK_PIECE_BITS), rate = segment.slope * factor * one, ns;
	int64_t begin, end;

	if (!(fabs(x) < most && fabs((double)line->base_ns) < most_ns - 2 * most && rate >= 0 && rate < 1e19))
		return false;
	begin = piece_begin((int64_t)(tick - line->tick),
	                    isinf(segment.from) ? 0 : llround(segment.from / factor));
	end = begin + piece_ticks;
	if (segment.to / factor < (double)end)
		end = llround(segment.to / factor);
	ns = segment.y + ((double)begin * factor - segment.x) * segment.slope;
	*piece = (struct clock_piece){.first = line->tick + (uint64_t)begin,
	                              .ticks = (uint64_t)(end - begin),
	                              .rate = (uint64_t)(rate + 0.5),
	                              .ns = line->base_ns + (int64_t)floor(ns),
	                              .part = (uint64_t)((ns - floor(ns) + 0.5) * one),
	                              .line = line};
	return tick - piece->first < piece->ticks;
}

static int64_t line_ns(const struct clock_line *line, uint64_t tick)
{
	struct clock_piece piece;
	int64_t ns;

	if (find_piece(line, tick, &piece))
		return clock_piece_ns(&piece, tick);
	/* Without the date: a double cannot hold the nanoseconds of half a century. */
	ns = line->base_ns + limited(knots_map(line, own_ns(line, tick)));
	return ns > (int64_t)most_ns ? (int64_t)most_ns : ns < -(int64_t)most_ns ? -(int64_t)most_ns : ns;
}

int64_t clocks_ns(const struct clocks *clocks, uint32_t process, uint64_t tick)
{
	return line_ns(&clocks->lines[clocks->line_of[process]], tick);
}

struct clock_piece clock_piece_new(const struct clock_line *line)
{
	return (struct clock_piece){.line = line};
}

int64_t clock_piece_move(struct clock_piece *piece, uint64_t tick)
{
	const struct clock_line *line = piece->line;

	if (find_piece(line, tick, piece))
		return clock_piece_ns(piece, tick);
	*piece = clock_piece_new(line);
	return line_ns(line, tick);
}

double clocks_uncertainty_ns(const struct clocks *clocks, uint32_t process, uint64_t tick)
{
	const struct clock_line *line = &clocks->lines[clocks->line_of[process]];

	return line->is_compared ? knots_uncertainty(line, own_ns(line, tick)) : -1;
}

double clocks_uncertainty_within(const struct clocks *clocks, uint32_t process, uint64_t first, uint64_t last)
{
	const struct clock_line *line = &clocks->lines[clocks->line_of[process]];

	return line->is_compared ? knots_uncertainty_within(line, own_ns(line, first), own_ns(line, last))
	                         : -1;
}

double clocks_uncertainty_of(const struct clocks *clocks, const struct process *process, uint32_t number)
{
	double most = clocks->lines[clocks->line_of[number]].is_compared ? 0 : -1;

	for (size_t i = 0; i < process->stream_count; i++) {
		const struct stream *stream = &process->streams[i];
		double here = stream->chunk_count ? clocks_uncertainty_within(
							    clocks, number, stream->chunks[0].base_tick,
							    stream->chunks[stream->chunk_count - 1].base_tick)
		                                  : most;
		most = here > most ? here : most;
	}
	return most;
}

double clocks_seconds_per_tick(const struct clocks *clocks, uint32_t process)
{
	return 1 / (double)clocks->lines[clocks->line_of[process]].rate;
}

double clock_drift_ppm(const struct clock_line *line)
{
	return (1 / line->slope - 1) * 1e6;
}
