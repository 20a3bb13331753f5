/* From ticks of many clocks to one time, in nanoseconds.
 *
 *	struct clocks *clocks = clocks_new(reader);
 *	int64_t ns = clocks_ns(clocks, process_index, event.start);
 *	double give_or_take = clocks_uncertainty_ns(clocks, process_index, event.start);
 *	clocks_free(clocks);
 *
 * Processes name the clock that their ticks are of (property `clock`) and compare it with others (COMPARE). Among the
 * clocks that are tied together by comparisons, directly or through others, those that most processes use
 * follow the first of them, the reference. A clock is mapped to it piece by piece, straight between comparisons.
 * Comparisons that tell nothing, as better ones are near, are left out, and so is the worse of two that contradict each
 * other: no clock is off by more than 500 parts in a million.
 *
 * The reference's own time of day (CLOCK) gives the date. A clock that was not compared goes by its own. Without any,
 * nanoseconds count from tick 0; without a rate a tick is 1 ns.
 *
 * Times of a process never decrease as its ticks increase; docs/time.md has the formulas. */
#ifndef TARRY_ANALYSIS_MODEL_CLOCKS_H
#define TARRY_ANALYSIS_MODEL_CLOCKS_H

#include "trace/reader.h"

/* A comparison that is used: at `x` ns of the clock's own time the reference showed `y`, give or take `u`. */
struct clock_knot {
	double x, y, u;
};

struct clock_line {
	const char *identity; /* "" where the process names none */
	const char *name;     /* of the kind of clock: `tsc` */
	uint32_t processes;   /* that use it */
	uint64_t rate;        /* ticks in a second */
	uint64_t tick;        /* its own time counts from here */
	int64_t base_ns;      /* and its reference's from here */
	bool is_compared;     /* is the reference, or follows it; the others go by their time of day */
	uint32_t hops;        /* comparisons on the way to the reference */
	uint32_t measured;    /* comparisons with clocks nearer to the reference … */
	struct clock_knot *knots;
	uint32_t knot_count; /* … and how many of them are used */
	double slope;        /* of the reference's time over its own, on the whole */
};

struct clocks {
	struct clock_line *lines;
	uint32_t line_count;
	uint32_t *line_of; /* by process */
	uint32_t reference;
	bool has_date;
	struct arena arena;
};

/* A straight piece of a line, for many ticks that come about in order.
 *
 *	struct clock_piece piece = clock_piece_new(line);
 *	int64_t ns = clock_piece_ns(&piece, tick);        as clocks_ns() */
struct clock_piece {
	uint64_t first; /* tick with which the piece begins … */
	uint64_t ticks; /* … and how many it is right for; 0: for none */
	uint64_t rate;  /* nanoseconds in a tick, with CLOCK_PIECE_BITS of them behind the point */
	int64_t ns;     /* at the first tick … */
	uint64_t part;  /* … and what it is more than that, in the same way, with a half to round */
	const struct clock_line *line;
};

enum { CLOCK_PIECE_BITS = 48 };

struct clock_piece clock_piece_new(const struct clock_line *line);
/* To the piece with this tick, of which the time is returned. */
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

/* Since 1970, or since tick 0 where no date is known. */
int64_t clocks_ns(const struct clocks *clocks, uint32_t process, uint64_t tick);
/* How far that may be off the reference; a negative number where it is not known. */
double clocks_uncertainty_ns(const struct clocks *clocks, uint32_t process, uint64_t tick);
/* The largest between two ticks. */
double clocks_uncertainty_within(const struct clocks *clocks, uint32_t process, uint64_t first,
                                 uint64_t last);
/* The largest of a process, as far as its chunks tell without being read. */
double clocks_uncertainty_of(const struct clocks *clocks, const struct process *process, uint32_t number);
double clocks_seconds_per_tick(const struct clocks *clocks, uint32_t process);

/* How fast the clock runs against the reference, in parts in a million. */
double clock_drift_ppm(const struct clock_line *line);

#endif
