/* Iterators of different processes run in different threads, and those of one process after it was read through. Each sees its whole process. */
#include "trace/text.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "from_text.h"

enum { PROCESSES = 4, EVENTS = 2000, PEERS = 7 };

struct portion {
	struct reader *reader;
	size_t process;
	size_t count, wrong;
};

static struct reader *read_many(void)
{
	struct text text = {0};
	struct reader *reader;

	for (int rank = 0; rank < PROCESSES; rank++) {
		text_add(&text, "process world=a rank=%d size=%d\nthread 0\n", rank, PROCESSES);
		for (int i = 0; i < EVENTS; i++)
			text_add(&text, "%d %d MPI_Send site=1+0x10 peer=%d tag=%d\n", i, i, i % PEERS, rank);
	}
	reader = read_chunked(text_get(&text), CHUNK_SMALLEST);
	text_release(&text);
	return reader;
}

static int64_t value_of(const struct call *call, enum field_key key)
{
	for (uint32_t i = 0; i < field_count(call); i++)
		if (field_key_at(call, i) == key)
			return field_value_at(call, i);
	return -1;
}

static void *read_part(void *of_thread)
{
	struct portion *part = of_thread;
	struct event_iter iter;
	struct event event;

	reader_events(part->reader, &part->reader->processes[part->process].streams[0], &iter);
	for (; reader_next(&iter, &event); part->count++)
		part->wrong += value_of(event.call, FIELD_TAG) != (int64_t)part->process ||
		               value_of(event.call, FIELD_PEER) != (int64_t)event.start % PEERS;
	return NULL;
}

static void read_at_once(struct reader *reader, struct portion *parts)
{
	pthread_t threads[PROCESSES];

	for (size_t i = 0; i < PROCESSES; i++) {
		parts[i] = (struct portion){.reader = reader, .process = i};
		assert_int_equal(pthread_create(&threads[i], NULL, read_part, &parts[i]), 0);
	}
	for (size_t i = 0; i < PROCESSES; i++)
		pthread_join(threads[i], NULL);
}

static void each_sees_its_process(void **state)
{
	struct portion parts[PROCESSES];
	struct reader *reader = read_many();

	(void)state;
	read_at_once(reader, parts);
	for (size_t i = 0; i < PROCESSES; i++) {
		assert_int_equal(parts[i].count, EVENTS);
		assert_int_equal(parts[i].wrong, 0);
	}
	assert_int_equal(reader->damage_count, 0);
	reader_close(reader);
}

static void all_see_the_same_process(void **state)
{
	struct portion parts[PROCESSES];
	struct reader *reader = read_many();
	pthread_t threads[PROCESSES];
	uint32_t calls;

	(void)state;
	reader_read_through(reader, 2);
	calls = reader->processes[1].calls.count;
	assert_int_equal(calls, PEERS);
	for (size_t i = 0; i < PROCESSES; i++) {
		parts[i] = (struct portion){.reader = reader, .process = 1};
		assert_int_equal(pthread_create(&threads[i], NULL, read_part, &parts[i]), 0);
	}
	for (size_t i = 0; i < PROCESSES; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(parts[i].count, EVENTS);
		assert_int_equal(parts[i].wrong, 0);
	}
	assert_int_equal(reader->processes[1].calls.count, calls);
	reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_sees_its_process),
		cmocka_unit_test(all_see_the_same_process),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
