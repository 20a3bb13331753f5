/* Arithmetic of clocks: what a round trip tells about two of them, and the line from one to the other.
 *
 * The asking process notes when it sent the question and when the answer came; the answer is what the other one's clock
 * showed in between. */
#ifndef TARRY_BENCH_RUN_CLOCK_LINE_H
#define TARRY_BENCH_RUN_CLOCK_LINE_H

#include <stddef.h>
#include <stdint.h>

struct exchange {
	int64_t sent;     /* own time */
	int64_t answered; /* the other's */
	int64_t received; /* own time */
};

static inline int64_t round_trip(const struct exchange *exchange)
{
	return exchange->received - exchange->sent;
}

/* The own time at which the other one answered, if both ways took equally long. */
static inline int64_t exchange_middle(const struct exchange *exchange)
{
	return exchange->sent + round_trip(exchange) / 2;
}

/* What to add to the own time for the other's. */
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

/* The own time at which the other will be this. */
int64_t clock_line_inverse(const struct clock_fit *line, int64_t other);

/* The same as the other process would have noted it, had it asked: what it sent and received is in this one's time. */
struct exchange exchange_mirror(const struct exchange *exchange);

/* One that stands for those that took about as long as the shortest, in their middle; the others are dropped. A single one is off by
 * what the other process did when the message came, before it looked for it. */
struct exchange exchanges_typical(struct exchange *exchanges, size_t count);

/* In the middle of two; but the one, if the other took much longer. */
struct exchange exchange_between(const struct exchange *a, const struct exchange *b);

/* Drops those that took much longer than the shortest one, which is never dropped; returns how many are left, in their order. */
size_t exchanges_keep_short(struct exchange *exchanges, size_t count);

enum { CLOCK_LINE_POINTS = 256 };

/* The line nearest to exchanges that were made at different times, at most CLOCK_LINE_POINTS; the longer one took, the less it
 * counts. A slope that is not clearly more than what chance makes of their spread is taken for 0: clocks of one machine do not
 * drift, and a slope that is noise spoils them by and by. `slope_error`: its standard error before that. */
struct clock_fit clock_line_fit(const struct exchange *exchanges, size_t count, int64_t resolution_ns,
                                double *slope_error);

#endif
