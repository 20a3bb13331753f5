#include "analysis/model/logical_clock.h"

#include "analysis/model/relations.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The number of jumps at or before this time. Times are usually in order. Passes in several
 * threads share the hint. */
static size_t jumps_until(struct shifts *shifts, int64_t time)
{
	size_t low = 0, high = shifts->count, last = __atomic_load_n(&shifts->last, __ATOMIC_RELAXED);

	if (last <= shifts->count && (!last || shifts->jumps[last - 1].time <= time)) {
		low = last;
		if (low == high || shifts->jumps[low].time > time)
			return low;
	}
	last = sorted_find(low, high, i, shifts->jumps[i].time <= time);
	__atomic_store_n(&shifts->last, last, __ATOMIC_RELAXED);
	return last;
}

/* The rest of a jump's shift. */
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

/* Later jumps must not be below the rest of this one. */
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
		/* Not steeper than a decay: close events must stay close. */
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
	size_t later = sorted_find(0, shifts->count, i,
	                           shifts->jumps[i].time + shifts->jumps[i].shift <= moved);
	const struct jump *jump;
	int64_t beyond;

	if (!later)
		return moved;
	jump = &shifts->jumps[later - 1];
	beyond = moved - jump->time - jump->shift;
	/* While the shift decays, DECAY ns shrink by one. */
	if (beyond / (DECAY - 1) < jump->shift)
		return jump->time + beyond + beyond / (DECAY - 1);
	return moved;
}

void shifts_release(struct shifts *shifts)
{
	free(shifts->jumps);
	*shifts = (struct shifts){0};
}

enum {
	PASSES_MAX = 16,
	/* Beyond this number of jumps of a process, each moves farther than necessary,
	 * so that fewer follow. */
	JUMPS_PLENTY = 1 << 16,
};

/* Years: larger shifts are not applied. */
#define SHIFT_MAX ((int64_t)1 << 58)

/* One pass over all calls. */
struct correction_pass {
	struct analysis_session *session;
	struct corrected_time *time;
	struct violations found;
	bool with_ramps;
	bool jumps; /* jumps on violations */
};

static int64_t moved(struct correction_pass *pass, uint32_t process, uint64_t tick)
{
	int64_t ns = clocks_ns(pass->time->clocks, process, tick);

	return ns + shift_at(&pass->time->shifts[process], ns, pass->with_ramps);
}

static void begin_call(void *context, struct occurrence *call, const struct event *event)
{
	call->position = (uint64_t)moved(context, call->semantics->process, event->start);
}

static void jump(struct correction_pass *pass, const struct occurrence *effect, int64_t cause)
{
	struct shifts *shifts = &pass->time->shifts[effect->semantics->process];
	int64_t ns = clocks_ns(pass->time->clocks, effect->semantics->process, (uint64_t)effect->end);
	int64_t shift = cause + LEAST_LATENCY_NS - ns;

	if (shifts->count > JUMPS_PLENTY)
		shift += shift / 2 + DECAY;
	if (shift < SHIFT_MAX)
		shifts_jump(shifts, ns, shift);
}

/* The end of a call must not precede this cause. */
static void check(struct correction_pass *pass, const struct occurrence *effect, int64_t cause,
                  uint64_t *count)
{
	int64_t early = cause - moved(pass, effect->semantics->process, (uint64_t)effect->end);

	if (early <= 0)
		return;
	++*count;
	if (early > pass->found.worst_ns)
		pass->found.worst_ns = early;
	if (pass->jumps)
		jump(pass, effect, cause);
}

static void check_message(void *context, const struct occurrence *call,
                          const struct completed_message *message)
{
	struct correction_pass *pass = context;

	check(pass, call, (int64_t)message->send->position, &pass->found.messages);
}

static void check_collective(void *context, const struct occurrence *call, const struct collective_end *end)
{
	struct correction_pass *pass = context;

	if (end->cause != NO_PROCESS)
		check(pass, call, end->cause_moment, &pass->found.collectives);
}

static void replay_in_ticks(struct correction_pass *pass,
                            void (*message)(void *context, const struct occurrence *call,
                                            const struct completed_message *message),
                            void (*collective)(void *context, const struct occurrence *call,
                                               const struct collective_end *end))
{
	struct row_sink sink = {.context = pass,
	                        .in_ticks = true,
	                        .begin = begin_call,
	                        .message = message,
	                        .collective = collective};

	pass->time->passes++;
	relate(pass->session, &sink, &pass->time->counts);
}

static struct violations run_pass(struct analysis_session *session, bool jumps, bool with_ramps)
{
	struct correction_pass pass = {
		.session = session, .time = session->time, .jumps = jumps, .with_ramps = with_ramps};

	replay_in_ticks(&pass, check_message, check_collective);
	return pass.found;
}

static bool any(struct violations violations)
{
	return violations.messages || violations.collectives;
}

/* Ramps: how far causes may be moved without passing their effects. */

static void limit(struct correction_pass *pass, uint32_t process, int64_t ns, int64_t cause, int64_t effect)
{
	shifts_limit_ramp(&pass->time->shifts[process], ns, effect > cause ? effect - cause : 0);
}

static void limit_message(void *context, const struct occurrence *call,
                          const struct completed_message *message)
{
	struct correction_pass *pass = context;
	const struct occurrence *send = message->send;
	uint32_t process = send->semantics->process;

	limit(pass, process, clocks_ns(pass->time->clocks, process, (uint64_t)send->start),
	      (int64_t)send->position, moved(pass, call->semantics->process, (uint64_t)call->end));
}

/* A member that needs all may arrive as late as the last of them; a root, until the first member that needs
 * it leaves. For other needs nothing is known here: it is not moved. */
static void limit_collective(void *context, const struct occurrence *call, const struct collective_end *end)
{
	struct correction_pass *pass = context;
	uint32_t process = call->semantics->process;
	int64_t own = clocks_ns(pass->time->clocks, process, (uint64_t)end->start);
	int64_t own_moved = moved(pass, process, (uint64_t)end->start);
	bool all = end->needs == COLLECTIVE_ALL && end->cause != NO_PROCESS;

	limit(pass, process, own, own_moved, all ? end->cause_moment : own_moved);
	if (end->needs != COLLECTIVE_ROOT_FIRST || end->cause == NO_PROCESS)
		return;
	own = shifts_origin(&pass->time->shifts[end->cause], end->cause_moment);
	limit(pass, end->cause, own, end->cause_moment, moved(pass, process, (uint64_t)call->end));
}

static void add_ramps(struct analysis_session *session)
{
	struct corrected_time *time = session->time;
	struct correction_pass pass = {.session = session, .time = time};

	for (size_t i = 0; i < time->process_count; i++)
		shifts_add_ramps(&time->shifts[i]);
	replay_in_ticks(&pass, limit_message, limit_collective);
	time->after = run_pass(session, false, true);
	if (!any(time->after))
		return;
	for (size_t i = 0; i < time->process_count; i++)
		shifts_drop_ramps(&time->shifts[i]);
	time->after = run_pass(session, false, false);
}

struct corrected_time *corrected_time_by_clocks(struct reader *reader)
{
	struct corrected_time *time = memory_new(1, sizeof *time);

	time->clocks = clocks_new(reader);
	time->process_count = reader->process_count;
	time->shifts = memory_new(reader->process_count + 1, sizeof *time->shifts);
	return time;
}

/* A jump moves all events of its process at its time, even earlier events with the same time on a coarse
 * clock: so the search is repeated until nothing is found. */
void correct_time(struct analysis_session *session)
{
	struct corrected_time *time = session->time;

	time->before = time->after = run_pass(session, false, false);
	while (any(time->after) && time->passes < PASSES_MAX)
		time->after = run_pass(session, true, false);
	if (any(time->before) && !any(time->after))
		add_ramps(session);
	for (size_t i = 0; i < time->process_count; i++) {
		time->moves += time->shifts[i].count;
		for (size_t j = 0; j < time->shifts[i].count; j++)
			if (time->shifts[i].jumps[j].shift > time->largest_move_ns)
				time->largest_move_ns = time->shifts[i].jumps[j].shift;
	}
}

void corrected_time_free(struct corrected_time *time)
{
	for (size_t i = 0; i < time->process_count; i++)
		shifts_release(&time->shifts[i]);
	free(time->shifts);
	clocks_free(time->clocks);
	free(time);
}

int64_t corrected_ns(const struct corrected_time *time, uint32_t process, uint64_t tick)
{
	int64_t ns = clocks_ns(time->clocks, process, tick);

	return ns + shift_at(&time->shifts[process], ns, true);
}
