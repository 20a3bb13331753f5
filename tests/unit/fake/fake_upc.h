/* A fake UPC runtime that reports events to the recorder.
 *
 *	begin();                                    loads the recorder without MPI
 *	CALL(MEMPUT, 10, &own, &here, (size_t)64);  a start and an end, both at "a.upc":10
 *	end(); */
#ifndef TESTS_UNIT_FAKE_UPC_H
#define TESTS_UNIT_FAKE_UPC_H

#include "scenario.h"

#include "base/upc_link.h"

#include <dlfcn.h>

#pragma GCC diagnostic ignored "-Wunused-function" /* none of the tests needs all */

/* A pointer-to-shared and a lock of this runtime. */
struct shared {
	int thread;
	uint64_t address;
};

enum tag {
	ALLOC = 1000,
	ALL_ALLOC = 1002,
	ALL_LOCK_ALLOC = 1011,
	LOCK_ATTEMPT = 1013,
	LOCK = 1014,
	UNLOCK = 1015,
	MALLOC = 1020,
	FUNCTION = 1023,
	MEMGET = 1030,
	MEMPUT = 1031,
	MEMCPY = 1032,
	NOTIFY = 1100,
	WAIT = 1101,
	PUT = 1110,
	NB_SYNC = 1122,
	NB_TRYSYNC = 1130,
	NB_MEMGET = 1131,
	STATIC_SHARED = 1140,
	COLLECTIVE_EXIT = 1210,
	GLOBAL_EXIT = 1211,
	BROADCAST = 1300,
	SCATTER = 1310,
	REDUCE = 1400,
	PREFIX = 1410,
	FORALL = 2500, /* larger than any table */
	BARRIER = 2501,
	UNHEARD_OF = 1777,
};

#define NUMBERS \
	{ALLOC, UPC_EVENT_ALLOC}, {ALL_ALLOC, UPC_EVENT_ALL_ALLOC}, \
		{ALL_LOCK_ALLOC, UPC_EVENT_ALL_LOCK_ALLOC}, {LOCK_ATTEMPT, UPC_EVENT_LOCK_ATTEMPT}, \
		{LOCK, UPC_EVENT_LOCK}, {UNLOCK, UPC_EVENT_UNLOCK}, {MALLOC, UPC_EVENT_C_MALLOC}, \
		{FUNCTION, UPC_EVENT_C_FUNC}, {MEMGET, UPC_EVENT_MEMGET}, {MEMPUT, UPC_EVENT_MEMPUT}, \
		{MEMCPY, UPC_EVENT_MEMCPY}, {NOTIFY, UPC_EVENT_NOTIFY}, {WAIT, UPC_EVENT_WAIT}, \
		{PUT, UPC_EVENT_PUT}, {NB_SYNC, UPC_EVENT_NB_SYNC}, {NB_TRYSYNC, UPC_EVENT_NB_TRYSYNC}, \
		{NB_MEMGET, UPC_EVENT_NB_MEMGET_INIT}, {STATIC_SHARED, UPC_EVENT_STATIC_SHARED}, \
		{COLLECTIVE_EXIT, UPC_EVENT_COLLECTIVE_EXIT}, {GLOBAL_EXIT, UPC_EVENT_NONCOLLECTIVE_EXIT}, \
		{BROADCAST, UPC_EVENT_ALL_BROADCAST}, {SCATTER, UPC_EVENT_ALL_SCATTER}, \
		{REDUCE, UPC_EVENT_ALL_REDUCE}, {PREFIX, UPC_EVENT_ALL_PREFIX_REDUCE}, \
	{ \
		FORALL, UPC_EVENT_FORALL \
	}

static const struct upc_number berkeley_numbers[] = {NUMBERS};
static const struct upc_number gupc_numbers[] = {NUMBERS, {BARRIER, UPC_EVENT_BARRIER}};

static _Thread_local int my_thread;
static int threads = 4;
static const struct upc_recorder *recorder;
static _Thread_local void *self;

static int get_my_thread(void)
{
	return my_thread;
}

static int get_threads(void)
{
	return threads;
}

static int thread_of(const void *pointer)
{
	return ((const struct shared *)pointer)->thread;
}

static uint64_t address_of(const void *pointer)
{
	return ((const struct shared *)pointer)->address;
}

static uint32_t same_flags(int flags)
{
	return (uint32_t)flags;
}

/* This runtime's addition is 8. */
static int operation(int op)
{
	return op == 8 ? 3 : -1;
}

static struct upc_dialect dialect = {
	.version = UPC_LINK_VERSION,
	.implementation = "berkeley",
	.gasp_upc_version = 0x020311,
	.user_first = 100,
	.user_last = 999,
	.numbers = berkeley_numbers,
	.number_count = sizeof berkeley_numbers / sizeof *berkeley_numbers,
	.my_thread = get_my_thread,
	.threads = get_threads,
	.thread_of = thread_of,
	.address_of = address_of,
	.sync = same_flags,
	.operation = operation,
};

static void tell_at(unsigned tag, int type, const char *file, int line, ...)
{
	struct upc_arguments arguments;

	va_start(arguments.list, line);
	recorder->notify(self, tag, type, (struct upc_place){file, line}, &arguments);
	va_end(arguments.list);
}

#define START(tag, line, ...) tell_at(tag, UPC_START, "a.upc", line, ##__VA_ARGS__)
#define END(tag, line, ...) tell_at(tag, UPC_END, "a.upc", line, ##__VA_ARGS__)
#define CALL(tag, line, ...) (START(tag, line, ##__VA_ARGS__), END(tag, line, ##__VA_ARGS__))

/* The recorder without MPI. The linked recorder is the one for the fake MPI library. */
static const struct upc_recorder *open_door(uint32_t version)
{
	void *library = dlopen(UPC_RECORDER, RTLD_NOW | RTLD_LOCAL);
	void *found = library ? dlsym(library, UPC_RECORDER_SYMBOL) : NULL;
	const struct upc_recorder *(*door)(uint32_t version);

	assert(found);
	memcpy(&door, &found, sizeof door);
	return door(version);
}

static void begin_of(int count)
{
	recorder = open_door(UPC_LINK_VERSION);
	assert(recorder);
	threads = count;
	self = recorder->begin(&dialect);
	assert(self);
}

static void begin(void)
{
	begin_of(1);
}

static void end(void)
{
	START(COLLECTIVE_EXIT, 99, 0);
	END(COLLECTIVE_EXIT, 99, 0);
}

/* Records the scenario, and removes the start mark from the events. */
static void record_upc(void (*scenario)(void), struct recording *r)
{
	record(scenario, r);
	assert_true(r->count > 0);
	assert_string_equal(r->events[0].call->outline->name, "upc_start");
	r->count--;
	memmove(r->events, r->events + 1, r->count * sizeof *r->events);
}

static const char *property(const struct recording *r, const char *key)
{
	const char *value = process_property(r->process, key);

	return value ? value : "";
}

/* The line of the nth event. */
static uint64_t line_of(const struct recording *r, size_t n)
{
	return r->events[n].call->outline->offset;
}

static const struct shared own = {0, 0x100};

static void assert_names(const struct recording *r, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count && i < r->count; i++)
		assert_string_equal(r->events[i].call->outline->name, names[i]);
	assert_int_equal(r->count, count);
}

#define ASSERT_NAMES(r, ...) \
	do { \
		const char *const names[] = {__VA_ARGS__}; \
		assert_names(r, names, sizeof names / sizeof *names); \
	} while (0)

#endif
