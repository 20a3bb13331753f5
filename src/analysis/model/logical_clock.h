/* The logical clock: no message is received before it was sent, and no collective call left before those entered it
 * whom it needs, whatever the comparison of clocks has left of errors.
 *
 *	session_correct_time(session);
 *	int64_t ns = corrected_ns(session->time, process_index, event.start);
 *	if (session->time->before.messages + session->time->before.collectives)
 *		… this many effects came before their causes; session->time->after has what is left: nothing …
 *
 * An effect that comes too early is moved just behind its cause, and what follows on that process with it, ever less, until
 * its own clock has caught up; what precedes is drawn along on a ramp, as far as nothing of it then comes behind
 * its own effects. docs/time.md has the details. The order of a process's events is never changed.
 *
 * Memory is that of the replay, and of the moves: a few words for each. */
#ifndef TARRY_ANALYSIS_MODEL_LOGICAL_CLOCK_H
#define TARRY_ANALYSIS_MODEL_LOGICAL_CLOCK_H

#include "analysis/model/clocks.h"
#include "analysis/model/replay.h"

/* How far the times of one process are moved, as a function of its time: jumps forwards, each of which decays over the time that
 * follows, and may have a ramp before it.
 *
 *	shifts_jump(&shifts, t, by);          what happens at t and later is shifted by at least this much at t
 *	int64_t moved = t + shift_at(&shifts, t, true); */

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

/* What a message or a collective takes at least. */
enum { LEAST_LATENCY_NS = 100 };

struct analysis_session;

/* Effects before their causes. */
struct violations {
	uint64_t messages;
	uint64_t collectives;
	int64_t worst_ns;
};

struct corrected_time {
	struct clocks *clocks;
	struct shifts *shifts; /* by process */
	size_t process_count;
	struct violations before, after;
	uint64_t moves; /* places where a process's time jumps */
	int64_t largest_move_ns;
	uint32_t passes; /* over the trace, that it took */
	struct replay_counts counts;
};

/* By the comparison of clocks alone, without a pass over the trace: right as long as no effect comes before its cause,
 * which relate() counts (counts.violations). If one does, correct_time() fixes the time of the session. Both are for the session (model/session.h). */
struct corrected_time *corrected_time_by_clocks(struct reader *reader);
void correct_time(struct analysis_session *session);
void corrected_time_free(struct corrected_time *time);

/* In the sense of clocks_ns(), with the moves of the logical clock. All threads may ask. */
int64_t corrected_ns(const struct corrected_time *time, uint32_t process, uint64_t tick);

#endif
