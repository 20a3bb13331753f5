/*
 * Lets single allocations of one process fail, the first ones each and later ones now and then, while a communicator is described and an algorithm runs: all members must decline alike, or
 * all must have the right result. A member that declines alone leaves the others waiting, which the alarm ends.
 *
 *	memory-openmpi STEP        every STEP-th operation; 1: all of them
 *
 * Linked with --wrap for the functions that allocate, so that the MPI library's own allocations never fail.
 */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 500, MOST_ALLOCATIONS = 200 };

static long fails_at, allocations; /* 0: none fails */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

static bool strikes(void)
{
	return fails_at && ++allocations == fails_at;
}

void *__wrap_malloc(size_t bytes)
{
	return strikes() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	return strikes() ? NULL : __real_calloc(count, bytes);
}

struct memory_test {
	int rank, size;
	int layout;
	long tried, declined, wrong;
};

/* One node, nodes of two, dealt out to three, nodes of different sizes, switches of two nodes. */
enum { LAYOUTS = 5 };

static struct coll_location get_location(const struct memory_test *t)
{
	const int nodes[LAYOUTS] = {0, t->rank / 2, t->rank % 3,
	                            t->rank < 1   ? 0
	                            : t->rank < 4 ? 1
	                                          : 2,
	                            t->rank};
	struct coll_location here = COLL_LOCATION_UNKNOWN;

	here.node = nodes[t->layout];
	here.tiers = t->layout == LAYOUTS - 1;
	here.switches[0] = t->rank / 2;
	return here;
}

static void check(struct memory_test *t, bool is_right, const char *what, const struct coll_algorithm *a,
                  long at)
{
	if (is_right)
		return;
	if (t->wrong++ < 3)
		fprintf(stderr, "wrong: %s, %s by '%s' on rank %d, layout %d, allocation %ld\n", what,
		        coll_operation_names[a->operation], a->name, t->rank, t->layout, at);
}

static bool is_same_for_all(int code)
{
	int mine[] = {code, -code}, all[2];

	PMPI_Allreduce(mine, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	return all[0] == -all[1];
}

/* Whether the allocation that should have failed was made at all. */
static bool has_struck(long at)
{
	int mine = allocations >= at, any = 0;

	PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	return any;
}

static int run_with_fault(struct memory_test *t, struct case_call *made, const struct coll_algorithm *a,
                          long at)
{
	struct coll_location here = get_location(t);
	struct coll_comm c;
	int code;

	allocations = 0;
	fails_at = t->rank == t->size - 1 ? at : 0;
	code = coll_comm_make_at(&c, MPI_COMM_WORLD, &here);
	if (code == MPI_SUCCESS) {
		code = a->applies(&c, &made->call, coll_bytes(&c, &made->call)) ? a->run(&c, &made->call)
		                                                                : COLL_DECLINED;
		fails_at = 0;
		check(t, is_same_for_all(code), "not all decline", a, at);
		coll_comm_release(&c);
	} else {
		fails_at = 0;
		check(t, is_same_for_all(code), "not all fail", a, at);
	}
	return code;
}

static void try_algorithm(struct memory_test *t, struct case_call *made, uint64_t seed, const char *expected,
                          const struct coll_algorithm *a)
{
	for (long at = 1; at <= MOST_ALLOCATIONS; at += 1 + at / 3) {
		int code;

		case_fill(made, seed, t->rank);
		code = run_with_fault(t, made, a, at);
		check(t, code == COLL_DECLINED || code == MPI_SUCCESS, "an error", a, at);
		check(t, code != MPI_SUCCESS || !memcmp(expected, made->receive, made->storage_bytes),
		      "another result", a, at);
		t->tried++;
		t->declined += code == COLL_DECLINED;
		if (!has_struck(at))
			return;
	}
}

static void try_operation(struct memory_test *t, enum coll_operation operation)
{
	struct case_random random = {(uint64_t)operation * 77 + 5};
	struct case_call made;
	char *expected;

	case_make(&made, &random, operation, t->rank, t->size);
	case_fill(&made, 7, t->rank);
	case_by_library(&made, MPI_COMM_WORLD);
	expected = malloc(made.storage_bytes);
	memcpy(expected, made.receive, made.storage_bytes);
	for (int i = 0; i < coll_algorithm_count; i++)
		if (coll_algorithms[i].operation == operation)
			try_algorithm(t, &made, 7, expected, &coll_algorithms[i]);
	free(expected);
	case_release(&made);
}

int main(int argc, char **argv)
{
	struct memory_test t = {.layout = 0};
	int step = argc > 1 ? atoi(argv[1]) : 1;

	alarm(SECONDS);
	PMPI_Init(&argc, &argv);
	PMPI_Comm_rank(MPI_COMM_WORLD, &t.rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &t.size);
	for (t.layout = 0; t.layout < LAYOUTS; t.layout++)
		for (int operation = 0; operation < COLL_OPERATIONS; operation += step)
			try_operation(&t, operation);
	if (t.rank == 0)
		printf("%ld calls with a failing allocation, %ld left to MPI\n", t.tried, t.declined);
	if (!t.declined) {
		fprintf(stderr, "wrong: no allocation failed\n");
		t.wrong++;
	}
	PMPI_Allreduce(MPI_IN_PLACE, &t.wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	PMPI_Finalize();
	return t.wrong != 0;
}
