#include "job/check/wire/program_signals.h"

#include "job/check/wire/interrupt.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct page_hooks *hooks;

/* The program's own actions. Any thread may set one while another handles the signal. */
static struct sigaction program_actions[NSIG];
static bool action_is_locked;

static bool is_taken[NSIG], is_watched[NSIG];
static signal_claim *claims[NSIG];
static void (*open_pages)(void);
static signal_witness *witness;

struct page_hooks *program_signal_hooks(void)
{
	static bool tried;

	if (!tried) {
		struct page_hooks *found = dlsym(RTLD_DEFAULT, PAGE_HOOKS_SYMBOL);

		hooks = found && found->real_sigaction ? found : NULL;
		tried = true;
	}
	return hooks;
}

/* Not even SIGSEGV may interrupt the thread with the lock, so a system call blocks it: our own pthread_sigmask() does not (process_calls.c). */
static void lock_action(uint64_t *blocked)
{
	const uint64_t all = UINT64_MAX;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, blocked, sizeof all);
	while (__atomic_test_and_set(&action_is_locked, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void unlock_action(const uint64_t *blocked)
{
	__atomic_clear(&action_is_locked, __ATOMIC_RELEASE);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, blocked, NULL, sizeof *blocked);
}

void program_signals_after_fork(void)
{
	__atomic_clear(&action_is_locked, __ATOMIC_RELEASE);
}

/* Takes the action for one signal: with SA_RESETHAND, the next one gets the default action. */
static struct sigaction take_action(int number)
{
	struct sigaction *const program_action = &program_actions[number];
	struct sigaction action;
	uint64_t blocked;

	lock_action(&blocked);
	action = *program_action;
	if (action.sa_flags & (int)SA_RESETHAND && action.sa_handler != SIG_IGN)
		*program_action = (struct sigaction){.sa_handler = SIG_DFL};
	unlock_action(&blocked);
	return action;
}

/* Calls the program's handler like the kernel. A fatal signal ends the program when the instruction is executed
 * again, or when the signal is sent again. */
static void call_program(int number, siginfo_t *info, void *context)
{
	const struct sigaction action = take_action(number);
	const bool is_plain = !(action.sa_flags & SA_SIGINFO),
		   was_sent = info->si_code <= 0 || is_watched[number],
		   is_left = is_plain && (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN);

	/* The handler must not fault on guarded pages while SIGSEGV is blocked. */
	if (open_pages && (number == SIGSEGV || sigismember(&action.sa_mask, SIGSEGV)))
		open_pages();
	if (is_plain && action.sa_handler == SIG_IGN && was_sent)
		return;
	if (witness && number != SIGTRAP)
		witness(number, info, is_left);
	if (is_left) {
		const struct sigaction ends = {.sa_handler = SIG_DFL};

		hooks->real_sigaction(number, &ends, NULL);
		if (was_sent || number == SIGTRAP) /* a breakpoint is not executed again */
			syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), number);
		return;
	}
	pthread_sigmask(SIG_BLOCK, &action.sa_mask, NULL);
	if (is_plain)
		action.sa_handler(number);
	else
		action.sa_sigaction(number, info, context);
}

static void handle(int number, siginfo_t *info, void *context)
{
	signal_claim *const claim = __atomic_load_n(&claims[number], __ATOMIC_ACQUIRE);
	const int saved = errno;

	if (number == SIGSEGV || number == SIGBUS)
		interrupted_stack_faulted();
	if (!claim || !claim(info, context))
		call_program(number, info, context);
	errno = saved;
}

/* Our handler runs on the alternate stack only if the program wants that for its own, because that stack may be
 * small. */
static bool install(int number)
{
	struct sigaction ours = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART};

	ours.sa_flags |= program_actions[number].sa_flags & SA_ONSTACK;
	return hooks->real_sigaction(number, &ours, NULL) == 0;
}

/* Leaves the signal to the program, whose handler must not block the signals of guarded pages. */
static int leave_to_program(int number, const struct sigaction *action, struct sigaction *before)
{
	struct sigaction left;

	if (!action)
		return hooks->real_sigaction(number, NULL, before);
	left = *action;
	for (int i = 0; i < PAGE_HOOK_UNBLOCKED && hooks->has_system_calls; i++)
		sigdelset(&left.sa_mask, page_hook_signals[i]);
	return hooks->real_sigaction(number, &left, before);
}

/* The program calls sigaction(), perhaps for a signal of ours. The program's memory may be
 * guarded, so it is not accessed while the lock is held. */
static int program_sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	const struct sigaction wanted = action ? *action : (struct sigaction){.sa_handler = SIG_DFL};
	struct sigaction old;
	uint64_t blocked;

	if (!__atomic_load_n(&is_taken[number], __ATOMIC_ACQUIRE))
		return leave_to_program(number, action, before);
	lock_action(&blocked);
	old = program_actions[number];
	if (action && is_watched[number] && wanted.sa_handler != SIG_DFL) {
		__atomic_store_n(&is_taken[number], false, __ATOMIC_RELEASE);
		leave_to_program(number, &wanted, NULL);
	} else if (action) {
		program_actions[number] = wanted;
		install(number);
	}
	unlock_action(&blocked);
	if (before)
		*before = old;
	return 0;
}

bool program_signal_take(int number, signal_claim *claim)
{
	if (!program_signal_hooks())
		return false;
	if (claim)
		__atomic_store_n(&claims[number], claim, __ATOMIC_RELEASE);
	if (is_taken[number])
		return true;
	if (hooks->real_sigaction(number, NULL, &program_actions[number]) != 0 || !install(number))
		return false;
	__atomic_store_n(&is_taken[number], true, __ATOMIC_RELEASE);
	__atomic_store_n(&hooks->signal_action, program_sigaction, __ATOMIC_RELEASE);
	return true;
}

void program_signal_watch(int number)
{
	struct sigaction action;

	if (!program_signal_hooks() || is_taken[number] ||
	    hooks->real_sigaction(number, NULL, &action) != 0 || action.sa_handler != SIG_DFL)
		return;
	is_watched[number] = true;
	program_signal_take(number, NULL);
}

void program_signals_open_with(void (*function)(void))
{
	open_pages = function;
}

void program_signals_seen_by(signal_witness *function)
{
	witness = function;
}
