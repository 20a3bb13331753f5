/* Loads and stores of a program in its own window: they are seen on a second mapping of the same memory, which only the program has. */
#include "base/settings.h"
#include "job/check/buffers/active_buffers.h"
#include "job/check/windows/local_accesses.h"
#include "job/check/wire/process_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void agent_note(const char *format, ...)
{
	(void)format;
}

enum { PAGES = 40, TAIL = 100 /* of the last page, which the window does not have */ };

_Thread_local struct agent_thread *agent_self __attribute__((tls_model("initial-exec")));
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int64_t page, used_first, used_end; /* bytes that MPI uses */

void host_lock(void)
{
	pthread_mutex_lock(&lock);
}

void host_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

void *host_table(size_t count, size_t size)
{
	return calloc(count, size);
}

bool active_buffers_have(int64_t first, int64_t end)
{
	return first < used_end && end > used_first;
}

static struct checked_window window;
static char *mpi;                /* MPI's address of the memory */
static volatile char *program;   /* the program's */
static struct agent_thread self; /* outside of MPI */

/* A window as MPI_Win_allocate has made it. */
static void allocate(int flags)
{
	int64_t given;
	const int64_t arguments[] = {0, 1, 0, 0, (int64_t)(uintptr_t)&given, 0};
	const struct agent_call call = {.id = CALL_Win_allocate, .arguments = arguments};

	mpi = mmap(NULL, (size_t)(PAGES * page), PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(mpi, MAP_FAILED);
	memset(mpi, 'a', (size_t)(PAGES * page));
	window = (struct checked_window){.memory = WINDOW_MEMORY_ALLOCATED,
	                                 .base = (int64_t)(uintptr_t)mpi,
	                                 .own = {.bytes = PAGES * page - TAIL, .unit = 1}};
	given = window.base;
	local_accesses_map(&call, &window);
	program = (volatile char *)(uintptr_t)given;
}

static int start(void **state)
{
	(void)state;
	agent_self = &self;
	used_first = used_end = 0;
	setenv(SETTING_BUFFERS, BUFFERS_ALL, 1);
	local_accesses_init();
	allocate(MAP_SHARED);
	return window.local == NULL;
}

static int end(void **state)
{
	(void)state;
	local_accesses_unmap(&window);
	assert_int_equal(guarded_windows, 0);
	return munmap(mpi, (size_t)(PAGES * page));
}

/* The next one is this one. */
static void expect_access(int64_t offset, enum access_kind kind)
{
	struct page_access access;

	assert_true(local_accesses_are_new());
	assert_true(local_accesses_next(&window, &access));
	assert_int_equal(access.address, (uintptr_t)program + (uintptr_t)offset);
	assert_int_equal(access.kind, kind);
	assert_false(local_accesses_next(&window, &access));
}

static void expect_none(void)
{
	struct page_access access;

	local_accesses_are_new();
	assert_false(local_accesses_next(&window, &access));
}

static void both_mappings_are_the_same_memory(void **state)
{
	(void)state;
	assert_ptr_not_equal(program, mpi);
	assert_int_equal(guarded_windows, 1);
	program[5 * page] = 'b';
	assert_int_equal(mpi[5 * page], 'b');
	mpi[7] = 'c';
	assert_int_equal(program[7], 'c');
}

static void only_the_programs_accesses_are_seen(void **state)
{
	(void)state;
	local_accesses_guard(&window);
	mpi[3 * page] = 'b';
	assert_int_equal(mpi[4 * page], 'a');
	expect_none();
	assert_int_equal(program[3 * page], 'b');
	expect_access(3 * page, ACCESS_READS);
	program[20 * page + 9] = 'd';
	assert_int_equal(mpi[20 * page + 9], 'd');
	expect_access(20 * page + 9, ACCESS_WRITES);
}

static void each_call_and_each_synchronisation_begin_anew(void **state)
{
	(void)state;
	local_accesses_guard(&window);
	program[0] = 'b';
	program[1] = 'c'; /* after the first access to this part */
	expect_access(0, ACCESS_WRITES);
	expect_none();
	for (int i = 1; i < WINDOW_ACCESSES; i++) {
		program[i] = 'd';
		expect_access(i, ACCESS_WRITES);
	}
	program[0] = 'd'; /* enough of them */
	expect_none();
	local_accesses_guard(&window);
	assert_int_equal(program[0], 'd');
	expect_access(0, ACCESS_READS);
}

/* Parts are of one or two pages: there are fewer guards than pages. */
static void parts_are_seen_one_by_one(void **state)
{
	struct page_access access;
	int seen = 0;

	(void)state;
	local_accesses_guard(&window);
	for (int i = 0; i < PAGES - 1; i++)
		program[i * page] = 'b';
	while (local_accesses_next(&window, &access))
		seen++;
	assert_int_equal(seen, (PAGES + 1) / 2);
}

static void what_is_no_access_of_the_program_to_the_window(void **state)
{
	struct agent_call call = {.id = CALL_Get};

	(void)state;
	local_accesses_guard(&window);
	program[PAGES * page - 1] = 'b'; /* after the window */
	expect_none();
	RELAXED_STORE(self.current, &call);
	program[0] = 'b'; /* a thread in MPI */
	RELAXED_STORE(self.current, NULL);
	expect_none();
	used_first = (int64_t)(uintptr_t)program + 8 * page;
	used_end = used_first + 1;
	guards_open_windows(used_first, used_end);
	local_accesses_guard(&window);
	program[8 * page] = 'b'; /* MPI uses it as a buffer */
	expect_none();
	program[12 * page] = 'b';
	local_accesses_guard(&window);
	guards_open_windows((int64_t)(uintptr_t)program, (int64_t)(uintptr_t)program + page);
	program[10] = 'b';
	expect_none();
}

static void the_attribute_is_the_programs_address(void **state)
{
	int64_t value = window.base;
	int flag = 1;
	const int64_t arguments[] = {0, 0, (int64_t)(uintptr_t)&value, (int64_t)(uintptr_t)&flag};
	const struct agent_call call = {.id = CALL_Win_get_attr, .arguments = arguments};

	(void)state;
	local_accesses_attribute(&call, &window);
	assert_int_equal(value, (uintptr_t)program);
	value = 77;
	local_accesses_attribute(&call, &window);
	assert_int_equal(value, 77);
	value = window.base;
	flag = 0;
	local_accesses_attribute(&call, &window);
	assert_int_equal(value, window.base);
}

static void other_memory_is_not_mapped_again(void **state)
{
	(void)state;
	setenv(SETTING_BUFFERS, BUFFERS_ALL, 1);
	local_accesses_init();
	allocate(MAP_PRIVATE);
	assert_ptr_equal(program, mpi);
	assert_false(window.local->is_mapped);
	local_accesses_guard(&window);
	expect_none();
	local_accesses_unmap(&window);
	munmap(mpi, (size_t)(PAGES * page));
	setenv(SETTING_BUFFERS, BUFFERS_SEND, 1);
	local_accesses_init();
	allocate(MAP_SHARED);
	assert_ptr_equal(program, mpi);
	munmap(mpi, (size_t)(PAGES * page));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(both_mappings_are_the_same_memory, start, end),
		cmocka_unit_test_setup_teardown(only_the_programs_accesses_are_seen, start, end),
		cmocka_unit_test_setup_teardown(each_call_and_each_synchronisation_begin_anew, start, end),
		cmocka_unit_test_setup_teardown(parts_are_seen_one_by_one, start, end),
		cmocka_unit_test_setup_teardown(what_is_no_access_of_the_program_to_the_window, start, end),
		cmocka_unit_test_setup_teardown(the_attribute_is_the_programs_address, start, end),
		cmocka_unit_test(other_memory_is_not_mapped_again),
	};

	page = sysconf(_SC_PAGESIZE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
