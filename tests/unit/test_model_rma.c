/* One-sided epochs, accesses and locks, from traces as text. */
#include "analysis/model/follower.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "follow_text.h"
#include "from_text.h"

#define RANK_0 \
	"process rank=0\n" \
	"comm 0xc rank=0 size=3 members=1:0-2 \"MPI_COMM_WORLD\"\nobject win 0xa comm=0xc size=8 unit=1 \"\"\n"
#define RANK_1 \
	"process rank=1\n" \
	"comm 0xc rank=1 size=3 \"MPI_COMM_WORLD\"\nobject win 0xa comm=0xc size=8 unit=1 \"\"\n"
#define RANK_2 \
	"process rank=2\n" \
	"comm 0xc rank=2 size=3 \"MPI_COMM_WORLD\"\nobject win 0xa comm=0xc size=8 unit=1 \"\"\n"

static void print_exposures(struct text *out, const struct row_block *block)
{
	const struct exposure_epoch *epochs = block_groups(block);
	const struct exposure *origins = block_rows(block);

	for (uint32_t i = 0, end; i < block->rows; i = end) {
		const struct exposure_epoch *epoch = &epochs[block->group_of[i]];
		text_add(out, "exposures");
		add_call(out, "post", &epoch->post);
		add_call(out, "wait", &epoch->wait);
		end = block_group_end(block, i);
		for (uint32_t j = i; j < end; j++) {
			text_add(out, " | %u x%llu", origins[j].origin,
			         (unsigned long long)origins[j].accesses);
			add_call(out, "start", &origins[j].start);
			add_call(out, "complete", &origins[j].complete);
			add_call(out, "first", &origins[j].first);
			add_call(out, "last", &origins[j].last);
		}
		text_add(out, "\n");
	}
}

static void print_locks(struct text *out, const struct row_block *block)
{
	const struct lock_hold *holds = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++) {
		text_add(out, "lock %d %s", holds[i].target, holds[i].is_exclusive ? "exclusive" : "shared");
		add_call(out, "take", &holds[i].take);
		add_call(out, "first", &holds[i].first);
		add_call(out, "give", &holds[i].give);
		if (memcmp(&holds[i].before, &holds[i].take, sizeof holds[i].before) != 0)
			add_call(out, "before", &holds[i].before);
		text_add(out, "\n");
	}
}

static void print_accesses(struct text *out, const struct row_block *block)
{
	const struct access *accesses = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++) {
		text_add(out, "access %u>%u", accesses[i].origin, accesses[i].target);
		add_call(out, "call", &accesses[i].call);
		add_call(out, "close", &accesses[i].close);
		text_add(out, "\n");
	}
}

static void print_fences(struct text *out, const struct row_block *block)
{
	const struct fence *fences = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++) {
		text_add(out, "fence %u", fences[i].rank);
		add_call(out, "call", &fences[i].call);
		text_add(out, " accesses %u\n", (unsigned)fences[i].accesses);
	}
}

static struct row_block *print_rows(void *context, const struct first_mentions *first,
                                    struct row_block *block)
{
	(void)first;
	if (block->relation == RELATION_EXPOSURE)
		print_exposures(context, block);
	else if (block->relation == RELATION_LOCK_HOLD)
		print_locks(context, block);
	else if (block->relation == RELATION_FENCE)
		print_fences(context, block);
	else
		print_accesses(context, block);
	return block;
}

enum order { FORWARDS, BACKWARDS };

static struct replay_counts follow(const char *trace, enum relation relation, enum order order,
                                   struct text *out)
{
	struct reader *reader = read_text(trace);
	struct comm_table *comms = comm_table_new(reader);
	struct arena arena = {0};
	int64_t now[3] = {0, 0, 0};
	struct replay_counts counts = {0};
	struct row_sink sink = {.context = out, .rows = print_rows};
	struct row_writer rows;
	void *rma;

	sink.wants[relation] = true;
	row_writer_init(&rows, &sink, NULL);
	rma = rma_follower.new(&(struct replay_input){reader, comms, &rows, &counts, NULL});
	for (uint32_t i = 0; i < reader->process_count; i++) {
		uint32_t process = order == FORWARDS ? i : (uint32_t)reader->process_count - 1 - i;
		each_call(reader, comms, &arena, process, &rma_follower, rma);
		now[process] = INT64_MAX;
		rma_follower.settle(rma, now);
		rma_follower.ended(rma, process);
	}
	rma_follower.finish(rma);
	row_writer_finish(&rows);
	row_writer_release(&rows);
	arena_release(&arena);
	comm_table_free(comms);
	reader_close(reader);
	return counts;
}

/* The result does not depend on the order of processes. Returns what was left open. */
static struct replay_counts expect(const char *trace, enum relation relation, const char *expected)
{
	struct replay_counts counts = {0};

	for (int order = FORWARDS; order <= BACKWARDS; order++) {
		struct text out = {0};
		counts = follow(trace, relation, (enum order)order, &out);
		sort_lines(&out);
		assert_string_equal(text_get(&out), expected);
		text_release(&out);
	}
	return counts;
}

/* Post, start, complete, wait */

static void epochs_meet_by_their_order(void **state)
{
	(void)state;
	expect(RANK_0 "1 2 MPI_Win_start win=0xa member=1 member=2\n"
	              "3 4 MPI_Put win=0xa target=1 epoch=2\n"
	              "5 6 MPI_Get win=0xa target=1 epoch=2\n"
	              "7 9 MPI_Win_complete win=0xa\n"
	              "11 12 MPI_Win_start win=0xa member=1\n"
	              "13 14 MPI_Win_complete win=0xa\n" RANK_1 "2 3 MPI_Win_post win=0xa member=0\n"
	              "4 8 MPI_Win_wait win=0xa\n"
	              "10 11 MPI_Win_post win=0xa member=0\n"
	              "12 15 MPI_Win_wait win=0xa\n" RANK_2 "0 1 MPI_Win_post win=0xa member=0\n"
	              "2 3 MPI_Win_test win=0xa flag=0\n"
	              "8 10 MPI_Win_test win=0xa flag=1\n",
	       RELATION_EXPOSURE,
	       "exposures post=1:Win_post@10-11 wait=1:Win_wait@12-15 | 0 x0 start=0:Win_start@11-12 "
	       "complete=0:Win_complete@13-14 first=0:Win_start@11-12 last=0:Win_start@11-12\n"
	       "exposures post=1:Win_post@2-3 wait=1:Win_wait@4-8 | 0 x2 start=0:Win_start@1-2 "
	       "complete=0:Win_complete@7-9 first=0:Put@3-4 last=0:Get@5-6\n"
	       "exposures post=2:Win_post@0-1 wait=2:Win_test@8-10 | 0 x0 start=0:Win_start@1-2 "
	       "complete=0:Win_complete@7-9 first=0:Win_start@1-2 last=0:Win_start@1-2\n");
}

static void an_epoch_has_several_origins(void **state)
{
	struct replay_counts counts;

	(void)state;
	counts = expect(RANK_0 "1 2 MPI_Win_post win=0xa member=2 member=1\n"
	                       "3 9 MPI_Win_wait win=0xa\n" RANK_1 "1 2 MPI_Win_start win=0xa member=0\n"
	                       "3 4 MPI_Win_complete win=0xa\n" RANK_2 "1 2 MPI_Win_start win=0xa member=0\n"
	                       "7 8 MPI_Win_complete win=0xa\n",
	                RELATION_EXPOSURE,
	                "exposures post=0:Win_post@1-2 wait=0:Win_wait@3-9 | 1 x0 start=1:Win_start@1-2 "
	                "complete=1:Win_complete@3-4 first=1:Win_start@1-2 last=1:Win_start@1-2 | 2 x0 "
	                "start=2:Win_start@1-2 complete=2:Win_complete@7-8 first=2:Win_start@1-2 "
	                "last=2:Win_start@1-2\n");
	assert_int_equal(counts.open_exposures, 0);
}

/* Rank 2 dies before its complete; rank 1 alone would suggest that all had arrived by 4. */
static void an_epoch_without_an_end_is_not_told(void **state)
{
	struct replay_counts counts;

	(void)state;
	counts = expect(RANK_0 "1 2 MPI_Win_post win=0xa member=2 member=1\n"
	                       "3 9 MPI_Win_wait win=0xa\n" RANK_1 "1 2 MPI_Win_start win=0xa member=0\n"
	                       "3 4 MPI_Win_complete win=0xa\n" RANK_2 "1 2 MPI_Win_start win=0xa member=0\n"
	                       "5 6 MPI_Put win=0xa target=0 epoch=2\n",
	                RELATION_EXPOSURE, "");
	assert_int_equal(counts.open_exposures, 1);
	/* The target dies. */
	counts = expect(RANK_0 "1 2 MPI_Win_post win=0xa member=1\n" RANK_1
	                       "1 2 MPI_Win_start win=0xa member=0\n"
	                       "3 4 MPI_Win_complete win=0xa\n" RANK_2,
	                RELATION_EXPOSURE, "");
	assert_int_equal(counts.open_exposures, 1);
	/* An origin never starts; the next epoch is not taken for this one. */
	counts = expect(RANK_0 "1 2 MPI_Win_post win=0xa member=1 member=2\n"
	                       "3 9 MPI_Win_wait win=0xa\n"
	                       "11 12 MPI_Win_post win=0xa member=1\n"
	                       "13 14 MPI_Win_wait win=0xa\n" RANK_1 "1 2 MPI_Win_start win=0xa member=0\n"
	                       "3 4 MPI_Win_complete win=0xa\n"
	                       "5 6 MPI_Win_start win=0xa member=0\n"
	                       "7 8 MPI_Win_complete win=0xa\n" RANK_2,
	                RELATION_EXPOSURE,
	                "exposures post=0:Win_post@11-12 wait=0:Win_wait@13-14 | 1 x0 "
	                "start=1:Win_start@5-6 complete=1:Win_complete@7-8 first=1:Win_start@5-6 "
	                "last=1:Win_start@5-6\n");
	assert_int_equal(counts.open_exposures, 1);
}

/* Where a complete or a wait was not recorded, what follows is right all the same. */
static void missing_ends_do_not_shift_epochs(void **state)
{
	struct replay_counts counts;

	(void)state;
	counts = expect(RANK_0 "1 2 MPI_Win_post win=0xa member=1\n"
	                       "11 12 MPI_Win_post win=0xa member=1\n"
	                       "13 14 MPI_Win_wait win=0xa\n"
	                       "21 22 MPI_Win_post win=0xa member=1\n"
	                       "23 24 MPI_Win_wait win=0xa\n" RANK_1 "1 2 MPI_Win_start win=0xa member=0\n"
	                       "3 4 MPI_Win_complete win=0xa\n"
	                       "5 6 MPI_Win_start win=0xa member=0\n"
	                       "7 8 MPI_Win_start win=0xa member=0\n"
	                       "9 10 MPI_Win_complete win=0xa\n" RANK_2,
	                RELATION_EXPOSURE,
	                "exposures post=0:Win_post@21-22 wait=0:Win_wait@23-24 | 1 x0 "
	                "start=1:Win_start@7-8 complete=1:Win_complete@9-10 first=1:Win_start@7-8 "
	                "last=1:Win_start@7-8\n");
	assert_int_equal(counts.open_exposures, 2);
}

/* Of three processes only one is there. */
static void strangers_are_left_out(void **state)
{
	(void)state;
	expect(RANK_0 "1 2 MPI_Win_post win=0xa member=1\n"
	              "3 4 MPI_Win_wait win=0xa\n"
	              "5 6 MPI_Win_start win=0xa member=2\n"
	              "7 8 MPI_Win_complete win=0xa\n"
	              "9 10 MPI_Win_post win=0xff member=1\n",
	       RELATION_EXPOSURE, "");
}

/* Locks */

#define LOCK(times, kind) times " MPI_Win_lock win=0xa target=0 lock=" kind "\n"
#define PUT(times) times " MPI_Put win=0xa target=0 epoch=3\n"
#define UNLOCK(times) times " MPI_Win_unlock win=0xa target=0\n"

/* The library waits in MPI_Win_lock. */
static void locks_wait_when_they_are_taken(void **state)
{
	(void)state;
	expect(RANK_0 LOCK("1 2", "2") PUT("3 4") UNLOCK("20 21") RANK_1 LOCK("5 22", "2") UNLOCK("30 31")
	               RANK_2 LOCK("6 32", "2") PUT("33 34") UNLOCK("35 36"),
	       RELATION_LOCK_HOLD,
	       "lock 0 exclusive take=0:Win_lock@1-2 first=0:Put@3-4 give=0:Win_unlock@20-21\n"
	       "lock 0 exclusive take=1:Win_lock@5-22 first=1:Win_unlock@30-31 give=1:Win_unlock@30-31 "
	       "before=0:Win_unlock@20-21\n"
	       "lock 0 exclusive take=2:Win_lock@6-32 first=2:Put@33-34 give=2:Win_unlock@35-36 "
	       "before=1:Win_unlock@30-31\n");
}

/* The library waits in MPI_Win_unlock, and serves in another order than that of the calls. */
static void locks_wait_when_they_are_given_back(void **state)
{
	(void)state;
	expect(RANK_0 LOCK("1 2", "2") UNLOCK("20 21") RANK_1 LOCK("5 6", "2") UNLOCK("7 40")
	               RANK_2 LOCK("6 7", "2") UNLOCK("8 30"),
	       RELATION_LOCK_HOLD,
	       "lock 0 exclusive take=0:Win_lock@1-2 first=0:Win_unlock@20-21 give=0:Win_unlock@20-21\n"
	       "lock 0 exclusive take=1:Win_lock@5-6 first=1:Win_unlock@7-40 give=1:Win_unlock@7-40 "
	       "before=2:Win_unlock@8-30\n"
	       "lock 0 exclusive take=2:Win_lock@6-7 first=2:Win_unlock@8-30 give=2:Win_unlock@8-30 "
	       "before=0:Win_unlock@20-21\n");
}

static void shared_locks_wait_for_exclusive_ones_only(void **state)
{
	(void)state;
	expect(RANK_0 LOCK("1 2", "1") UNLOCK("20 21") RANK_1 LOCK("5 6", "1") UNLOCK("30 31")
	               RANK_2 LOCK("6 32", "2") UNLOCK("33 34"),
	       RELATION_LOCK_HOLD,
	       "lock 0 exclusive take=2:Win_lock@6-32 first=2:Win_unlock@33-34 give=2:Win_unlock@33-34 "
	       "before=1:Win_unlock@30-31\n"
	       "lock 0 shared take=0:Win_lock@1-2 first=0:Win_unlock@20-21 give=0:Win_unlock@20-21\n"
	       "lock 0 shared take=1:Win_lock@5-6 first=1:Win_unlock@30-31 give=1:Win_unlock@30-31\n");
}

/* No wait for a lock released before, for other targets and windows, for itself, or with MPI_MODE_NOCHECK. */
static void free_locks_wait_for_nobody(void **state)
{
	(void)state;
	expect(RANK_0 LOCK("1 2", "2") UNLOCK("3 4") LOCK("4 5", "2") UNLOCK("6 7") RANK_1
	       "1 2 MPI_Win_lock win=0xa target=1 lock=2\n"
	       "8 9 MPI_Win_unlock win=0xa target=1\n"
	       "10 11 MPI_Win_lock win=0xb target=0 lock=2\n"
	       "12 13 MPI_Win_unlock win=0xb target=0\n" RANK_2 LOCK("7 8", "2")
	               UNLOCK("9 10") "12 13 MPI_Win_lock win=0xb target=0 lock=1 assert=1\n"
	                              "14 15 MPI_Win_unlock win=0xb target=0\n",
	       RELATION_LOCK_HOLD,
	       "lock 0 exclusive take=0:Win_lock@1-2 first=0:Win_unlock@3-4 give=0:Win_unlock@3-4\n"
	       "lock 0 exclusive take=0:Win_lock@4-5 first=0:Win_unlock@6-7 give=0:Win_unlock@6-7\n"
	       "lock 0 exclusive take=1:Win_lock@10-11 first=1:Win_unlock@12-13 give=1:Win_unlock@12-13\n"
	       "lock 0 exclusive take=2:Win_lock@7-8 first=2:Win_unlock@9-10 give=2:Win_unlock@9-10\n"
	       "lock 0 shared take=2:Win_lock@12-13 first=2:Win_unlock@14-15 give=2:Win_unlock@14-15\n"
	       "lock 1 exclusive take=1:Win_lock@1-2 first=1:Win_unlock@8-9 give=1:Win_unlock@8-9\n");
}

static void a_lock_of_all_is_one_at_every_target(void **state)
{
	(void)state;
	expect(RANK_0 LOCK("1 2", "2") UNLOCK("10 11") LOCK("12 41", "2") UNLOCK("42 43") RANK_1
	       "3 12 MPI_Win_lock_all win=0xa\n"
	       "13 14 MPI_Put win=0xa target=2 epoch=4\n"
	       "39 40 MPI_Win_unlock_all win=0xa\n" RANK_2 "3 4 MPI_Win_lock_all win=0xa\n"
	       "5 15 MPI_Win_unlock_all win=0xa\n",
	       RELATION_LOCK_HOLD,
	       "lock -1 shared take=1:Win_lock_all@3-12 first=1:Put@13-14 give=1:Win_unlock_all@39-40 "
	       "before=0:Win_unlock@10-11\n"
	       "lock -1 shared take=2:Win_lock_all@3-4 first=2:Win_unlock_all@5-15 "
	       "give=2:Win_unlock_all@5-15 before=0:Win_unlock@10-11\n"
	       "lock 0 exclusive take=0:Win_lock@1-2 first=0:Win_unlock@10-11 give=0:Win_unlock@10-11\n"
	       "lock 0 exclusive take=0:Win_lock@12-41 first=0:Win_unlock@42-43 give=0:Win_unlock@42-43 "
	       "before=1:Win_unlock_all@39-40\n");
}

static void a_lock_that_is_kept_is_not_told(void **state)
{
	struct replay_counts counts;

	(void)state;
	counts = expect(RANK_0 LOCK("1 2", "2") PUT("3 4")
	                        RANK_1 LOCK("5 6", "2") "7 8 MPI_Win_unlock win=0xa target=1\n" RANK_2
	                                                "1 2 MPI_Win_lock_all win=0xa\n"
	                                                "3 4 MPI_Win_lock win=0xa target=null lock=2\n"
	                                                "5 6 MPI_Win_unlock win=0xa target=null\n",
	                RELATION_LOCK_HOLD, "");
	assert_int_equal(counts.open_locks, 3);
}

/* A window that all have freed is forgotten; another one may take its place. */
static void windows_come_and_go(void **state)
{
	(void)state;
	expect("process rank=0\ncomm 0xc rank=0 size=2 members=1:0-1 \"\"\n"
	       "object win 0xa comm=0xc size=8 unit=1 \"\"\nobject win 0xb comm=0xc size=8 unit=1 \"\"\n"
	       "1 2 MPI_Win_lock win=0xa target=0 lock=2\n"
	       "30 31 MPI_Win_unlock win=0xa target=0\n"
	       "32 33 MPI_Win_free win=0xa\n"
	       "41 42 MPI_Win_lock win=0xb target=0 lock=2\n"
	       "43 44 MPI_Win_unlock win=0xb target=0\n"
	       "process rank=1\ncomm 0xc rank=1 size=2 \"\"\n"
	       "object win 0xa comm=0xc size=8 unit=1 \"\"\nobject win 0xb comm=0xc size=8 unit=1 \"\"\n"
	       "3 4 MPI_Win_lock win=0xa target=0 lock=2\n"
	       "5 6 MPI_Win_unlock win=0xa target=0\n"
	       "32 33 MPI_Win_free win=0xa\n"
	       "40 45 MPI_Win_lock win=0xb target=0 lock=2\n"
	       "46 47 MPI_Win_unlock win=0xb target=0\n",
	       RELATION_LOCK_HOLD,
	       "lock 0 exclusive take=0:Win_lock@1-2 first=0:Win_unlock@30-31 give=0:Win_unlock@30-31 "
	       "before=1:Win_unlock@5-6\n"
	       "lock 0 exclusive take=0:Win_lock@41-42 first=0:Win_unlock@43-44 give=0:Win_unlock@43-44\n"
	       "lock 0 exclusive take=1:Win_lock@3-4 first=1:Win_unlock@5-6 give=1:Win_unlock@5-6\n"
	       "lock 0 exclusive take=1:Win_lock@40-45 first=1:Win_unlock@46-47 give=1:Win_unlock@46-47 "
	       "before=0:Win_unlock@43-44\n");
}

/* Accesses */

static void accesses_end_with_their_epoch(void **state)
{
	struct replay_counts counts;

	(void)state;
	counts = expect(RANK_0 "1 2 MPI_Put win=0xa target=1 epoch=1\n"
	                       "3 4 MPI_Get win=0xa target=2 epoch=1\n"
	                       "5 6 MPI_Win_fence win=0xa\n"
	                       "11 12 MPI_Put win=0xa target=1 epoch=4\n"
	                       "13 14 MPI_Accumulate win=0xa target=2 epoch=4\n"
	                       "15 16 MPI_Win_flush_local_all win=0xa\n"
	                       "17 18 MPI_Win_flush win=0xa target=1\n"
	                       "19 20 MPI_Put win=0xa target=null epoch=4\n"
	                       "21 22 MPI_Win_unlock_all win=0xa\n"
	                       "23 24 MPI_Put win=0xa target=1 epoch=1\n" RANK_1
	                       "1 2 MPI_Fetch_and_op win=0xa target=0 epoch=3\n"
	                       "3 4 MPI_Win_unlock win=0xa target=2\n"
	                       "5 6 MPI_Win_unlock win=0xa target=0\n" RANK_2,
	                RELATION_ACCESS,
	                "access 0>1 call=0:Put@1-2 close=0:Win_fence@5-6\n"
	                "access 0>1 call=0:Put@11-12 close=0:Win_flush@17-18\n"
	                "access 0>2 call=0:Accumulate@13-14 close=0:Win_unlock_all@21-22\n"
	                "access 0>2 call=0:Get@3-4 close=0:Win_fence@5-6\n"
	                "access 1>0 call=1:Fetch_and_op@1-2 close=1:Win_unlock@5-6\n");
	assert_int_equal(counts.open_accesses, 1);
}

/* Whichever comes first. The number of a request that was not waited for is used again. */
static void accesses_end_with_their_request(void **state)
{
	(void)state;
	expect(RANK_0 "1 2 MPI_Rput win=0xa target=1 request=0 epoch=4\n"
	              "3 4 MPI_Rget win=0xa target=1 request=1 epoch=4\n"
	              "5 6 MPI_Wait done=1\n"
	              "7 8 MPI_Win_flush_all win=0xa\n"
	              "9 10 MPI_Wait done=0\n"
	              "11 12 MPI_Irecv peer=1 tag=0 comm=0xc request=0\n"
	              "13 14 MPI_Rput win=0xa target=1 request=1 epoch=4\n"
	              "15 16 MPI_Waitall count=2 done=0 done=1\n" RANK_1 RANK_2,
	       RELATION_ACCESS,
	       "access 0>1 call=0:Rget@3-4 close=0:Wait@5-6\n"
	       "access 0>1 call=0:Rput@1-2 close=0:Win_flush_all@7-8\n"
	       "access 0>1 call=0:Rput@13-14 close=0:Waitall@15-16\n");
}

/* Even if locks are not wanted. */
static void accesses_under_locks_belong_to_no_fence(void **state)
{
	(void)state;
	expect(RANK_0 "1 2 MPI_Win_fence win=0xa\n" LOCK(
		       "3 4",
		       "2") "5 6 MPI_Put win=0xa target=0 epoch=3\n"
	                    "7 8 MPI_Put win=0xa target=1 epoch=1\n" UNLOCK(
				    "9 10") "11 12 MPI_Win_fence win=0xa\n" RANK_1
	                                    "1 2 MPI_Win_fence win=0xa\n" LOCK("3 4", "2") "5 6 MPI_Put win=0xa target=0 epoch=3\n" UNLOCK(
						    "9 10") "11 12 MPI_Win_fence win=0xa\n" RANK_2
	                                                    "1 2 MPI_Win_fence win=0xa\n"
	                                                    "11 12 MPI_Win_fence win=0xa\n",
	       RELATION_FENCE,
	       "fence 0 call=0:Win_fence@1-2 accesses 0\n"
	       "fence 0 call=0:Win_fence@11-12 accesses 0\n"
	       "fence 1 call=1:Win_fence@1-2 accesses 0\n"
	       "fence 1 call=1:Win_fence@11-12 accesses 1\n"
	       "fence 2 call=2:Win_fence@1-2 accesses 0\n"
	       "fence 2 call=2:Win_fence@11-12 accesses 0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(epochs_meet_by_their_order),
		cmocka_unit_test(an_epoch_has_several_origins),
		cmocka_unit_test(an_epoch_without_an_end_is_not_told),
		cmocka_unit_test(missing_ends_do_not_shift_epochs),
		cmocka_unit_test(strangers_are_left_out),
		cmocka_unit_test(locks_wait_when_they_are_taken),
		cmocka_unit_test(locks_wait_when_they_are_given_back),
		cmocka_unit_test(shared_locks_wait_for_exclusive_ones_only),
		cmocka_unit_test(free_locks_wait_for_nobody),
		cmocka_unit_test(a_lock_of_all_is_one_at_every_target),
		cmocka_unit_test(a_lock_that_is_kept_is_not_told),
		cmocka_unit_test(windows_come_and_go),
		cmocka_unit_test(accesses_end_with_their_epoch),
		cmocka_unit_test(accesses_end_with_their_request),
		cmocka_unit_test(accesses_under_locks_belong_to_no_fence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
