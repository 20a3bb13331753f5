/* Two sessions in two threads, each with half of the ranks of a trace: together they write the rows that one session writes. */
#include "analysis/model/relations.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "follow_text.h"

#define RANK(n, calls) \
	"process rank=" #n \
	"\nproperty clock \"one for all\"\nclock monotonic 1000000000 tick=0 ns=1000000\n" \
	"comm 0xc rank=" #n " size=4 members=1:0-3 \"MPI_COMM_WORLD\"\n" \
	"0 10 MPI_Init\n" calls "900 910 MPI_Finalize\n"

/* Rank 1 sends to ranks 0 and 2, rank 3 to rank 0; rank 2 receives from anybody. Between them all meet. */
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

/* Ranks come to a non-blocking and to a persistent barrier, and leave them, at different times. */
#define MEETING(n, begin, wait, start, end) \
	RANK(n, "20 30 MPI_Barrier_init comm=0xc request=1 persistent=1\n" begin \
	        " MPI_Ibarrier comm=0xc request=0\n" wait " MPI_Wait done=0\n" start \
	        " MPI_Start request=1\n" end " MPI_Wait done=1\n")

static const char meetings[] = MEETING(0, "40 50", "60 310", "400 410", "420 640")
	MEETING(1, "140 150", "160 305", "500 510", "520 610")
		MEETING(2, "300 302", "303 304", "450 460", "470 605")
			MEETING(3, "80 90", "100 330", "600 601", "602 603");

struct half_session {
	struct rank_range owned;
	struct reader *reader;
	struct remote_facts facts;
	struct text rows;
	struct half_session *other; /* NULL: it owns all */
	ARRAY(struct rank_fact) received;
	size_t taken;
	bool is_waiting;
	struct replay_counts counts;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void tell(void *context, const struct rank_fact *fact)
{
	struct half_session *part = context;

	pthread_mutex_lock(&lock);
	array_add(&part->other->received, *fact);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static bool next(void *context, struct rank_fact *fact)
{
	struct half_session *part = context;
	bool found;

	pthread_mutex_lock(&lock);
	part->is_waiting = true;
	pthread_cond_broadcast(&changed);
	while (part->taken == part->received.count &&
	       !(part->other->is_waiting && part->other->taken == part->other->received.count))
		pthread_cond_wait(&changed, &lock);
	found = part->taken < part->received.count;
	if (found) {
		*fact = part->received.items[part->taken++];
		part->is_waiting = false;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

static bool is_own(const struct half_session *part, const struct occurrence *call)
{
	return call->semantics->process >= part->owned.first && call->semantics->process < part->owned.end;
}

static struct row_block *print_rows(void *context, const struct first_mentions *first,
                                    struct row_block *block)
{
	struct half_session *part = context;

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

static void *run_session(void *context)
{
	struct half_session *part = context;
	struct analysis_session *session = session_new(part->reader);
	struct row_sink sink = {.context = part,
	                        .wants = {[RELATION_TRANSFER] = true, [RELATION_COLLECTIVE_CALL] = true},
	                        .rows = print_rows};

	session->owned = part->owned;
	if (part->other)
		session->facts = &part->facts;
	relate(session, &sink, &part->counts);
	if (part->other) {
		pthread_mutex_lock(&lock);
		part->is_waiting = true;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
	session_free(session);
	return NULL;
}

static struct half_session new_session(const char *text, uint32_t first, uint32_t end)
{
	return (struct half_session){.owned = {first, end}, .reader = read_text(text)};
}

static void release(struct half_session *part)
{
	text_release(&part->rows);
	array_release(&part->received);
	reader_close(part->reader);
}

static void compare_halves(const char *text, uint64_t messages)
{
	struct half_session whole = new_session(text, 0, 4), low = new_session(text, 0, 2),
			    high = new_session(text, 2, 4);
	struct text both = {0};
	pthread_t thread;

	low.facts = (struct remote_facts){&low, tell, next};
	high.facts = (struct remote_facts){&high, tell, next};
	low.other = &high;
	high.other = &low;
	run_session(&whole);
	assert_int_equal(pthread_create(&thread, NULL, run_session, &low), 0);
	run_session(&high);
	pthread_join(thread, NULL);
	text_add(&both, "%s%s", text_get(&low.rows), text_get(&high.rows));
	sort_lines(&whole.rows);
	sort_lines(&both);
	assert_string_equal(text_get(&both), text_get(&whole.rows));
	assert_int_equal(low.counts.messages + high.counts.messages, messages);
	assert_int_equal(low.counts.forced + high.counts.forced, 0);
	assert_int_equal(low.counts.collectives, whole.counts.collectives);
	text_release(&both);
	release(&whole);
	release(&low);
	release(&high);
}

static void halves_find_what_one_session_finds(void **state)
{
	(void)state;
	compare_halves(trace, 3);
}

static void halves_complete_collectives_with_requests(void **state)
{
	(void)state;
	compare_halves(meetings, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(halves_find_what_one_session_finds),
	                                   cmocka_unit_test(halves_complete_collectives_with_requests)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
