/* From ticks of many clocks to one time, in nanoseconds.
 *
 *	struct clocks *clocks = clocks_new(reader);
 *	int64_t ns = clocks_ns(clocks, process_index, event.start);
 *	double give_or_take = clocks_uncertainty_ns(clocks, process_index, event.start);
 *	clocks_free(clocks);
 *
 * Processes name their clock (property `clock`) and compare it with others (COMPARE). Among clocks
 * connected by comparisons, directly or indirectly, the first one with the most processes is the reference.
 * A clock is mapped to it piecewise, linearly between comparisons. Comparisons made redundant by better
 * ones nearby are dropped, and so is the worse of two that contradict each other: no clock drifts by more
 * than 500 parts per million.
 *
 * The reference's own time of day (CLOCK) gives the date. A clock without comparisons uses its own. Without
 * any, nanoseconds count from tick 0; without a rate a tick is 1 ns.
 *
 * Times of a process never decrease as its ticks increase; docs/time.md has the formulas. */
#ifndef TARRY_ANALYSIS_MODEL_CLOCKS_H
#define TARRY_ANALYSIS_MODEL_CLOCKS_H

#include "trace/reader.h"

/* A used comparison: at `x` ns of the clock's own time the reference showed `y` ± `u`. */
struct clock_knot {
	double x, y, u;
};

struct clock_line {
	const char *identity; /* "" if the process names none */
	const char *name;     /* of the kind of clock: `tsc` */
	uint32_t processes;   /* number of processes with it */
	uint64_t rate;        /* ticks per second */
	uint64_t tick;        /* origin of its own time */
	int64_t base_ns;      /* and of its reference's time */
	bool is_compared;     /* is the reference, or mapped to it; other clocks use their time of day */
	uint32_t hops;        /* comparisons between it and the reference */
	uint32_t measured;    /* comparisons with clocks nearer to the reference … */
	struct clock_knot *knots;
	uint32_t knot_count; /* … and how many of them are used */
	double slope;        /* overall rate of the reference's time relative to its own */
};

struct clocks {
	struct clock_line *lines;
	uint32_t line_count;
	uint32_t *line_of; /* by process */
	uint32_t reference;
	bool has_date;
	struct arena arena;
};

/* A linear piece of a line, for many ticks in approximate order.
 *
 *	struct clock_piece piece = clock_piece_new(line);
 *	int64_t ns = clock_piece_ns(&piece, tick);        like clocks_ns() */
struct clock_piece {
	uint64_t first; /* first tick of the piece … */
	uint64_t ticks; /* … and its length in ticks; 0: empty */
	uint64_t rate;  /* nanoseconds per tick, with CLOCK_PIECE_BITS fractional bits */
	int64_t ns;     /* at the first tick … */
	uint64_t part;  /* … and its fraction, in the same format, plus one half for rounding */
	const struct clock_line *line;
};

enum { CLOCK_PIECE_BITS = 48 };

struct clock_piece clock_piece_new(const struct clock_line *line);
/* Moves to the piece with this tick and returns the tick's time. */
int64_t clock_piece_move(struct clock_piece *piece, uint64_t tick);

static inline int64_t clock_piece_ns(struct clock_piece *piece, uint64_t tick)
{
	uint64_t since = tick - piece->first;

	if (__builtin_expect(since >= piece->ticks, 0))
		return clock_piece_move(piece, tick);
	return piece->ns +
	       (int64_t)(((unsigned __int128)since * piece->rate + piece->part) >> CLOCK_PIECE_BITS);
}

struct clocks *clocks_new(const struct reader *reader);
void clocks_free(struct clocks *clocks);

/* Since 1970, or since tick 0 if no date is known. */
int64_t clocks_ns(const struct clocks *clocks, uint32_t process, uint64_t tick);
/* The possible error relative to the reference; negative if unknown. */
double clocks_uncertainty_ns(const struct clocks *clocks, uint32_t process, uint64_t tick);
/* The maximum between two ticks. */
double clocks_uncertainty_within(const struct clocks *clocks, uint32_t process, uint64_t first,
                                 uint64_t last);
/* The maximum of a process, as far as known without reading its chunks. */
double clocks_uncertainty_of(const struct clocks *clocks, const struct process *process, uint32_t number);
double clocks_seconds_per_tick(const struct clocks *clocks, uint32_t process);

/* The drift of the clock relative to the reference, in parts per million. */
double clock_drift_ppm(const struct clock_line *line);

#endif
