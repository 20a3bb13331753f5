/* Jobs of the benchmark program: its MPI library, the paths of the program and the launcher, and the
 * launcher's options.
 *
 *	struct bench_launch launch;
 *	TRY(bench_find(&request, &arena, &launch));
 *	code = bench_check(&launch, &plan, &arena);
 *	TRY(bench_run(&launch, 0, &plan, (struct bench_supervisor){0}, &arena, &end)); */
#ifndef TARRY_CLI_BENCH_LAUNCH_H
#define TARRY_CLI_BENCH_LAUNCH_H

#include "base/arena.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/results/plan.h"
#include "cli/job.h"

#include <stdbool.h>

/* Points of the table. */
struct bench_progress {
	unsigned done, total; /* both 0 until the job reports its progress */
};

/* Decides several times a second whether to end the job, for example because it hangs. */
struct bench_supervisor {
	bool (*must_stop)(
		void *argument,
		const struct bench_progress *reached); /* called in another thread; NULL: never end it */
	void *argument;
};

/* As the user wrote it. */
struct bench_request {
	const char *mpi;
	int64_t processes;    /* 0: not given */
	const char *launcher; /* "srun -n 8" */
	char **words;         /* of a launcher after "--"; NULL: none */
};

// clang-format off
#define BENCH_LAUNCH_OPTIONS(request) \
	{"processes", 'n', "N", "processes of the job; default: the allocation of the batch system, or one per core", \
	 OPTION_COUNT, &(request).processes}, \
	{"mpi", 0, "openmpi|mpich", "MPI library to measure; default: the library of 'mpirun'", OPTION_CHOICE, &(request).mpi}, \
	{"launcher", 0, "COMMAND", "launcher of the job, such as 'srun -n 8'; the same as the words after '--'", \
	 OPTION_TEXT, &(request).launcher}
// clang-format on

struct bench_launch {
	const char *mpi;      /* "openmpi" */
	const char *program;  /* ".../bin/tarry-bench-openmpi" */
	const char *path;     /* of the launcher; NULL: not searched */
	char **words;         /* the launcher and its options */
	bool is_users;        /* the user gave the words: no options are added */
	int64_t processes;    /* 0: the launcher decides */
	bool tells_processes; /* "-n" must still be added */
};

/* Reads the operands of a command: operations, then "--" and the words of a launcher. */
void bench_take_operands(int argc, char **argv, struct bench_request *request, struct bench_plan *wanted);

/* Rejects requests that are invalid on every installation. */
enum status bench_request_check(const struct bench_request *request) MUST_CHECK;

/* Fills in all of `launch`. */
enum status bench_find(const struct bench_request *request, struct arena *arena,
                       struct bench_launch *launch) MUST_CHECK;
/* Fills in only the program, for --list and --dry-run. */
enum status bench_find_program(const struct bench_request *request, struct arena *arena,
                               struct bench_launch *launch) MUST_CHECK;

/* The command line of a job of launch->program. */
char **bench_words(const struct bench_launch *launch, struct arena *arena);

/* Lets the program check the plan before any job is started, and prints its errors to stderr. Returns an exit
 * code. */
int bench_check(const struct bench_launch *launch, const struct bench_plan *wanted, struct arena *arena);

/* Runs the program alone, without a launcher: --list, --dry-run. */
enum status bench_run_alone(const struct bench_launch *launch, const struct bench_plan *wanted,
                            struct arena *arena, int *code) MUST_CHECK;

struct bench_outcome {
	int code; /* 0 success, 1 failure, 2 wrong usage; 128 + n if signal n ended it */
	struct bench_progress reached;
};

/* Runs the job and shows its progress on stderr. `processes` replaces the number in `launch`; 0: no change.
 * Launchers pass the variables with parameters of MPI libraries to all nodes. */
enum status bench_run(const struct bench_launch *launch, int64_t processes, const struct bench_plan *wanted,
                      struct bench_supervisor supervisor, struct arena *arena,
                      struct bench_outcome *end) MUST_CHECK;

/* The path of the temporary file for the results of one job, until the command combines them. It is beside
 * the user's file, because the first process of the job may be on another node. */
const char *bench_draft(const struct output_files *files, const char *subject, struct arena *arena);

/* "tarry-bench-openmpi". */
const char *bench_program_name(const char *mpi, struct arena *arena);
/* Is there one in this installation? */
bool bench_is_served(const char *mpi, struct arena *arena);

#endif
