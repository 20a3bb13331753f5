#include "analysis/model/logical_clock.h"

#include "analysis/model/shifts.h"
#include "base/memory.h"

#include <stdlib.h>

enum {
	PASSES_MAX = 16,
	/* Beyond so many jumps of a process, each goes farther than it must, so that fewer follow. */
	JUMPS_PLENTY = 1 << 16,
};

/* Years: what is farther off is not worth moving. */
#define SHIFT_MAX ((int64_t)1 << 58)

/* One pass over all calls. */
struct correction_pass {
	struct corrected_time *time;
	void (*progress)(double part);
	struct violations found;
	bool with_ramps;
	bool jumps; /* on violations */
};

static int64_t moved(struct correction_pass *pass, uint32_t process, uint64_t tick)
{
	int64_t ns = clocks_ns(pass->time->clocks, process, tick);

	return ns + shift_at(&pass->time->shifts[process], ns, pass->with_ramps);
}

static void enter(void *context, struct step *step)
{
	step->moment = moved(context, step->process, step->event->start);
}

static void jump(struct correction_pass *pass, const struct step *step, int64_t cause)
{
	struct shifts *shifts = &pass->time->shifts[step->process];
	int64_t ns = clocks_ns(pass->time->clocks, step->process, step->event->end);
	int64_t shift = cause + LEAST_LATENCY_NS - ns;

	if (shifts->count > JUMPS_PLENTY)
		shift += shift / 2 + DECAY;
	if (shift < SHIFT_MAX)
		shifts_jump(shifts, ns, shift);
}

/* The end of a call must not come before this cause. */
static void check(struct correction_pass *pass, const struct step *step, int64_t cause, uint64_t *count)
{
	int64_t early = cause - moved(pass, step->process, step->event->end);

	if (early <= 0)
		return;
	++*count;
	if (early > pass->found.worst_ns)
		pass->found.worst_ns = early;
	if (pass->jumps)
		jump(pass, step, cause);
}

static void check_message(void *context, struct step *step, const struct message *message)
{
	struct correction_pass *pass = context;

	check(pass, step, message->from.moment, &pass->found.messages);
}

static void check_collective(void *context, struct step *step, const struct collective_end *collective)
{
	struct correction_pass *pass = context;

	if (collective->cause != NO_PROCESS)
		check(pass, step, collective->cause_moment, &pass->found.collectives);
}

static struct violations run_pass(struct reader *reader, struct correction_pass *pass)
{
	struct visitor visitor = {
		.context = pass,
		.enter = enter,
		.message = check_message,
		.collective = check_collective,
		.progress = pass->progress,
	};

	pass->time->passes++;
	replay(reader, &visitor, &pass->time->counts);
	return pass->found;
}

static bool any(struct violations violations)
{
	return violations.messages || violations.collectives;
}

/* Ramps: how far causes may be moved without coming behind their effects. */

static void limit(struct correction_pass *pass, uint32_t process, int64_t ns, int64_t cause, int64_t effect)
{
	shifts_limit_ramp(&pass->time->shifts[process], ns, effect > cause ? effect - cause : 0);
}

static void limit_message(void *context, struct step *step, const struct message *message)
{
	struct correction_pass *pass = context;

	limit(pass, message->from.process,
	      clocks_ns(pass->time->clocks, message->from.process, message->from.start), message->from.moment,
	      moved(pass, step->process, step->event->end));
}

/* Who needs all may come as late as the last of them; a root, until the first leaves who needs it. For what the
 * others need of it, nothing is known here: it stays where it is. */
static void limit_collective(void *context, struct step *step, const struct collective_end *collective)
{
	struct correction_pass *pass = context;
	int64_t own = clocks_ns(pass->time->clocks, step->process, collective->start);
	int64_t own_moved = moved(pass, step->process, collective->start);
	bool all = collective->meets == MEETS_ALL && collective->cause != NO_PROCESS;

	limit(pass, step->process, own, own_moved, all ? collective->cause_moment : own_moved);
	if (collective->meets != MEETS_ROOT_FIRST || collective->cause == NO_PROCESS)
		return;
	own = shifts_origin(&pass->time->shifts[collective->cause], collective->cause_moment);
	limit(pass, collective->cause, own, collective->cause_moment,
	      moved(pass, step->process, step->event->end));
}

static void add_ramps(struct reader *reader, struct corrected_time *time, void (*progress)(double part))
{
	struct correction_pass pass = {.time = time, .progress = progress};
	struct visitor visitor = {
		.context = &pass,
		.enter = enter,
		.message = limit_message,
		.collective = limit_collective,
		.progress = progress,
	};

	for (size_t i = 0; i < time->process_count; i++)
		shifts_add_ramps(&time->shifts[i]);
	time->passes++;
	replay(reader, &visitor, &time->counts);
	pass.with_ramps = true;
	time->after = run_pass(reader, &pass);
	if (!any(time->after))
		return;
	for (size_t i = 0; i < time->process_count; i++)
		shifts_drop_ramps(&time->shifts[i]);
	time->after = run_pass(reader, &(struct correction_pass){.time = time, .progress = progress});
}

static void sum_up(struct corrected_time *time)
{
	for (size_t i = 0; i < time->process_count; i++) {
		time->moves += time->shifts[i].count;
		for (size_t j = 0; j < time->shifts[i].count; j++)
			if (time->shifts[i].jumps[j].shift > time->largest_move_ns)
				time->largest_move_ns = time->shifts[i].jumps[j].shift;
	}
}

struct corrected_time *corrected_time_by_clocks(struct reader *reader)
{
	struct corrected_time *time = memory_new(1, sizeof *time);

	time->clocks = clocks_new(reader);
	time->process_count = reader->process_count;
	time->shifts = memory_new(reader->process_count + 1, sizeof *time->shifts);
	return time;
}

/* A jump moves everything of its process at its time, also what came before it at the same time of a coarse
 * clock: so it is looked again until nothing is found. */
struct corrected_time *corrected_time_new(struct reader *reader, void (*progress)(double part))
{
	struct corrected_time *time = corrected_time_by_clocks(reader);

	time->before = time->after = run_pass(reader,
	                                      &(struct correction_pass){.time = time, .progress = progress});
	while (any(time->after) && time->passes < PASSES_MAX)
		time->after = run_pass(
			reader, &(struct correction_pass){.time = time, .progress = progress, .jumps = true});
	if (any(time->before) && !any(time->after))
		add_ramps(reader, time, progress);
	sum_up(time);
	return time;
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
