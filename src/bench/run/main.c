/* tarry-bench-<mpi>: measures operations of the MPI library that it is linked with. */
#include "base/memory.h"
#include "bench/run/dry_run.h"
#include "bench/run/first_call.h"
#include "bench/run/memory.h"
#include "bench/run/session.h"
#include "bench/run/timer.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_MISUSE = 2 };

static void out_of_memory(size_t wanted)
{
	fprintf(stderr, "tarry-bench: out of memory: cannot allocate %zu bytes\n", wanted);
	MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
	exit(EXIT_FAILED);
}

static int explain(void)
{
	struct text text = {0};

	text_add(&text, "usage: mpirun -n RANKS tarry-bench-MPI [options] [operations]\n\n");
	options_help(plan_options, &text);
	fputs(text_get(&text), stdout);
	text_release(&text);
	return EXIT_FINE;
}

static int list(void)
{
	struct text text = {0};

	printf("timers\n");
	for (const struct bench_timer *timer = timers; timer->name; timer++)
		printf("  %-22s%s\n", timer->name, timer->help);
	operations_list(&text);
	fputs(text_get(&text), stdout);
	text_release(&text);
	return EXIT_FINE;
}

/* Otherwise each process of a launcher would print the same. */
static int describe(void)
{
	struct started_as started = started_as();
	struct text text = {0};
	enum status status = plan_check(&plan);

	if (status == OK)
		status = dry_run(&plan, plan.world ? (int)plan.world : started.world, &text);
	if (started.rank == 0 && status == OK)
		fputs(text_get(&text), stdout);
	if (started.rank == 0 && status != OK)
		fprintf(stderr, "tarry-bench: %s\n", trail_text());
	text_release(&text);
	return status == OK ? EXIT_FINE : EXIT_MISUSE;
}

/* Only one process prints it. */
static int complain(int code)
{
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		fprintf(stderr, "tarry-bench: %s\n", trail_text());
	return code;
}

/* An incompatible launcher starts many jobs of one process, all with the same files. */
static bool is_lonely(const struct started_as *started)
{
	int world;

	MPI_Comm_size(MPI_COMM_WORLD, &world);
	return world == 1 && started->launched > 1;
}

static int complain_of_launcher(const struct started_as *started)
{
	if (started->rank == 0)
		fprintf(stderr,
		        "tarry-bench: the launcher started %d processes that do not know each other: it belongs to another MPI "
		        "library; use this library's launcher, or the tarry-bench program of the launcher's library\n",
		        started->launched);
	return EXIT_MISUSE;
}

static int measure_memory(const struct memory_look *before)
{
	return memory_run(before, &plan, MPI_COMM_WORLD) == OK ? EXIT_FINE : complain(EXIT_FAILED);
}

static int measure_first_call(void)
{
	return first_call_run(&plan, MPI_COMM_WORLD) == OK ? EXIT_FINE : complain(EXIT_FAILED);
}

static int measure_all(void)
{
	struct session session;
	int code = EXIT_FINE;

	if (session_run(&session, &plan) != OK)
		code = complain(session.is_misused ? EXIT_MISUSE : EXIT_FAILED);
	session_release(&session);
	return code;
}

/* The worst result of all processes, from one process: launchers kill the others after the first failure
 * and lose their last output. */
static int code_of_job(int code)
{
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	return rank == 0 ? code : EXIT_FINE;
}

int main(int argc, char **argv)
{
	struct operands operands = {0};
	enum status status = options_parse(plan_options, OPTIONS_ANYWHERE, argc - 1, argv + 1, &operands);
	/* before MPI_Init, which sets such variables */
	const struct started_as started = started_as();
	struct memory_look before;
	int code, level;

	memory_on_exhaustion(out_of_memory);
	if (status == OK && operands.help)
		return explain();
	if (status == OK && plan.list)
		return list();
	plan.operations = (struct string_list){(const char **)operands.at, (size_t)operands.count};
	if (status == OK && plan.dry_run)
		return describe();
	if (status == OK && plan.memory)
		status = memory_begin(&before);
	MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &level);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	if (status != OK || plan_check(&plan) != OK)
		code = complain(EXIT_MISUSE);
	else if (is_lonely(&started))
		code = complain_of_launcher(&started);
	else
		code = plan.memory       ? measure_memory(&before)
		       : plan.first_call ? measure_first_call()
		                         : measure_all();
	code = code_of_job(code);
	MPI_Finalize();
	return code;
}
