/* libtarry-process-calls.so, preloaded by `tarry check`, and a part of libtarry-system-calls.so: functions
 * of the C library that the agent must see (base/page_hooks.h). Programs may handle and block SIGSEGV and
 * other signals that the agent uses; its handlers stay installed. The agent is notified before a thread is
 * created and before a heap block with a window is freed. All calls are forwarded. */
#include "job/system_calls/forwarding.h"

#include <pthread.h>
#include <stdlib.h>

EXPORT struct page_hooks tarry_page_hooks;

static bool is_of_agent(int number)
{
	const int *one = page_hook_signals;

	while (*one && *one != number)
		one++;
	return *one != 0;
}

/* Signals of guarded pages are never blocked: a fault while SIGSEGV is blocked would end the program, and a
 * watchpoint would be reported too late. */
static void without_agents(sigset_t *set)
{
	if (!tarry_page_hooks.has_system_calls)
		return;
	for (int i = 0; i < PAGE_HOOK_UNBLOCKED; i++)
		sigdelset(set, page_hook_signals[i]);
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	int (*const of_agent)(int, const struct sigaction *, struct sigaction *) = __atomic_load_n(
		&tarry_page_hooks.signal_action, __ATOMIC_ACQUIRE);
	struct sigaction ours;

	if (is_of_agent(number) && of_agent)
		return of_agent(number, action, before);
	if (!action || is_of_agent(number))
		return NEXT(sigaction)(number, action, before);
	ours = *action;
	without_agents(&ours.sa_mask);
	return NEXT(sigaction)(number, &ours, before);
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;

	if (!is_of_agent(number) || !__atomic_load_n(&tarry_page_hooks.signal_action, __ATOMIC_ACQUIRE))
		return NEXT(signal)(number, handler);
	sigemptyset(&action.sa_mask);
	return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	sigset_t ours;

	if (!set || how == SIG_UNBLOCK)
		return NEXT(pthread_sigmask)(how, set, before);
	ours = *set;
	without_agents(&ours);
	return NEXT(pthread_sigmask)(how, &ours, before);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	sigset_t ours;

	if (!set || how == SIG_UNBLOCK)
		return NEXT(sigprocmask)(how, set, before);
	ours = *set;
	without_agents(&ours);
	return NEXT(sigprocmask)(how, &ours, before);
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                          void *argument)
{
	void (*const begins)(const void *site) = __atomic_load_n(&tarry_page_hooks.thread_begins,
	                                                         __ATOMIC_ACQUIRE);

	if (begins)
		begins(HERE);
	return NEXT(pthread_create)(thread, attributes, start, argument);
}

/* dlsym() itself may free the text of an earlier error; that block is leaked. `is_looking` is volatile, because
 * compilers assume that dlsym() does not call free() of this file. */
static void (*find_free(void))(void *block)
{
	static _Thread_local volatile bool is_looking __attribute__((tls_model("initial-exec")));
	static void (*next)(void *block);

	if (__builtin_expect(!next, 0) && !is_looking) {
		is_looking = true;
		next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
		is_looking = false;
	}
	return next;
}

EXPORT void free(void *block)
{
	void (*const next)(void *block) = find_free();

	if (__builtin_expect(
		    (uintptr_t)block < __atomic_load_n(&tarry_page_hooks.block_high, __ATOMIC_ACQUIRE), 0) &&
	    (uintptr_t)block >= __atomic_load_n(&tarry_page_hooks.block_low, __ATOMIC_RELAXED))
		tarry_page_hooks.freed(block, HERE);
	if (next)
		next(block);
}

__attribute__((constructor)) static void begin(void)
{
	find_free();
	tarry_page_hooks.real_sigaction = NEXT(sigaction);
}
