#include "job/check/wire/crash.h"

#include "job/check/wire/interrupt.h"
#include "job/check/wire/places.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/program_signals.h"
#include "job/check/wire/unsent_events.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* HANDLED_MAX: recorded signals that the program handles itself, and may survive. SMALL_STACK: on a
 * handler's stack of this size, the unwinder has too little room. */
enum { HANDLED_MAX = 8, SMALL_STACK = 16 << 10, CAUSE_TEXT = 64, PLACE_BYTES = 64, OTHER_BYTES = 512 };

/* Launchers, batch systems and users end processes with those that come from outside. */
static const struct {
	int number;
	const char *name;
	bool comes_from_outside;
} crash_signals[] = {{SIGSEGV, "SIGSEGV", false}, {SIGBUS, "SIGBUS", false},   {SIGFPE, "SIGFPE", false},
                     {SIGILL, "SIGILL", false},   {SIGABRT, "SIGABRT", false}, {SIGTERM, "SIGTERM", true},
                     {SIGINT, "SIGINT", true},    {SIGHUP, "SIGHUP", true}};

enum { CRASH_SIGNALS = sizeof crash_signals / sizeof *crash_signals };

static pid_t process;
static bool is_busy; /* a thread is recording a signal */
static uint32_t handled;
static struct interrupted_stack stack;
static struct check_place places[FINDING_STACK_MAX];
static uintptr_t last_address; /* the innermost recorded address */

static size_t find_signal(int number)
{
	size_t i = 0;

	while (i + 1 < CRASH_SIGNALS && crash_signals[i].number != number)
		i++;
	return i;
}

static bool is_from_outside(int number, const siginfo_t *info)
{
	return crash_signals[find_signal(number)].comes_from_outside && info->si_pid != process;
}

static void describe(int number, const siginfo_t *info, char text[CAUSE_TEXT])
{
	const size_t i = find_signal(number);

	if (is_from_outside(number, info))
		snprintf(text, CAUSE_TEXT, "%s", CAUSE_FROM_OUTSIDE);
	else if ((number == SIGSEGV || number == SIGBUS) && info->si_code > 0)
		snprintf(text, CAUSE_TEXT, "%s (address 0x%lx)", crash_signals[i].name,
		         (unsigned long)(uintptr_t)info->si_addr);
	else
		snprintf(text, CAUSE_TEXT, "%s", crash_signals[i].name);
}

static bool is_on_small_stack(void)
{
	stack_t other;

	return sigaltstack(NULL, &other) == 0 && other.ss_flags & SS_ONSTACK && other.ss_size < SMALL_STACK;
}

/* As many places as fit, because the writer must not grow. */
static uint32_t places_that_fit(uint32_t count)
{
	size_t bytes = OTHER_BYTES;
	uint32_t fitting = 0;

	while (fitting < count) {
		bytes += PLACE_BYTES + strlen(places[fitting].module) + strlen(places[fitting].build_id);
		if (bytes > CRASH_BYTES)
			break;
		fitting++;
	}
	return fitting;
}

static void write_crash(struct unsent_crash *crash, int number, const siginfo_t *info, uint32_t count)
{
	struct message_writer out = {.bytes = crash->content, .room = sizeof crash->content};
	const struct check_call call = {.world = checked.world,
	                                .rank = checked.rank,
	                                .note = NOTE_CRASHED,
	                                .arguments = "",
	                                .stack = places,
	                                .stack_count = places_that_fit(count)};
	char cause[CAUSE_TEXT];

	describe(number, info, cause);
	__atomic_store_n(&crash->bytes, 0, __ATOMIC_RELEASE);
	put_text(&out, cause);
	call_put(&out, &call);
	crash->head = __atomic_load_n(&unsent_events->head, __ATOMIC_ACQUIRE);
	__atomic_store_n(&crash->bytes, out.size, __ATOMIC_RELEASE);
}

/* A handler of the program may send the signal again, or another one, but the first one is the cause. The stack
 * then begins with the same address: the frame that the first signal interrupted. */
static void record(int number, const siginfo_t *info)
{
	struct unsent_crash *crash = &unsent_events->crash;
	const uint64_t head = __atomic_load_n(&unsent_events->head, __ATOMIC_ACQUIRE);
	const bool outside = is_from_outside(number, info);

	stack.count = 0;
	if (!outside && !is_on_small_stack())
		interrupted_stack_take(&stack, 0);
	if (crash->bytes && crash->head == head &&
	    (outside || (stack.count && stack.addresses[0] == last_address)))
		return;
	last_address = stack.count ? stack.addresses[0] : 0;
	write_crash(crash, number, info, places_peek(stack.addresses, stack.count, places));
}

/* Called in a signal handler. */
static void see_signal(int number, const siginfo_t *info, bool is_end)
{
	if (agent_is_off() || !unsent_events || getpid() != process ||
	    (!is_end && handled++ >= HANDLED_MAX) || __atomic_test_and_set(&is_busy, __ATOMIC_ACQUIRE))
		return;
	record(number, info);
	__atomic_clear(&is_busy, __ATOMIC_RELEASE);
}

void crash_watch(void)
{
	process = getpid();
	interrupted_stack_prepare();
	places_prepare();
	program_signals_seen_by(see_signal);
	for (size_t i = 0; i < CRASH_SIGNALS; i++)
		if (crash_signals[i].comes_from_outside)
			program_signal_watch(crash_signals[i].number);
		else
			program_signal_take(crash_signals[i].number, NULL);
}
