/* Executes its rank's lines of a script that generate.py wrote:
 *
 *	interpreter SCRIPT [accesses|threads]
 *
 * The second word: steps of accesses.h may be in it.
 * A line is `RANK OPERATION NUMBER...`; see `operations` below for the numbers. Received data are compared with the script. Rank 0 prints "ok" at the end if
 * all ranks received the right data. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMS = 6, SLOTS = 256, COUNT_MAX = 30000, NUMBERS_MAX = 2 * SLOTS, RANKS_MAX = 64 };

static int rank, size, wrong, any_sum;
static MPI_Comm comms[COMMS];
static MPI_Win windows[2];
static int *window_memory;

/* Begun and not yet completed operations. */
static struct {
	MPI_Request request;
	int *buffer;
	int count;
	int expected; /* of each element; -1: nothing is received */
	int is_persistent;
} slots[SLOTS];

static int numbers[NUMBERS_MAX], number_count;
static int small[RANKS_MAX * 2], many[RANKS_MAX * 2];

static int *new_buffer(int count, int value)
{
	int *buffer = malloc((size_t)count * sizeof *buffer);

	for (int i = 0; i < count; i++)
		buffer[i] = value;
	return buffer;
}

static void expect(int is_so, const char *what, int line)
{
	if (is_so)
		return;
	printf("rank %d: line %d: wrong data: %s\n", rank, line, what);
	fflush(stdout);
	wrong = 1;
}

static void check_data(const int *buffer, int count, int expected, int line)
{
	for (int i = 0; i < count; i++)
		if (buffer[i] != expected) {
			expect(0, "not what was sent", line);
			return;
		}
}

/* comm peer tag value count */
static void send_mode(char mode, int line)
{
	const MPI_Comm comm = comms[numbers[0]];
	const int dest = numbers[1], tag = numbers[2], count = numbers[4];
	int *buffer = new_buffer(count, numbers[3]);

	(void)line;
	if (mode == 's')
		MPI_Send(buffer, count, MPI_INT, dest, tag, comm);
	else if (mode == 'S')
		MPI_Ssend(buffer, count, MPI_INT, dest, tag, comm);
	else
		MPI_Bsend(buffer, count, MPI_INT, dest, tag, comm);
	free(buffer);
}

static void op_send(int line)
{
	send_mode('s', line);
}

static void op_ssend(int line)
{
	send_mode('S', line);
}

static void op_bsend(int line)
{
	send_mode('b', line);
}

static int source_of(int number)
{
	return number < 0 ? MPI_ANY_SOURCE : number;
}

static int tag_of(int number)
{
	return number < 0 ? MPI_ANY_TAG : number;
}

static void op_recv(int line)
{
	const int count = numbers[4];
	int *buffer = new_buffer(count, -7);

	MPI_Recv(buffer, count, MPI_INT, source_of(numbers[1]), tag_of(numbers[2]), comms[numbers[0]],
	         MPI_STATUS_IGNORE);
	check_data(buffer, count, numbers[3], line);
	free(buffer);
}

static void op_probe_recv(int line)
{
	MPI_Status status;
	int count;

	MPI_Probe(source_of(numbers[1]), tag_of(numbers[2]), comms[numbers[0]], &status);
	MPI_Get_count(&status, MPI_INT, &count);
	expect(count == numbers[4], "count of a probe", line);
	numbers[1] = status.MPI_SOURCE;
	numbers[2] = status.MPI_TAG;
	op_recv(line);
}

static void op_mrecv(int line)
{
	const int count = numbers[4];
	int *buffer = new_buffer(count, -7);
	MPI_Message message;

	MPI_Mprobe(source_of(numbers[1]), tag_of(numbers[2]), comms[numbers[0]], &message, MPI_STATUS_IGNORE);
	MPI_Mrecv(buffer, count, MPI_INT, &message, MPI_STATUS_IGNORE);
	check_data(buffer, count, numbers[3], line);
	free(buffer);
}

/* comm tag: from any source; the values are added up */
static void op_recv_any(int line)
{
	int value;

	(void)line;
	MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, numbers[1], comms[numbers[0]], MPI_STATUS_IGNORE);
	any_sum += value;
}

static void op_any_sum(int line)
{
	expect(any_sum == numbers[0], "sum of what anybody sent", line);
	any_sum = 0;
}

/* comm peer tag value count slot */
static void begin(int mode)
{
	const MPI_Comm comm = comms[numbers[0]];
	const int tag = numbers[2], count = numbers[4], slot = numbers[5];
	const int receives = mode == 'r' || mode == 'R';
	int *buffer = new_buffer(count, receives ? -7 : numbers[3]);
	MPI_Request *request = &slots[slot].request;

	slots[slot].buffer = buffer;
	slots[slot].count = count;
	slots[slot].expected = receives ? numbers[3] : -1;
	slots[slot].is_persistent = mode == 'P' || mode == 'R';
	if (mode == 's')
		MPI_Isend(buffer, count, MPI_INT, numbers[1], tag, comm, request);
	else if (mode == 'S')
		MPI_Issend(buffer, count, MPI_INT, numbers[1], tag, comm, request);
	else if (mode == 'b')
		MPI_Ibsend(buffer, count, MPI_INT, numbers[1], tag, comm, request);
	else if (mode == 'P')
		MPI_Send_init(buffer, count, MPI_INT, numbers[1], tag, comm, request);
	else if (mode == 'r')
		MPI_Irecv(buffer, count, MPI_INT, source_of(numbers[1]), tag_of(tag), comm, request);
	else
		MPI_Recv_init(buffer, count, MPI_INT, source_of(numbers[1]), tag_of(tag), comm, request);
	if (slots[slot].is_persistent)
		MPI_Start(request);
}

static void op_isend(int line)
{
	(void)line;
	begin('s');
}

static void op_issend(int line)
{
	(void)line;
	begin('S');
}

static void op_ibsend(int line)
{
	(void)line;
	begin('b');
}

static void op_psend(int line)
{
	(void)line;
	begin('P');
}

static void op_irecv(int line)
{
	(void)line;
	begin('r');
}

static void op_precv(int line)
{
	(void)line;
	begin('R');
}

static void completed(int slot, int line)
{
	if (slots[slot].expected >= 0)
		check_data(slots[slot].buffer, slots[slot].count, slots[slot].expected, line);
	if (slots[slot].is_persistent)
		MPI_Request_free(&slots[slot].request);
	free(slots[slot].buffer);
	slots[slot].buffer = NULL;
}

/* slot ... */
static void op_wait(int line)
{
	MPI_Wait(&slots[numbers[0]].request, MPI_STATUS_IGNORE);
	completed(numbers[0], line);
}

static void op_test(int line)
{
	for (int flag = 0; !flag;) {
		MPI_Test(&slots[numbers[0]].request, &flag, MPI_STATUS_IGNORE);
		if (!flag)
			usleep(1000);
	}
	completed(numbers[0], line);
}

/* A persistent request stays after it has completed: it is not given to a call again. */
static int gather_requests(MPI_Request *requests)
{
	for (int i = 0; i < number_count; i++)
		requests[i] = slots[numbers[i]].request;
	return number_count;
}

static void return_requests(const MPI_Request *requests, int line)
{
	for (int i = 0; i < number_count; i++) {
		slots[numbers[i]].request = requests[i];
		completed(numbers[i], line);
	}
}

static void op_waitall(int line)
{
	MPI_Request requests[SLOTS];

	MPI_Waitall(gather_requests(requests), requests, MPI_STATUSES_IGNORE);
	return_requests(requests, line);
}

static void op_testall(int line)
{
	MPI_Request requests[SLOTS];
	const int count = gather_requests(requests);

	for (int flag = 0; !flag;) {
		MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE);
		if (!flag)
			usleep(1000);
	}
	return_requests(requests, line);
}

static void op_waitany(int line)
{
	MPI_Request requests[SLOTS];
	const int count = gather_requests(requests);

	for (int i = 0; i < count; i++) {
		int index = -1;

		MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
		expect(index >= 0 && index < count, "index of a wait", line);
		slots[numbers[index]].request = requests[index];
		requests[index] = MPI_REQUEST_NULL;
		completed(numbers[index], line);
	}
}

static void op_waitsome(int line)
{
	MPI_Request requests[SLOTS];
	const int count = gather_requests(requests);

	for (int done = 0; done < count;) {
		int indices[SLOTS], got = 0;

		MPI_Waitsome(count, requests, &got, indices, MPI_STATUSES_IGNORE);
		expect(got > 0, "number of a wait", line);
		for (int i = 0; i < got; i++) {
			slots[numbers[indices[i]]].request = requests[indices[i]];
			requests[indices[i]] = MPI_REQUEST_NULL;
			completed(numbers[indices[i]], line);
		}
		done += got > 0 ? got : count;
	}
}

/* comm dest tag value source tag value count */
static void op_sendrecv(int line)
{
	const int count = numbers[7];
	int *out = new_buffer(count, numbers[3]), *in = new_buffer(count, -7);

	MPI_Sendrecv(out, count, MPI_INT, numbers[1], numbers[2], in, count, MPI_INT, source_of(numbers[4]),
	             tag_of(numbers[5]), comms[numbers[0]], MPI_STATUS_IGNORE);
	check_data(in, count, numbers[6], line);
	free(out);
	free(in);
}

/* comm root */
static void fill(int value)
{
	for (int i = 0; i < RANKS_MAX; i++)
		small[i] = value, many[i] = -7;
}

static void op_barrier(int line)
{
	(void)line;
	MPI_Barrier(comms[numbers[0]]);
}

static void op_bcast(int line)
{
	int self, value = -7;

	MPI_Comm_rank(comms[numbers[0]], &self);
	if (self == numbers[1])
		value = 77;
	MPI_Bcast(&value, 1, MPI_INT, numbers[1], comms[numbers[0]]);
	expect(value == 77, "broadcast", line);
}

static void op_reduce(int line)
{
	int one = 1, sum = -7, self, members;

	MPI_Comm_rank(comms[numbers[0]], &self);
	MPI_Comm_size(comms[numbers[0]], &members);
	MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, numbers[1], comms[numbers[0]]);
	expect(self != numbers[1] || sum == members, "reduction", line);
}

static void op_allreduce(int line)
{
	int one = 1, sum = -7, members;

	MPI_Comm_size(comms[numbers[0]], &members);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[numbers[0]]);
	expect(sum == members, "reduction for all", line);
}

static void op_gather(int line)
{
	int self, members;

	MPI_Comm_rank(comms[numbers[0]], &self);
	MPI_Comm_size(comms[numbers[0]], &members);
	fill(self);
	MPI_Gather(small, 1, MPI_INT, many, 1, MPI_INT, numbers[1], comms[numbers[0]]);
	expect(self != numbers[1] || many[members - 1] == members - 1, "gather", line);
}

static void op_scatter(int line)
{
	int self, got = -7;

	MPI_Comm_rank(comms[numbers[0]], &self);
	for (int i = 0; i < RANKS_MAX; i++)
		small[i] = i;
	MPI_Scatter(small, 1, MPI_INT, &got, 1, MPI_INT, numbers[1], comms[numbers[0]]);
	expect(got == self, "scatter", line);
}

static void op_allgather(int line)
{
	int self, members;

	MPI_Comm_rank(comms[numbers[0]], &self);
	MPI_Comm_size(comms[numbers[0]], &members);
	MPI_Allgather(&self, 1, MPI_INT, many, 1, MPI_INT, comms[numbers[0]]);
	expect(many[members - 1] == members - 1, "gather for all", line);
}

static void op_alltoall(int line)
{
	int self, members;

	MPI_Comm_rank(comms[numbers[0]], &self);
	MPI_Comm_size(comms[numbers[0]], &members);
	fill(self);
	MPI_Alltoall(small, 1, MPI_INT, many, 1, MPI_INT, comms[numbers[0]]);
	expect(many[members - 1] == members - 1, "all to all", line);
}

static void op_scan(int line)
{
	int self, one = 1, sum = -7;

	MPI_Comm_rank(comms[numbers[0]], &self);
	MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, comms[numbers[0]]);
	expect(sum == self + 1, "scan", line);
}

/* A communicator of its own, used once. */
static void op_dup(int line)
{
	MPI_Comm twin;

	MPI_Comm_dup(comms[numbers[0]], &twin);
	numbers[0] = COMMS - 1;
	comms[COMMS - 1] = twin;
	op_allreduce(line);
	MPI_Comm_free(&comms[COMMS - 1]);
}

/* comm root slot */
static void begin_collective(int slot, int value)
{
	slots[slot].buffer = new_buffer(2, value);
	slots[slot].count = 1;
	slots[slot].is_persistent = 0;
}

static void op_ibarrier(int line)
{
	(void)line;
	begin_collective(numbers[2], 0);
	slots[numbers[2]].expected = -1;
	MPI_Ibarrier(comms[numbers[0]], &slots[numbers[2]].request);
}

static void op_ibcast(int line)
{
	int self;

	(void)line;
	MPI_Comm_rank(comms[numbers[0]], &self);
	begin_collective(numbers[2], self == numbers[1] ? 78 : -7);
	slots[numbers[2]].expected = 78;
	MPI_Ibcast(slots[numbers[2]].buffer, 1, MPI_INT, numbers[1], comms[numbers[0]],
	           &slots[numbers[2]].request);
}

static void op_iallreduce(int line)
{
	int members;

	(void)line;
	MPI_Comm_size(comms[numbers[0]], &members);
	begin_collective(numbers[2], 1);
	slots[numbers[2]].expected = members;
	MPI_Iallreduce(slots[numbers[2]].buffer + 1, slots[numbers[2]].buffer, 1, MPI_INT, MPI_SUM,
	               comms[numbers[0]], &slots[numbers[2]].request);
}

/* An epoch of fences: each puts into its own place of `target`, reads what no process writes, and adds where all add. target */
static void op_epoch(int line)
{
	const int target = numbers[0], one = 1;
	int got = -7;

	MPI_Win_fence(0, windows[0]);
	MPI_Put(&rank, 1, MPI_INT, target, rank, 1, MPI_INT, windows[0]);
	MPI_Get(&got, 1, MPI_INT, target, RANKS_MAX, 1, MPI_INT, windows[0]);
	MPI_Accumulate(&one, 1, MPI_INT, target, RANKS_MAX + 1, 1, MPI_INT, MPI_SUM, windows[0]);
	MPI_Win_fence(0, windows[0]);
	expect(got == target, "what was read from a window", line);
}

/* A passive epoch: target. */
static void op_lock_put(int line)
{
	(void)line;
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, numbers[0], 0, windows[1]);
	MPI_Put(&rank, 1, MPI_INT, numbers[0], rank, 1, MPI_INT, windows[1]);
	MPI_Win_unlock(numbers[0], windows[1]);
}

static void op_fence(int line)
{
	(void)line;
	MPI_Win_fence(0, windows[numbers[0]]);
}

#include "accesses.h"

/* microseconds */
static void op_sleep(int line)
{
	(void)line;
	usleep((useconds_t)numbers[0]);
}

static const struct {
	const char *name;
	void (*run)(int line);
} operations[] = {
	{"send", op_send},
	{"ssend", op_ssend},
	{"bsend", op_bsend},
	{"recv", op_recv},
	{"probe_recv", op_probe_recv},
	{"mrecv", op_mrecv},
	{"recv_any", op_recv_any},
	{"any_sum", op_any_sum},
	{"isend", op_isend},
	{"issend", op_issend},
	{"ibsend", op_ibsend},
	{"psend", op_psend},
	{"irecv", op_irecv},
	{"precv", op_precv},
	{"wait", op_wait},
	{"test", op_test},
	{"waitall", op_waitall},
	{"testall", op_testall},
	{"waitany", op_waitany},
	{"waitsome", op_waitsome},
	{"sendrecv", op_sendrecv},
	{"barrier", op_barrier},
	{"bcast", op_bcast},
	{"reduce", op_reduce},
	{"allreduce", op_allreduce},
	{"gather", op_gather},
	{"scatter", op_scatter},
	{"allgather", op_allgather},
	{"alltoall", op_alltoall},
	{"scan", op_scan},
	{"dup", op_dup},
	{"ibarrier", op_ibarrier},
	{"ibcast", op_ibcast},
	{"iallreduce", op_iallreduce},
	{"epoch", op_epoch},
	{"lock_put", op_lock_put},
	{"fence", op_fence},
	{"sleep", op_sleep},
	{"fence_access", op_fence_access},
	{"post_access", op_post_access},
	{"lock_access", op_lock_access},
	{"atomic_access", op_atomic_access},
	{"exchange", op_exchange},
	{"threads", op_threads},
	{"two_threads", op_two_threads},
	{"team", op_team},
};

static void execute(const char *name, int line)
{
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (strcmp(operations[i].name, name) == 0) {
			operations[i].run(line);
			return;
		}
	expect(0, name, line);
}

static void run_script(FILE *script)
{
	char text[8192], name[32];
	int whose, used, line = 0;

	while (fgets(text, sizeof text, script)) {
		const char *at = text;

		line++;
		if (sscanf(at, "%d %31s%n", &whose, name, &used) != 2 || whose != rank)
			continue;
		at += used;
		for (number_count = 0; sscanf(at, "%d%n", &numbers[number_count], &used) == 1; number_count++)
			at += used;
		execute(name, line);
	}
}

/* 0 all, 1 all once more, 2 even and odd ranks, 3 all in the opposite order, 4 the first and the second half */
static void make_communicators(void)
{
	comms[0] = MPI_COMM_WORLD;
	MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[2]);
	MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &comms[3]);
	MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &comms[4]);
}

static void make_windows(void)
{
	int *other;

	MPI_Win_allocate((RANKS_MAX + 16) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
	                 &window_memory, &windows[0]);
	MPI_Win_allocate(RANKS_MAX * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &other,
	                 &windows[1]);
	memset(window_memory, 0, (RANKS_MAX + 16) * sizeof(int));
	window_memory[RANKS_MAX] = rank;
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	static char room[4 << 20];
	void *detached;
	int bytes, wrong_anywhere, provided;
	const int has_accesses = argc > 2, has_threads = argc > 2 && strcmp(argv[2], "threads") == 0;
	FILE *script;

	MPI_Init_thread(&argc, &argv,
	                has_threads    ? MPI_THREAD_MULTIPLE
	                : has_accesses ? MPI_THREAD_FUNNELED
	                               : MPI_THREAD_SINGLE,
	                &provided);
	if (has_threads && provided < MPI_THREAD_MULTIPLE)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Buffer_attach(room, sizeof room);
	make_communicators();
	make_windows();
	if (has_accesses)
		make_accessed(has_threads);
	script = fopen(argv[1], "r");
	if (script)
		run_script(script);
	else
		wrong = 1;
	if (script)
		fclose(script);
	MPI_Buffer_detach(&detached, &bytes);
	MPI_Allreduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	if (has_accesses)
		free_accessed();
	for (int i = 0; i < 2; i++)
		MPI_Win_free(&windows[i]);
	for (int i = 1; i < COMMS - 1; i++)
		MPI_Comm_free(&comms[i]);
	MPI_Finalize();
	if (!rank && !wrong_anywhere)
		puts("ok");
	return wrong_anywhere;
}
