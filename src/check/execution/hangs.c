#include "check/execution/deadlock_parts.h"

#include <assert.h>
#include <inttypes.h>

/* Detects that nothing happens any more without a knot: a process polls, computes for ever, or waits for
 * an unknown reason. */

enum hang_state {
	HANG_NONE,
	HANG_LOOKS,    /* agents were asked where their threads are … */
	HANG_CONFIRMS, /* … and again: polling processes have made calls meanwhile */
	HANG_SHOWS,    /* the run will be ended: agents were asked for stacks, which interrupts the program */
};

struct hanging_process {
	struct executed_process *process;
	bool has_answered, has_stacks; /* in this round */
	bool waits, polls;
	bool makes_calls;                     /* between the two questions */
	bool has_others;                      /* threads that may act otherwise */
	bool is_waited_for, waits_for_others; /* according to the execution */
	bool is_late;
	uint64_t entered; /* number of calls of its threads at the first question */
	ARRAY(struct check_call) stacks;
};

struct hang_watch {
	uint32_t timeout_s;
	uint64_t progress, since_ms; /* events so far, and since when this is unchanged */
	bool is_mismatch; /* asked early: a thread waits for another tag than that of the available message */
	uint64_t mismatch_ms; /* when that was last checked */
	enum hang_state state;
	uint64_t question, asked_ms;
	ARRAY(struct hanging_process) processes;
	struct map numbers;      /* of processes */
	struct map waited_comms; /* threads wait for any member of these: the unmarked member */
};

struct hang_watch *hang_watch_new(void)
{
	struct hang_watch *watch = memory_new(1, sizeof *watch);

	watch->timeout_s = HANG_TIMEOUT_S;
	return watch;
}

static void forget_processes(struct hang_watch *watch)
{
	for (size_t i = 0; i < watch->processes.count; i++) {
		struct hanging_process *process = &watch->processes.items[i];
		for (size_t j = 0; j < process->stacks.count; j++)
			call_release(&process->stacks.items[j]);
		array_release(&process->stacks);
	}
	watch->processes.count = 0;
	watch->is_mismatch = false;
	map_release(&watch->numbers);
	map_release(&watch->waited_comms);
	watch->state = HANG_NONE;
}

void hang_watch_free(struct hang_watch *watch)
{
	forget_processes(watch);
	array_release(&watch->processes);
	free(watch);
}

void deadlocks_set_hang_timeout(struct deadlocks *deadlocks, uint32_t seconds)
{
	deadlocks->hang->timeout_s = seconds;
}

/* Answers */

static struct hanging_process *find_process(struct hang_watch *watch, const struct analysed_process *process)
{
	const uint32_t *number = map_find(&watch->numbers, map_key((uintptr_t)process, 0));

	return number ? &watch->processes.items[*number] : NULL;
}

void hang_watch_answer(struct deadlocks *deadlocks, const struct analysed_process *process,
                       const struct check_answer *answer)
{
	struct hang_watch *watch = deadlocks->hang;
	struct hanging_process *hanging = find_process(watch, process);
	uint64_t entered = 0;
	uint32_t outside = 0;

	if (!hanging || answer->question != watch->question || hanging->has_answered)
		return;
	hanging->has_answered = true;
	hanging->waits = false;
	for (uint32_t i = 0; i < answer->thread_count; i++) {
		hanging->waits |= answer->threads[i].is_in_call;
		hanging->polls |= answer->threads[i].is_elsewhere;
		entered += answer->threads[i].entered;
		outside += !answer->threads[i].is_in_call && !answer->threads[i].is_elsewhere &&
		           !answer->threads[i].is_asleep;
	}
	hanging->has_others = outside && answer->thread_count > 1;
	hanging->makes_calls = watch->state != HANG_LOOKS && entered != hanging->entered;
	hanging->polls |= hanging->makes_calls;
	hanging->entered = entered;
}

bool deadlocks_stacks(struct deadlocks *deadlocks, struct analysed_process *process, struct cursor *in)
{
	struct hang_watch *watch = deadlocks->hang;
	uint64_t question = take_varint(in);
	uint32_t count = take_count(in, UINT32_MAX);
	struct hanging_process *hanging = find_process(watch, process);
	bool is_wanted = hanging && question == watch->question && !hanging->has_stacks;

	while (count-- && !in->bad) {
		struct check_call call;
		if (!call_take(in, &call))
			return false;
		call.world = process->world;
		call.rank = process->rank;
		if (is_wanted)
			array_add(&hanging->stacks, call);
		else
			call_release(&call);
	}
	if (is_wanted)
		hanging->has_stacks = true;
	return !in->bad;
}

/* Who is late */

/* All members except the waiting one, for which the next waiting thread waits. */
static void mark_members(struct hang_watch *watch, const struct hanging_process *waiting,
                         const struct analysed_comm *comm)
{
	const uint32_t all = (uint32_t)watch->processes.count;
	uint32_t *left_out = map_put(&watch->waited_comms, map_key(comm->identity, 0));

	assert(!all || watch->processes.items);
	if (*left_out == MAP_NONE) {
		for (uint32_t i = 0; i < all; i++) {
			struct hanging_process *other = &watch->processes.items[i];
			other->is_waited_for |= other != waiting && map_find(&other->process->known->by_comm,
			                                                     map_key(comm->identity, 0));
		}
		*left_out = waiting ? (uint32_t)(waiting - watch->processes.items) : all;
	} else if (*left_out < all && waiting != &watch->processes.items[*left_out]) {
		watch->processes.items[*left_out].is_waited_for = true;
		*left_out = all;
	}
}

static void mark_waited(void *owner, struct executed_thread *thread, uint32_t group, bool is_one_of,
                        struct executed_process *process, const struct analysed_comm *comm, const char *why,
                        struct executed_operation *operation)
{
	struct hang_watch *watch = owner;
	struct hanging_process *own = find_process(watch, thread->process->known);

	(void)group;
	(void)is_one_of;
	(void)why;
	(void)operation;
	if (process && process != thread->process) {
		struct hanging_process *other = find_process(watch, process->known);
		if (other)
			other->is_waited_for = true;
	}
	if (!process && comm)
		mark_members(watch, own, comm);
	if (own)
		own->waits_for_others = true;
}

/* The process may be in a call that no other process keeps from returning: MPI itself hangs there, for
 * example because counts differ. */
static bool holds_others_up(const struct hanging_process *process)
{
	return process->is_waited_for && !(process->waits && process->waits_for_others);
}

/* Other processes wait for this one, and it waits for no process. If the processes that a thread waits for
 * are unknown, they may include this one. */
static void find_late(struct deadlocks *deadlocks)
{
	struct hang_watch *watch = deadlocks->hang;
	const struct execution *execution = deadlocks->execution;
	bool somebody_waits = false, anybody_is_named = false, may_be_anyone;

	for (size_t i = 0; i < execution->processes.count; i++) {
		const struct executed_process *process = execution->processes.items[i];

		for (size_t j = 0; process && j < process->threads.count; j++) {
			struct executed_thread *thread = process->threads.items[j];

			if (thread && thread->blocked != BLOCKED_NOT && !thread->has_more)
				execution_waits(deadlocks->execution, thread, mark_waited, watch);
		}
	}
	for (size_t i = 0; i < watch->processes.count; i++) {
		somebody_waits |= watch->processes.items[i].waits;
		anybody_is_named |= holds_others_up(&watch->processes.items[i]);
	}
	may_be_anyone = (somebody_waits && !anybody_is_named) || watch->processes.count == 1;
	for (size_t i = 0; i < watch->processes.count; i++) {
		struct hanging_process *process = &watch->processes.items[i];
		process->is_late = holds_others_up(process) || (!process->waits && may_be_anyone);
	}
}

/* The finding */

static struct executed_thread *only_thread(const struct executed_process *process)
{
	struct executed_thread *only = NULL;

	for (size_t i = 0; i < process->threads.count; i++) {
		if (process->threads.items[i] && only)
			return NULL;
		only = process->threads.items[i] ? process->threads.items[i] : only;
	}
	return only;
}

static void add_process(struct knot_finding *finding, struct hanging_process *process)
{
	const struct analysed_process *known = process->process->known;
	struct executed_thread *thread = only_thread(process->process);
	const struct analysed_call *last = thread && thread->call ? thread->call : known->last;
	const uint32_t first = finding->report.finding.call_count;
	struct check_call call;

	for (size_t i = 0; i < process->stacks.count; i++)
		knot_finding_call(finding, known, &process->stacks.items[i],
		                  process->is_late                                         ? NOTE_LATE
		                  : strcmp(process->stacks.items[i].note, NOTE_WAITS) == 0 ? NOTE_WAITS
		                                                                           : NOTE_RUNS);
	if (!process->stacks.count) {
		call = last ? call_to_show(last, "")
		            : (struct check_call){.world = known->world,
		                                  .rank = known->rank,
		                                  .arguments = memory_copy_text("")};
		knot_finding_call(finding, known, &call,
		                  process->is_late ? NOTE_LATE
		                  : process->waits ? NOTE_WAITS
		                                   : NOTE_RUNS);
		call_release(&call);
	}
	/* A polling process has left the call in which it is blocked here. */
	if (!process->is_late && process->waits && thread && thread->blocked != BLOCKED_NOT &&
	    finding->report.finding.call_count == first + 1)
		finding->threads[first] = thread;
}

/* Late processes first. Returns how many were omitted. */
static uint32_t add_processes(struct knot_finding *finding, struct hang_watch *watch)
{
	uint32_t added = 0, left_out = 0;

	for (int late = 1; late >= 0; late--)
		for (size_t i = 0; i < watch->processes.count; i++) {
			if (watch->processes.items[i].is_late != (late == 1))
				continue;
			if (added == KNOT_CALLS || !knot_finding_has_room(finding)) {
				left_out++;
				continue;
			}
			add_process(finding, &watch->processes.items[i]);
			added++;
		}
	return left_out;
}

static void end_run(struct deadlocks *deadlocks, struct knot_finding *finding,
                    struct analysed_process *const *stuck, size_t count)
{
	knot_finding_waits(finding, deadlocks->execution);
	knot_finding_end(finding, deadlocks->log);
	findings_log_flush(deadlocks->log);
	deadlocks->is_over = true;
	deadlocks->callbacks.stop(deadlocks->callbacks.owner, stuck, (uint32_t)count);
}

/* The tags are compared when all processes have ended. */
static void report_mismatch(struct deadlocks *deadlocks)
{
	struct hang_watch *watch = deadlocks->hang;
	struct knot_finding *finding = knot_finding_new(CHECK_DEADLOCK_MISMATCH);
	ARRAY(struct analysed_process *) stuck = {0};

	add_processes(finding, watch);
	for (size_t i = 0; i < watch->processes.count; i++)
		array_add(&stuck, watch->processes.items[i].process->known);
	report_value(&finding->report, "processes", "%zu", watch->processes.count);
	report_value(&finding->report, "behind", "%s", "");
	end_run(deadlocks, finding, stuck.items, stuck.count);
	array_release(&stuck);
}

static void report_hang(struct deadlocks *deadlocks)
{
	struct hang_watch *watch = deadlocks->hang;
	struct knot_finding *finding = knot_finding_new(CHECK_DEADLOCK_HANG);
	struct shown_ranks late = {0};
	char text[RANKS_TEXT];
	uint32_t left_out;

	find_late(deadlocks);
	for (size_t i = 0; i < watch->processes.count; i++)
		if (watch->processes.items[i].is_late)
			array_add(&late, watch->processes.items[i].process->known->rank);
	ranks_text(&late, text);
	left_out = add_processes(finding, watch);
	report_value(&finding->report, "seconds", "%" PRIu32, watch->timeout_s);
	report_value(&finding->report, "late", "%s", late.count ? text : "none");
	report_value(&finding->report, "more", "%" PRIu32, left_out);
	array_release(&late);
	end_run(deadlocks, finding, NULL, 0);
}

/* Watching */

/* A thread waits for a message that its sender has sent with another tag, and polls. */
static bool has_mismatch(const struct deadlocks *deadlocks)
{
	const struct execution *execution = deadlocks->execution;

	for (size_t i = 0; i < execution->processes.count; i++) {
		const struct executed_process *process = execution->processes.items[i];

		for (size_t j = 0; process && j < process->threads.count; j++) {
			const struct executed_thread *thread = process->threads.items[j];

			for (size_t k = 0; thread && thread->blocked == BLOCKED_OPERATIONS &&
			                   !thread->has_more && !thread->is_any && k < thread->waits.count;
			     k++)
				if (operation_is_open(thread->waits.items[k]) &&
				    execution_other_tag(thread->waits.items[k]))
					return true;
		}
	}
	return false;
}

/* As far as known, all processes can only wait and poll. */
static bool all_wait_or_poll(const struct deadlocks *deadlocks)
{
	const struct hang_watch *watch = deadlocks->hang;
	bool somebody_polls = false;

	for (size_t i = 0; i < watch->processes.count; i++) {
		const struct hanging_process *process = &watch->processes.items[i];
		if (!process->has_answered || process->has_others ||
		    (!process->waits && !process->makes_calls))
			return false;
		somebody_polls |= process->makes_calls;
	}
	/* A process without events can do anything. */
	return somebody_polls && deadlocks->execution->processes.count >= world_sizes(deadlocks->execution);
}

static void ask_all(struct deadlocks *deadlocks, enum hang_state state)
{
	struct hang_watch *watch = deadlocks->hang;

	watch->state = state;
	watch->question = ++deadlocks->last_question;
	watch->asked_ms = deadlocks->now_ms;
	for (size_t i = 0; i < watch->processes.count; i++)
		watch->processes.items[i].has_answered = watch->processes.items[i].has_stacks = false;
	for (size_t i = 0; i < watch->processes.count; i++)
		deadlocks->callbacks.ask(deadlocks->callbacks.owner, watch->processes.items[i].process->known,
		                         watch->question, state == HANG_SHOWS);
}

static void begin_asking(struct deadlocks *deadlocks)
{
	struct hang_watch *watch = deadlocks->hang;
	const struct execution *execution = deadlocks->execution;

	forget_processes(watch);
	for (size_t i = 0; i < execution->processes.count; i++)
		if (execution->processes.items[i] && !execution->processes.items[i]->has_ended)
			array_add(&watch->processes,
			          (struct hanging_process){.process = execution->processes.items[i]});
	if (watch->processes.count)
		qsort(watch->processes.items, watch->processes.count, sizeof *watch->processes.items,
		      compare_executed_processes); /* `process` is the first member */
	for (uint32_t i = 0; i < watch->processes.count; i++)
		*map_put(&watch->numbers,
		         map_key((uintptr_t)watch->processes.items[i].process->known, 0)) = i;
	if (watch->processes.count)
		ask_all(deadlocks, HANG_LOOKS);
	else
		watch->since_ms = deadlocks->now_ms;
}

static bool all_have_answered(const struct hang_watch *watch)
{
	for (size_t i = 0; i < watch->processes.count; i++)
		if (!watch->processes.items[i].has_answered ||
		    (watch->state == HANG_SHOWS && !watch->processes.items[i].has_stacks))
			return false;
	return true;
}

/* A process waits or polls; or all others are in MPI_Finalize, which they cannot leave without this one. */
static bool is_hang(const struct deadlocks *deadlocks)
{
	const struct hang_watch *watch = deadlocks->hang;
	const struct execution *execution = deadlocks->execution;
	bool others_left = watch->processes.count == 1 && execution->processes.count > 1;

	for (size_t i = 0; i < watch->processes.count; i++)
		if (watch->processes.items[i].waits || watch->processes.items[i].polls)
			return true;
	for (size_t i = 0; i < execution->processes.count; i++)
		others_left &= !execution->processes.items[i] || !execution->processes.items[i]->has_ended ||
		               process_has_left(execution->processes.items[i]);
	return others_left;
}

static void start_again(struct deadlocks *deadlocks)
{
	deadlocks->hang->since_ms = deadlocks->now_ms;
	forget_processes(deadlocks->hang);
}

void hang_watch_tick(struct deadlocks *deadlocks, uint64_t heard)
{
	struct hang_watch *watch = deadlocks->hang;
	/* Repeated looks count both as events and as executed steps. */
	uint64_t progress = heard + deadlocks->execution->now - 2 * deadlocks->execution->repeated_looks,
		 waited;

	for (size_t i = 0; i < deadlocks->execution->processes.count; i++)
		progress += deadlocks->execution->processes.items[i] &&
		            deadlocks->execution->processes.items[i]->has_ended;
	if (watch->state != HANG_SHOWS && (progress != watch->progress || !watch->since_ms)) {
		watch->progress = progress;
		start_again(deadlocks);
	}
	waited = deadlocks->now_ms - watch->asked_ms;
	switch (watch->state) {
	case HANG_NONE:
		if (watch->timeout_s &&
		    deadlocks->now_ms - watch->since_ms >= (uint64_t)watch->timeout_s * 1000) {
			begin_asking(deadlocks);
		} else if (watch->timeout_s && deadlocks->now_ms - watch->since_ms >= HANG_MISMATCH_MS &&
		           deadlocks->now_ms - watch->mismatch_ms >= HANG_MISMATCH_MS) {
			watch->mismatch_ms = deadlocks->now_ms;
			if (has_mismatch(deadlocks)) {
				begin_asking(deadlocks);
				watch->is_mismatch = true;
			}
		}
		return;
	case HANG_LOOKS:
		if (waited >= HANG_ANSWERS_MS || (waited >= HANG_ROUND_MS && all_have_answered(watch)))
			ask_all(deadlocks, HANG_CONFIRMS);
		return;
	case HANG_CONFIRMS:
		if (waited < HANG_ANSWERS_MS && !all_have_answered(watch))
			return;
		if (watch->is_mismatch ? all_wait_or_poll(deadlocks) : is_hang(deadlocks))
			ask_all(deadlocks, HANG_SHOWS);
		else if (watch->is_mismatch)
			forget_processes(watch); /* the time of a hang continues */
		else
			start_again(deadlocks);
		return;
	case HANG_SHOWS:
		if (waited >= HANG_ANSWERS_MS || all_have_answered(watch)) {
			watch->is_mismatch ? report_mismatch(deadlocks) : report_hang(deadlocks);
			forget_processes(watch);
		}
		return;
	}
}
