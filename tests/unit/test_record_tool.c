/* The recorder's own actions in the user's job: it sends no messages, and releases what it gets from the library. */
#define _GNU_SOURCE
#include "scenario.h"

#include "base/clock_service.h"
#include "base/settings.h"
#include "trace/reader.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { TAGS = 3000, PATIENCE_SECONDS = 10 };

static void a_job_of_four(void)
{
	fake->rank = 0;
	MPI_Init(NULL, NULL);
	fake->eager_limit = 4096; /* reading it takes long, so it must not delay the start of the program */
	MPI_Finalize();
}

static void the_library_tells_the_eager_limit(void **state)
{
	struct recording r;

	(void)state;
	record(a_job_of_four, &r);
	assert_int_equal(r.process->eager_count, 1);
	assert_string_equal(r.process->eagers[0].distance, "node");
	assert_int_equal(r.process->eagers[0].bytes, 4096 - 8);
	assert_string_equal(process_property(r.process, "eager"), "node: fake_eager_limit = 4096");
	assert_int_equal(fake->tool_uses, 0);
	recording_release(&r);
}

static void a_silent_library(void)
{
	fake->rank = 0;
	MPI_Init(NULL, NULL);
	MPI_Finalize();
}

static void a_limit_that_nobody_tells_is_not_made_up(void **state)
{
	static const enum call_id talk[] = {CALL_Send, CALL_Isend, CALL_Recv, CALL_Comm_create_group};
	struct recording r;

	(void)state;
	record(a_silent_library, &r);
	assert_int_equal(r.process->eager_count, 0);
	assert_string_equal(process_property(r.process, "eager"), "node: not told");
	for (size_t i = 0; i < sizeof talk / sizeof *talk; i++)
		assert_int_equal(fake->calls[talk[i]], 0);
	recording_release(&r);
}

static char buffer[64];

/* More distinct calls than a chunk has room for. */
static void many_chunks(void)
{
	setenv(SETTING_BUFFER, "1048576", 1);
	MPI_Init(NULL, NULL);
	for (int tag = 0; tag < TAGS; tag++)
		MPI_Send(buffer, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
	MPI_Finalize();
}

static void its_own_time_is_told(void **state)
{
	struct event_iter iter;
	struct recording r;
	struct item item;
	uint64_t overhead_ns = 0, last_end = 0;
	size_t starts = 0, chunks = 0;
	uint32_t before_us = 0;

	(void)state;
	record(many_chunks, &r);
	assert_true(r.process->streams[0].chunk_count > 1);
	reader_events(r.reader, &r.process->streams[0], &iter);
	while (reader_next_item(&iter, &item)) {
		if (item.kind == ITEM_EVENT) {
			assert_true(item.event.start >= last_end);
			last_end = item.event.end;
			before_us += item.event.tool_before;
		}
		if (item.kind != RECORD_OVERHEAD)
			continue;
		assert_true(item.record.overhead.tick >= last_end);
		assert_true(item.record.overhead.ns >= 1000);
		last_end = item.record.overhead.tick;
		overhead_ns += item.record.overhead.ns;
		starts += strcmp(item.record.overhead.cause, "start") == 0;
		chunks += strcmp(item.record.overhead.cause, "chunk") == 0;
	}
	assert_int_equal(starts, 2); /* before and after MPI_Init */
	assert_int_equal(chunks, r.process->streams[0].chunk_count - 1);
	assert_true(before_us > 0 && before_us <= overhead_ns / 1000 + r.count);
	assert_int_equal(strtoull(process_property(r.process, "overhead"), NULL, 10), overhead_ns / 1000);
	recording_release(&r);
}

/* Answers all questions about the time. */
static void *tell_time(void *socket)
{
	uint8_t message[CLOCK_MESSAGE_BYTES + 1];
	struct sockaddr_storage from;
	struct clock_question question;
	int fd = *(int *)socket;

	for (;;) {
		socklen_t size = sizeof from;
		ssize_t got = recvfrom(fd, message, sizeof message, 0, (struct sockaddr *)&from, &size);
		if (got <= 0 || !clock_question_take(message, (size_t)got, &question))
			return NULL;
		clock_answer_put(message, &(struct clock_answer){question.number, CLOCK_GO_ON, 1000, 1001});
		sendto(fd, message, CLOCK_MESSAGE_BYTES, 0, (struct sockaddr *)&from, size);
	}
}

static bool is_ending;

static void *make_first_call(void *unused)
{
	int flag;

	MPI_Initialized(&flag);
	return unused;
}

/* Another thread must not wait for the answer: its recording begins meanwhile. */
static void let_other_work(void)
{
	struct timespec until;
	pthread_t other;

	assert(pthread_create(&other, NULL, make_first_call, NULL) == 0);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_SECONDS;
	assert(pthread_timedjoin_np(other, NULL, &until) == 0);
}

/* Replaces the C library's: the recorder asks for the time with it. */
__attribute__((visibility("default"))) ssize_t sendto(int fd, const void *bytes, size_t size, int flags,
                                                      const struct sockaddr *to, socklen_t to_size)
{
	static ssize_t (*next)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);

	if (!next)
		next = (__typeof__(next))(uintptr_t)dlsym(RTLD_NEXT, "sendto");
	if (size == CLOCK_MESSAGE_BYTES && memcmp(bytes, CLOCK_QUESTION, 8) == 0 && is_ending) {
		is_ending = false;
		let_other_work();
	}
	return next(fd, bytes, size, flags, to, to_size);
}

static void asked_for_the_time(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int server = socket(AF_INET, SOCK_DGRAM, 0);
	pthread_t time_server;
	char setting[128];

	assert(bind(server, (struct sockaddr *)&address, size) == 0);
	assert(getsockname(server, (struct sockaddr *)&address, &size) == 0);
	snprintf(setting, sizeof setting, "elsewhere 1000 %032d %d 127.0.0.1", 0, ntohs(address.sin_port));
	setenv(SETTING_CLOCK, setting, 1);
	assert(pthread_create(&time_server, NULL, tell_time, &server) == 0);
	fake->thread_level = MPI_THREAD_MULTIPLE;
	MPI_Init(NULL, NULL);
	is_ending = true;
	MPI_Finalize();
	assert(!is_ending);
}

static void nobody_waits_for_an_answer_of_another_thread(void **state)
{
	struct recording r;

	(void)state;
	record(asked_for_the_time, &r);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_own_time_is_told),
		cmocka_unit_test(nobody_waits_for_an_answer_of_another_thread),
		cmocka_unit_test(the_library_tells_the_eager_limit),
		cmocka_unit_test(a_limit_that_nobody_tells_is_not_made_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
