/* Jobs of the program that measures: its MPI library, the paths of the program and the launcher, and the launcher's options.
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
	unsigned done, total; /* 0, 0 as long as it has reported nothing */
};

/* Asked several times a second: whether the job has to be ended, as one that hangs. */
struct bench_supervisor {
	bool (*must_stop)(void *argument,
	                  const struct bench_progress *reached); /* in another thread; NULL: never */
	void *argument;
};

/* As the user wrote it. */
struct bench_request {
	const char *mpi;
	int64_t processes;    /* 0: not said */
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
	const char *path;     /* of the launcher; NULL: not looked for */
	char **words;         /* the launcher and its options */
	bool is_users;        /* its words are the user's: flags are his business */
	int64_t processes;    /* 0: the launcher decides */
	bool tells_processes; /* "-n" is still to be added */
};

/* Operands of a command: operations, then "--" and a launcher's words. */
void bench_take_operands(int argc, char **argv, struct bench_request *request, struct bench_plan *wanted);

/* What cannot be meant, whatever is installed. */
enum status bench_request_check(const struct bench_request *request) MUST_CHECK;

/* All of `launch`. */
enum status bench_find(const struct bench_request *request, struct arena *arena,
                       struct bench_launch *launch) MUST_CHECK;
/* Only the program: to list, or to say what would be measured. */
enum status bench_find_program(const struct bench_request *request, struct arena *arena,
                               struct bench_launch *launch) MUST_CHECK;

/* The command line of a job of launch->program. */
char **bench_words(const struct bench_launch *launch, struct arena *arena);

/* Lets the program check the plan before any job is started, and prints its errors to stderr. Returns an exit code. */
int bench_check(const struct bench_launch *launch, const struct bench_plan *wanted, struct arena *arena);

/* Runs the program alone, without a launcher: --list, --dry-run. */
enum status bench_run_alone(const struct bench_launch *launch, const struct bench_plan *wanted,
                            struct arena *arena, int *code) MUST_CHECK;

struct bench_outcome {
	int code; /* 0 fine, 1 failed, 2 usage; as of a shell if a signal ended it */
	struct bench_progress reached;
};

/* Waits for the job, with a bar on stderr. `processes` instead of the launch's own; 0: those. Variables by which MPI libraries are
 * told their parameters are carried to all nodes by the launchers. */
enum status bench_run(const struct bench_launch *launch, int64_t processes, const struct bench_plan *wanted,
                      struct bench_supervisor supervisor, struct arena *arena,
                      struct bench_outcome *end) MUST_CHECK;

/* Where jobs of one command leave their results until these are put together: beside the user's file, as the job's first
 * process may be on another node. */
const char *bench_draft(const struct output_files *files, const char *subject, struct arena *arena);

/* "tarry-bench-openmpi". */
const char *bench_program_name(const char *mpi, struct arena *arena);
/* Is there one in this installation? */
bool bench_is_served(const char *mpi, struct arena *arena);

#endif
