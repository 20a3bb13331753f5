/* Which processes measure, and with which memory: looked at in a job of four. */
#include "bench/run/buffers.h"
#include "bench/run/communicators.h"
#include "bench/run/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, wrong;

static void expect(bool is_right, const char *what)
{
	if (is_right)
		return;
	wrong++;
	fprintf(stderr, "process %d: %s\n", rank, what);
}

/* `members`: a letter for each process, 'x' where it should take part. */
static void expect_part(const char *words, const char *members)
{
	MPI_Comm part = MPI_COMM_NULL;
	bool should = members[rank] == 'x';
	int size = 0, wanted = 0;

	for (const char *at = members; *at; at++)
		wanted += *at == 'x';
	expect(communicator_part(words, &part) == OK, words);
	expect((part != MPI_COMM_NULL) == should, words);
	if (part != MPI_COMM_NULL)
		MPI_Comm_size(part, &size);
	expect(size == (should ? wanted : 0), words);
	communicator_free(&part);
}

static void expect_first(int ranks)
{
	MPI_Comm first = MPI_COMM_NULL;
	int size = 0;

	expect(communicator_first(MPI_COMM_WORLD, ranks, &first) == OK, "the first processes");
	if (first != MPI_COMM_NULL)
		MPI_Comm_size(first, &size);
	expect(size == (rank < ranks ? ranks : 0), "the number of the first processes");
	communicator_free(&first);
}

static void look_at_communicators(void)
{
	expect_part("world", "xxxx");
	expect_part("halves", "xx--");
	expect_part("node", "xxxx");
	expect_part("split:0,1", "x-x-");
	expect_part("split:7,3,-,7", "x--x");
	expect_first(1);
	expect_first(3);
	expect(communicator_check("split:-,0") == FAILED, "process 0 must have a colour");
	expect(communicator_check("split:0,red") == FAILED, "a colour is a number");
	expect(communicator_check("split:") == FAILED, "a list must not be empty");
	expect(communicator_check("quarters") == FAILED, "an unknown word");
}

static struct buffers make(const struct bench_plan *wanted, uint64_t bytes)
{
	struct buffers buffers;
	struct slots slots = {0};

	expect(slots_plan(wanted, bytes, bytes, 1, &slots), "memory is counted");
	expect(buffers_init(&buffers, &slots, wanted, &basics[0]) == OK, "memory is there");
	return buffers;
}

static void look_at_turns(void)
{
	struct bench_plan cold = {.alignment = 64}, warm = {.alignment = 64, .cache = "warm"};
	struct buffers walking = make(&cold, 100000), staying = make(&warm, 100000);
	const char *first = walking.send, *stays = staying.send;
	size_t turns = 0;

	expect(walking.slots.count * walking.slots.stride > surroundings.cache_bytes,
	       "slots exceed the cache");
	do {
		const char *before = walking.receive;
		buffers_freshen(&walking, 0);
		buffers_turn(&walking);
		buffers_turn(&staying);
		turns++;
		expect(walking.send == first || walking.send >= before + 100000,
		       "the next slot is behind the last");
		expect(staying.send == stays, "with a warm cache the buffer stays");
	} while (walking.send != first);
	expect(turns == walking.slots.count, "all slots are used in turn");
	buffers_release(&walking);
	buffers_release(&staying);
}

/* Bytes of memory that this process walks through. */
static uint64_t walked(const char *name, uint64_t bytes)
{
	const struct bench_plan cold = {.alignment = 64};
	const struct bench_operation **chosen;
	struct trial trial;
	uint64_t all = 0;
	size_t count;

	expect(operations_choose(&name, 1, &chosen, &count) == OK && count == 1, name);
	expect(trial_prepare(&trial, chosen[0], &cold, MPI_COMM_WORLD, bytes) == OK, name);
	all = trial.buffers->slots.stride * trial.buffers->slots.count;
	trial_release(&trial);
	free(chosen);
	return all;
}

/* Data written or read last is still in the cache: the next runs must not use it. */
static void look_at_coldness(void)
{
	struct bench_plan cold = {.alignment = 64};
	struct buffers small = make(&cold, 64);
	uint64_t cache = surroundings.cache_bytes, last_used = 0;

	for (size_t i = 0; i <= small.slots.count; i++, buffers_turn(&small))
		if ((uint64_t)(small.send - small.region) > last_used)
			last_used = (uint64_t)(small.send - small.region);
	expect(small.slots.stride * small.slots.count - last_used >= cache,
	       "behind small messages there is enough to drive them from the cache");
	buffers_release(&small);
}

/* Reading the whole region takes longer than a run, so it must not happen within a stage. */
static void look_at_stages(void)
{
	struct bench_plan cold = {.alignment = 64};
	struct buffers buffers = make(&cold, 1 << 20);
	const char *first = buffers.send, *before;
	size_t turns = buffers.slots.used / 2 + 1;

	buffers_freshen(&buffers, turns);
	expect(buffers.send == first, "there are enough slots for a stage");
	for (size_t i = 0; i < turns; i++) {
		before = buffers.send;
		buffers_turn(&buffers);
		expect(buffers.send > before, "a stage has slots one behind the other");
	}
	buffers_freshen(&buffers, turns);
	expect(buffers.send == first, "for the next one there are too few left");
	buffers_release(&buffers);
}

static void look_at_sharing(void)
{
	uint64_t cache = surroundings.cache_bytes;
	int sharers = surroundings_sharers(MPI_COMM_WORLD);
	uint64_t of_all = walked("allgather", 64 << 10), of_pair = walked("latency", 64),
		 of_root = walked("gather", 64 << 10);

	expect(of_all * (uint64_t)sharers >= 2 * cache, "all exceed the cache together");
	expect(rank % 3 || of_pair >= cache, "two exceed it together where others do nothing");
	expect(rank || of_root >= 2 * cache, "a root that comes round sooner than others exceeds it alone");
}

static void look_at_alignment(void)
{
	for (uint64_t alignment = 1; alignment <= 1 << 20; alignment *= 4) {
		struct bench_plan wanted = {.alignment = alignment, .cache = "warm"};
		struct buffers buffers = make(&wanted, 1000);
		uintptr_t places = (uintptr_t)buffers.send | (uintptr_t)buffers.receive;

		expect(places % alignment == 0, "buffers are aligned");
		expect(alignment >= 4096 || places % (2 * alignment), "and no better than asked");
		buffers_release(&buffers);
	}
}

static void look_at_contents(void)
{
	struct bench_plan wanted = {.alignment = 64, .cache = "warm", .seed = 1}, other = wanted,
			  huge = wanted;
	struct buffers one = make(&wanted, 4000), two = make(&wanted, 4000), three, four;

	other.seed = 2;
	huge.huge_pages = true;
	three = make(&other, 4000);
	four = make(&huge, 4000);
	expect(memcmp(one.send, two.send, 4000) == 0, "the seed gives the same contents again");
	expect(memcmp(one.send, three.send, 4000) != 0, "another seed gives others");
	expect(memcmp(one.send, four.send, 4000) == 0, "pages do not matter to contents");
	expect(strstr(four.pages, "pages") && strcmp(four.pages, one.pages) != 0,
	       "it is said which pages there are");
	buffers_release(&one);
	buffers_release(&two);
	buffers_release(&three);
	buffers_release(&four);
}

int main(int argc, char **argv)
{
	struct slots slots;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	trial_look_around(MPI_COMM_WORLD);
	expect(surroundings.node_processes == 4, "all processes are on this node");
	expect(surroundings.node_memory > 0 && surroundings.node_memory < UINT64_MAX, "a node has memory");
	look_at_communicators();
	look_at_turns();
	look_at_coldness();
	look_at_stages();
	look_at_sharing();
	look_at_alignment();
	look_at_contents();
	expect(!slots_plan(&(struct bench_plan){.alignment = 64}, UINT64_MAX - 10, 1, 1, &slots),
	       "too many bytes to be counted");
	MPI_Finalize();
	return wrong > 0;
}
