#include "analysis/model/shifts.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* The number of jumps at or before this time. Mostly times come in order. */
static size_t jumps_until(struct shifts *shifts, int64_t time)
{
	size_t low = 0, high = shifts->count;

	if (shifts->last <= shifts->count &&
	    (!shifts->last || shifts->jumps[shifts->last - 1].time <= time)) {
		low = shifts->last;
		if (low == high || shifts->jumps[low].time > time)
			return low;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (shifts->jumps[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	shifts->last = low;
	return low;
}

/* What is left of a jump's shift. */
static int64_t decayed(const struct jump *jump, int64_t time)
{
	int64_t left = jump->shift - (time - jump->time) / DECAY;

	return left > 0 ? left : 0;
}

static int64_t ramp_at(const struct jump *jump, int64_t time)
{
	if (!jump->ramp || time <= jump->ramp_from)
		return 0;
	return (int64_t)((__int128)jump->ramp * (time - jump->ramp_from) / (jump->time - jump->ramp_from));
}

int64_t shift_at(struct shifts *shifts, int64_t time, bool with_ramps)
{
	size_t until = jumps_until(shifts, time);
	int64_t shift = until ? decayed(&shifts->jumps[until - 1], time) : 0;

	if (with_ramps && until < shifts->count)
		shift += ramp_at(&shifts->jumps[until], time);
	return shift;
}

/* Jumps behind it must not fall short of what is left of it there. */
static void lift_later(struct shifts *shifts, size_t at)
{
	for (size_t i = at + 1; i < shifts->count; i++) {
		int64_t left = decayed(&shifts->jumps[at], shifts->jumps[i].time);
		if (shifts->jumps[i].shift >= left)
			return;
		shifts->jumps[i].shift = left;
	}
}

void shifts_jump(struct shifts *shifts, int64_t time, int64_t shift)
{
	size_t until = jumps_until(shifts, time);

	if (until && shifts->jumps[until - 1].time == time) {
		shifts->jumps[until - 1].shift = shift;
		lift_later(shifts, until - 1);
		return;
	}
	array_fit(shifts->jumps, shifts->room, shifts->count + 1u);
	memmove(shifts->jumps + until + 1, shifts->jumps + until,
	        (shifts->count - until) * sizeof *shifts->jumps);
	shifts->jumps[until] = (struct jump){.time = time, .shift = shift};
	shifts->count++;
	lift_later(shifts, until);
}

void shifts_add_ramps(struct shifts *shifts)
{
	for (size_t i = 0; i < shifts->count; i++) {
		struct jump *jump = &shifts->jumps[i];
		int64_t left = i ? decayed(jump - 1, jump->time) : 0, window;
		jump->ramp = jump->shift - left;
		window = jump->ramp < INT64_MAX / DECAY ? jump->ramp * DECAY : INT64_MAX;
		if (i && window > jump->time - jump[-1].time)
			window = jump->time - jump[-1].time;
		jump->ramp_from = jump->time < INT64_MIN + window ? INT64_MIN : jump->time - window;
		/* No steeper than a decay: what happened close together must not be torn apart. */
		if (jump->ramp > window / DECAY)
			jump->ramp = window / DECAY;
	}
}

void shifts_limit_ramp(struct shifts *shifts, int64_t time, int64_t most)
{
	size_t until = jumps_until(shifts, time);
	struct jump *jump = until < shifts->count ? &shifts->jumps[until] : NULL;

	if (!jump || time <= jump->ramp_from || ramp_at(jump, time) <= most)
		return;
	/* The steepest straight line from its start that stays below. */
	jump->ramp = most <= 0 ? 0
	                       : (int64_t)((__int128)most * (jump->time - jump->ramp_from) /
	                                   (time - jump->ramp_from));
}

void shifts_drop_ramps(struct shifts *shifts)
{
	for (size_t i = 0; i < shifts->count; i++)
		shifts->jumps[i].ramp = 0;
}

int64_t shifts_origin(struct shifts *shifts, int64_t moved)
{
	size_t low = 0, high = shifts->count;
	const struct jump *jump;
	int64_t beyond;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (shifts->jumps[middle].time + shifts->jumps[middle].shift <= moved)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return moved;
	jump = &shifts->jumps[low - 1];
	beyond = moved - jump->time - jump->shift;
	/* While the shift decays, DECAY ns take one less. */
	if (beyond / (DECAY - 1) < jump->shift)
		return jump->time + beyond + beyond / (DECAY - 1);
	return moved;
}

void shifts_release(struct shifts *shifts)
{
	free(shifts->jumps);
	*shifts = (struct shifts){0};
}
