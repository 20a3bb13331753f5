/* Guarded pages: accesses to them are recorded, and the program continues unchanged. */
#include "base/watchpoints.h"
#include "job/check/buffers/guarded_pages.h"
#include "job/check/buffers/program_memory.h"
#include "job/check/wire/process_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void agent_note(const char *format, ...)
{
	(void)format;
}

enum { PAGE = 4096, PAGES = 8, FUNCTION_BYTES = 512 };

_Thread_local struct agent_thread *agent_self __attribute__((tls_model("initial-exec")));
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void host_lock(void)
{
	pthread_mutex_lock(&lock);
}

void host_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

static char *memory;

static int make_memory(void **state)
{
	(void)state;
	memory = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(memory, 'a', (size_t)PAGES * PAGE);
	return memory == MAP_FAILED;
}

static int give_back(void **state)
{
	(void)state;
	return munmap(memory, (size_t)PAGES * PAGE);
}

static uint32_t guard(size_t first, size_t end, unsigned kind)
{
	return guard_begin((int64_t)(uintptr_t)memory + (int64_t)first,
	                   (int64_t)(uintptr_t)memory + (int64_t)end, kind, 7);
}

__attribute__((noinline)) static char reads(const volatile char *from)
{
	return *from;
}

__attribute__((noinline)) static void writes(volatile char *to)
{
	*to = 'b';
}

static bool is_within(uintptr_t address, const void *function)
{
	return address > (uintptr_t)function && address < (uintptr_t)function + FUNCTION_BYTES;
}

static void a_read_is_kept(void **state)
{
	const uint32_t number = guard(10, 3 * PAGE + 10, GUARD_ALL);
	struct page_access access;

	(void)state;
	assert_int_not_equal(number, 0);
	assert_int_equal(reads(memory + 20), 'a'); /* no whole page */
	assert_int_equal(reads(memory + 2 * PAGE + 5), 'a');
	writes(memory + PAGE);
	assert_true(guard_end(number, &access));
	assert_int_equal(access.address, (uintptr_t)memory + 2 * PAGE + 5);
	assert_int_equal(access.kind, ACCESS_READS);
	assert_int_equal(access.owner, 7);
	assert_false(access.in_call);
	assert_true(access.stack.count >= 2);
	assert_true(is_within(access.stack.addresses[0], (const void *)reads));
}

static void a_write_is_kept(void **state)
{
	const uint32_t number = guard(0, PAGE, GUARD_ALL);
	struct page_access access;

	(void)state;
	writes(memory + 1);
	assert_int_equal(memory[1], 'b');
	assert_true(guard_end(number, &access));
	assert_int_equal(access.kind, ACCESS_WRITES);
	assert_true(is_within(access.stack.addresses[0], (const void *)writes));
}

/* 0: the kernel denies watchpoints. */
static uint32_t watch(size_t first, size_t end, unsigned kind)
{
	const uint32_t number = guard(first, end, kind | GUARD_WORDS);

	if (!number)
		skip();
	return number;
}

/* A processor that stops after the access cannot tell it from a store of the same value. */
static enum access_kind kind_of_load(void)
{
	return trap_follows_access ? ACCESS_UNKNOWN : ACCESS_READS;
}

static void words_are_watched(void **state)
{
	const uint32_t number = watch(8, 12, GUARD_ALL);
	struct page_access access;

	(void)state;
	writes(memory + 7);
	writes(memory + 12);
	assert_false(guard_is_touched(number));
	assert_int_equal(reads(memory + 9), 'a');
	assert_true(guard_is_touched(number));
	assert_true(guard_end(number, &access));
	assert_int_equal(access.kind, kind_of_load());
	assert_int_equal(access.address, (uintptr_t)memory + 8);
	assert_false(access.is_repeated);
	assert_true(is_within(access.stack.addresses[0], (const void *)reads));
}

/* Watchpoints that are free watch more of a range, until other ranges need them. */
static void free_watchpoints_watch_more(void **state)
{
	uint32_t numbers[WATCHPOINTS_MAX] = {watch(8, 72, GUARD_ALL)};
	struct page_access access;

	(void)state;
	reads(memory + 70);
	assert_true(guard_end(numbers[0], &access));
	assert_int_equal(access.address, (uintptr_t)memory + 64);
	numbers[0] = watch(8, 72, GUARD_ALL);
	for (uint32_t i = 1; i < watchpoints_open(); i++)
		assert_int_not_equal(numbers[i] = watch(100 * i, 100 * i + 4, GUARD_ALL), 0);
	reads(memory + 8);
	reads(memory + 100);
	for (uint32_t i = 0; i < watchpoints_open(); i++)
		assert_int_equal(guard_end(numbers[i], &access), i < 2);
}

static void a_write_after_a_read_counts(void **state)
{
	const uint32_t number = watch(8, 12, GUARD_ALL);
	struct page_access access;

	(void)state;
	assert_int_equal(reads(memory + 8), 'a');
	writes(memory + 8);
	assert_int_equal(memory[8], 'b');
	assert_true(guard_end(number, &access));
	assert_int_equal(access.kind, ACCESS_WRITES);
	assert_true(is_within(access.stack.addresses[0], (const void *)writes));
}

static void many_reads_are_polling(void **state)
{
	const uint32_t number = watch(16, 20, GUARD_ALL);
	struct page_access access;

	(void)state;
	for (int i = 0; i < 100; i++)
		assert_int_equal(reads(memory + 16), 'a');
	assert_true(guard_end(number, &access));
	assert_true(access.is_repeated);
}

static void reads_of_words_are_allowed(void **state)
{
	const uint32_t number = watch(16, 24, GUARD_WRITES);
	struct page_access access;

	(void)state;
	assert_int_equal(reads(memory + 16), 'a');
	assert_false(guard_is_touched(number));
	memory[17] = 'a'; /* the same value */
	assert_true(guard_end(number, &access));
	assert_int_equal(access.kind, ACCESS_WRITES);
}

/* MPI and the agent use the bytes as well: they are watched all the same. */
static void accesses_inside_mpi_do_not_count(void **state)
{
	struct agent_thread thread = {.current = (const struct agent_call *)&thread};
	const uint32_t number = watch(24, 28, GUARD_ALL);
	struct page_access access;

	(void)state;
	agent_self = &thread;
	assert_int_equal(reads(memory + 24), 'a');
	writes(memory + 24);
	agent_self = NULL;
	assert_false(guard_is_touched(number));
	assert_int_equal(reads(memory + 24), 'b');
	assert_true(guard_end(number, &access));
	assert_int_equal(access.kind, kind_of_load());
}

/* Bytes before the first whole page are watched, pages are protected. */
static void both_parts_of_a_range_are_seen(void **state)
{
	for (size_t touched = PAGE - 16; touched < 2 * PAGE; touched += PAGE) {
		const uint32_t number = watch(PAGE - 16, 3 * PAGE, GUARD_ALL);
		struct page_access access;

		writes(memory + touched);
		assert_true(guard_end(number, &access));
		assert_int_equal(access.address, (uintptr_t)memory + touched);
	}
	(void)state;
}

static void *blocks_and_touches(void *argument)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	writes(argument);
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	return NULL;
}

/* The agent's signal cannot be blocked, and a late one does not reach the program. */
static void blocked_traps_do_no_harm(void **state)
{
	sigset_t all, before;
	struct page_access access;
	uint32_t number = watch(40, 44, GUARD_ALL);

	(void)state;
	blocks_and_touches(memory + 40);
	assert_true(guard_end(number, &access));
	assert_int_equal(access.kind, ACCESS_WRITES);
	sigfillset(&all);
	for (int i = 0; i < 2; i++) {
		number = watch(40, 44, GUARD_ALL);
		syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(uint64_t));
		writes(memory + 40);
		syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(uint64_t));
		guard_end(number, NULL);
	}
	number = watch(40, 44, GUARD_ALL);
	writes(memory + 40);
	assert_true(guard_end(number, &access));
}

/* A thread that did not open the watchpoints makes one access, not several. */
static void other_threads_touch_once(void **state)
{
	struct page_access access;
	const uint32_t number = watch(48, 52, GUARD_ALL);
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, blocks_and_touches, memory + 48), 0);
	pthread_join(thread, NULL);
	assert_true(guard_end(number, &access));
	assert_int_equal(access.kind, ACCESS_WRITES);
	assert_int_equal(memory[48], 'b');
}

static volatile int traps;

static void count_trap(int number)
{
	(void)number;
	traps++;
}

static void the_program_has_its_own_traps(void **state)
{
	struct sigaction ours = {.sa_handler = count_trap}, before;
	const uint32_t number = watch(32, 36, GUARD_ALL);
	struct page_access access;

	(void)state;
	assert_int_equal(sigaction(SIGTRAP, &ours, &before), 0);
	raise(SIGTRAP);
	assert_int_equal(traps, 1);
	writes(memory + 32);
	assert_true(guard_end(number, &access));
	assert_int_equal(traps, 1);
	assert_int_equal(sigaction(SIGTRAP, &before, &ours), 0);
	assert_ptr_equal(ours.sa_handler, count_trap);
}

static void nothing_is_kept_of_others(void **state)
{
	const uint32_t first = guard(0, PAGE, GUARD_ALL), second = guard(PAGE, 2 * PAGE, GUARD_ALL);
	struct page_access access;

	(void)state;
	assert_int_not_equal(second, 0);
	assert_int_equal(guard(PAGE, 3 * PAGE, GUARD_ALL), 0); /* a page cannot have two */
	assert_int_equal(guard(3 * PAGE + 1, 5 * PAGE - 1, GUARD_ALL), 0);
	assert_int_equal(guard(3 * PAGE, 5 * PAGE, GUARD_WRITES), 0); /* MPI uses these pages */
	assert_int_equal(reads(memory + 2 * PAGE), 'a');
	guards_open((int64_t)(uintptr_t)memory, (int64_t)(uintptr_t)memory + 1);
	writes(memory);
	assert_false(guard_end(first, &access));
	assert_false(guard_end(second, &access));
	assert_false(guard_end(0, &access));
}

static void only_memory_of_the_program(void **state)
{
	char on_stack[4 * PAGE];
	char *heap = malloc((size_t)1 << 20);
	static char bss[4 * PAGE];
	const uint32_t in_heap = guard_begin((int64_t)(uintptr_t)heap, (int64_t)(uintptr_t)heap + (1 << 20),
	                                     GUARD_ALL, 0),
		       in_bss = guard_begin((int64_t)(uintptr_t)bss, (int64_t)(uintptr_t)bss + sizeof bss,
	                                    GUARD_ALL, 0);

	(void)state;
	assert_int_equal(guard_begin((int64_t)(uintptr_t)on_stack,
	                             (int64_t)(uintptr_t)on_stack + sizeof on_stack, GUARD_ALL, 0),
	                 0);
	assert_int_not_equal(in_heap, 0);
	assert_int_not_equal(in_bss, 0);
	memset(bss, 1, sizeof bss);
	assert_false(guard_end(in_heap, NULL));
	assert_true(guard_end(in_bss, NULL));
	free(heap);
}

static void *guard_own_stack(void *result)
{
	char on_stack[8 * PAGE];

	*(uint32_t *)result = guard_begin((int64_t)(uintptr_t)on_stack,
	                                  (int64_t)(uintptr_t)on_stack + sizeof on_stack, GUARD_ALL, 0);
	return NULL;
}

static void no_stack_of_a_thread(void **state)
{
	uint32_t number = 1;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, guard_own_stack, &number), 0);
	pthread_join(thread, NULL);
	assert_int_equal(number, 0);
}

static void shared_memory_if_wanted(void **state)
{
	char *shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const int64_t first = (int64_t)(uintptr_t)shared;
	uint32_t number;

	(void)state;
	assert_int_equal(guard_begin(first, first + PAGE, GUARD_ALL, 0), 0);
	number = guard_begin(first, first + PAGE, GUARD_ALL | GUARD_SHARED, 0);
	assert_int_not_equal(number, 0);
	writes(shared);
	assert_true(guard_end(number, NULL));
	munmap(shared, PAGE);
}

static void system_calls_go_on(void **state)
{
	const uint32_t number = guard(0, 2 * PAGE, GUARD_ALL), other = guard(4 * PAGE, 5 * PAGE, GUARD_ALL);
	struct page_access access;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], memory, PAGE), PAGE);
	assert_true(guard_end(number, &access));
	assert_int_equal(access.kind, ACCESS_READS);
	assert_true(is_within(access.stack.addresses[0], (const void *)system_calls_go_on));
	assert_int_equal(read(ends[0], memory + 4 * PAGE, PAGE), PAGE);
	assert_true(guard_end(other, &access));
	assert_int_equal(access.kind, ACCESS_WRITES);
	close(ends[0]);
	close(ends[1]);
}

/* That begin in the memory. */
static uint32_t count_mappings(void)
{
	uint32_t count = 0;
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (fgets(line, sizeof line, maps)) {
		const uintptr_t first = strtoull(line, NULL, 16);

		count += first >= (uintptr_t)memory && first < (uintptr_t)memory + (size_t)PAGES * PAGE;
	}
	fclose(maps);
	return count;
}

/* Pages that are guarded often are a mapping of their own, until the program moves its memory. */
static void guarded_memory_may_be_moved(void **state)
{
	const uint32_t before = count_mappings();
	struct page_access access;
	char *moved;

	(void)state;
	for (int i = 0; i < 8; i++) {
		const uint32_t number = guard(PAGE, 2 * PAGE, GUARD_ALL);

		assert_int_not_equal(number, 0);
		if (i == 6)
			((volatile char *)memory)[PAGE + 5] = 'b';
		assert_int_equal(guard_end(number, &access), i == 6);
	}
	assert_int_equal(count_mappings(), before + 2);
	moved = mremap(memory, (size_t)PAGES * PAGE, (size_t)2 * PAGES * PAGE, MREMAP_MAYMOVE);
	assert_ptr_not_equal(moved, MAP_FAILED);
	assert_int_equal(moved[PAGE + 5], 'b');
	memory = mremap(moved, (size_t)2 * PAGES * PAGE, (size_t)PAGES * PAGE, 0);
	assert_ptr_equal(memory, moved);
	assert_in_range(count_mappings(), 0, 1);
}

static void streams_go_on(void **state)
{
	const uint32_t number = guard(0, PAGES * PAGE, GUARD_ALL);
	FILE *file = tmpfile();

	(void)state;
	assert_int_equal(fwrite(memory, 1, (size_t)PAGES * PAGE, file), PAGES * PAGE);
	assert_true(guard_end(number, NULL));
	fclose(file);
}

static volatile sig_atomic_t handled;
static sigjmp_buf back;

static void handle(int number)
{
	handled = number;
	siglongjmp(back, 1);
}

/* The program sets and queries its own handler, which gets its own faults, and none of ours. */
static void the_program_has_its_handler(void **state)
{
	struct sigaction action = {.sa_handler = handle}, seen;
	const uint32_t number = guard(0, PAGE, GUARD_ALL);

	(void)state;
	signal(SIGSEGV, SIG_DFL); /* cmocka has one */
	assert_int_equal(sigaction(SIGSEGV, NULL, &seen), 0);
	assert_true(seen.sa_handler == SIG_DFL);
	assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
	assert_int_equal(sigaction(SIGSEGV, NULL, &seen), 0);
	assert_true(seen.sa_handler == handle);
	assert_int_equal(reads(memory), 'a');
	assert_int_equal(handled, 0);
	assert_true(guard_end(number, NULL));
	mprotect(memory + PAGE, PAGE, PROT_NONE);
	if (sigsetjmp(back, 1) == 0)
		reads(memory + PAGE);
	assert_int_equal(handled, SIGSEGV);
	mprotect(memory + PAGE, PAGE, PROT_READ | PROT_WRITE);
	assert_true(signal(SIGSEGV, SIG_DFL) == handle);
}

static void there_is_no_guard_zero(void **state)
{
	(void)state;
	assert_false(guard_end(0, NULL));
}

static int status_of_child(void (*work)(void))
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		signal(SIGSEGV, SIG_DFL);
		work();
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

static void fault_elsewhere(void)
{
	reads(memory + 2 * PAGE);
}

static void send_signal(void)
{
	raise(SIGSEGV);
}

static void touch_guarded(void)
{
	writes(memory);
}

static void faults_of_the_program_end_it(void **state)
{
	const uint32_t number = guard(0, PAGE, GUARD_ALL);
	int status;

	(void)state;
	mprotect(memory + 2 * PAGE, PAGE, PROT_NONE);
	status = status_of_child(fault_elsewhere);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	status = status_of_child(send_signal);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	assert_int_equal(status_of_child(touch_guarded), 0);
	assert_false(guard_end(number, NULL));
}

/* A thread that blocks all signals continues, too. */
static void *touch_blocked(void *argument)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	writes(argument);
	return NULL;
}

static void blocked_signals_do_no_harm(void **state)
{
	const uint32_t number = guard(0, PAGE, GUARD_ALL);
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, touch_blocked, memory), 0);
	pthread_join(thread, NULL);
	assert_true(guard_end(number, NULL));
}

enum { THREADS = 4, ROUNDS = 200 };
static bool stop;

static void *touch_always(void *argument)
{
	volatile int *counter = argument;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		(*counter)++;
	return NULL;
}

/* Guards are set and removed while threads use the pages, until one was hit: on a busy machine threads may
 * have no CPU for a while. */
static void threads_meet_guards(void **state)
{
	pthread_t threads[THREADS];
	uint32_t seen = 0;

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, touch_always, memory + i * PAGE), 0);
	for (int i = 0; i < ROUNDS || !seen; i++) {
		const uint32_t one = guard(0, 2 * PAGE, GUARD_ALL),
			       two = guard(2 * PAGE, 4 * PAGE, GUARD_ALL);

		assert_true(one && two);
		if (i % 2)
			sched_yield();
		seen += guard_end(one, NULL);
		seen += guard_end(two, NULL);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_read_is_kept, make_memory, give_back),
		cmocka_unit_test_setup_teardown(a_write_is_kept, make_memory, give_back),
		cmocka_unit_test_setup_teardown(words_are_watched, make_memory, give_back),
		cmocka_unit_test_setup_teardown(free_watchpoints_watch_more, make_memory, give_back),
		cmocka_unit_test_setup_teardown(a_write_after_a_read_counts, make_memory, give_back),
		cmocka_unit_test_setup_teardown(many_reads_are_polling, make_memory, give_back),
		cmocka_unit_test_setup_teardown(reads_of_words_are_allowed, make_memory, give_back),
		cmocka_unit_test_setup_teardown(accesses_inside_mpi_do_not_count, make_memory, give_back),
		cmocka_unit_test_setup_teardown(both_parts_of_a_range_are_seen, make_memory, give_back),
		cmocka_unit_test_setup_teardown(blocked_traps_do_no_harm, make_memory, give_back),
		cmocka_unit_test_setup_teardown(other_threads_touch_once, make_memory, give_back),
		cmocka_unit_test_setup_teardown(the_program_has_its_own_traps, make_memory, give_back),
		cmocka_unit_test_setup_teardown(nothing_is_kept_of_others, make_memory, give_back),
		cmocka_unit_test_setup_teardown(only_memory_of_the_program, make_memory, give_back),
		cmocka_unit_test_setup_teardown(no_stack_of_a_thread, make_memory, give_back),
		cmocka_unit_test_setup_teardown(shared_memory_if_wanted, make_memory, give_back),
		cmocka_unit_test_setup_teardown(system_calls_go_on, make_memory, give_back),
		cmocka_unit_test_setup_teardown(guarded_memory_may_be_moved, make_memory, give_back),
		cmocka_unit_test_setup_teardown(streams_go_on, make_memory, give_back),
		cmocka_unit_test_setup_teardown(the_program_has_its_handler, make_memory, give_back),
		cmocka_unit_test(there_is_no_guard_zero),
		cmocka_unit_test_setup_teardown(faults_of_the_program_end_it, make_memory, give_back),
		cmocka_unit_test_setup_teardown(blocked_signals_do_no_harm, make_memory, give_back),
		cmocka_unit_test_setup_teardown(threads_meet_guards, make_memory, give_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
