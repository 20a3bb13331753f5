#include "job/check/wire/activity.h"

#include "calls/calls.h"
#include "job/check/wire/interrupt.h"
#include "job/check/wire/places.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/tasks.h"
#include "job/check/wire/unsent_events.h"

#include <link.h>
#include <signal.h>

enum { READS = 100 };

/* A snapshot of a thread. */
struct thread_sight {
	struct thread_state state;
	const struct agent_call *current; /* NULL: not in a call */
	enum call_id id;                  /* of `current`, otherwise of its last call */
	const void *site;
	uint32_t place; /* of `current`; NO_PLACE: unknown */
};

/* Fails if another thread has the lock: it is running, or waits for room in the ring. */
static bool lock_threads(void)
{
	return pthread_mutex_trylock(&checked.lock) == 0;
}

/* The thread continues to run. Its call is on its stack, which stays mapped as long as the thread cannot be
 * forgotten. Data read there may belong to another call, so it is discarded if the thread has moved. */
static bool see_once(const struct agent_thread *thread, struct thread_sight *sight)
{
	const uint64_t entered = __atomic_load_n(&thread->entered, __ATOMIC_ACQUIRE);
	const struct agent_call *current = __atomic_load_n(&thread->current, __ATOMIC_ACQUIRE);
	const bool has_event = RELAXED_LOAD(thread->event_entered) == entered;

	*sight = (struct thread_sight){
		.state = {.thread = thread->number,
	                  .call = RELAXED_LOAD(thread->event_call),
	                  .is_in_call = current && has_event,
	                  .is_elsewhere = current && !has_event,
	                  .entered = entered},
		.current = current,
		.id = current ? RELAXED_LOAD(current->id) : RELAXED_LOAD(thread->last_id),
		.site = current ? RELAXED_LOAD(current->site) : RELAXED_LOAD(thread->last_site),
		.place = current && RELAXED_LOAD(current->place_known) ? RELAXED_LOAD(current->place)
	                                                               : NO_PLACE,
	};
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return RELAXED_LOAD(thread->entered) == entered && RELAXED_LOAD(thread->current) == current;
}

/* If a thread makes calls all the time, its last call stays unknown. */
static void see(const struct agent_thread *thread, struct thread_sight *sight)
{
	for (int i = 0; i < READS; i++)
		if (see_once(thread, sight))
			return;
	sight->state.is_in_call = false;
	sight->current = NULL;
	sight->id = RELAXED_LOAD(thread->last_id);
	sight->site = RELAXED_LOAD(thread->last_site);
	sight->place = NO_PLACE;
}

static uint32_t count_threads(void)
{
	uint32_t count = 0;

	for (const struct agent_thread *thread = checked.threads; thread; thread = thread->next)
		count++;
	return count;
}

static void add_states(struct check_answer *answer)
{
	struct thread_sight sight;
	uint32_t in_calls = 0;

	for (const struct agent_thread *thread = checked.threads; thread; thread = thread->next) {
		see(thread, &sight);
		sight.state.is_asleep = checked.any_thread_calls && !sight.current &&
		                        task_is_asleep(thread->system_id);
		answer->threads[answer->thread_count++] = sight.state;
	}
	if (checked.any_thread_calls)
		return;
	for (uint32_t i = 0; i < answer->thread_count; i++)
		if (answer->threads[i].is_in_call || answer->threads[i].is_elsewhere)
			answer->threads[in_calls++] = answer->threads[i];
	answer->thread_count = in_calls ? in_calls : answer->thread_count;
}

/* True if threads that have never called MPI sleep; otherwise they may still call it. */
static bool others_sleep(uint32_t count)
{
	int32_t *known = host_table(count + 1, sizeof *known);
	uint32_t i = 0;
	bool sleep;

	for (const struct agent_thread *thread = checked.threads; known && thread; thread = thread->next)
		known[i++] = thread->system_id;
	sleep = known && tasks_others_sleep(known, count);
	free(known);
	return sleep;
}

/* Signals whose handlers in the program may end a polling loop. MPICH handles some of them, too. */
static const int releasing[] = {SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGIO};
enum { RELEASING = sizeof releasing / sizeof *releasing };

typedef void (*signal_function)(int);

static signal_function handlers_before[RELEASING], handlers_of_mpi[RELEASING];

static signal_function handler_of(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) == 0 ? action.sa_handler : SIG_DFL;
}

void activity_before_mpi(void)
{
	for (size_t i = 0; i < RELEASING; i++)
		handlers_before[i] = handler_of(releasing[i]);
}

void activity_after_mpi(void)
{
	for (size_t i = 0; i < RELEASING; i++)
		if (handler_of(releasing[i]) != handlers_before[i])
			handlers_of_mpi[i] = handler_of(releasing[i]);
}

static bool has_signal_handler(void)
{
	for (size_t i = 0; i < RELEASING; i++) {
		const signal_function handler = handler_of(releasing[i]);

		if (handler != SIG_DFL && handler != SIG_IGN && handler != handlers_of_mpi[i])
			return true;
	}
	return false;
}

/* True if something else in this process may happen: other threads may call MPI, or end a polling loop. */
static bool others_may_act(const struct check_answer *answer, uint32_t count)
{
	bool is_blocked = false;

	for (uint32_t i = 0; i < answer->thread_count; i++)
		is_blocked |= answer->threads[i].is_in_call;
	if (checked.any_thread_calls || !is_blocked)
		return !others_sleep(count) || (!is_blocked && has_signal_handler());
	return false;
}

bool activity_states(struct check_answer *answer)
{
	uint32_t count;

	if (!lock_threads())
		return false;
	count = count_threads();
	answer->thread_count = 0;
	answer->threads = host_table(count + 1, sizeof *answer->threads);
	if (answer->threads)
		add_states(answer);
	if (answer->threads && others_may_act(answer, count))
		answer->threads[answer->thread_count++] = (struct thread_state){.thread = UINT32_MAX};
	host_unlock();
	return answer->threads != NULL;
}

/* Calls that always return at once: a thread in one of them does not wait. */
static bool returns_at_once(enum call_id id)
{
	const struct call_info *info = &all_calls[id];

	return info->tests || info->rma == RMA_FLUSH || info->rma == RMA_FLUSH_ALL || info->rma == RMA_SYNC;
}

/* The start of this library in memory, defined by the linker. */
extern const ElfW(Ehdr) library_header __asm__("__ehdr_start") __attribute__((visibility("hidden")));

/* True for code of this library. Asking the dynamic linker could block on a lock of the hanging thread. */
static bool is_ours(uintptr_t address)
{
	const uintptr_t start = (uintptr_t)&library_header;
	const ElfW(Phdr) *segments = (const ElfW(Phdr) *)(const void *)((const char *)&library_header +
	                                                                library_header.e_phoff);

	for (uint32_t i = 0; i < library_header.e_phnum; i++)
		if (segments[i].p_type == PT_LOAD && segments[i].p_flags & PF_X &&
		    address - start - segments[i].p_vaddr < segments[i].p_memsz)
			return true;
	return false;
}

/* Skips the inner frames, those of MPI, or those of this library if the thread is between two MPI calls. */
static uint32_t cut_at(const struct interrupted_stack *stack, const void *site)
{
	uint32_t first = 0;

	for (uint32_t i = 0; i < stack->count; i++) {
		if (site && stack->addresses[i] == (uintptr_t)site)
			return i;
		if (is_ours(stack->addresses[i]))
			first = i + 1;
	}
	return first < stack->count ? first : 0;
}

static uint32_t find_place(const struct agent_thread *thread, const struct thread_sight *sight)
{
	struct interrupted_stack stack;
	uint32_t place = NO_PLACE;

	if (sight->place != NO_PLACE)
		return sight->place;
	if (interrupt_thread(thread->system_id, &stack)) {
		const uint32_t first = sight->current ? cut_at(&stack, sight->site) : cut_at(&stack, NULL);

		place = place_of_addresses(stack.addresses + first, stack.count - first, stack.is_whole);
	}
	return place != NO_PLACE || !sight->site ? place : place_of_site(sight->site);
}

static void put_stack(const struct agent_thread *thread, const struct thread_sight *sight,
                      struct message_writer *body)
{
	const struct announced_call *known = sight->state.is_in_call && sight->state.call
	                                             ? numbered_call(sight->state.call)
	                                             : NULL;
	struct check_place stack[FINDING_STACK_MAX];
	struct check_call call = {
		.world = checked.world,
		.rank = checked.rank,
		.function = sight->id,
		.note = sight->current && !returns_at_once(sight->id) ? NOTE_WAITS : NOTE_RUNS,
		.arguments = known && known->call.call.arguments ? known->call.call.arguments : "",
		.stack = stack,
	};

	call.stack_count = place_stack(find_place(thread, sight), stack);
	call_put(body, &call);
}

bool activity_stacks(struct message_writer *body)
{
	struct thread_sight sight;

	if (!lock_threads())
		return false;
	put_number(body, count_threads());
	for (const struct agent_thread *thread = checked.threads; thread; thread = thread->next) {
		see(thread, &sight);
		put_stack(thread, &sight, body);
	}
	host_unlock();
	return !body->failed;
}
