/* Times collective operations: all algorithms of src/coll/algorithms and the MPI library's own, alternating in one job. Compiled
 * for each MPI library, and with smpicc for simulated time.
 *
 *	measure [--unchecked] [--calls=N] [--before=N] [--switches=N,N,...] REPETITIONS OPERATION,OPERATION,... BYTES,BYTES,... [ALGORITHM...]
 *
 * Without algorithms all are measured; `library` is MPI's own. Rank 0 prints a line for each size and algorithm:
 *
 *	OPERATION <tab> BYTES <tab> ALGORITHM <tab> MICROSECONDS MICROSECONDS ...
 *
 * All processes start at the same time, and a call lasts until the last process has finished. Clocks must agree, as they
 * do on one machine and in a simulation. The first call is not timed; its result must equal that of the MPI library, or
 * the program fails.
 *
 *	--unchecked         for simulations in which processes share their buffers
 *	--calls=N           each time is the mean of N consecutive calls
 *	--before=N          N calls before the first time, for a library that learns
 *	--switches=3,4,5    tells algorithms that the first switch has 3 nodes, the second 4, the third 5; hosts are
 *	                    called node0, node1, ... */
#include "coll/algorithms/collective.h"
#include "library_call.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RESERVE_US = 3000, RESERVE_BARRIERS = 4, ATTEMPTS = 4, VALUES = 31, ALGORITHMS_MAX = 64 };

static int rank, size;

struct measurement {
	int repetitions, algorithm_count;
	char **algorithms;
	bool unchecked;
	double reserve_us; /* between the agreement on a start and the start */
	int calls;         /* per time */
	int before;        /* calls that are not timed */
	struct coll_location here;
	struct coll_comm comm;
};

struct buffers {
	void *send, *receive, *expected;
	size_t send_bytes, receive_bytes;
	int *counts, *displacements;
};

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static void sleep_us(double us)
{
	struct timespec wait = {(time_t)(us / 1e6), (long)((us - 1e6 * (double)(time_t)(us / 1e6)) * 1e3)};

	if (us > 0)
		nanosleep(&wait, NULL);
}

/* A common start of all processes. */
struct common_start {
	double at_us;
	double late_us; /* how much later this process learned of it; 0: in time */
};

static struct common_start start_together(double reserve_us)
{
	struct common_start start = {0};
	double before, wanted, left;

	PMPI_Barrier(MPI_COMM_WORLD);
	before = now_us();
	PMPI_Barrier(MPI_COMM_WORLD);
	wanted = now_us() + reserve_us + RESERVE_BARRIERS * (now_us() - before);
	PMPI_Allreduce(&wanted, &start.at_us, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	left = start.at_us - now_us();
	sleep_us(left);
	start.late_us = left < 0 ? -left : 0;
	return start;
}

static void fail(const char *what, const char *which)
{
	fprintf(stderr, "measure: %s '%s'\n", what, which);
	PMPI_Abort(MPI_COMM_WORLD, 1);
}

static void *allocate(size_t bytes)
{
	void *memory = malloc(bytes ? bytes : 1);

	if (!memory)
		fail("no memory for", "buffers");
	return memory;
}

static bool is_reduction(enum coll_operation operation)
{
	return operation == COLL_ALLREDUCE || operation == COLL_REDUCE || operation == COLL_REDUCE_SCATTER ||
	       operation == COLL_REDUCE_SCATTER_BLOCK;
}

/* Number of blocks that a process sends, and that it receives. */
static int blocks_sent(enum coll_operation operation)
{
	switch (operation) {
	case COLL_ALLTOALL:
	case COLL_SCATTER:
	case COLL_REDUCE_SCATTER_BLOCK:
		return size;
	default:
		return 1;
	}
}

static int blocks_received(enum coll_operation operation)
{
	switch (operation) {
	case COLL_ALLTOALL:
	case COLL_GATHER:
	case COLL_ALLGATHER:
	case COLL_ALLGATHERV:
		return size;
	default:
		return 1;
	}
}

static void fill(struct buffers *buffers)
{
	unsigned char *bytes = buffers->send;

	for (size_t i = 0; i < buffers->send_bytes; i++)
		bytes[i] = (unsigned char)(i * 7 + (size_t)rank * 13 + i / 251);
}

/* Sums of these are exact in any order. */
static void fill_numbers(struct buffers *buffers)
{
	double *numbers = buffers->send;

	for (size_t i = 0; i < buffers->send_bytes / sizeof *numbers; i++)
		numbers[i] = (double)((i + (size_t)rank * 5) % VALUES) / 4;
}

static void prepare(const struct measurement *m, enum coll_operation operation, size_t bytes,
                    struct buffers *buffers, struct coll_call *call)
{
	MPI_Datatype type = is_reduction(operation) ? MPI_DOUBLE : MPI_BYTE;
	size_t unit = is_reduction(operation) ? sizeof(double) : 1;
	int count = (int)(bytes / unit ? bytes / unit : 1);

	*buffers = (struct buffers){.send_bytes = unit * (size_t)count * (size_t)blocks_sent(operation),
	                            .receive_bytes = unit * (size_t)count *
	                                             (size_t)blocks_received(operation)};
	buffers->send = allocate(buffers->send_bytes);
	buffers->receive = allocate(buffers->receive_bytes);
	buffers->expected = m->unchecked ? NULL : allocate(buffers->receive_bytes);
	buffers->counts = allocate(sizeof *buffers->counts * (size_t)size);
	buffers->displacements = allocate(sizeof *buffers->displacements * (size_t)size);
	for (int i = 0; i < size; i++) {
		buffers->counts[i] = operation == COLL_REDUCE_SCATTER ? count / size + (i < count % size)
		                                                      : count;
		buffers->displacements[i] = i * count;
	}
	if (!m->unchecked && is_reduction(operation))
		fill_numbers(buffers);
	else if (!m->unchecked)
		fill(buffers);
	*call = (struct coll_call){.operation = operation,
	                           .op = MPI_SUM,
	                           .send = buffers->send,
	                           .send_count = count,
	                           .send_type = type,
	                           .receive = buffers->receive,
	                           .receive_count = count,
	                           .receive_type = type,
	                           .counts = buffers->counts,
	                           .displacements = buffers->displacements};
}

static void clear(struct measurement *m, struct buffers *buffers, const struct coll_call *call)
{
	if (m->unchecked)
		return;
	memset(buffers->receive, 0, buffers->receive_bytes);
	if (call->operation == COLL_BCAST && rank == call->root)
		memcpy(buffers->receive, buffers->send, buffers->receive_bytes);
}

static int run(struct measurement *m, const struct coll_algorithm *algorithm, const struct coll_call *call)
{
	return algorithm ? algorithm->run(&m->comm, call) : library_call(call, MPI_COMM_WORLD);
}

/* If a process learned of the start too late, the time is invalid, and the next attempt has a larger
 * reserve. */
static double time_call(struct measurement *m, const struct coll_algorithm *algorithm,
                        const struct coll_call *call)
{
	double most[2] = {0, 0};

	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		struct common_start start = start_together(m->reserve_us);
		for (int i = 0; i < m->calls; i++)
			if (run(m, algorithm, call) != MPI_SUCCESS)
				fail("failed:", algorithm ? algorithm->name : "library");
		double mine[] = {start.late_us, (now_us() - start.at_us) / m->calls};

		PMPI_Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
		if (most[0] <= 0)
			break;
		m->reserve_us += 2 * most[0];
	}
	return most[1];
}

/* False: it declined. */
static bool check(struct measurement *m, const struct coll_algorithm *algorithm, struct buffers *buffers,
                  const struct coll_call *call)
{
	int code;

	clear(m, buffers, call);
	code = run(m, algorithm, call);
	if (code == COLL_DECLINED)
		return false;
	if (code != MPI_SUCCESS)
		fail("failed:", algorithm ? algorithm->name : "library");
	if (m->unchecked)
		return true;
	if (!algorithm)
		memcpy(buffers->expected, buffers->receive, buffers->receive_bytes);
	else if (memcmp(buffers->expected, buffers->receive, buffers->receive_bytes) != 0)
		fail("the result differs from the MPI library's:", algorithm->name);
	return true;
}

static void repeat(struct measurement *m, const struct coll_algorithm *algorithm,
                   const struct coll_call *call)
{
	for (int i = 0; i < m->before; i++)
		run(m, algorithm, call);
}

static bool is_wanted(const struct measurement *m, const char *name)
{
	for (int i = 0; i < m->algorithm_count; i++)
		if (!strcmp(m->algorithms[i], name))
			return true;
	return m->algorithm_count == 0;
}

/* The library, which is NULL, then the applicable algorithms. */
static int select_algorithms(struct measurement *m, const struct coll_call *call,
                             const struct coll_algorithm *selected[ALGORITHMS_MAX])
{
	size_t bytes = coll_bytes(&m->comm, call);
	int count = 0;

	if (is_wanted(m, "library") || !m->unchecked)
		selected[count++] = NULL;
	for (int i = 0; i < coll_algorithm_count && count < ALGORITHMS_MAX; i++) {
		const struct coll_algorithm *algorithm = &coll_algorithms[i];
		if (algorithm->operation == call->operation && is_wanted(m, algorithm->name) &&
		    algorithm->applies(&m->comm, call, bytes))
			selected[count++] = algorithm;
	}
	return count;
}

static void measure_size(struct measurement *m, enum coll_operation operation, size_t bytes)
{
	const struct coll_algorithm *selected[ALGORITHMS_MAX];
	struct buffers buffers;
	struct coll_call call;
	double *times;
	int count;

	prepare(m, operation, bytes, &buffers, &call);
	count = select_algorithms(m, &call, selected);
	times = allocate(sizeof *times * (size_t)(count * m->repetitions + 1));
	for (int i = 0; i < count; i++)
		while (i < count && !check(m, selected[i], &buffers, &call))
			memmove(&selected[i], &selected[i + 1], sizeof *selected * (size_t)(--count - i));
	for (int i = 0; i < count; i++)
		repeat(m, selected[i], &call);
	for (int repetition = 0; repetition < m->repetitions; repetition++)
		for (int i = 0; i < count; i++)
			times[i * m->repetitions + repetition] = time_call(m, selected[i], &call);
	for (int i = 0; rank == 0 && i < count; i++) {
		if (!selected[i] && !is_wanted(m, "library"))
			continue;
		printf("%s\t%zu\t%s\t", coll_operation_names[operation], bytes,
		       selected[i] ? selected[i]->name : "library");
		for (int repetition = 0; repetition < m->repetitions; repetition++)
			printf("%.3f%s", times[i * m->repetitions + repetition],
			       repetition + 1 < m->repetitions ? " " : "\n");
	}
	fflush(stdout);
	free(buffers.send);
	free(buffers.receive);
	free(buffers.expected);
	free(buffers.counts);
	free(buffers.displacements);
	free(times);
}

static enum coll_operation find_operation(const char *name)
{
	int i = 0;

	while (i < COLL_OPERATIONS && strcmp(coll_operation_names[i], name) != 0)
		i++;
	if (i == COLL_OPERATIONS)
		fail("no such operation:", name);
	return (enum coll_operation)i;
}

/* The switch of this node, from the number of nodes per switch. */
static void find_switches(struct measurement *m, const char *sizes)
{
	char name[MPI_MAX_PROCESSOR_NAME + 1];
	int length, node;

	PMPI_Get_processor_name(name, &length);
	if (sscanf(name, "node%d", &node) != 1)
		fail("no number in the name of the host:", name);
	m->here.tiers = 1;
	for (; *sizes && node >= 0; sizes += *sizes == ',') {
		node -= (int)strtol(sizes, (char **)&sizes, 10);
		m->here.switches[0] += node >= 0;
	}
}

static void measure_operation(struct measurement *m, enum coll_operation operation, char *sizes)
{
	for (char *bytes = sizes; *bytes; bytes += *bytes == ',')
		measure_size(m, operation, strtoul(bytes, &bytes, 10));
}

/* Removes the options from the arguments. */
static void read_options(struct measurement *m, int *count, char ***words)
{
	for (; *count > 1 && (*words)[1][0] == '-'; (*count)--, (*words)++) {
		const char *option = (*words)[1];

		if (!strcmp(option, "--unchecked"))
			m->unchecked = true;
		else if (!strncmp(option, "--switches=", 11))
			find_switches(m, option + 11);
		else if ((sscanf(option, "--calls=%d", &m->calls) != 1 || m->calls < 1) &&
		         sscanf(option, "--before=%d", &m->before) != 1)
			fail("no such option:", option);
	}
	if (*count < 4)
		fail("usage: measure [--unchecked] [--calls=N] [--before=N] [--switches=N,...] REPETITIONS OPERATION,... BYTES,... [ALGORITHM...] instead of",
		     (*words)[0]);
}

int main(int count, char **words)
{
	struct measurement m = {.reserve_us = RESERVE_US, .calls = 1, .here = COLL_LOCATION_UNKNOWN};
	char *rest;

	MPI_Init(&count, &words);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	read_options(&m, &count, &words);
	m.repetitions = atoi(words[1]);
	m.algorithms = words + 4;
	m.algorithm_count = count - 4;
	if (coll_comm_make_at(&m.comm, MPI_COMM_WORLD, &m.here) != MPI_SUCCESS)
		fail("cannot describe", "MPI_COMM_WORLD");
	/* In a simulation all processes share the memory of the C library, including strtok(). */
	for (char *name = strtok_r(words[2], ",", &rest); name; name = strtok_r(NULL, ",", &rest))
		measure_operation(&m, find_operation(name), words[3]);
	coll_comm_release(&m.comm);
	MPI_Finalize();
	return 0;
}
