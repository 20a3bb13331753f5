/* The program's own handlers of signals that the agent handles first. */
#include "job/check/wire/interrupt.h"
#include "job/check/wire/program_signals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <pthread.h>

void interrupted_stack_faulted(void)
{
}

/* In place of the preloaded library. */
extern struct page_hooks tarry_page_hooks;
__attribute__((visibility("default"))) struct page_hooks tarry_page_hooks = {.real_sigaction = sigaction};

static int set_action(const struct sigaction *action, struct sigaction *before)
{
	return tarry_page_hooks.signal_action(SIGSEGV, action, before);
}

static bool claim_faults(siginfo_t *info, void *context)
{
	(void)context;
	return info->si_code > 0;
}

enum { SIGNALS = 10000 };
static bool sent_all;
static uint32_t handled;
static uint32_t mixed; /* how often the handler of one was seen with the flags of the other */

static void handle_plain(int number)
{
	handled++;
	mixed += number != SIGSEGV;
}

static void handle_with_info(int number, siginfo_t *info, void *context)
{
	(void)context;
	handled++;
	mixed += number != SIGSEGV || info->si_signo != SIGSEGV;
}

static void *change_handlers(void *unused)
{
	const struct sigaction plain = {.sa_handler = handle_plain},
			       with_info = {.sa_sigaction = handle_with_info, .sa_flags = SA_SIGINFO};

	(void)unused;
	while (!__atomic_load_n(&sent_all, __ATOMIC_ACQUIRE)) {
		set_action(&plain, NULL);
		set_action(&with_info, NULL);
	}
	return NULL;
}

/* One thread sets handlers while another handles the signal. The thread sanitizer runs it, too. */
static void handlers_change_as_a_whole(void **state)
{
	const struct sigaction first = {.sa_handler = handle_plain};
	struct sigaction before, seen;
	pthread_t thread;

	(void)state;
	assert_true(program_signal_take(SIGSEGV, claim_faults));
	assert_int_equal(set_action(&first, &before), 0);
	assert_int_equal(pthread_create(&thread, NULL, change_handlers, NULL), 0);
	for (int i = 0; i < SIGNALS; i++) {
		raise(SIGSEGV);
		set_action(NULL, &seen);
		mixed += (seen.sa_handler == handle_plain) == !!(seen.sa_flags & SA_SIGINFO);
	}
	__atomic_store_n(&sent_all, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	assert_int_equal(handled, SIGNALS);
	assert_int_equal(mixed, 0);
	set_action(&before, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(handlers_change_as_a_whole)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
