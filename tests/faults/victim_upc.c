/* A program that plays a runtime of UPC and makes the recorder use everything it has: several chunks, places, locks, handles,
 * regions. Without a recorder it does the same.
 *
 *	victim-upc [THREADS [END]]   that many threads share the process; END: it ends by `exit` without a word */
#include "base/upc_link.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 2000, HANDLES = 100, EXIT_CODE = 7 };
enum { LOCK = 1, NB_GET = 2, SYNC = 3, NOTIFY = 4, WAIT = 5, PUT = 6, FUNCTION = 7, EXIT = 8, USER = 100 };

static const struct upc_number numbers[] = {
	{LOCK, UPC_EVENT_LOCK},       {NB_GET, UPC_EVENT_NB_MEMGET_INIT},
	{SYNC, UPC_EVENT_NB_SYNC},    {NOTIFY, UPC_EVENT_NOTIFY},
	{WAIT, UPC_EVENT_WAIT},       {PUT, UPC_EVENT_MEMPUT},
	{FUNCTION, UPC_EVENT_C_FUNC}, {EXIT, UPC_EVENT_COLLECTIVE_EXIT},
};

static int threads = 1;
static const struct upc_recorder *recorder;
static _Thread_local int me;
static _Thread_local void *self;

static int get_me(void)
{
	return me;
}

static int get_threads(void)
{
	return threads;
}

static int thread_of(const void *pointer)
{
	return *(const int *)pointer;
}

static uint64_t address_of(const void *pointer)
{
	return (uint64_t) * (const int *)pointer;
}

static uint32_t flags(int flags)
{
	return (uint32_t)flags;
}

static int operation(int operation)
{
	return operation;
}

static const struct upc_dialect dialect = {
	.version = UPC_LINK_VERSION,
	.implementation = "berkeley",
	.gasp_upc_version = 0x020311,
	.user_first = USER,
	.user_last = USER + 10,
	.numbers = numbers,
	.number_count = sizeof numbers / sizeof *numbers,
	.my_thread = get_me,
	.threads = get_threads,
	.thread_of = thread_of,
	.address_of = address_of,
	.sync = flags,
	.operation = operation,
};

static void tell(unsigned tag, int type, const char *file, int line, ...)
{
	struct upc_arguments arguments;

	if (!self)
		return;
	va_start(arguments.list, line);
	recorder->notify(self, tag, type, (struct upc_place){file, line}, &arguments);
	va_end(arguments.list);
}

#define CALL(tag, line, ...) \
	(tell(tag, UPC_START, "a.upc", line, __VA_ARGS__), tell(tag, UPC_END, "a.upc", line, __VA_ARGS__))

static void work(void)
{
	char file[32];

	for (int i = 0; i < HANDLES; i++) {
		tell(NB_GET, UPC_START, "b.upc", 1, NULL, &me, (size_t)8);
		tell(NB_GET, UPC_END, "b.upc", 1, NULL, &me, (size_t)8, (uintptr_t)(i + 1));
	}
	for (int i = 0; i < HANDLES; i++)
		CALL(SYNC, 2, (uintptr_t)(i + 1));
	for (int i = 0; i < 10; i++) {
		snprintf(file, sizeof file, "file-%d.upc", i);
		tell(LOCK, UPC_START, file, 3, &me);
		tell(LOCK, UPC_END, file, 3, &me);
		CALL(FUNCTION, 4, file);
	}
	for (int line = 10; line < LINES; line++) {
		CALL(NOTIFY, line, 1, line);
		CALL(WAIT, line, 1, line);
		CALL(PUT, line, &me, NULL, (size_t)line);
	}
	if (self)
		recorder->create_event(self, "phase", "%d");
	CALL(USER, 5, 1);
}

static void *run_thread(void *number)
{
	me = (int)(intptr_t)number;
	self = recorder ? recorder->begin(&dialect) : NULL;
	work();
	return NULL;
}

static void *end_thread(void)
{
	tell(EXIT, UPC_START, NULL, 0, 0);
	tell(EXIT, UPC_END, NULL, 0, 0);
	return NULL;
}

static void *run_and_end(void *number)
{
	run_thread(number);
	return end_thread();
}

int main(int argc, char **argv)
{
	void *found = dlsym(RTLD_DEFAULT, UPC_RECORDER_SYMBOL);
	const struct upc_recorder *(*door)(uint32_t version);
	pthread_t thread;

	threads = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
	if (found) {
		memcpy(&door, &found, sizeof door);
		recorder = door(UPC_LINK_VERSION);
	}
	run_thread(NULL);
	for (intptr_t i = 1; i < threads; i++)
		if (pthread_create(&thread, NULL, run_and_end, (void *)i) != 0 ||
		    pthread_join(thread, NULL) != 0)
			return 1;
	printf("%d threads\n", threads);
	if (argc > 2 && strcmp(argv[2], "exit") == 0)
		exit(EXIT_CODE);
	end_thread();
	return EXIT_CODE;
}
