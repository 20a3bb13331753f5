#include "job/check/wire/interrupt.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { FUNCTION_BYTES = 512 }; /* more than it has */

static volatile int is_over, ready, rounds, woken;
static volatile int32_t system_id;
static int handlers_before; /* valgrind has one */

static void announce(void)
{
	system_id = (int32_t)syscall(SYS_gettid);
	ready = 1;
}

/* The function that is to be found on the stack. */
__attribute__((noinline)) static void rest(void)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	announce();
	for (; !is_over; rounds++)
		nanosleep(&moment, NULL);
	__asm__ volatile("");
}

static void *rest_in_thread(void *unused)
{
	(void)unused;
	rest();
	return NULL;
}

static void *sleep_once(void *unused)
{
	const struct timespec hours = {.tv_sec = 10000};

	(void)unused;
	announce();
	woken = nanosleep(&hours, NULL) == 0 ? 1 : errno;
	return NULL;
}

static void *compute(void *unused)
{
	(void)unused;
	announce();
	while (!is_over)
		rounds++;
	return NULL;
}

static void *rest_without_signals(void *unused)
{
	sigset_t all;

	(void)unused;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	rest();
	return NULL;
}

static pthread_t start(void *(*function)(void *))
{
	const struct timespec moment = {.tv_nsec = 1000000};
	pthread_t thread;

	is_over = ready = 0;
	assert_int_equal(pthread_create(&thread, NULL, function, NULL), 0);
	while (!ready)
		nanosleep(&moment, NULL);
	return thread;
}

static void end(pthread_t thread)
{
	is_over = 1;
	interrupt_release();
	pthread_join(thread, NULL);
}

static int handlers_of_real_time(void)
{
	struct sigaction action;
	int count = 0;

	for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
		sigaction(number, NULL, &action);
		count += action.sa_handler != SIG_DFL;
	}
	return count;
}

/* Until the thread continues. */
static void release_and_wait(void)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	const int before = rounds;

	interrupt_release();
	while (rounds == before)
		nanosleep(&moment, NULL);
}

static void test_finds_function(void **state)
{
	struct interrupted_stack stack;
	pthread_t thread = start(rest_in_thread);
	int found = 0;

	(void)state;
	for (int times = 0; times < 50; times++) {
		found = 0;
		assert_true(interrupt_thread(system_id, &stack));
		assert_true(stack.is_whole);
		for (uint32_t i = 0; i < stack.count; i++)
			found += stack.addresses[i] - (uintptr_t)rest < FUNCTION_BYTES;
		assert_true(found);
		release_and_wait();
		assert_int_equal(handlers_of_real_time(), handlers_before);
	}
	end(thread);
}

static void wait_a_moment(void)
{
	const struct timespec moment = {.tv_nsec = 100000000};

	nanosleep(&moment, NULL);
}

/* A sleep that ended early would change the program's behaviour. */
static void test_holds_threads_that_sleep(void **state)
{
	struct interrupted_stack stack;
	pthread_t thread = start(sleep_once);

	(void)state;
	woken = 0;
	wait_a_moment();
	assert_true(interrupt_thread(system_id, &stack));
	wait_a_moment();
	assert_int_equal(woken, 0);
	interrupt_release();
	pthread_join(thread, NULL);
	assert_int_equal(woken, EINTR);
}

/* One of them may have a lock that the service thread needs. */
static void test_lets_others_go_on(void **state)
{
	struct interrupted_stack stack;
	pthread_t thread = start(compute);
	int before;

	(void)state;
	assert_true(interrupt_thread(system_id, &stack));
	before = rounds;
	for (int i = 0; i < 300 && rounds == before; i++)
		wait_a_moment(); /* less than it would be held for */
	assert_int_not_equal(rounds, before);
	end(thread);
}

static void test_spares_threads_that_block_signals(void **state)
{
	struct interrupted_stack stack;
	pthread_t thread = start(rest_without_signals);

	(void)state;
	assert_false(interrupt_thread(system_id, &stack));
	assert_int_equal(handlers_of_real_time(), handlers_before);
	end(thread);
}

static void handle(int number)
{
	(void)number;
}

static void test_takes_a_signal_that_is_free(void **state)
{
	struct interrupted_stack stack;
	struct sigaction ours = {.sa_handler = handle}, before[NSIG];
	pthread_t thread = start(rest_in_thread);

	(void)state;
	for (int number = SIGRTMAX; number > SIGRTMIN + 1; number--)
		sigaction(number, &ours, &before[number]);
	assert_true(interrupt_thread(system_id, &stack));
	release_and_wait();
	sigaction(SIGRTMIN + 1, &ours, &before[SIGRTMIN + 1]);
	assert_false(interrupt_thread(system_id, &stack));
	end(thread);
	for (int number = SIGRTMIN + 1; number <= SIGRTMAX; number++)
		sigaction(number, &before[number], NULL);
}

static void test_knows_threads_that_are_gone(void **state)
{
	struct interrupted_stack stack;

	(void)state;
	end(start(rest_in_thread));
	assert_false(interrupt_thread(system_id, &stack));
	assert_int_equal(handlers_of_real_time(), handlers_before);
}

static int gate[2];

/* It takes no signals while its child of vfork() waits for the gate to open. */
static void *wait_for_child(void *unused)
{
	pid_t child;

	(void)unused;
	announce();
	child = vfork();
	if (child == 0) {
		char byte;

		syscall(SYS_read, gate[0], &byte, 1);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return NULL;
}

static void open_gate(pthread_t waiting)
{
	assert_int_equal(write(gate[1], "", 1), 1);
	pthread_join(waiting, NULL);
	close(gate[0]);
	close(gate[1]);
}

static void test_survives_late_answers(void **state)
{
	struct interrupted_stack stack;
	pthread_t late, prompt;

	(void)state;
	if (handlers_before)
		skip(); /* valgrind makes a fork() of vfork() */
	assert_int_equal(pipe(gate), 0);
	late = start(wait_for_child);
	wait_a_moment();
	assert_false(interrupt_thread(system_id, &stack));
	prompt = start(rest_in_thread);
	assert_true(interrupt_thread(system_id, &stack));
	release_and_wait();
	open_gate(late); /* it takes the signal now */
	assert_true(interrupt_thread(system_id, &stack));
	assert_int_equal(handlers_of_real_time(), handlers_before);
	end(prompt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_function),
		cmocka_unit_test(test_holds_threads_that_sleep),
		cmocka_unit_test(test_lets_others_go_on),
		cmocka_unit_test(test_spares_threads_that_block_signals),
		cmocka_unit_test(test_takes_a_signal_that_is_free),
		cmocka_unit_test(test_knows_threads_that_are_gone),
		cmocka_unit_test(test_survives_late_answers),
	};

	handlers_before = handlers_of_real_time();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
