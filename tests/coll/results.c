/*
 * Compares the buffers after every algorithm of coll/algorithms with those after the MPI library's function, byte by byte, gaps included, for
 * random calls on random communicators and layouts.
 *
 *	results-openmpi SEED COMMUNICATORS CALLS [OPERATION [ALGORITHM]]
 *
 * With one algorithm that must be found wrong (the plant): results-openmpi SEED COMMUNICATORS CALLS plant
 * In a job over several nodes, with these instead of random layouts: results-openmpi SEED COMMUNICATORS CALLS nodes
 */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct results {
	struct case_random random;
	const char *operation, *algorithm; /* NULL: all */
	bool plant;                        /* spoil what algorithms do */
	bool nodes;                        /* as they are */
	long compared, wrong, wrong_by_library;
	long runs[64];
};

enum layout_choice {
	NODES_ONE,
	NODES_ALL,
	NODES_BLOCK,
	NODES_CYCLIC,
	NODES_RANDOM,
	NODES_UNEVEN,
	LAYOUT_CHOICES
};

/* A key for this process, from the same random numbers on all. */
static int node_key(struct results *r, int rank, int size)
{
	enum layout_choice choice = case_next(&r->random, LAYOUT_CHOICES);
	int number = 1 + (int)case_next(&r->random, 5);
	int key = 0;

	switch (choice) {
	case NODES_ONE:
		return 0;
	case NODES_ALL:
		return rank;
	case NODES_BLOCK:
		return rank / number;
	case NODES_CYCLIC:
		return rank % number;
	case NODES_RANDOM:
		for (int i = 0; i < size; i++) {
			int drawn = (int)case_next(&r->random, (uint32_t)number);
			key = i == rank ? drawn : key;
		}
		return key;
	default:
		return rank < 1 ? 0 : rank < 4 ? 1 : 2;
	}
}

/* Switches over some nodes each, and sockets, from the same random numbers on all. Layouts in which nodes are not in the order of their keys make groups of any ranks. */
static struct coll_location draw_location(struct results *r, int rank, int size)
{
	struct coll_location here = COLL_LOCATION_UNKNOWN;
	int per_switch = 1 + (int)case_next(&r->random, 3);

	here.node = node_key(r, rank, size);
	here.tiers = (int)case_next(&r->random, 3);
	for (int tier = 0; tier < here.tiers; tier++)
		here.switches[tier] = here.node / per_switch / (here.tiers - tier);
	if (case_next(&r->random, 2))
		here.socket = rank % 2;
	return here;
}

/* The whole, in reverse, the even or the odd ones, or all but the first. */
static MPI_Comm make_communicator(struct results *r)
{
	int rank, size;
	MPI_Comm made;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	switch (case_next(&r->random, 4)) {
	case 0:
		PMPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &made);
		break;
	case 1:
		PMPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &made);
		break;
	case 2:
		PMPI_Comm_split(MPI_COMM_WORLD, rank > 0, (rank * 7) % size, &made);
		break;
	default:
		PMPI_Comm_dup(MPI_COMM_WORLD, &made);
	}
	return made;
}

static bool is_wanted(const struct results *r, const struct coll_algorithm *a, enum coll_operation operation)
{
	return a->operation == operation && (!r->algorithm || !strcmp(r->algorithm, a->name));
}

static void complain(const struct case_call *made, const struct coll_algorithm *a, const struct coll_comm *c,
                     int code)
{
	char text[256];

	case_describe(made, text, sizeof text);
	fprintf(stderr, "wrong: %s by '%s' on rank %d of %d (node %d of %d, layout %d): code %d\n", text,
	        a->name, c->rank, c->size, c->my_node, c->layout.nodes, (int)c->layout.kind, code);
}

#define PENDING_BYTES (300 << 10)

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*
 * Nobody leaves a barrier before all have come, by the clock that all of them have. The first process has a message under way that the last one takes before it comes, so that MPI has
 * to continue with it inside the barrier.
 */
static int run_barrier(struct coll_comm *c, const struct coll_algorithm *a, const struct coll_call *call,
                       MPI_Comm comm)
{
	static char pending[PENDING_BYTES];
	MPI_Request request = MPI_REQUEST_NULL;

	if (c->rank == 0)
		PMPI_Isend(pending, PENDING_BYTES, MPI_CHAR, c->size - 1, 0, comm, &request);
	if (c->rank == c->size - 1)
		PMPI_Recv(pending, PENDING_BYTES, MPI_CHAR, 0, 0, comm, MPI_STATUS_IGNORE);
	double came_s = now_s(), last_s;
	int code = a->run(c, call);
	double left_s = now_s();
	PMPI_Wait(&request, MPI_STATUS_IGNORE);
	PMPI_Allreduce(&came_s, &last_s, 1, MPI_DOUBLE, MPI_MAX, comm);
	return left_s < last_s ? MPI_ERR_OTHER : code;
}

/* The buffers after the call; the caller frees the first. */
struct buffers {
	char *receive, *send;
};

static struct buffers copy_buffers(const struct case_call *made)
{
	struct buffers b = {malloc(2 * made->storage_bytes), NULL};

	b.send = b.receive + made->storage_bytes;
	memcpy(b.receive, made->receive, made->storage_bytes);
	memcpy(b.send, made->send, made->storage_bytes);
	return b;
}

static bool are_equal(const struct buffers *b, const struct case_call *made)
{
	return memcmp(b->receive, made->receive, made->storage_bytes) == 0 &&
	       memcmp(b->send, made->send, made->storage_bytes) == 0;
}

/* The library's result; for a reduction a result computed here, because some reductions of MPICH 4.0.2 over several nodes are wrong. */
static struct buffers expect(struct results *r, struct case_call *made, uint64_t seed,
                             const struct coll_comm *c, MPI_Comm comm)
{
	struct buffers expected;

	if (!case_by_hand(made, seed, c->rank, c->size)) {
		case_fill(made, seed, c->rank);
		case_by_library(made, comm);
		return copy_buffers(made);
	}
	expected = copy_buffers(made);
	case_fill(made, seed, c->rank);
	case_by_library(made, comm);
	r->wrong_by_library += !are_equal(&expected, made);
	return expected;
}

/* By each algorithm that applies. */
static void compare_call(struct results *r, struct coll_comm *c, MPI_Comm comm, enum coll_operation operation)
{
	struct case_call made;
	uint64_t seed = r->random.state;

	case_make(&made, &r->random, operation, c->rank, c->size);
	struct buffers expected = expect(r, &made, seed, c, comm);
	size_t bytes = coll_bytes(c, &made.call);
	for (int i = 0; i < coll_algorithm_count; i++) {
		const struct coll_algorithm *a = &coll_algorithms[i];
		if (!is_wanted(r, a, operation) || !a->applies(c, &made.call, bytes))
			continue;
		case_fill(&made, seed, c->rank);
		int code = operation == COLL_BARRIER ? run_barrier(c, a, &made.call, comm)
		                                     : a->run(c, &made.call);
		if (r->plant && c->rank == c->size - 1)
			made.receive[SHAPE_REACH * made.basic_bytes] ^= 1;
		r->compared++;
		r->runs[i]++;
		if (code != MPI_SUCCESS || !are_equal(&expected, &made)) {
			if (r->wrong++ < 3 && !r->plant)
				complain(&made, a, c, code);
		}
	}
	free(expected.receive);
	case_release(&made);
}

static void compare_communicator(struct results *r, int calls)
{
	struct coll_comm c;
	MPI_Comm comm = make_communicator(r);
	int rank, size;

	PMPI_Comm_rank(comm, &rank);
	PMPI_Comm_size(comm, &size);
	/* Parts of a split have different sizes and draw different numbers; afterwards all continue
	 * from the same state. */
	struct case_random before = r->random;
	struct coll_location here = COLL_LOCATION_UNKNOWN;
	if (!r->nodes)
		here = draw_location(r, rank, size);
	int code = coll_comm_make_at(&c, comm, &here);
	if (code != MPI_SUCCESS) {
		fprintf(stderr, "wrong: a communicator of %d was not described: %d\n", size, code);
		r->wrong++;
		calls = 0;
	}
	for (int i = 0; i < calls; i++) {
		enum coll_operation operation = case_next(&r->random, COLL_OPERATIONS);
		if (size > 1 && (!r->operation || !strcmp(r->operation, coll_operation_names[operation])))
			compare_call(r, &c, comm, operation);
	}
	if (code == MPI_SUCCESS)
		coll_comm_release(&c);
	PMPI_Comm_free(&comm);
	r->random.state = before.state * 0x9e3779b97f4a7c15u + 1;
}

/* The real nodes, as in a job: only that they are found, and one call of each operation. */
static void compare_real_nodes(struct results *r)
{
	struct coll_comm c;

	if (coll_comm_make(&c, MPI_COMM_WORLD) != MPI_SUCCESS) {
		r->wrong++;
		return;
	}
	for (int i = 0; i < COLL_OPERATIONS && c.size > 1; i++)
		compare_call(r, &c, MPI_COMM_WORLD, i);
	coll_comm_release(&c);
}

static int report(const struct results *r)
{
	long mine[3 + 64] = {r->compared, r->wrong, r->wrong_by_library};
	long all[3 + 64] = {0};
	int rank, size;

	memcpy(mine + 3, r->runs, sizeof r->runs);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	PMPI_Allreduce(mine, all, 3 + 64, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0) {
		for (int i = 0; i < coll_algorithm_count; i++)
			printf("%s %s: %ld\n", coll_operation_names[coll_algorithms[i].operation],
			       coll_algorithms[i].name, all[3 + i]);
		if (all[2])
			printf("%ld results of reductions by the MPI library itself were wrong\n", all[2]);
		printf("%ld results of %d processes compared, %ld wrong\n", all[0], size, all[1]);
	}
	return all[1] != 0;
}

int main(int argc, char **argv)
{
	struct results r = {.random = {argc > 1 ? strtoull(argv[1], NULL, 10) : 1}};
	int communicators = argc > 2 ? atoi(argv[2]) : 4;
	int calls = argc > 3 ? atoi(argv[3]) : 20;

	r.plant = argc > 4 && !strcmp(argv[4], "plant");
	r.nodes = argc > 4 && !strcmp(argv[4], "nodes");
	r.operation = argc > 4 && !r.plant && !r.nodes && strcmp(argv[4], "all") != 0 ? argv[4] : NULL;
	r.algorithm = argc > 5 ? argv[5] : NULL;
	PMPI_Init(&argc, &argv);
	for (int i = 0; i < 10; i++)
		case_next(&r.random, 0);
	compare_real_nodes(&r);
	for (int i = 0; i < communicators; i++)
		compare_communicator(&r, calls);
	int wrong = report(&r);
	PMPI_Finalize();
	return r.plant ? !wrong : wrong;
}
