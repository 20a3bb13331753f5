/* Calls of UPC threads, reported by a fake runtime. */
#define _GNU_SOURCE
#include "fake_upc.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

static void access_shared_memory(void)
{
	double here = 0;

	begin();
	for (int i = 0; i < 3; i++) {
		CALL(MEMPUT, 10, &own, &here, (size_t)64);
		CALL(MEMGET, 11, &here, &own, (size_t)32);
	}
	CALL(PUT, 12, 1, &own, &here, (size_t)8);
	CALL(MEMCPY, 13, &own, &own, (size_t)16);
	CALL(MEMPUT, 10, (void *)NULL, &here, (size_t)64);
	end();
}

static void tells_of_accesses(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(access_shared_memory, &r);
	ASSERT_NAMES(&r, "upc_memput", "upc_memget", "upc_memput", "upc_memget", "upc_memput", "upc_memget",
	             "upc_put", "upc_memcpy", "upc_memput", "upc_exit");
	for (size_t i = 0; i < 6; i += 2) {
		assert_int_equal(field(r.events[i].call, FIELD_TARGET), 0);
		assert_int_equal(field(r.events[i].call, FIELD_SENT), 64);
		assert_int_equal(field(r.events[i + 1].call, FIELD_RECEIVED), 32);
		assert_int_equal(line_of(&r, i), 10);
		assert_int_equal(line_of(&r, i + 1), 11);
	}
	assert_int_equal(field(r.events[6].call, FIELD_SENT), 8);
	assert_int_equal(field(r.events[7].call, FIELD_SOURCE), 0);
	assert_int_equal(field(r.events[7].call, FIELD_RECEIVED), 16);
	assert_false(has_field(r.events[8].call, FIELD_TARGET));
	assert_int_equal(r.process->comm_count, 1);
	assert_int_equal(r.process->comms[0].kind, COMM_UPC);
	assert_int_equal(field(r.events[0].call, FIELD_COMM), (int64_t)r.process->comms[0].identity);
	assert_string_equal(property(&r, "upc"), "berkeley");
	assert_string_equal(property(&r, "upc_version"), "2.3.17");
	assert_string_equal(property(&r, "unfinished"), "");
	recording_release(&r);
}

/* Functions of a runtime are small. Each of these has its own page, so that none is taken for another. */
#define APART __attribute__((noinline, noclone, aligned(4096)))

static APART void start_store(double *here)
{
	tell_at(PUT, UPC_START, NULL, 0, 1, &own, here, sizeof *here);
	__asm__ volatile("" ::: "memory"); /* it returns here */
}

static APART void store(double *here)
{
	start_store(here);
	tell_at(PUT, UPC_END, NULL, 0, 1, &own, here, sizeof *here);
	__asm__ volatile("" ::: "memory");
}

static APART void store_of_others(double *here)
{
	start_store(here);
	tell_at(PUT, UPC_END, NULL, 0, 0, &own, here, sizeof *here);
	__asm__ volatile("" ::: "memory");
}

static APART void stores_without_a_line(void)
{
	const uint64_t passages[] = {(uint64_t)(uintptr_t)start_store, (uint64_t)(uintptr_t)store};
	double here = 0;

	dialect.passages = passages;
	dialect.passage_count = 2;
	begin();
	for (volatile int i = 0; i < 2; i++) { /* not unrolled */
		store(&here);
		store(&here);
	}
	store_of_others(&here);
	end();
}

static void stores_have_the_address_behind_the_runtime(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(stores_without_a_line, &r);
	ASSERT_NAMES(&r, "upc_put", "upc_put", "upc_put", "upc_put", "upc_put", "upc_exit");
	for (size_t i = 0; i < 4; i++)
		assert_true(r.events[i].call->outline->has_site);
	assert_int_equal(line_of(&r, 0), line_of(&r, 2));
	assert_int_equal(line_of(&r, 1), line_of(&r, 3));
	assert_true(line_of(&r, 0) < line_of(&r, 1));
	assert_true(line_of(&r, 1) - line_of(&r, 0) < 4096);
	/* An unknown function is between, so the place is unknown. */
	assert_false(r.events[4].call->outline->has_site);
	recording_release(&r);
}

static void killed_in_a_lock(void)
{
	double here = 0;

	begin();
	CALL(MEMPUT, 10, &own, &here, (size_t)64);
	START(LOCK, 11, &own);
	_exit(0);
}

static void killed_in_an_access(void)
{
	double here = 0;

	begin();
	CALL(NOTIFY, 20, 0, 0);
	START(MEMPUT, 10, &own, &here, (size_t)64);
	_exit(0);
}

static void knows_what_a_thread_was_killed_in(void **unused)
{
	const struct open_call *open;
	struct recording r;

	(void)unused;
	record_upc(killed_in_a_lock, &r);
	open = &r.process->streams[0].open;
	assert_non_null(open->call);
	assert_string_equal(open->call->outline->name, "upc_lock");
	assert_int_equal(open->call->outline->offset, 11);
	assert_true(open->start >= r.events[0].end);
	recording_release(&r);
	record_upc(killed_in_an_access, &r);
	assert_null(r.process->streams[0].open.call);
	recording_release(&r);
}

static void reduce_with_insides(void)
{
	begin();
	tell_at(STATIC_SHARED, UPC_ATOMIC, "_STARTUP", 0, (size_t)1, (size_t)1, &own, (void *)NULL, (size_t)1,
	        "x", "");
	START(REDUCE, 20, &own, &own, 8, (size_t)10, (size_t)3, (void *)NULL, 9, 9);
	CALL(NOTIFY, 20, 0, 0);
	CALL(WAIT, 20, 0, 0);
	CALL(ALLOC, 20, (size_t)100);
	START(MALLOC, 20, (size_t)5);
	END(MALLOC, 20, (size_t)5, (void *)NULL);
	START(FUNCTION, 3, "add");
	END(FUNCTION, 3, "add");
	END(REDUCE, 20, &own, &own, 8, (size_t)10, (size_t)3, (void *)NULL, 9, 9);
	START(COLLECTIVE_EXIT, 99, 0);
	CALL(NOTIFY, 0, 0, 0);
	CALL(WAIT, 0, 0, 0);
	END(COLLECTIVE_EXIT, 99, 0);
}

static void records_only_outermost_calls(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(reduce_with_insides, &r);
	ASSERT_NAMES(&r, "upc_all_reduce", "upc_exit");
	assert_int_equal(field(r.events[0].call, FIELD_OP), 3);
	assert_int_equal(field(r.events[0].call, FIELD_SYNC), 9);
	assert_int_equal(field(r.events[0].call, FIELD_ROOT), 0);
	assert_int_equal(field(r.events[0].call, FIELD_SENT), 10 * (int)sizeof(double));
	assert_int_equal(field(r.events[0].call, FIELD_RECEIVED), sizeof(double));
	recording_release(&r);
}

static void barriers_of_two_halves(void)
{
	begin();
	for (int i = 0; i < 2; i++) {
		CALL(NOTIFY, 30, 1, 42);
		CALL(WAIT, 30, 1, 42);
	}
	CALL(NOTIFY, 31, 1, 7); /* on two lines */
	CALL(WAIT, 32, 1, 7);
	CALL(NOTIFY, 33, 1, 1); /* with two ids */
	CALL(WAIT, 33, 1, 2);
	CALL(NOTIFY, 34, 0, 0); /* with something between */
	tell_at(100, UPC_ATOMIC, "a.upc", 34);
	CALL(WAIT, 34, 0, 0);
	tell_at(NOTIFY, UPC_START, NULL, 0, 0, 0); /* nowhere */
	tell_at(NOTIFY, UPC_END, NULL, 0, 0, 0);
	tell_at(WAIT, UPC_START, NULL, 0, 0, 0);
	tell_at(WAIT, UPC_END, NULL, 0, 0, 0);
	CALL(NOTIFY, 35, 0, 0); /* without its wait */
	end();
}

static void puts_barriers_together(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(barriers_of_two_halves, &r);
	ASSERT_NAMES(&r, "upc_barrier", "upc_barrier", "upc_notify", "upc_wait", "upc_notify", "upc_wait",
	             "upc_notify", "tarry_mark", "upc_wait", "upc_notify", "upc_wait", "upc_notify",
	             "upc_exit");
	assert_int_equal(field(r.events[0].call, FIELD_TAG), 42);
	assert_int_equal(line_of(&r, 0), 30);
	assert_false(has_field(r.events[6].call, FIELD_TAG));
	for (size_t i = 1; i < r.count; i++)
		assert_true(r.events[i].start >= r.events[i - 1].end);
	recording_release(&r);
}

static void barriers_of_gupc(void)
{
	dialect.implementation = "gupc";
	dialect.numbers = gupc_numbers;
	dialect.number_count = sizeof gupc_numbers / sizeof *gupc_numbers;
	begin();
	CALL(BARRIER, 30, 1, (int)0x80000000);
	CALL(NOTIFY, 31, 0, 0);
	CALL(WAIT, 31, 0, 0);
	end();
}

static void keeps_halves_apart_where_barriers_are_told(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(barriers_of_gupc, &r);
	ASSERT_NAMES(&r, "upc_barrier", "upc_notify", "upc_wait", "upc_exit");
	assert_false(has_field(r.events[0].call, FIELD_TAG));
	recording_release(&r);
}

static void regions(void)
{
	unsigned first, second;
	char name[] = "solve";

	begin();
	first = recorder->create_event(self, "phase one", "%d %s");
	second = recorder->create_event(self, "phase two", "");
	assert(first != second && first >= 100 && second <= 999);
	assert(recorder->create_event(self, "phase one", "") == first);
	START(FUNCTION, 1, "main");
	START(first, 2, 17);
	CALL(NOTIFY, 3, 0, 0);
	CALL(WAIT, 3, 0, 0);
	END(first, 4);
	END(first, 5); /* of nothing */
	tell_at(second, UPC_ATOMIC, "a.upc", 6);
	CALL(FORALL, 7);
	CALL(FUNCTION, 8, name);
	memcpy(name, "eval!", sizeof name); /* another function's name in the same place */
	CALL(FUNCTION, 8, name);
	CALL(998, 9); /* never created */
	END(FUNCTION, 1, "main");
	end();
}

static void assert_region(const struct recording *r, size_t n, const char *call, const char *region)
{
	assert_string_equal(r->events[n].call->outline->name, call);
	assert_string_equal(call_text(r->events[n].call, FIELD_REGION), region);
}

static void tells_of_regions(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(regions, &r);
	assert_region(&r, 0, "tarry_region_begin", "main");
	assert_region(&r, 1, "tarry_region_begin", "phase one");
	assert_string_equal(r.events[2].call->outline->name, "upc_barrier");
	assert_region(&r, 3, "tarry_region_end", "phase one");
	assert_region(&r, 4, "tarry_mark", "phase two");
	assert_region(&r, 5, "tarry_region_begin", "upc_forall");
	assert_region(&r, 7, "tarry_region_begin", "solve");
	assert_region(&r, 9, "tarry_region_begin", "eval!");
	assert_region(&r, 11, "tarry_region_begin", "event 998");
	assert_region(&r, 13, "tarry_region_end", "main");
	assert_int_equal(r.count, 15);
	assert_string_equal(property(&r, "unmatched_ends"), "1");
	recording_release(&r);
}

static void strange_events(void)
{
	begin();
	CALL(UNHEARD_OF, 40);
	START(UNHEARD_OF + 1, 41);
	CALL(ALLOC, 42, (size_t)8);
	END(UNHEARD_OF + 1, 43);
	START(UNHEARD_OF, 45);
	CALL(NOTIFY, 46, 0, 0); /* held back */
	END(UNHEARD_OF, 47);
	tell_at(70000, UPC_ATOMIC, "a.upc", 44);
	end();
}

static void keeps_what_nobody_knows(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(strange_events, &r);
	ASSERT_NAMES(&r, "upc_unknown", "upc_alloc", "upc_unknown", "upc_notify", "upc_unknown",
	             "upc_unknown", "upc_exit");
	assert_int_equal(field(r.events[0].call, FIELD_TAG), UNHEARD_OF);
	assert_true(r.events[2].start >= r.events[1].end);
	assert_true(r.events[4].start >= r.events[3].end && r.events[4].end >= r.events[4].start);
	assert_int_equal(field(r.events[5].call, FIELD_TAG), 70000);
	assert_string_equal(property(&r, "unknown_events"), "4 (1777 1778 70000)");
	recording_release(&r);
}

static void ends_that_are_missing(void)
{
	begin();
	END(LOCK, 50, &own);
	START(LOCK, 51, &own);
	START(LOCK, 52, &own); /* the one before never ended */
	END(LOCK, 52, &own);
	START(ALL_ALLOC, 53, (size_t)2, (size_t)3);
	START(ALLOC, 53, (size_t)2); /* left inside */
	END(ALL_ALLOC, 53, (size_t)2, (size_t)3, &own);
	for (int i = 0; i < 100; i++)
		START(UNHEARD_OF, 54);
	for (int i = 0; i < 100; i++)
		END(UNHEARD_OF, 54);
	START(WAIT, 55, 0, 0);
	exit(0);
}

static void mends_what_is_unbalanced(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(ends_that_are_missing, &r);
	assert_string_equal(r.events[0].call->outline->name, "upc_lock");
	assert_int_equal(line_of(&r, 0), 52);
	assert_string_equal(r.events[1].call->outline->name, "upc_all_alloc");
	assert_int_equal(field(r.events[1].call, FIELD_ROOM), 6);
	assert_int_equal(count_calls(&r, "upc_unknown"), 64);
	assert_int_equal(r.count, 66);
	assert_string_equal(property(&r, "left_behind"), "38");
	assert_string_equal(property(&r, "unmatched_ends"), "37");
	assert_string_equal(property(&r, "unfinished"), "upc_wait a.upc:55");
	recording_release(&r);
}

static void starts_that_never_end(void)
{
	begin();
	for (int i = 0; i < 10000; i++) {
		START(UNHEARD_OF + i % 3, 56);
		tell_at(100, 3 + i, "a.upc", 56); /* neither a start nor an end */
	}
	CALL(LOCK, 57, &own);
	CALL(UNLOCK, 58, &own);
	end();
}

static void goes_on_under_what_never_ends(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(starts_that_never_end, &r);
	ASSERT_NAMES(&r, "upc_lock", "upc_unlock", "upc_exit");
	recording_release(&r);
}

static void no_room_on_the_disk(void)
{
	const struct rlimit little = {1 << 20, 1 << 20};

	signal(SIGXFSZ, SIG_IGN);
	begin();
	setrlimit(RLIMIT_FSIZE, &little);
	errno = EDOM;
	for (int i = 0; i < 300000; i++) {
		CALL(MEMPUT, 57 + i % 2, &own, (void *)NULL, (size_t)i);
		CALL(NOTIFY, 59, 0, i);
		assert(errno == EDOM);
	}
	end();
	assert(errno == EDOM);
}

static void leaves_errno_alone(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(no_room_on_the_disk, &r);
	assert_string_equal(r.events[0].call->outline->name, "upc_memput");
	assert_true(r.process->streams[0].loss_count == 1);
	recording_release(&r);
}

static void switched_off(void)
{
	begin();
	CALL(ALLOC, 60, (size_t)1);
	assert(recorder->control(self, 0) == 1);
	assert(recorder->control(self, 0) == 0);
	CALL(ALLOC, 61, (size_t)1);
	START(UNLOCK, 62, &own);
	assert(recorder->control(self, 1) == 0);
	END(UNLOCK, 62, &own);
	END(100, 63);
	CALL(ALLOC, 64, (size_t)1);
	end();
}

static void pauses_as_the_program_wants(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(switched_off, &r);
	ASSERT_NAMES(&r, "upc_alloc", "upc_alloc", "upc_exit");
	assert_int_equal(line_of(&r, 1), 64);
	assert_int_equal(r.process->streams[0].pause_count, 2);
	assert_string_equal(property(&r, "unmatched_ends"), "");
	recording_release(&r);
}

static int raises_events(const void *pointer)
{
	CALL(ALLOC, 70, (size_t)1);
	return thread_of(pointer);
}

static void up_calls_with_events(void)
{
	dialect.thread_of = raises_events;
	begin();
	CALL(MEMPUT, 71, &own, (void *)NULL, (size_t)1);
	CALL(MEMPUT, 71, &own, (void *)NULL, (size_t)1);
	CALL(BROADCAST, 72, &own, &own, (size_t)1, 9);
	end();
}

static void passes_over_its_own_doing(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(up_calls_with_events, &r);
	ASSERT_NAMES(&r, "upc_memput", "upc_memput", "upc_all_broadcast", "upc_exit");
	recording_release(&r);
}

static void names_that_change(void)
{
	char file[32] = "first.upc";

	begin();
	for (int i = 0; i < 2; i++) {
		tell_at(ALLOC, UPC_START, file, 80, (size_t)1);
		tell_at(ALLOC, UPC_END, file, 80, (size_t)1, &own);
		snprintf(file, sizeof file, "second.upc");
	}
	tell_at(ALLOC, UPC_START, "(unknown)", 0, (size_t)1);
	tell_at(ALLOC, UPC_END, "(unknown)", 0, (size_t)1, &own);
	tell_at(ALLOC, UPC_START, "", 5, (size_t)1);
	tell_at(ALLOC, UPC_END, "", 5, (size_t)1, &own);
	end();
}

static const char *file_of(const struct recording *r, size_t n)
{
	const struct outline *outline = r->events[n].call->outline;

	for (size_t i = 0; outline->module && i < r->process->module_count; i++)
		if (r->process->modules[i].number == outline->module)
			return r->process->modules[i].path;
	return "";
}

static void looks_at_names_not_at_pointers(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(names_that_change, &r);
	assert_string_equal(file_of(&r, 0), "first.upc");
	assert_string_equal(file_of(&r, 1), "second.upc");
	assert_string_equal(file_of(&r, 2), "");
	assert_string_equal(file_of(&r, 3), "");
	recording_release(&r);
}

static void locks_and_handles(void)
{
	struct shared other = {0, 0x200};

	begin();
	START(ALL_LOCK_ALLOC, 90);
	END(ALL_LOCK_ALLOC, 90, &own);
	CALL(LOCK, 91, &own);
	CALL(LOCK, 91, &other);
	START(LOCK_ATTEMPT, 92, &own);
	END(LOCK_ATTEMPT, 92, &own, 0);
	for (uintptr_t handle = 0x10; handle < 0x12; handle++) {
		START(NB_MEMGET, 93, (void *)NULL, &own, (size_t)4);
		END(NB_MEMGET, 93, (void *)NULL, &own, (size_t)4, handle);
	}
	CALL(NB_SYNC, 94, (uintptr_t)0x11);
	START(NB_TRYSYNC, 95, (uintptr_t)0x10);
	END(NB_TRYSYNC, 95, (uintptr_t)0x10, 0);
	START(NB_TRYSYNC, 95, (uintptr_t)0x10);
	END(NB_TRYSYNC, 95, (uintptr_t)0x10, 1);
	START(NB_MEMGET, 96, (void *)NULL, &own, (size_t)4);
	END(NB_MEMGET, 96, (void *)NULL, &own, (size_t)4, (uintptr_t)0);
	START(NB_MEMGET, 97, (void *)NULL, &own, (size_t)4);
	END(NB_MEMGET, 97, (void *)NULL, &own, (size_t)4, UINTPTR_MAX);
	CALL(NB_SYNC, 98, UINTPTR_MAX);
	end();
}

static void knows_locks_and_handles(void **unused)
{
	struct recording r;
	int64_t mutex;

	(void)unused;
	record_upc(locks_and_handles, &r);
	ASSERT_NAMES(&r, "upc_all_lock_alloc", "upc_lock", "upc_lock", "upc_lock_attempt", "upc_memget_nb",
	             "upc_memget_nb", "upc_sync", "upc_sync_attempt", "upc_sync_attempt", "upc_memget_nb",
	             "upc_memget_nbi", "upc_synci", "upc_exit");
	mutex = field(r.events[0].call, FIELD_MUTEX);
	assert_true(field(r.events[1].call, FIELD_MUTEX) == mutex);
	assert_true(field(r.events[2].call, FIELD_MUTEX) != mutex);
	assert_int_equal(field(r.events[3].call, FIELD_FLAG), 0);
	assert_int_equal(field(r.events[4].call, FIELD_REQUEST), 0);
	assert_int_equal(field(r.events[5].call, FIELD_REQUEST), 1);
	assert_int_equal(field(r.events[6].call, FIELD_DONE), 1);
	assert_false(has_field(r.events[7].call, FIELD_DONE));
	assert_int_equal(field(r.events[8].call, FIELD_DONE), 0);
	assert_int_equal(field(r.events[8].call, FIELD_FLAG), 1);
	assert_false(has_field(r.events[9].call, FIELD_REQUEST));
	recording_release(&r);
}

static void calls_of_wrappers(void)
{
	struct upc_values values = UPC_NO_VALUES;
	const struct upc_place here = {"a.upc", 5};

	begin();
	recorder->wrapped(self, UPC_EVENT_FENCE, UPC_START, here, NULL);
	recorder->wrapped(self, UPC_EVENT_FENCE, UPC_END, here, NULL);
	values.name = "upc_atomic_relaxed";
	values.target = 0;
	values.op = 3;
	recorder->wrapped(self, UPC_EVENT_ATOMIC, UPC_START, here, NULL);
	recorder->wrapped(self, UPC_EVENT_ATOMIC, UPC_END, here, &values);
	values = (struct upc_values)UPC_NO_VALUES;
	values.root = 0;
	values.bytes = 8;
	values.sync = 18;
	recorder->wrapped(self, UPC_EVENT_ALL_SCATTER, UPC_START, here, NULL);
	CALL(NOTIFY, 5, 0, 0);
	recorder->wrapped(self, UPC_EVENT_ALL_SCATTER, UPC_END, here, &values);
	recorder->wrapped(self, UPC_EVENT_COUNT, UPC_START, here, NULL);
	end();
}

static void takes_what_wrappers_hand_over(void **unused)
{
	struct recording r;

	(void)unused;
	record_upc(calls_of_wrappers, &r);
	ASSERT_NAMES(&r, "upc_fence", "upc_atomic_relaxed", "upc_all_scatter", "upc_exit");
	assert_int_equal(field(r.events[1].call, FIELD_OP), 3);
	assert_int_equal(field(r.events[1].call, FIELD_TARGET), 0);
	assert_int_equal(field(r.events[2].call, FIELD_SYNC), 18);
	assert_int_equal(field(r.events[2].call, FIELD_SENT), 8);
	assert_int_equal(field(r.events[2].call, FIELD_RECEIVED), 8);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_of_accesses),
		cmocka_unit_test(stores_have_the_address_behind_the_runtime),
		cmocka_unit_test(knows_what_a_thread_was_killed_in),
		cmocka_unit_test(records_only_outermost_calls),
		cmocka_unit_test(puts_barriers_together),
		cmocka_unit_test(keeps_halves_apart_where_barriers_are_told),
		cmocka_unit_test(tells_of_regions),
		cmocka_unit_test(keeps_what_nobody_knows),
		cmocka_unit_test(mends_what_is_unbalanced),
		cmocka_unit_test(goes_on_under_what_never_ends),
		cmocka_unit_test(leaves_errno_alone),
		cmocka_unit_test(pauses_as_the_program_wants),
		cmocka_unit_test(passes_over_its_own_doing),
		cmocka_unit_test(looks_at_names_not_at_pointers),
		cmocka_unit_test(knows_locks_and_handles),
		cmocka_unit_test(takes_what_wrappers_hand_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
