/* The logical clock corrects the remaining errors of clock comparisons: no message is received before it was
 * sent, and no member leaves a collective call before the members that it needs have entered.
 *
 *	session_correct_time(session);
 *	int64_t ns = corrected_ns(session->time, process_index, event.start);
 *	if (session->time->before.messages + session->time->before.collectives)
 *		… this many effects preceded their causes; session->time->after has the rest: 0 …
 *
 * An effect before its cause is moved to just after the cause. Later events of that process move with it,
 * less and less, until its own clock has caught up. Earlier events are moved along a ramp, as long as none
 * passes its own effects. docs/time.md has the details. The order of a process's events never changes.
 *
 * Memory is needed for the replay, and a few words per move. */
#ifndef TARRY_ANALYSIS_MODEL_LOGICAL_CLOCK_H
#define TARRY_ANALYSIS_MODEL_LOGICAL_CLOCK_H

#include "analysis/model/clocks.h"
#include "analysis/model/replay.h"

/* The shift of one process's times as a function of time: jumps forwards, each of which decays afterwards and
 * may have a ramp before it.
 *
 *	shifts_jump(&shifts, t, by);          from t on, shift by at least this much
 *	int64_t moved = t + shift_at(&shifts, t, true); */

/* A shift of n ns decays within n times this many ns, and a ramp to a jump is as long. */
enum { DECAY = 64 };

struct jump {
	int64_t time;
	int64_t shift; /* from `time` on */
	int64_t ramp_from;
	int64_t ramp; /* reached just before `time`, in addition to the rest of the previous jump's shift */
};

struct shifts {
	struct jump *jumps; /* by time */
	size_t count, room;
	size_t last; /* result of the last search */
};

void shifts_jump(struct shifts *shifts, int64_t time, int64_t shift);
int64_t shift_at(struct shifts *shifts, int64_t time, bool with_ramps);

/* Begins with as long a ramp as the time before each jump allows. */
void shifts_add_ramps(struct shifts *shifts);
/* A ramp may move events at this time at most this far. */
void shifts_limit_ramp(struct shifts *shifts, int64_t time, int64_t most);
void shifts_drop_ramps(struct shifts *shifts);
/* The time that jumps alone move to this one, or the last before it. */
int64_t shifts_origin(struct shifts *shifts, int64_t moved);
void shifts_release(struct shifts *shifts);

/* The minimum latency of a message or a collective. */
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
	uint64_t moves; /* number of jumps */
	int64_t largest_move_ns;
	uint32_t passes; /* over the trace */
	struct replay_counts counts;
};

/* Uses only the comparison of clocks, without a pass over the trace: correct as long as no effect precedes
 * its cause; relate() counts violations (counts.violations). If there are any, correct_time() fixes the time
 * of the session. Both are for the session (model/session.h). */
struct corrected_time *corrected_time_by_clocks(struct reader *reader);
void correct_time(struct analysis_session *session);
void corrected_time_free(struct corrected_time *time);

/* Like clocks_ns(), with the moves of the logical clock. Thread-safe. */
int64_t corrected_ns(const struct corrected_time *time, uint32_t process, uint64_t tick);

#endif
