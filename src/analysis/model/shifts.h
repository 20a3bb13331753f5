/* How far the logical clock moves the times of one process, as a function of its time: jumps forwards, each of which
 * decays over the time that follows, and may have a ramp before it. Internal to logical_clock.c.
 *
 *	shifts_jump(&shifts, t, by);          what happens at t and later is shifted by at least this much at t
 *	int64_t moved = t + shift_at(&shifts, t, true); */
#ifndef TARRY_ANALYSIS_MODEL_SHIFTS_H
#define TARRY_ANALYSIS_MODEL_SHIFTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A shift of n ns is gone after n times this many, and a ramp takes as long to come to a jump. */
enum { DECAY = 64 };

struct jump {
	int64_t time;
	int64_t shift; /* from `time` on */
	int64_t ramp_from;
	int64_t ramp; /* what is reached just before `time`, beyond the shift that was left of the jump before */
};

struct shifts {
	struct jump *jumps; /* by time */
	size_t count, room;
	size_t last; /* where the search was successful last time */
};

void shifts_jump(struct shifts *shifts, int64_t time, int64_t shift);
int64_t shift_at(struct shifts *shifts, int64_t time, bool with_ramps);

/* Begins with as much of a ramp as there is time for before each jump. */
void shifts_add_ramps(struct shifts *shifts);
/* What happens at this time may be moved by a ramp this far and no farther. */
void shifts_limit_ramp(struct shifts *shifts, int64_t time, int64_t most);
void shifts_drop_ramps(struct shifts *shifts);
/* The time that is moved to this one by jumps alone, or the last before it. */
int64_t shifts_origin(struct shifts *shifts, int64_t moved);
void shifts_release(struct shifts *shifts);

#endif
