/* Clock arithmetic: two clocks compared by a round trip, and the line from one clock to the other. The
 * asking process notes the times of its question and of the answer; the answer contains the other clock's
 * time. */
#ifndef TARRY_BENCH_RUN_CLOCK_LINE_H
#define TARRY_BENCH_RUN_CLOCK_LINE_H

#include <stddef.h>
#include <stdint.h>

struct exchange {
	int64_t sent;     /* own time */
	int64_t answered; /* time of the other clock */
	int64_t received; /* own time */
};

static inline int64_t round_trip(const struct exchange *exchange)
{
	return exchange->received - exchange->sent;
}

/* The own time of the answer, if both directions took equally long. */
static inline int64_t exchange_middle(const struct exchange *exchange)
{
	return exchange->sent + round_trip(exchange) / 2;
}

/* The other clock minus the own clock. */
static inline int64_t exchange_offset(const struct exchange *exchange)
{
	return exchange->answered - exchange_middle(exchange);
}

/* other = own + offset + slope * (own - since) */
struct clock_fit {
	int64_t since;
	int64_t offset;
	double slope;
};

static inline int64_t clock_line_at(const struct clock_fit *line, int64_t own)
{
	return own + line->offset + (int64_t)(line->slope * (double)(own - line->since));
}

/* The own time at which the other clock has a given value. */
int64_t clock_line_inverse(const struct clock_fit *line, int64_t other);

/* The same exchange as the other process would have noted it: `sent` and `received` in this process's
 * time. */
struct exchange exchange_mirror(const struct exchange *exchange);

/* One exchange for all that took about as long as the shortest, in their middle; the others are dropped. A
 * single one also contains the time that the other process needed to notice the message. */
struct exchange exchanges_typical(struct exchange *exchanges, size_t count);

/* The middle of two; or the first, if the other took much longer. */
struct exchange exchange_between(const struct exchange *a, const struct exchange *b);

/* Drops exchanges much longer than the shortest; returns the number of remaining ones, in order. */
size_t exchanges_keep_short(struct exchange *exchanges, size_t count);

enum { CLOCK_LINE_POINTS = 256 };

/* Fits a line to at most CLOCK_LINE_POINTS exchanges at different times; longer ones have less weight. An
 * insignificant slope becomes 0: clocks of one machine do not drift, and a random slope would make them
 * diverge. `slope_error`: its standard error before that. */
struct clock_fit clock_line_fit(const struct exchange *exchanges, size_t count, int64_t resolution_ns,
                                double *slope_error);

#endif
