#include "job/check/wire/interrupt.h"

#include "base/clock.h"
#include "job/check/wire/saved_registers.h"
#include "job/check/wire/tasks.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum { ANSWER_MS = 500, HOLD_MS = 60000, LOOK_NS = 10000000, STATUS_BYTES = 4096, HEXADECIMAL = 16 };

/* The thread that changes the state from REQUESTED owns the buffer: the handler, or the service thread when it gives up. */
enum interrupt_state { INTERRUPT_NONE, INTERRUPT_REQUESTED, INTERRUPT_RUNNING, INTERRUPT_DONE };

static struct {
	enum interrupt_state state;
	int32_t system_id; /* the target thread */
	int number;        /* number of the signal for which our handler is installed; 0: none */
	/* Signals sent and received. A thread may receive one long after the service thread has given up. */
	uint32_t sent, taken;
	uint32_t releases, asked_at; /* number of releases so far, and when the last thread was asked */
	struct sigaction before;
	struct interrupted_stack stack;
} interrupt;

struct taken_stack {
	struct interrupted_stack *stack;
	uintptr_t site; /* 0: begin with the interrupted frame */
};

static _Unwind_Reason_Code take_frame(struct _Unwind_Context *context, void *argument)
{
	const struct taken_stack *taken = argument;
	struct interrupted_stack *stack = taken->stack;
	int is_interrupted = 0;
	const uintptr_t address = (uintptr_t)_Unwind_GetIPInfo(context, &is_interrupted);

	if (!address)
		return _URC_END_OF_STACK;
	/* The frames before this one are ours. */
	if (taken->site ? address == taken->site : is_interrupted)
		stack->count = 0;
	if (stack->count == INTERRUPTED_DEPTH) {
		stack->is_whole = false;
		return _URC_END_OF_STACK;
	}
	/* Stored like a return address, which is after the instruction. */
	stack->addresses[stack->count++] = address + (is_interrupted ? 1 : 0);
	return _URC_NO_REASON;
}

/* Where to continue if the unwinder faults; NULL: it is not running. If a thread is interrupted where its frames
 * cannot be followed, the unwinder may use any word of the stack as an address. */
static _Thread_local sigjmp_buf *way_back __attribute__((tls_model("initial-exec")));

void interrupted_stack_faulted(void)
{
	if (way_back)
		siglongjmp(*way_back, 1);
}

void interrupted_stack_take(struct interrupted_stack *stack, uintptr_t site)
{
	struct taken_stack taken = {stack, site};
	sigset_t faults, before;
	sigjmp_buf back;

	stack->count = 0;
	stack->is_whole = true;
	sigemptyset(&faults);
	sigaddset(&faults, SIGSEGV);
	sigaddset(&faults, SIGBUS);
	if (sigsetjmp(back, true) == 0) {
		way_back = &back;
		pthread_sigmask(SIG_UNBLOCK, &faults, &before);
		_Unwind_Backtrace(take_frame, &taken);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	} else {
		stack->is_whole = false;
	}
	way_back = NULL;
}

static _Unwind_Reason_Code stop_at_once(struct _Unwind_Context *context, void *argument)
{
	(void)context;
	(void)argument;
	return _URC_END_OF_STACK;
}

void interrupted_stack_prepare(void)
{
	_Unwind_Backtrace(stop_at_once, NULL);
}

/* Holds the thread; signals of the program are still handled. The C library's ppoll() cannot be used,
 * because it is a cancellation point. */
static void hold(const ucontext_t *context, uint32_t asked_at)
{
	const int64_t end = (int64_t)(clock_system_ns(CLOCK_MONOTONIC) / 1000000) + HOLD_MS;

	while (__atomic_load_n(&interrupt.releases, __ATOMIC_ACQUIRE) == asked_at &&
	       (int64_t)(clock_system_ns(CLOCK_MONOTONIC) / 1000000) < end) {
		struct timespec moment = {.tv_nsec = LOOK_NS};

		syscall(SYS_ppoll, NULL, 0, &moment, &context->uc_sigmask, (size_t)(_NSIG - 1) / 8);
	}
}

static void handle_interrupt(int number, siginfo_t *info, void *context)
{
	const int saved = errno;
	const uint32_t asked_at = __atomic_load_n(&interrupt.asked_at, __ATOMIC_ACQUIRE);
	enum interrupt_state expected = INTERRUPT_REQUESTED;

	(void)number;
	if (info->si_code == SI_TKILL && info->si_pid == getpid())
		__atomic_fetch_add(&interrupt.taken, 1, __ATOMIC_RELEASE);
	if (__atomic_load_n(&interrupt.system_id, __ATOMIC_ACQUIRE) == (int32_t)syscall(SYS_gettid) &&
	    __atomic_compare_exchange_n(&interrupt.state, &expected, INTERRUPT_RUNNING, false,
	                                __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		interrupted_stack_take(&interrupt.stack, 0);
		__atomic_store_n(&interrupt.state, INTERRUPT_DONE, __ATOMIC_RELEASE);
	}
	if (system_call_was_cut_short(context))
		hold(context, asked_at);
	errno = saved;
}

/* The signals that a thread blocks, as a bit mask; all of them if unknown. */
static uint64_t blocked_by(int32_t system_id)
{
	static const char field[] = "SigBlk:";
	char text[STATUS_BYTES];
	const char *found;

	if (!task_file_read(system_id, "status", text, sizeof text))
		return UINT64_MAX;
	found = strstr(text, field);
	return found ? strtoull(found + sizeof field - 1, NULL, HEXADECIMAL) : UINT64_MAX;
}

static bool is_blocked(uint64_t mask, int number)
{
	return mask >> (number - 1) & 1;
}

/* Installs our handler for a real-time signal that the program does not use. */
static bool install(uint64_t blocked)
{
	struct sigaction ours = {.sa_sigaction = handle_interrupt,
	                         .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};

	if (interrupt.number)
		return !is_blocked(blocked, interrupt.number);
	sigfillset(&ours.sa_mask);
	for (int number = SIGRTMAX - 1; number > SIGRTMIN; number--) {
		if (is_blocked(blocked, number) || sigaction(number, NULL, &interrupt.before) != 0 ||
		    (interrupt.before.sa_flags & SA_SIGINFO) || interrupt.before.sa_handler != SIG_DFL)
			continue;
		if (sigaction(number, &ours, NULL) != 0)
			return false;
		interrupt.number = number;
		return true;
	}
	return false;
}

/* The handler stays while a signal is pending in a thread, because without it the signal would end the program. */
static void uninstall(void)
{
	if (__atomic_load_n(&interrupt.taken, __ATOMIC_ACQUIRE) != interrupt.sent)
		return;
	sigaction(interrupt.number, &interrupt.before, NULL);
	interrupt.number = 0;
}

static bool wait_for_handler(void)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	for (int waited_ms = 0; waited_ms < ANSWER_MS; waited_ms++) {
		if (__atomic_load_n(&interrupt.state, __ATOMIC_ACQUIRE) == INTERRUPT_DONE)
			return true;
		nanosleep(&moment, NULL);
	}
	return false;
}

bool interrupt_thread(int32_t system_id, struct interrupted_stack *stack)
{
	enum interrupt_state expected = INTERRUPT_REQUESTED;

	/* An earlier thread has not finished its answer, and our handler is still in use. */
	if (__atomic_load_n(&interrupt.state, __ATOMIC_ACQUIRE) == INTERRUPT_RUNNING)
		return false;
	interrupted_stack_prepare();
	if (!install(blocked_by(system_id)))
		return false;
	interrupt.system_id = system_id;
	interrupt.asked_at = interrupt.releases;
	__atomic_store_n(&interrupt.state, INTERRUPT_REQUESTED, __ATOMIC_RELEASE);
	if (syscall(SYS_tgkill, getpid(), system_id, interrupt.number) != 0) {
		interrupt.state = INTERRUPT_NONE;
		uninstall();
		return false;
	}
	interrupt.sent++;
	if (!wait_for_handler()) {
		__atomic_compare_exchange_n(&interrupt.state, &expected, INTERRUPT_NONE, false,
		                            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
		return false;
	}
	uninstall();
	interrupt.state = INTERRUPT_NONE;
	*stack = interrupt.stack;
	return stack->count > 0;
}

void interrupt_release(void)
{
	__atomic_fetch_add(&interrupt.releases, 1, __ATOMIC_RELEASE);
}
