/* tarry-analyze-<mpi>: what `tarry analyze` and `tarry report` print, found by several processes. */
#include "analyze/mpi_peers.h"
#include "base/memory.h"
#include "cli/trace_analysis.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static struct report_choice choice;
static const char *work;

static const struct option_spec options[] = {
	REPORT_OPTIONS(choice),
	{"report", 0, NULL, "print what 'tarry report' prints instead of 'tarry analyze'", OPTION_FLAG,
         &choice.profile},
	{"work", 0, "FILE",
         "write to FILE what each process did, as CSV: events, facts, exchanges, bytes, seconds and memory",
         OPTION_TEXT, &work},
	OPTIONS_END,
};

/* Its name makes the hints after wrong usage those of 'tarry analyze'. */
static const struct command command = {
	.name = "analyze",
	.usage = "[options] TRACE",
	.options = options,
};

static void out_of_memory(size_t wanted)
{
	say("out of memory: cannot allocate %zu bytes", wanted);
	MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
	exit(EXIT_FAILED);
}

static int print_help(void)
{
	struct text text = {0};

	text_add(&text, "usage: mpirun -n PROCESSES tarry-analyze-MPI [options] TRACE\n\n"
	                "find wait states, their causes and remedies with several processes\n\nOPTIONS\n");
	options_help(options, &text);
	text_add(&text, "\nEXAMPLE\n  mpirun -n 64 tarry-analyze-openmpi --no-causes run.tarry\n");
	fputs(text_get(&text), stdout);
	text_release(&text);
	return EXIT_FINE;
}

/* The leader speaks for all. */
static void be_quiet(void)
{
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
		MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
}

/* Some launchers give their processes a terminal although their own output goes to a file: the output must not depend on that. */
static FILE *catch_output(int *launcher)
{
	FILE *caught = tmpfile();

	*launcher = dup(STDOUT_FILENO);
	if (caught && *launcher >= 0 && dup2(fileno(caught), STDOUT_FILENO) >= 0)
		return caught;
	say("cannot make a temporary file: %s", strerror(errno));
	MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
	exit(EXIT_FAILED);
}

static bool pass_on(FILE *caught, int launcher)
{
	char bytes[1 << 16];
	bool is_whole = fflush(stdout) == 0 && !ferror(stdout);
	size_t size;

	rewind(caught);
	while ((size = fread(bytes, 1, sizeof bytes, caught)) > 0)
		for (size_t done = 0; done < size && is_whole;) {
			ssize_t written = write(launcher, bytes + done, size - done);
			is_whole = written > 0;
			done += written > 0 ? (size_t)written : 0;
		}
	if (!is_whole)
		say("cannot write all output to stdout");
	return is_whole;
}

static double processor_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Processor time without that of exchanges is the work of a process: there it mostly waits for others. */
static void add_work(const struct session_peers *peers, double since_s, struct text *line)
{
	struct rusage used = {0};

	getrusage(RUSAGE_SELF, &used);
	text_add(line, "%u,%llu,%llu,%llu,%llu,%llu,%.6f,%ld", peers->own, (unsigned long long)peers->events,
	         (unsigned long long)peers->facts, (unsigned long long)peers->exchanges,
	         (unsigned long long)peers->sent_bytes, (unsigned long long)peers->received_bytes,
	         processor_s() - since_s - (double)peers->exchange_ns * 1e-9, used.ru_maxrss);
	for (int i = 0; i < STEPS_END; i++)
		text_add(line, ",%.6f", (double)peers->step_ns[i] * 1e-9);
	text_add(line, "\n");
}

static bool write_work(struct session_peers *peers, double since_s)
{
	struct text line = {0}, out = {0}, *all;
	bool written = true;

	add_work(peers, since_s, &line);
	all = peers_gather(peers, &line);
	text_add(&out, "process,events,facts,exchanges,sent_bytes,received_bytes,work_s,memory_kib");
	for (int i = 0; i < STEPS_END; i++)
		text_add(&out, ",%s_s", peers_step_names[i]);
	text_add(&out, "\n");
	for (uint32_t i = 0; i < peers->count; i++)
		text_add(&out, "%s", text_get(&all[i]));
	if (peers_lead(peers))
		written = write_output(work, &out);
	peers_free_blocks(peers, all);
	text_release(&out);
	return written;
}

static int analyze_with(struct session_peers *peers, const struct operands *operands)
{
	const double since_s = processor_s();
	int code;

	if (operands->count != 1)
		return misuse(&command,
		              operands->count ? "unexpected argument '%s'" : "missing argument TRACE",
		              operands->count ? operands->at[1] : "");
	choice.peers = peers;
	peers_begin_step(peers, STEP_OPEN);
	code = write_reports(&command, operands->at[0], &choice);
	peers_begin_step(peers, STEPS_END);
	if (work && !write_work(peers, since_s) && code == EXIT_FINE)
		code = EXIT_FAILED;
	return code;
}

int main(int argc, char **argv)
{
	struct operands operands = {0};
	MPI_Comm world = MPI_COMM_WORLD;
	struct session_peers peers;
	enum status status;
	int code, level, launcher = -1;
	FILE *caught = NULL;

	memory_on_exhaustion(out_of_memory);
	status = options_parse(options, OPTIONS_ANYWHERE, argc - 1, argv + 1, &operands);
	if (status == OK && operands.help)
		return print_help();
	MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
	peers = mpi_peers(&world);
	if (peers_lead(&peers))
		caught = catch_output(&launcher);
	else
		be_quiet();
	code = status == OK ? analyze_with(&peers, &operands) : misuse(&command, "%s", trail_text());
	if (caught && !pass_on(caught, launcher) && code == EXIT_FINE)
		code = EXIT_FAILED;
	/* Launchers kill the others after the first failure: only the leader's code counts. */
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return peers_lead(&peers) ? code : EXIT_FINE;
}
