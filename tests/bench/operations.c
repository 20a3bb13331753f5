/* Runs every operation once with known contents, in all variants that a user can request,
 * and checks the results.
 *
 *	mpirun -n 3 operations FIRST-SHAPE LAST-SHAPE
 *
 * Fails if one was wrong, or if none was right. */
#include "bench/run/agreement.h"
#include "bench/run/buffers.h"
#include "bench/run/operation.h"
#include "bench/run/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape {
	const char *datatype, *reduction, *root, *topology;
	bool in_place;
	uint64_t bytes;
	uint64_t alignment;
};

static const struct shape shapes[] = {
	{.bytes = 40},
	{.bytes = 8, .in_place = true, .root = "last"},
	{.bytes = 20000, .datatype = "double", .reduction = "max", .root = "middle", .topology = "graph"},
	{.bytes = 20000, .datatype = "short", .reduction = "bxor", .in_place = true},
	{.bytes = 100,
         .datatype = "vector:3,2,5:int",
         .reduction = "user",
         .root = "last",
         .topology = "graph"},
	{.bytes = 500, .datatype = "struct", .reduction = "user", .in_place = true, .alignment = 8},
	{.bytes = 333, .datatype = "layout:4@2,8@16,1@40", .reduction = "user"},
	{.bytes = 64, .datatype = "indexed", .reduction = "user", .root = "middle"},
	{.bytes = 0},
	{.bytes = 96, .reduction = "minloc"},
	{.bytes = 1000, .datatype = "double_int", .reduction = "maxloc", .in_place = true},
};

static int right, wrong, missing;

/* Open MPI would end the job. */
static bool is_refused(const struct shape *shape)
{
#ifdef OPEN_MPI
	return shape->datatype && strcmp(shape->datatype, "double_int") == 0;
#else
	(void)shape;
	return false;
#endif
}

/* Only reductions treat pairs differently from other types. Nonblocking operations behave like blocking ones. */
static bool is_for_others(const struct bench_operation *operation, const struct shape *shape)
{
	bool has_pairs = shape->reduction && text_ends(shape->reduction, "loc");

	return has_pairs && !(operation->traits & REDUCES && (operation->traits & IS_ONE_SIDED ||
	                                                      strcmp(operation->group, "blocking") == 0));
}

/* A derived type has no predefined reduction, and memory of others takes no other. */
static bool fits(const struct bench_operation *operation, const struct shape *shape)
{
	bool is_users = shape->reduction && strcmp(shape->reduction, "user") == 0;

	if (is_for_others(operation, shape))
		return false;
	if (operation->traits & IS_ONE_ELEMENT && shape->datatype &&
	    (is_users || operation->traits & IS_FOR_WHOLE_NUMBERS))
		return strcmp(shape->datatype, "short") == 0;
	return !(operation->traits & IS_ONE_SIDED && operation->traits & REDUCES &&
	         (is_users || is_refused(shape)));
}

/* Uneven blocks are as large as even ones together: of each process, or, where one sends the same to all, of all processes. */
static enum status look_at_total(const struct trial *trial)
{
	int64_t counts[2] = {0};

	for (int i = 0; i < trial->out.count; i++) {
		counts[0] += trial->out.counts[i];
		counts[1] += trial->count;
	}
	if (trial->operation->send == ONE_BLOCK)
		MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INT64_T, MPI_SUM, trial->comm);
	return counts[0] == counts[1] ? OK
	                              : fail("%d elements are sent, not %d", (int)counts[0], (int)counts[1]);
}

static enum status look(const struct bench_operation *operation, const struct bench_plan *wanted,
                        uint64_t bytes)
{
	struct trial trial;
	enum status status;
	int ranks;

	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	TRY(trial_check(operation, wanted, bytes, ranks));
	TRY(trial_prepare(&trial, operation, wanted, MPI_COMM_WORLD, bytes));
	status = agree(MPI_COMM_WORLD, look_at_total(&trial));
	trial_release(&trial);
	return status;
}

/* An operation that spoils one byte of what another gives must not pass. To see that, a small job is enough. */
static const struct bench_operation *spoiled;

static int run_and_spoil(struct trial *trial)
{
	int code = spoiled->run(trial);

	trial->buffers->receive[trial->datatype.pieces[0].offset] ^= 1;
	return code;
}

static bool is_caught(const struct bench_operation *operation, const struct bench_plan *wanted,
                      uint64_t bytes)
{
	struct bench_operation copy = *operation;
	int ranks;

	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (operation->sources == FROM_NOBODY || bytes == 0 || ranks > 2)
		return true;
	spoiled = operation;
	copy.run = run_and_spoil;
	return look(&copy, wanted, bytes) == FAILED;
}

static void try_shape(const struct bench_operation *operation, const struct shape *shape)
{
	struct bench_plan wanted = {
		.datatype = shape->datatype,
		.reduction = shape->reduction,
		.root = shape->root,
		.topology = shape->topology,
		.in_place = shape->in_place,
		.alignment = shape->alignment ? shape->alignment : 64,
		.cache = "warm",
		.verify = true,
	};

	if (!fits(operation, shape))
		return;
	if (look(operation, &wanted, shape->bytes) != OK) {
		wrong++;
		fprintf(stderr, "%s, shape %d: %s\n", operation->name, (int)(shape - shapes), trail_text());
	} else if (!is_caught(operation, &wanted, shape->bytes)) {
		wrong++;
		fprintf(stderr, "%s, shape %d: a wrong result passes\n", operation->name,
		        (int)(shape - shapes));
	} else {
		right++;
	}
}

/* MPICH up to 4.0 gathers the data from when the request was created. */
static bool is_known_to_be_wrong(const struct bench_operation *operation)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING];
	int length;

	MPI_Get_library_version(version, &length);
	return strstr(version, "MPICH Version:\t4.0") && strcmp(operation->name, "MPI_Gather_init") == 0;
}

static void try_operation(const struct bench_operation *operation, size_t first, size_t last)
{
	if (!operation->run) {
		missing++;
		return;
	}
	for (size_t i = first; i <= last && !is_known_to_be_wrong(operation); i++)
		try_shape(operation, &shapes[i]);
}

int main(int argc, char **argv)
{
	const char *all = "all";
	size_t first = 0, last = sizeof shapes / sizeof *shapes - 1, count;
	const struct bench_operation **chosen;
	int rank;

	MPI_Init(&argc, &argv);
	if (argc == 3) {
		first = (size_t)atoi(argv[1]);
		last = (size_t)atoi(argv[2]);
	}
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	trial_look_around(MPI_COMM_WORLD);
	if (operations_choose(&all, 1, &chosen, &count) != OK)
		return 2;
	for (size_t i = 0; i < count; i++)
		try_operation(chosen[i], first, last);
	free(chosen);
	if (rank == 0)
		printf("%d results were right, %d wrong, %d operations are missing\n", right, wrong, missing);
	MPI_Finalize();
	return wrong || !right;
}
