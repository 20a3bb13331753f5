/* Indexing and interning in the reader, with traces from the assembler. */
#include "trace/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "from_text.h"

static void processes_are_described(void **state)
{
	struct reader *reader = read_chunked("process world=a rank=1 size=2 run=7\n"
	                                     "property host \"vm\"\n"
	                                     "module 3 base=0x10 size=0x20 build-id=abcd \"/bin/app\"\n"
	                                     "comm 5 members=a:0-1 \"world\"\n"
	                                     "eager 64 node\n"
	                                     "clock tsc 1000 tick=1 ns=2\n"
	                                     "thread 2 tid=9 main \"app\"\n"
	                                     "process world=a rank=0 size=2 run=7\n",
	                                     CHUNK_DEFAULT);
	const struct process *process = &reader->processes[1];

	(void)state;
	assert_int_equal(reader->process_count, 2);
	assert_int_equal(reader->processes[0].rank, 0);
	assert_ptr_equal(find_process(reader, 0xa, 1), process);
	assert_null(find_process(reader, 0xb, 1));
	assert_int_equal(process->size, 2);
	assert_int_equal(process->run, 7);
	assert_string_equal(process_property(process, "host"), "vm");
	assert_null(process_property(process, "nothing"));
	assert_string_equal(find_module(process, 3)->path, "/bin/app");
	assert_int_equal(find_module(process, 3)->build_id_size, 2);
	assert_null(find_module(process, 1));
	assert_int_equal(find_comm(process, 5)->local.runs[0].count, 2);
	assert_int_equal(process->eagers[0].bytes, 64);
	assert_int_equal(process->clocks[0].points[0].ns, 2);
	assert_int_equal(process->streams[0].number, 2);
	assert_int_equal(process->streams[0].thread.id, 9);
	assert_true(process->streams[0].thread.main);
	reader_close(reader);
}

/* In chunks of 256 bytes, the same call is defined over and over. */
static void a_distinct_call_exists_once(void **state)
{
	struct text text = {0};
	struct reader *reader;
	struct event_iter iter;
	struct event event;
	const struct call *calls[2] = {NULL, NULL};
	size_t count = 0;

	(void)state;
	for (int i = 0; i < 1000; i++)
		text_add(&text, "%d %d MPI_Send site=1+0x10 peer=%d region=\"here\"\n", i, i, i % 2);
	reader = read_chunked(text_get(&text), CHUNK_SMALLEST);
	text_release(&text);
	assert_true(reader->chunk_count > 5);
	reader_events(reader, &reader->processes[0].streams[0], &iter);
	for (; reader_next(&iter, &event); count++) {
		const struct call **call = &calls[count % 2];
		if (!*call)
			*call = event.call;
		assert_ptr_equal(event.call, *call);
		assert_int_equal(event.start, count);
	}
	assert_int_equal(count, 1000);
	assert_int_equal(calls[0]->id, 0);
	assert_int_equal(calls[1]->id, 1);
	assert_string_equal(calls[0]->outline->name, "MPI_Send");
	assert_int_equal(calls[0]->outline->offset, 0x10);
	assert_string_equal(call_text(calls[0], FIELD_REGION), "here");
	assert_null(call_text(calls[0], FIELD_PORT));
	reader_close(reader);
}

static void a_loop_may_be_left_and_begun_again(void **state)
{
	struct reader *reader = read_chunked("1 2 MPI_Send\nloss 5 \"x\"\n6 7 MPI_Send\n", CHUNK_DEFAULT);
	struct event_iter iter;
	struct event event;

	(void)state;
	reader_events(reader, &reader->processes[0].streams[0], &iter);
	assert_true(reader_next(&iter, &event));
	event_iter_release(&iter);
	for (int pass = 0; pass < 2; pass++) {
		reader_events(reader, &reader->processes[0].streams[0], &iter);
		while (reader_next(&iter, &event))
			assert_string_equal(event.call->outline->name, "MPI_Send");
	}
	/* It exists once, however often it is read. */
	assert_int_equal(reader->processes[0].streams[0].loss_count, 1);
	reader_close(reader);
}

static void long_calls_keep_their_fields(void **state)
{
	struct text text = {0};
	struct reader *reader;
	struct event_iter iter;
	struct event event;

	(void)state;
	text_add(&text, "1 2 MPI_Waitall count=3000");
	for (int i = 0; i < 3000; i++)
		text_add(&text, " done=%d", i);
	reader = read_chunked(text_get(&text), CHUNK_SMALLEST);
	text_release(&text);
	reader_events(reader, &reader->processes[0].streams[0], &iter);
	assert_true(reader_next(&iter, &event));
	assert_int_equal(field_count(event.call), 3001);
	assert_int_equal(field_value_at(event.call, 3000), 2999);
	assert_false(reader_next(&iter, &event));
	reader_close(reader);
}

static void dump_through(struct reader *reader, size_t window, struct text *out)
{
	char *bytes;
	size_t size;
	FILE *file = open_memstream(&bytes, &size);

	reader->window = window;
	assert_int_equal(trace_dump(reader, &(struct dump_options){0}, file), OK);
	fclose(file);
	text_clear(out);
	text_add_bytes(out, bytes, size);
	free(bytes);
}

/* Also for records that are longer than the window. */
static void windows_show_the_same(void **state)
{
	struct text text = {0}, whole = {0}, pieces = {0};
	struct reader *reader;

	(void)state;
	for (unsigned i = 0; i < 3000; i++)
		text_add(&text, "%u %u MPI_Send tag=%u region=\"%0*u\"\n", 1000 * i + i % 7,
		         1000 * i + 7 + i * i % 900, i % 50, i % 40 ? 3 : 90, i % 60);
	text_add(&text, "loss 9000000 \"enough\"\n");
	reader = read_chunked(text_get(&text), 4096);
	dump_through(reader, 0, &whole);
	for (size_t window = EVENT_MAX; window < 600; window += 13) {
		dump_through(reader, window, &pieces);
		assert_string_equal(text_get(&pieces), text_get(&whole));
	}
	assert_int_equal(reader->damage_count, 0);
	reader_close(reader);
	text_release(&text);
	text_release(&whole);
	text_release(&pieces);
}

/* All events of a process; the skipped calls before an event count as its polls here. */
static uint32_t read_all(struct reader *reader, struct event *events, uint32_t most)
{
	struct stream *stream = &reader->processes[0].streams[0];
	struct event_iter iter;
	uint32_t count = 0, more;

	reader_events(reader, stream, &iter);
	iter.keeps_skipped = true;
	while ((more = reader_next_many(&iter, events + count, 7))) {
		for (uint32_t i = 0; i < iter.skipped_count; i++)
			events[count].polls += 1000 * iter.skipped[i].count + iter.skipped[i].call->id;
		iter.skipped_count = 0;
		count += more;
		assert_true(count + 7 <= most);
	}
	return count;
}

/* The first reading keeps decoded chunks for the others, with records of all kinds between events. A long gap is not kept. */
static void later_readings_see_the_same(void **state)
{
	enum { CALLS = 3000, MOST = CALLS + 100 };
	static struct event first[MOST], later[MOST];
	struct text text = {0};
	uint64_t tick = 0;

	(void)state;
	for (unsigned i = 0; i < CALLS; i++, tick += 1000) {
		if (i % 97 == 5)
			text_add(&text, "overhead %llu %u clocks\n", (unsigned long long)tick, 3000 * i);
		if (i % 211 == 7)
			text_add(&text, "skipped %llu 3 MPI_Send tag=%u\n", (unsigned long long)tick, i % 3);
		tick += i == 700 ? UINT64_C(1) << 40 : 0;
		text_add(&text, "%llu %llu MPI_Iprobe flag=0 tag=%u", (unsigned long long)tick,
		         (unsigned long long)tick + i * i % 900, i % 50);
		if (i % 60 == 3)
			text_add(&text, " polls=%u busy=2", i + 1);
		if (i % 70 == 4)
			text_add(&text, " delay_before=%u delay_inside=9", i);
		text_add(&text, "\n");
	}
	for (size_t window = 0; window < 600; window += 299) {
		struct reader *reader = read_chunked(text_get(&text), 4096);
		const struct chunk *chunks = reader->processes[0].streams[0].chunks;
		size_t kept = 0, count = reader->processes[0].streams[0].chunk_count;
		memset(first, 0, sizeof first);
		memset(later, 0, sizeof later);
		assert_int_equal(read_all(reader, first, MOST), CALLS);
		reader->keeps_decoded = true;
		reader_read_through(reader, 1);
		reader->window = window;
		for (size_t i = 0; i < count; i++)
			kept += chunks[i].decoded != NULL;
		assert_int_equal(kept, count - 1);
		for (int i = 0; i < 2; i++) {
			assert_int_equal(read_all(reader, later, MOST), CALLS);
			assert_memory_equal(first, later, sizeof first);
		}
		assert_int_equal(reader->damage_count, 0);
		reader_close(reader);
	}
	text_release(&text);
}

static void texts_are_shared_by_processes(void **state)
{
	struct reader *reader = read_text(
		"process world=a rank=0 size=2 run=7\nproperty host \"vm\"\n1 2 MPI_Send\n"
		"process world=a rank=1 size=2 run=7\nproperty host \"vm\"\n1 2 MPI_Send\n");
	struct event_iter iter;
	struct event events[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_false(process_calls(&reader->processes[i], "MPI_Send"));
		reader_events(reader, &reader->processes[i].streams[0], &iter);
		assert_true(reader_next(&iter, &events[i]));
		assert_false(reader_next(&iter, &events[i]));
		assert_true(process_calls(&reader->processes[i], "MPI_Send"));
		assert_false(process_calls(&reader->processes[i], "MPI_Recv"));
	}
	assert_ptr_equal(events[0].call->outline->name, events[1].call->outline->name);
	assert_ptr_equal(process_property(&reader->processes[0], "host"),
	                 process_property(&reader->processes[1], "host"));
	reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_are_described),
		cmocka_unit_test(a_distinct_call_exists_once),
		cmocka_unit_test(a_loop_may_be_left_and_begun_again),
		cmocka_unit_test(long_calls_keep_their_fields),
		cmocka_unit_test(windows_show_the_same),
		cmocka_unit_test(later_readings_see_the_same),
		cmocka_unit_test(texts_are_shared_by_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
