/* Places over several processes, nodes and eager limits. */
#include "analysis/model/places.h"
#include "analysis/model/processes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "from_text.h"

enum { CALLS_MAX = 32 };

/* Of all events, process after process. */
static uint32_t number_all(struct reader *reader, struct places *places, uint32_t *numbers)
{
	uint32_t count = 0;
	struct event_iter iter;
	struct event event;

	for (size_t i = 0; i < reader->process_count; i++) {
		reader_events(reader, &reader->processes[i].streams[0], &iter);
		while (reader_next(&iter, &event))
			numbers[count++] = place_of(places, &reader->processes[i], event.call);
	}
	return count;
}

static void ranks_share_places(void **state)
{
	/* The same file with another number, base and name of its folder. */
	struct reader *reader = read_text("process rank=0\n"
	                                  "module 1 base=0x1000 size=0x100 build-id=abcd \"/bin/app\"\n"
	                                  "module 2 base=0x5000 size=0x100 \"/lib/own.so\"\n"
	                                  "1 2 MPI_Send site=1+0x10 peer=1\n"
	                                  "3 4 MPI_Recv site=1+0x10 peer=1\n"
	                                  "5 6 MPI_Send site=2+0x10\n"
	                                  "7 8 MPI_Send\n"
	                                  "process rank=1\n"
	                                  "module 1 base=0x9000 size=0x100 \"/lib/own.so\"\n"
	                                  "module 2 base=0x2000 size=0x100 build-id=abcd \"/other/app\"\n"
	                                  "1 2 MPI_Send site=2+0x10 peer=0\n"
	                                  "3 4 MPI_Recv site=2+0x10 peer=0\n"
	                                  "5 6 MPI_Send site=1+0x10\n"
	                                  "7 8 MPI_Send\n");
	struct places places = {0};
	uint32_t n[CALLS_MAX];

	(void)state;
	assert_int_equal(number_all(reader, &places, n), 8);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(n[i], i);
		assert_int_equal(n[i + 4], i);
	}
	assert_int_equal(places.count, 4);
	assert_string_equal(place_get(&places, 1)->function, "MPI_Recv");
	assert_ptr_equal(place_get(&places, 1)->process, &reader->processes[0]);
	assert_int_equal(place_get(&places, 0)->caller, NO_PLACE);
	places_release(&places);
	reader_close(reader);
}

static void other_modules_are_other_places(void **state)
{
	struct reader *reader = read_text("process rank=0\n"
	                                  "module 1 base=0x1000 size=0x100 build-id=abcd \"/bin/app\"\n"
	                                  "source 2 \"a.py\" \"f\"\n"
	                                  "1 2 MPI_Send site=1+0x10\n"
	                                  "3 4 MPI_Send site=2+0x10\n"
	                                  "5 6 MPI_Send site=0+0x10\n"
	                                  "process rank=1\n"
	                                  "module 1 base=0x1000 size=0x100 build-id=abce \"/bin/app\"\n"
	                                  "source 2 \"a.py\" \"g\"\n"
	                                  "1 2 MPI_Send site=1+0x10\n"
	                                  "3 4 MPI_Send site=2+0x10\n"
	                                  "5 6 MPI_Send site=9+0x10\n");
	struct places places = {0};
	uint32_t n[CALLS_MAX];

	(void)state;
	assert_int_equal(number_all(reader, &places, n), 6);
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(n[i], i);
	/* A module that is not in the trace is unknown: the offset is an address. */
	assert_int_equal(n[5], n[2]);
	places_release(&places);
	reader_close(reader);
}

static void ways_make_places_different(void **state)
{
	struct reader *reader = read_text("process rank=0\n"
	                                  "module 1 base=0 size=0x1000 build-id=abcd \"/bin/app\"\n"
	                                  "1 2 MPI_Send site=1+0x10 path=1+0x20,1+0x30\n"
	                                  "3 4 MPI_Send site=1+0x10 path=1+0x21,1+0x30\n"
	                                  "5 6 MPI_Send site=1+0x10\n"
	                                  "process rank=1\n"
	                                  "module 1 base=0 size=0x1000 build-id=abcd \"/bin/app\"\n"
	                                  "1 2 MPI_Send site=1+0x10 path=1+0x20,1+0x30\n");
	struct places places = {0};
	const struct place *step;
	uint32_t n[CALLS_MAX];

	(void)state;
	assert_int_equal(number_all(reader, &places, n), 4);
	assert_int_not_equal(n[0], n[1]);
	assert_int_not_equal(n[0], n[2]);
	assert_int_equal(n[0], n[3]);
	/* Three calls, and the steps 0x30, 0x20 and 0x21. */
	assert_int_equal(places.count, 6);
	step = place_get(&places, place_get(&places, n[0])->caller);
	assert_null(step->function);
	assert_int_equal(step->offset, 0x20);
	assert_int_equal(place_get(&places, step->caller)->offset, 0x30);
	assert_int_equal(place_get(&places, step->caller)->caller, NO_PLACE);
	assert_int_equal(place_get(&places, place_get(&places, n[1])->caller)->caller, step->caller);
	places_release(&places);
	reader_close(reader);
}

static void nodes_are_numbered(void **state)
{
	struct reader *reader = read_text("process rank=0\n"
	                                  "property host \"a\"\n"
	                                  "property node \"x\"\n"
	                                  "eager 4096 node\n"
	                                  "eager 64 network\n"
	                                  "process rank=1\n"
	                                  "property host \"b\"\n"
	                                  "property node \"x\"\n"
	                                  "process rank=2\n"
	                                  "property host \"a\"\n"
	                                  "property node \"y\"\n");
	struct nodes *nodes = nodes_new(reader);

	(void)state;
	assert_int_equal(nodes->count, 2);
	assert_int_equal(nodes->of[0], nodes->of[1]);
	assert_int_not_equal(nodes->of[0], nodes->of[2]);
	assert_string_equal(nodes->names[nodes->of[1]], "a");
	assert_int_equal(eager_between(nodes, 0, 1), 4096);
	assert_int_equal(eager_between(nodes, 2, 1), 64);
	assert_int_equal(eager_between(nodes, 2, 2), 4096);
	nodes_free(nodes);
	reader_close(reader);
}

static void limits_may_be_unknown(void **state)
{
	struct reader *reader = read_text("process world=a rank=0 size=1 run=1\n"
	                                  "property host \"a\"\n"
	                                  "eager 4096 node\n"
	                                  "process world=b rank=0 size=1 run=1\n"
	                                  "property host \"a\"\n"
	                                  "process world=c rank=0 size=1 run=1\n"
	                                  "property host \"c\"\n");
	struct nodes *nodes = nodes_new(reader);

	(void)state;
	assert_int_equal(eager_between(nodes, 1, 0), 4096);
	assert_int_equal(eager_between(nodes, 1, 1), -1);
	assert_int_equal(eager_between(nodes, 0, 2), -1);
	nodes_free(nodes);
	reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_share_places),
		cmocka_unit_test(other_modules_are_other_places),
		cmocka_unit_test(ways_make_places_different),
		cmocka_unit_test(nodes_are_numbered),
		cmocka_unit_test(limits_may_be_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
