/* Excluded calls are tracked, but not written: --only, --not, --from, --to in the recorder. */
#include "base/settings.h"
#include "job/record/selection.h"
#include "scenario.h"
#include "trace/text.h"

#include <pthread.h>

void tarry_hook_region_begin(const char *name);
void tarry_hook_region_end(const char *name);

enum { STEPS = 5 };

static int buffer[4];

static void step(void)
{
	MPI_Request requests[2];

	tarry_hook_region_begin("step");
	MPI_Irecv(buffer, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(buffer, 4, MPI_INT, 3, 0, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Send(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
	tarry_hook_region_end("step");
}

static void steps(void)
{
	MPI_Init(NULL, NULL);
	fake->statuses[0] = (MPI_Status){.MPI_SOURCE = 1, .MPI_TAG = 0, .bytes = 16};
	for (int i = 0; i < STEPS; i++)
		step();
	MPI_Finalize();
}

/* The scenario runs in its own process, which inherits this. */
static void record_with(const char *variable, const char *rule, struct recording *r)
{
	setenv(variable, rule, 1);
	record(steps, r);
	unsetenv(variable);
}

static size_t all_calls(const struct recording *r)
{
	return count_calls(r, "MPI_Irecv") + count_calls(r, "MPI_Isend") + count_calls(r, "MPI_Waitall") +
	       count_calls(r, "MPI_Send");
}

static const char *property(const struct recording *r)
{
	return process_property(r->process, "selection");
}

static void without_a_rule_all_is_recorded(void **state)
{
	struct recording r;

	(void)state;
	record(steps, &r);
	assert_int_equal(all_calls(&r), 4 * STEPS);
	assert_int_equal(count_calls(&r, "tarry_region_begin"), STEPS);
	assert_int_equal(r.count, 6 * STEPS + 2);
	assert_null(property(&r));
	assert_int_equal(r.process->streams[0].pause_count, 0);
	recording_release(&r);
}

static void only_what_is_named_is_recorded(void **state)
{
	struct recording r;

	(void)state;
	record_with(SETTING_ONLY, "MPI_Send", &r);
	assert_int_equal(count_calls(&r, "MPI_Send"), STEPS);
	assert_int_equal(all_calls(&r), STEPS);
	assert_int_equal(r.count, 3 * STEPS + 2);
	assert_string_equal(property(&r), "--only MPI_Send");
	recording_release(&r);
}

static void messages_left_out_are_told(void **state)
{
	static const struct {
		const char *rule, *left_out;
	} cases[] = {{"MPI_Send", "MPI_Irecv"}, {"MPI_Irecv,MPI_Send", "MPI_Isend"}, {"p2p", NULL}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct recording r;
		const char *told;

		record_with(SETTING_ONLY, cases[i].rule, &r);
		told = process_property(r.process, "left_out");
		assert_string_equal(told ? told : "nothing",
		                    cases[i].left_out ? cases[i].left_out : "nothing");
		recording_release(&r);
	}
}

static void a_wait_names_requests_that_were_not_recorded(void **state)
{
	struct recording r;

	(void)state;
	record_with(SETTING_NOT, "point-to-point,marks", &r);
	assert_int_equal(r.count, STEPS + 2);
	for (size_t i = 0; i < STEPS; i++) {
		const struct call *wait = nth_call(&r, "MPI_Waitall", i);
		assert_int_equal(nth_field(wait, FIELD_DONE, 0), 0);
		assert_int_equal(nth_field(wait, FIELD_DONE, 1), 1);
		assert_int_equal(field(wait, FIELD_RECEIVED), 16);
		assert_int_equal(field(wait, FIELD_SOURCE), 1);
	}
	recording_release(&r);
}

static void requests_keep_their_numbers_if_no_wait_is_recorded(void **state)
{
	struct recording r;

	(void)state;
	record_with(SETTING_NOT, "request", &r);
	assert_int_equal(all_calls(&r), 3 * STEPS);
	for (size_t i = 0; i < STEPS; i++) {
		assert_int_equal(field(nth_call(&r, "MPI_Irecv", i), FIELD_REQUEST), 0);
		assert_int_equal(field(nth_call(&r, "MPI_Isend", i), FIELD_REQUEST), 1);
	}
	recording_release(&r);
}

static void a_part_of_the_run_lies_between_pauses(void **state)
{
	struct recording r;
	const struct stream *stream;

	(void)state;
	setenv(SETTING_TO, "step:3", 1);
	record_with(SETTING_FROM, "step:2", &r);
	unsetenv(SETTING_TO);
	assert_int_equal(all_calls(&r), 2 * 4);
	assert_int_equal(r.count, 2 * 6 + 2);
	stream = &r.process->streams[0];
	assert_int_equal(stream->pause_count, 6); /* around Init, the part, and Finalize */
	for (size_t i = 0; i < stream->pause_count; i++) {
		assert_int_equal(stream->pauses[i].resumes, i % 2);
		assert_true(i == 0 || stream->pauses[i].tick >= stream->pauses[i - 1].tick);
	}
	assert_true(stream->pauses[3].tick <= r.events[1].start);
	assert_true(stream->pauses[4].tick >= r.events[r.count - 2].end);
	recording_release(&r);
}

static void a_rule_that_cannot_be_read_is_none(void **state)
{
	struct recording r;

	(void)state;
	record_with(SETTING_ONLY, "MPI_Nothing", &r);
	assert_int_equal(all_calls(&r), 4 * STEPS);
	assert_null(property(&r));
	recording_release(&r);
}

static void ask_what_is_let_through(void)
{
	assert(tarry_lets_through("MPI_Bcast") && tarry_lets_through("MPI_Wtime"));
	assert(!tarry_lets_through("MPI_Send")); /* is counted */
	assert(tarry_lets_through("MPI_Comm_rank") && tarry_lets_through("MPI_Iprobe"));
	assert(!tarry_lets_through("MPI_Recv"));      /* is wanted */
	assert(!tarry_lets_through("MPI_Isend"));     /* makes a request */
	assert(!tarry_lets_through("MPI_Wait"));      /* ends one */
	assert(!tarry_lets_through("MPI_Comm_dup"));  /* makes a communicator */
	assert(!tarry_lets_through("MPI_Type_free")); /* a handle may mean another type */
	assert(!tarry_lets_through("MPI_Init") && !tarry_lets_through("MPI_Finalize"));
	assert(!tarry_lets_through("MPI_Barrier"));        /* is a moment */
	assert(!tarry_lets_through("MPI_File_write_all")); /* calls others */
	assert(!tarry_lets_through("mpi_send_") && !tarry_lets_through("tarry_hook_mark"));
	steps();
}

static void calls_of_no_interest_take_no_detour(void **state)
{
	struct recording r;

	(void)state;
	setenv(SETTING_TO, "MPI_Barrier:3", 1);
	setenv(SETTING_ONLY, "MPI_Recv", 1);
	record(ask_what_is_let_through, &r);
	unsetenv(SETTING_ONLY);
	unsetenv(SETTING_TO);
	assert_int_equal(all_calls(&r), 0);
	recording_release(&r);
}

/* Compares the SKIPPED records of the trace, line by line. */
static void assert_skipped(const struct recording *r, const char *const *lines)
{
	struct event_iter iter;
	struct item item;
	struct thread_info thread = {0};

	reader_events(r->reader, &r->process->streams[0], &iter);
	while (reader_next_item(&iter, &item)) {
		struct text line = {0};

		if (item.kind != RECORD_SKIPPED)
			continue;
		text_add_item(&line, &r->process->streams[0], &item, &thread);
		assert_non_null(*lines);
		assert_non_null(strstr(text_get(&line), *lines++));
		text_release(&line);
	}
	assert_null(*lines);
}

static void a_pause_is_counted(void **state)
{
	static const char *const lines[] = {
		" 1 MPI_Recv peer=1 tag=0 comm=", " 2 MPI_Send peer=3 tag=0 comm=",
		" 2 MPI_Recv peer=1 tag=0 comm=", " 4 MPI_Send peer=3 tag=0 comm=", NULL};
	struct recording r;
	const struct stream *stream;

	(void)state;
	setenv(SETTING_TO, "step:3", 1);
	record_with(SETTING_FROM, "step:2", &r);
	unsetenv(SETTING_TO);
	stream = &r.process->streams[0];
	for (size_t i = 0; i < stream->pause_count; i++)
		assert_true(stream->pauses[i].is_counted);
	assert_skipped(&r, lines);
	assert_null(process_property(r.process, "never_came"));
	recording_release(&r);
}

static void functions_left_out_are_counted(void **state)
{
	static const char *const lines[] = {" 1 MPI_Send peer=3 tag=0", " 1 MPI_Send peer=3 tag=0",
	                                    " 1 MPI_Send peer=3 tag=0", " 1 MPI_Send peer=3 tag=0",
	                                    " 1 MPI_Send peer=3 tag=0", NULL};
	struct recording r;

	(void)state;
	record_with(SETTING_NOT, "MPI_Isend", &r);
	assert_string_equal(process_property(r.process, "counted"), "SKIPPED");
	assert_skipped(&r, lines);
	recording_release(&r);
}

/* The recorded calls do not depend on messages. */
static void what_nobody_asks_for_is_not_counted(void **state)
{
	static const char *const none[] = {NULL};
	struct recording r;

	(void)state;
	record_with(SETTING_ONLY, "collective", &r);
	assert_skipped(&r, none);
	recording_release(&r);
	record_with(SETTING_ONLY, "point-to-point", &r); /* no wildcard waits for MPI_Waitall */
	assert_skipped(&r, none);
	recording_release(&r);
}

static void wildcards(void)
{
	MPI_Request requests[3];
	MPI_Comm both = MPI_COMM_WORLD;

	MPI_Init(NULL, NULL);
	MPI_Irecv(buffer, 4, MPI_INT, MPI_ANY_SOURCE, 5, both, &requests[0]);
	MPI_Pcontrol(0);
	fake->statuses[0] = (MPI_Status){.MPI_SOURCE = 2, .MPI_TAG = 5, .bytes = 16};
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Irecv(buffer, 4, MPI_INT, MPI_ANY_SOURCE, 6, both, &requests[0]);
	fake->statuses[0] = (MPI_Status){.MPI_SOURCE = 3, .MPI_TAG = 6, .bytes = 16};
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Irecv(buffer, 4, MPI_INT, MPI_ANY_SOURCE, 7, both, &requests[0]);
	MPI_Send_init(buffer, 4, MPI_INT, 3, 8, both, &requests[1]);
	MPI_Recv_init(buffer, 4, MPI_INT, 2, 9, both, &requests[2]);
	MPI_Start(&requests[1]);
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	MPI_Barrier(both);
	MPI_Barrier(both);
	MPI_Finalize();
}

static void requests_of_a_pause_are_told(void **state)
{
	static const char *const lines[] = {
		" 1 MPI_Wait done=0 source=2 source_tag=5", " 1 MPI_Recv peer=3 tag=6 comm=",
		" 1 MPI_Send peer=3 tag=8 comm=",           " 2 MPI_Barrier comm=",
		" 1 MPI_Irecv peer=any tag=7 comm=",        " 1 MPI_Send_init peer=3 tag=8 comm=",
		" 1 MPI_Recv_init peer=2 tag=9 comm=",      NULL};
	struct recording r;

	(void)state;
	setenv(SETTING_TO, "MPI_Pcontrol=0", 1);
	record(wildcards, &r);
	unsetenv(SETTING_TO);
	assert_skipped(&r, lines);
	recording_release(&r);
}

static void controlled(void)
{
	MPI_Init(NULL, NULL);
	MPI_Pcontrol(1);
	MPI_Send(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
	for (int i = 0; i < 3; i++) {
		MPI_Pcontrol(0);
		MPI_Send(buffer, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
		MPI_Send(buffer, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
		MPI_Pcontrol(i + 1);
		MPI_Send(buffer, 1, MPI_INT, 3, 2, MPI_COMM_WORLD);
	}
	MPI_Finalize();
}

static void the_program_may_pause(void **state)
{
	static const char *const lines[] = {" 2 MPI_Send peer=3 tag=1", " 2 MPI_Send peer=3 tag=1",
	                                    " 2 MPI_Send peer=3 tag=1", NULL};
	struct recording r;
	const struct stream *stream;

	(void)state;
	record(controlled, &r);
	assert_int_equal(count_calls(&r, "MPI_Send"), 4);
	assert_int_equal(count_calls(&r, "MPI_Pcontrol"), 7);
	stream = &r.process->streams[0];
	assert_int_equal(stream->pause_count, 6);
	for (size_t i = 0; i < stream->pause_count; i++)
		assert_true(stream->pauses[i].is_counted && stream->pauses[i].resumes == (i % 2 != 0));
	assert_skipped(&r, lines);
	assert_null(property(&r));
	recording_release(&r);
}

static void a_moment_that_never_came_is_told(void **state)
{
	struct recording r;

	(void)state;
	record_with(SETTING_FROM, "stpe:2", &r);
	assert_int_equal(all_calls(&r), 0);
	assert_string_equal(process_property(r.process, "never_came"), "--from stpe:2");
	assert_string_equal(process_property(r.process, "seen"), "step");
	recording_release(&r);
}

static pthread_barrier_t turn;

/* One of three sends is in the selected part of the run. */
static void *send_three_times(void *unused)
{
	for (int i = 0; i < 3; i++) {
		pthread_barrier_wait(&turn);
		MPI_Send(buffer, 1, MPI_INT, 3, i, MPI_COMM_WORLD);
		pthread_barrier_wait(&turn);
	}
	return unused;
}

static void let_thread_send(void)
{
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
}

static void two_threads(void)
{
	pthread_t thread;
	int level;

	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
	pthread_barrier_init(&turn, NULL, 2);
	pthread_create(&thread, NULL, send_three_times, NULL);
	let_thread_send();
	tarry_hook_region_begin("wanted");
	let_thread_send();
	tarry_hook_region_end("wanted");
	let_thread_send();
	pthread_join(thread, NULL);
	MPI_Finalize();
}

static void all_threads_pause_together(void **state)
{
	struct recording r;
	struct stream *other;
	struct event *events;
	size_t count;

	(void)state;
	setenv(SETTING_TO, "wanted", 1);
	setenv(SETTING_FROM, "wanted", 1);
	record(two_threads, &r);
	unsetenv(SETTING_FROM);
	unsetenv(SETTING_TO);
	assert_int_equal(r.count, 4);
	assert_int_equal(r.process->stream_count, 2);
	other = &r.process->streams[1];
	events = events_of(r.reader, other, &count);
	assert_int_equal(count, 1);
	assert_string_equal(events[0].call->outline->name, "MPI_Send");
	assert_int_equal(field(events[0].call, FIELD_TAG), 1);
	assert_int_equal(other->pause_count, 3);
	assert_true(other->pauses[1].resumes && other->pauses[1].tick <= events[0].start);
	assert_true(!other->pauses[2].resumes && other->pauses[2].tick >= events[0].end);
	free(events);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_rule_all_is_recorded),
		cmocka_unit_test(only_what_is_named_is_recorded),
		cmocka_unit_test(messages_left_out_are_told),
		cmocka_unit_test(a_wait_names_requests_that_were_not_recorded),
		cmocka_unit_test(requests_keep_their_numbers_if_no_wait_is_recorded),
		cmocka_unit_test(a_part_of_the_run_lies_between_pauses),
		cmocka_unit_test(a_rule_that_cannot_be_read_is_none),
		cmocka_unit_test(calls_of_no_interest_take_no_detour),
		cmocka_unit_test(a_pause_is_counted),
		cmocka_unit_test(functions_left_out_are_counted),
		cmocka_unit_test(what_nobody_asks_for_is_not_counted),
		cmocka_unit_test(requests_of_a_pause_are_told),
		cmocka_unit_test(the_program_may_pause),
		cmocka_unit_test(a_moment_that_never_came_is_told),
		cmocka_unit_test(all_threads_pause_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
