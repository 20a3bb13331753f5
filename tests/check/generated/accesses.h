/* Steps of interpreter.c that load and store: buffers and windows are used right before the calls that begin operations, and right after the calls that
 * complete them. All ranks execute a step together. */
#ifndef TARRY_TESTS_ACCESSES_H
#define TARRY_TESTS_ACCESSES_H

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

enum {
	PLACES = 3 * RANKS_MAX,
	STORED = 0,
	PUT = RANKS_MAX,
	ADDED = 2 * RANKS_MAX,
	WINDOW_KINDS = 3,
	THREADS = 2
};

/* Allocated, created, shared. A window has a part that its process stores to, one for puts and one for accumulates. */
static struct {
	MPI_Win win;
	int *memory;
} accessed[WINDOW_KINDS];
static MPI_Comm of_threads[THREADS];
static int *created_memory;

/* Open MPI 4.1 has no created windows with MPI_THREAD_MULTIPLE. */
static void make_accessed(int has_threads)
{
	created_memory = calloc(PLACES, sizeof *created_memory);
	accessed[1].memory = created_memory;
	MPI_Win_allocate(PLACES * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
	                 &accessed[0].memory, &accessed[0].win);
	if (has_threads)
		MPI_Win_allocate(PLACES * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
		                 &accessed[1].memory, &accessed[1].win);
	else
		MPI_Win_create(created_memory, PLACES * sizeof(int), sizeof(int), MPI_INFO_NULL,
		               MPI_COMM_WORLD, &accessed[1].win);
	MPI_Win_allocate_shared(PLACES * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
	                        &accessed[2].memory, &accessed[2].win);
	for (int i = 0; i < WINDOW_KINDS; i++) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, accessed[i].win);
		for (int j = 0; j < PLACES; j++)
			accessed[i].memory[j] = 0;
		MPI_Win_unlock(rank, accessed[i].win);
	}
	for (int i = 0; i < THREADS; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &of_threads[i]);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void free_accessed(void)
{
	for (int i = 0; i < WINDOW_KINDS; i++)
		MPI_Win_free(&accessed[i].win);
	for (int i = 0; i < THREADS; i++)
		MPI_Comm_free(&of_threads[i]);
	free(created_memory);
}

static int next_rank(void)
{
	return (rank + 1) % size;
}

static int rank_before(void)
{
	return (rank + size - 1) % size;
}

/* window value */
static void op_fence_access(int line)
{
	const MPI_Win win = accessed[numbers[0]].win;
	int *memory = accessed[numbers[0]].memory, got = -7, sent = numbers[1];

	MPI_Win_fence(0, win);
	memory[STORED] = numbers[1] + rank;
	MPI_Win_fence(0, win);
	MPI_Get(&got, 1, MPI_INT, next_rank(), STORED, 1, MPI_INT, win);
	MPI_Put(&sent, 1, MPI_INT, next_rank(), PUT + rank, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	expect(got == numbers[1] + next_rank(), "MPI_Get between fences", line);
	sent = -7;
	expect(memory[PUT + rank_before()] == numbers[1], "MPI_Put between fences", line);
	memory[STORED] = sent;
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

/* window value */
static void op_post_access(int line)
{
	const MPI_Win win = accessed[numbers[0]].win;
	const int after = next_rank(), before = rank_before();
	int *memory = accessed[numbers[0]].memory, got[2] = {-7, -7}, sent = numbers[1];
	MPI_Group all, targets, origins;

	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_incl(all, 1, &after, &targets);
	MPI_Group_incl(all, 1, &before, &origins);
	memory[STORED] = memory[STORED + 1] = numbers[1] + rank;
	MPI_Win_post(origins, 0, win);
	MPI_Win_start(targets, 0, win);
	MPI_Get(got, 2, MPI_INT, after, STORED, 2, MPI_INT, win);
	MPI_Put(&sent, 1, MPI_INT, after, PUT + rank, 1, MPI_INT, win);
	MPI_Win_complete(win);
	expect(got[0] == numbers[1] + after && got[1] == got[0], "MPI_Get before MPI_Win_complete", line);
	sent = -7;
	MPI_Win_wait(win);
	expect(memory[PUT + before] == numbers[1], "MPI_Put before MPI_Win_wait", line);
	memory[STORED] = sent;
	MPI_Group_free(&all);
	MPI_Group_free(&targets);
	MPI_Group_free(&origins);
}

static int own_place(int kind, int place)
{
	int value;

	MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, accessed[kind].win);
	value = accessed[kind].memory[place];
	MPI_Win_unlock(rank, accessed[kind].win);
	return value;
}

static void store_own(int kind, int place, int value)
{
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, accessed[kind].win);
	accessed[kind].memory[place] = value;
	MPI_Win_unlock(rank, accessed[kind].win);
}

/* window value flushes */
static void op_lock_access(int line)
{
	const MPI_Win win = accessed[numbers[0]].win;
	int got = -7, sent = numbers[1];

	store_own(numbers[0], STORED, numbers[1] + rank);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(numbers[2] ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, next_rank(), 0, win);
	MPI_Get(&got, 1, MPI_INT, next_rank(), STORED, 1, MPI_INT, win);
	MPI_Put(&sent, 1, MPI_INT, next_rank(), PUT + rank, 1, MPI_INT, win);
	if (numbers[2]) {
		MPI_Win_flush(next_rank(), win);
		expect(got == numbers[1] + next_rank(), "MPI_Get before MPI_Win_flush", line);
		sent = got = -7;
		MPI_Get(&got, 1, MPI_INT, next_rank(), STORED, 1, MPI_INT, win);
	}
	MPI_Win_unlock(next_rank(), win);
	expect(got == numbers[1] + next_rank(), "MPI_Get before MPI_Win_unlock", line);
	sent = -7;
	MPI_Barrier(MPI_COMM_WORLD);
	expect(own_place(numbers[0], PUT + rank_before()) == numbers[1], "MPI_Put before MPI_Win_unlock",
	       line);
}

/* Counters that all add to, and results that are used as soon as MPI allows it. window value */
static void op_atomic_access(int line)
{
	const MPI_Win win = accessed[numbers[0]].win;
	int one = 1, got = -7, again = -7, compared = 0, swapped = -7;
	MPI_Request request;

	store_own(numbers[0], STORED, numbers[1]);
	store_own(numbers[0], ADDED + 1, 0);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	MPI_Fetch_and_op(&one, &got, MPI_INT, 0, ADDED, MPI_SUM, win);
	MPI_Win_flush_local(0, win);
	expect(got >= 0, "MPI_Fetch_and_op", line);
	MPI_Compare_and_swap(&one, &compared, &swapped, MPI_INT, next_rank(), ADDED + 1, win);
	MPI_Win_flush_all(win);
	expect(swapped == 0, "MPI_Compare_and_swap", line);
	one = swapped = 7;
	MPI_Rget(&again, 1, MPI_INT, next_rank(), STORED, 1, MPI_INT, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(again == numbers[1], "MPI_Rget", line);
	again = got;
	MPI_Win_unlock_all(win);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Buffers on the stack, which others use before and after. value count */
static void op_exchange(int line)
{
	int received[2], sent[2] = {numbers[0] + rank, numbers[0]};
	int *large = new_buffer(numbers[1], sent[0]), *got = new_buffer(numbers[1], -7);
	MPI_Request requests[4];

	MPI_Irecv(received, 2, MPI_INT, rank_before(), 0, comms[1], &requests[0]);
	MPI_Irecv(got, numbers[1], MPI_INT, rank_before(), 1, comms[1], &requests[1]);
	MPI_Isend(sent, 2, MPI_INT, next_rank(), 0, comms[1], &requests[2]);
	MPI_Isend(large, numbers[1], MPI_INT, next_rank(), 1, comms[1], &requests[3]);
	MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
	sent[0] = sent[1] = -7;
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	expect(received[0] == numbers[0] + rank_before() && received[1] == numbers[0], "exchange", line);
	received[0] = -7;
	MPI_Waitall(2, requests + 1, MPI_STATUSES_IGNORE);
	check_data(got, numbers[1], numbers[0] + rank_before(), line);
	MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
	large[0] = got[0];
	free(large);
	free(got);
}

struct thread_step {
	int number, value, wrong;
};

/* Each thread has a communicator and a place in the window of its own. */
static void *thread_step(void *context)
{
	struct thread_step *step = context;
	const MPI_Comm comm = of_threads[step->number];
	int received[64], got = -7, sent = step->value + rank;
	MPI_Status status;
	MPI_Request request;

	MPI_Irecv(received, 64, MPI_INT, MPI_ANY_SOURCE, step->number, comm, &request);
	MPI_Send(&sent, 1, MPI_INT, next_rank(), step->number, comm);
	sent = -7;
	MPI_Wait(&request, &status);
	step->wrong |= received[0] != step->value + rank_before() || status.MPI_SOURCE != rank_before();
	received[0] = -7;
	MPI_Win_lock(MPI_LOCK_SHARED, next_rank(), 0, accessed[0].win);
	MPI_Get(&got, 1, MPI_INT, next_rank(), STORED + 2, 1, MPI_INT, accessed[0].win);
	MPI_Win_unlock(next_rank(), accessed[0].win);
	step->wrong |= got != step->value;
	return NULL;
}

/* Threads that are created after a barrier, one after the other: each sees what was stored before the barrier. value */
static void op_threads(int line)
{
	struct thread_step steps[THREADS];
	pthread_t made;

	store_own(0, STORED + 2, numbers[0]);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < THREADS; i++) {
		steps[i] = (struct thread_step){i, numbers[0], 0};
		if (pthread_create(&made, NULL, thread_step, &steps[i]) != 0)
			abort();
		pthread_join(made, NULL);
		expect(!steps[i].wrong, "thread", line);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Two threads exchange messages at the same time. value count */
static void *thread_messages(void *context)
{
	struct thread_step *step = context;
	const MPI_Comm comm = of_threads[step->number];

	for (int i = 0; i < 4; i++) {
		int received = -7, sent = step->value + i;

		MPI_Sendrecv(&sent, 1, MPI_INT, next_rank(), i, &received, 1, MPI_INT, rank_before(), i, comm,
		             MPI_STATUS_IGNORE);
		step->wrong |= received != sent;
		MPI_Allreduce(&sent, &received, 1, MPI_INT, MPI_MAX, comm);
		step->wrong |= received != sent;
	}
	return NULL;
}

static void op_two_threads(int line)
{
	struct thread_step steps[THREADS];
	pthread_t made[THREADS];

	for (int i = 0; i < THREADS; i++) {
		steps[i] = (struct thread_step){i, numbers[0] + i, 0};
		if (pthread_create(&made[i], NULL, thread_messages, &steps[i]) != 0)
			abort();
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(made[i], NULL);
		expect(!steps[i].wrong, "one of two threads", line);
	}
}

/* The threads of a team work on data received by the first one. value count */
static void op_team(int line)
{
	int *got = new_buffer(numbers[1], -7), *sent = new_buffer(numbers[1], numbers[0] + rank), errors = 0;
	MPI_Request requests[2];

	MPI_Irecv(got, numbers[1], MPI_INT, rank_before(), 2, comms[1], &requests[0]);
	MPI_Isend(sent, numbers[1], MPI_INT, next_rank(), 2, comms[1], &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#pragma omp parallel for num_threads(2) reduction(+ : errors)
	for (int i = 0; i < numbers[1]; i++) {
		errors += got[i] != numbers[0] + rank_before();
		sent[i] = got[i];
	}
	expect(!errors, "team of threads", line);
	free(got);
	free(sent);
}

#endif
