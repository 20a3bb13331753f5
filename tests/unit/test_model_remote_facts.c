/* Sessions in threads, each with a part of the ranks of a trace: together they write the rows that one session writes. */
#include "analysis/model/relations.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "follow_text.h"
#include "peer_threads.h"

#define RANK(n, calls) \
	"process rank=" #n \
	"\nproperty clock \"one for all\"\nclock monotonic 1000000000 tick=0 ns=1000000\n" \
	"comm 0xc rank=" #n " size=4 members=1:0-3 \"MPI_COMM_WORLD\"\n" \
	"0 10 MPI_Init\n" calls "900 910 MPI_Finalize\n"

/* Rank 1 sends to ranks 0 and 2, rank 3 to rank 0; rank 2 receives from any source. All meet in between. */
static const char trace[] = RANK(0, "20 120 MPI_Recv comm=0xc peer=3 tag=5 received=8\n"
                                    "130 200 MPI_Barrier comm=0xc\n"
                                    "210 220 MPI_Irecv comm=0xc peer=1 tag=1 received=8 request=0\n"
                                    "230 300 MPI_Wait done=0 source=1 source_tag=1\n")
	RANK(1, "20 200 MPI_Barrier comm=0xc\n"
                "250 260 MPI_Isend comm=0xc peer=0 tag=1 sent=8 request=0\n"
                "270 280 MPI_Ssend comm=0xc peer=2 tag=2 sent=8\n"
                "285 290 MPI_Wait done=0\n")
		RANK(2, "40 200 MPI_Barrier comm=0xc\n"
                        "205 280 MPI_Recv comm=0xc peer=-1 tag=-1 received=8 source=1 source_tag=2\n")
			RANK(3, "100 110 MPI_Send comm=0xc peer=0 tag=5 sent=8\n"
                                "150 200 MPI_Barrier comm=0xc\n");

/* Ranks enter a non-blocking and a persistent barrier, and leave them, at different times. */
#define MEETING(n, begin, wait, start, end) \
	RANK(n, "20 30 MPI_Barrier_init comm=0xc request=1 persistent=1\n" begin \
	        " MPI_Ibarrier comm=0xc request=0\n" wait " MPI_Wait done=0\n" start \
	        " MPI_Start request=1\n" end " MPI_Wait done=1\n")

static const char meetings[] = MEETING(0, "40 50", "60 310", "400 410", "420 640")
	MEETING(1, "140 150", "160 305", "500 510", "520 610")
		MEETING(2, "300 302", "303 304", "450 460", "470 605")
			MEETING(3, "80 90", "100 330", "600 601", "602 603");

/* Persistent messages, and a probe that waits. */
static const char persistent[] = RANK(
	0, "20 30 MPI_Send_init comm=0xc peer=2 tag=1 sent=8 request=0 persistent=1\n"
	   "100 110 MPI_Start request=0\n120 300 MPI_Wait done=0\n"
	   "400 410 MPI_Start request=0\n420 430 MPI_Wait done=0\n")
	RANK(1, "50 350 MPI_Ssend comm=0xc peer=3 tag=2 sent=8\n")
		RANK(2, "20 30 MPI_Recv_init comm=0xc peer=0 tag=1 received=8 request=0 persistent=1\n"
                        "200 210 MPI_Start request=0\n220 300 MPI_Wait done=0\n"
                        "310 320 MPI_Start request=0\n330 430 MPI_Wait done=0\n")
			RANK(3, "20 60 MPI_Probe comm=0xc peer=1 tag=2 received=8\n"
                                "300 350 MPI_Recv comm=0xc peer=1 tag=2 received=8\n");

struct part_session {
	struct rank_range owned;
	struct reader *reader;
	struct text rows;
	struct replay_counts counts;
};

static bool is_own(const struct part_session *part, const struct occurrence *call)
{
	return call->semantics->process >= part->owned.first && call->semantics->process < part->owned.end;
}

static struct row_block *print_rows(void *context, const struct first_mentions *first,
                                    struct row_block *block)
{
	struct part_session *part = context;

	(void)first;
	for (uint32_t i = 0; i < block->rows; i++) {
		const struct transfer *transfer = (const struct transfer *)block_rows(block) + i;
		const struct completion *completion = (const struct completion *)block_groups(block) +
		                                      block->group_of[i];
		if (block->relation != RELATION_TRANSFER || !is_own(part, &completion->wait))
			continue;
		text_add(&part->rows, "%s", transfer->is_send ? "send" : "receive");
		add_call(&part->rows, "by", &transfer->send);
		add_call(&part->rows, "to", &transfer->post);
		add_call(&part->rows, "wait", &completion->wait);
		text_add(&part->rows, "\n");
	}
	for (uint32_t i = 0; i < block->rows; i++) {
		const struct collective_call *call = (const struct collective_call *)block_rows(block) + i;
		uint32_t start = i;
		if (block->relation != RELATION_COLLECTIVE_CALL || !is_own(part, &call->wait))
			continue;
		while (start && block->group_of[start - 1] == block->group_of[i])
			start--;
		text_add(&part->rows, "collective of %u", block_group_end(block, start) - start);
		add_call(&part->rows, "call", &call->call);
		add_call(&part->rows, "wait", &call->wait);
		text_add(&part->rows, " completion=%lld\n", (long long)call->completion);
	}
	return block;
}

static void run_session(struct session_peers *peers, void *context)
{
	struct part_session *part = context;
	struct analysis_session *session = session_new(part->reader);
	struct row_sink sink = {.context = part,
	                        .wants = {[RELATION_TRANSFER] = true, [RELATION_COLLECTIVE_CALL] = true},
	                        .rows = print_rows};

	if (peers) {
		session_share(session, peers);
		remote_facts_gather(session);
	}
	part->owned = session->owned;
	relate(session, &sink, &part->counts);
	session_free(session);
}

static void release(struct part_session *part)
{
	text_release(&part->rows);
	reader_close(part->reader);
}

static void compare_parts(const char *text, uint32_t count, const struct part_session *whole)
{
	struct part_session parts[PEER_THREADS_MOST];
	struct peer_threads threads;
	struct text all = {0};
	uint64_t messages = 0, forced = 0;

	for (uint32_t i = 0; i < count; i++)
		parts[i] = (struct part_session){.reader = read_text(text)};
	peer_threads_run(&threads, count, run_session, parts, sizeof *parts);
	for (uint32_t i = 0; i < count; i++) {
		text_add(&all, "%s", text_get(&parts[i].rows));
		messages += parts[i].counts.messages;
		forced += parts[i].counts.forced;
		assert_int_equal(parts[i].counts.collectives, whole->counts.collectives);
		release(&parts[i]);
	}
	sort_lines(&all);
	assert_string_equal(text_get(&all), text_get(&whole->rows));
	assert_int_equal(messages, whole->counts.messages);
	assert_int_equal(forced, 0);
	text_release(&all);
}

static void compare(const char *text, uint64_t messages)
{
	struct part_session whole = {.reader = read_text(text)};

	run_session(NULL, &whole);
	sort_lines(&whole.rows);
	assert_int_equal(whole.counts.messages, messages);
	for (uint32_t count = 1; count <= 5; count++)
		compare_parts(text, count, &whole);
	release(&whole);
}

static void parts_find_what_one_session_finds(void **state)
{
	(void)state;
	compare(trace, 3);
}

static void parts_complete_collectives_with_requests(void **state)
{
	(void)state;
	compare(meetings, 0);
}

static void parts_match_persistent_messages_and_probes(void **state)
{
	(void)state;
	compare(persistent, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(parts_find_what_one_session_finds),
	                                   cmocka_unit_test(parts_complete_collectives_with_requests),
	                                   cmocka_unit_test(parts_match_persistent_messages_and_probes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
