/* Determines the MPI library, and how its jobs are started. */
#include "cli/bench_launch.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/launcher.h"
#include "cli/program.h"
#include "cli/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_MARK "\036tarry "

/* A process that outlives its job may keep the pipes open, so do not wait for it. */
enum { OUT, ERROR, PIPES, PATIENCE_MS = 200, AGAIN_MS = 2000, WHAT_SIZE = 64 };

struct bench_relay {
	int ends[PIPES]; /* to read; -1: at its end */
	struct job_streams streams;
	pthread_t thread;
	atomic_bool job_ended;
	struct bench_supervisor supervisor;
	int64_t next_check_ms;
	struct text held; /* the beginning of a line that may report progress */
	bool in_line;     /* of stderr: the last byte passed on did not end a line */
	char what[WHAT_SIZE];
	double part;
	struct bench_progress reached;
};

static void pass_on(struct bench_relay *relay, int fd, const char *bytes, size_t size)
{
	if (!size)
		return;
	progress_hide();
	if (fd == STDOUT_FILENO) {
		fwrite(bytes, 1, size, stdout);
		fflush(stdout);
	} else {
		write_fully(fd, bytes, size);
		relay->in_line = bytes[size - 1] != '\n';
	}
	if (bytes[size - 1] == '\n')
		progress_show(relay->part);
}

/* "\036tarry 0.3 12/40 MPI_Bcast 64 B"; false: not such a line. */
static bool take_progress(struct bench_relay *relay, const char *line)
{
	struct bench_progress reached;
	double part;
	int length = 0;

	if (sscanf(line, PROGRESS_MARK "%lf %u/%u %n", &part, &reached.done, &reached.total, &length) < 3)
		return false;
	relay->part = part;
	relay->reached = reached;
	snprintf(relay->what, sizeof relay->what, "%.*s", (int)strcspn(line + length, "\n"), line + length);
	progress_show(part);
	return true;
}

static void end_line(struct bench_relay *relay)
{
	struct text *held = &relay->held;

	if (!take_progress(relay, text_get(held)))
		pass_on(relay, STDERR_FILENO, text_get(held), held->length);
	text_clear(held);
}

/* Only lines that begin with the mark are held back until they are complete. */
static void take_errors(struct bench_relay *relay, const char *bytes, size_t size)
{
	while (size) {
		const char *end = memchr(bytes, '\n', size);
		size_t length = end ? (size_t)(end - bytes) + 1 : size;

		if (relay->held.length || (!relay->in_line && *bytes == *PROGRESS_MARK)) {
			text_add_bytes(&relay->held, bytes, length);
			if (end)
				end_line(relay);
		} else {
			pass_on(relay, STDERR_FILENO, bytes, length);
		}
		bytes += length;
		size -= length;
	}
}

/* The thread that waits for the job passes signals on to it. A launcher may need a second signal. */
static void look_after_job(struct bench_relay *relay)
{
	int64_t now = (int64_t)(clock_system_ns(CLOCK_MONOTONIC) / 1000000);

	if (!relay->supervisor.must_stop || now < relay->next_check_ms || atomic_load(&relay->job_ended))
		return;
	relay->next_check_ms = now + PATIENCE_MS;
	if (!relay->supervisor.must_stop(relay->supervisor.argument, &relay->reached))
		return;
	relay->next_check_ms = now + AGAIN_MS;
	kill(getpid(), SIGTERM);
}

static void *relay_all(void *argument)
{
	struct bench_relay *relay = argument;

	progress_join();
	while (relay->ends[OUT] >= 0 || relay->ends[ERROR] >= 0) {
		struct pollfd polled[PIPES] = {{relay->ends[OUT], POLLIN, 0},
		                               {relay->ends[ERROR], POLLIN, 0}};
		bool was_over = atomic_load(&relay->job_ended);
		int ready = poll(polled, PIPES, PATIENCE_MS);

		if (ready == 0 && was_over)
			break;
		look_after_job(relay);
		for (int i = 0; ready > 0 && i < PIPES; i++) {
			char bytes[4096];
			ssize_t size = polled[i].revents ? read(relay->ends[i], bytes, sizeof bytes) : 0;

			if (!polled[i].revents || (size < 0 && errno == EINTR))
				continue;
			if (size <= 0) {
				close(relay->ends[i]);
				relay->ends[i] = -1;
			} else if (i == OUT) {
				pass_on(relay, STDOUT_FILENO, bytes, (size_t)size);
			} else {
				take_errors(relay, bytes, (size_t)size);
			}
		}
	}
	end_line(relay);
	return NULL;
}

static enum status open_pipes(struct bench_relay *relay)
{
	int out[2], error[2];

	if (pipe2(out, O_CLOEXEC) != 0)
		return fail("cannot create a pipe: %s", strerror(errno));
	if (pipe2(error, O_CLOEXEC) != 0) {
		close(out[0]);
		close(out[1]);
		return fail("cannot create a pipe: %s", strerror(errno));
	}
	relay->ends[OUT] = out[0];
	relay->ends[ERROR] = error[0];
	relay->streams = (struct job_streams){.out = out[1], .error = error[1], .listens_to_keys = true};
	return OK;
}

/* The thread that waits for the job handles signals. */
static int start_thread(struct bench_relay *relay)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&relay->thread, NULL, relay_all, relay);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

/* Finding the program and the launcher */

enum { OWN_NAMES = 4 };

static const struct bench_mpi {
	const char *name;
	const char *signs[3];             /* what its launcher's --version says */
	const char *launchers[OWN_NAMES]; /* that can be no other's */
} mpis[] = {
	{"openmpi", {"Open MPI", "OpenRTE", "PRRTE"}, {"mpirun.openmpi", "mpiexec.openmpi", "orterun"}},
	{"mpich", {"HYDRA", "MPICH", "Intel(R) MPI"}, {"mpiexec.mpich", "mpirun.mpich", "mpiexec.hydra"}},
};

enum { MPIS = sizeof mpis / sizeof *mpis };

static const char *const common_launchers[] = {"mpirun", "mpiexec", NULL};

/* Variables of batch systems that the launchers of both libraries read themselves. */
static const char *const allocations[] = {"SLURM_JOB_ID", "PBS_NODEFILE",    "LSB_HOSTS",
                                          "PE_HOSTFILE",  "COBALT_NODEFILE", NULL};

const char *bench_program_name(const char *mpi, struct arena *arena)
{
	return arena_format(arena, "tarry-bench-%s", mpi);
}

static enum status program_path(const char *mpi, struct arena *arena, const char **path)
{
	const char *folder;

	TRY(installation_programs(arena, &folder));
	*path = path_join(folder, bench_program_name(mpi, arena), arena);
	return OK;
}

bool bench_is_served(const char *mpi, struct arena *arena)
{
	const char *path;

	return program_path(mpi, arena, &path) == OK && access(path, X_OK) == 0;
}

static const char *first_served(struct arena *arena)
{
	for (size_t i = 0; i < MPIS; i++)
		if (bench_is_served(mpis[i].name, arena))
			return mpis[i].name;
	return NULL;
}

/* Of this library; NULL: any. */
static enum status check_program(const char *mpi, struct arena *arena)
{
	const char *path;

	if (mpi ? bench_is_served(mpi, arena) : first_served(arena) != NULL)
		return OK;
	if (!mpi) {
		TRY(installation_programs(arena, &path));
		return fail("no benchmark program is in '%s': build Tarry where mpicc and hwloc are found",
		            path);
	}
	TRY(program_path(mpi, arena, &path));
	return fail(
		"'%s' is missing: build Tarry where the compiler wrapper of this MPI library and hwloc are found, or "
		"choose another with --mpi",
		path);
}

/* The MPI library that a launcher belongs to; NULL: any library, or an unknown one. */
static const char *mpi_of_launcher(const char *path)
{
	const char *const words[] = {path, "--version", NULL};
	struct text answer = {0};
	const char *found = NULL;

	capture_output(path, words, NULL, &answer);
	for (size_t i = 0; i < MPIS && !found; i++)
		for (size_t sign = 0; sign < sizeof mpis->signs / sizeof *mpis->signs; sign++)
			if (strstr(text_get(&answer), mpis[i].signs[sign]))
				found = mpis[i].name;
	text_release(&answer);
	return found;
}

static bool is_wanted(const char *wanted, const char *mpi, struct arena *arena)
{
	return mpi && (wanted ? strcmp(wanted, mpi) == 0 : bench_is_served(mpi, arena));
}

struct found_launcher {
	const char *mpi, *name, *path;
};

static bool find_common(const char *wanted, struct arena *arena, struct found_launcher *found)
{
	for (const char *const *name = common_launchers; *name; name++) {
		found->name = *name;
		if (program_find(*name, arena, &found->path) != OK)
			continue;
		found->mpi = mpi_of_launcher(found->path);
		if (is_wanted(wanted, found->mpi, arena))
			return true;
	}
	return false;
}

static bool find_own(const char *wanted, struct arena *arena, struct found_launcher *found)
{
	for (size_t i = 0; i < MPIS; i++)
		for (const char *const *name = mpis[i].launchers;
		     is_wanted(wanted, mpis[i].name, arena) && *name; name++) {
			*found = (struct found_launcher){.mpi = mpis[i].name, .name = *name};
			if (program_find(*name, arena, &found->path) == OK)
				return true;
		}
	return false;
}

static bool is_allocated(void)
{
	for (const char *const *name = allocations; *name; name++)
		if (getenv(*name))
			return true;
	return false;
}

/* The number in the user's launcher options; 0: not found. */
static int64_t processes_said(const struct bench_launch *launch, struct arena *arena)
{
	struct launch_line line;
	int64_t number = 0;

	launch_line_read(&line, count_words(launch->words), launch->words, arena);
	for (int i = 0; i + 1 < line.count; i++) {
		const char *option = line.words[i] + strspn(line.words[i], "-");
		if (line.roles[i] == WORD_OPTION && line.roles[i + 1] == WORD_VALUE &&
		    (strcmp(option, "n") == 0 || strcmp(option, "np") == 0 ||
		     strcmp(option, "ntasks") == 0) &&
		    parse_integer(line.words[i + 1], &number) != OK)
			number = 0;
	}
	return number;
}

static enum status nameless(void)
{
	return fail("the launcher has no name: write it after '--', as in 'tarry bench bcast -- srun -n 8'");
}

/* The user's launcher. The launcher of a batch system works with any library: take the first one. */
static enum status take_users(const struct bench_request *request, struct arena *arena,
                              struct bench_launch *launch)
{
	launch->is_users = true;
	launch->words = request->words;
	if (!launch->words)
		TRY(shell_words(request->launcher, arena, &launch->words));
	if (!launch->words[0])
		return nameless();
	TRY(program_find(launch->words[0], arena, &launch->path));
	launch->mpi = request->mpi ? request->mpi : mpi_of_launcher(launch->path);
	if (!launch->mpi)
		launch->mpi = first_served(arena);
	launch->tells_processes = request->processes;
	launch->processes = request->processes ? request->processes : processes_said(launch, arena);
	return OK;
}

static enum status take_found(const struct bench_request *request, struct arena *arena,
                              struct bench_launch *launch)
{
	struct found_launcher found;

	if (!find_common(request->mpi, arena, &found) && !find_own(request->mpi, arena, &found))
		return fail(
			"no launcher of %s is on the PATH: name one after '--', as in 'tarry bench bcast -- srun -n 8'",
			request->mpi ? request->mpi : "an MPI library that can be measured");
	launch->mpi = found.mpi;
	launch->path = found.path;
	launch->words = arena_array(arena, char *, 2);
	launch->words[0] = arena_text(arena, found.name);
	launch->processes = request->processes;
	if (!launch->processes && !is_allocated())
		launch->processes = available_cores() > 1 ? available_cores() : 2;
	launch->tells_processes = launch->processes;
	return OK;
}

void bench_take_operands(int argc, char **argv, struct bench_request *request, struct bench_plan *wanted)
{
	int count = 0;

	while (count < argc && strcmp(argv[count], "--") != 0)
		count++;
	if (count < argc)
		request->words = argv + count + 1;
	argv[count] = NULL;
	wanted->operations = (struct string_list){(const char **)argv, (size_t)count};
}

enum status bench_request_check(const struct bench_request *request)
{
	if (request->processes > INT_MAX)
		return fail("option '--processes': %lld is not a number of processes",
		            (long long)request->processes);
	if (request->launcher) {
		struct arena arena = {0};
		char **words;
		enum status status = shell_words(request->launcher, &arena, &words);

		if (status != OK)
			status = because("option '--launcher'");
		else if (!words[0])
			status = nameless();
		arena_release(&arena);
		TRY(status);
	}
	if (request->words && !request->words[0])
		return nameless();
	if (request->launcher && request->words)
		return fail("two launchers given, with '--launcher' and after '--': give one");
	return OK;
}

enum status bench_find(const struct bench_request *request, struct arena *arena, struct bench_launch *launch)
{
	struct bench_launch found = {0};

	TRY(check_program(request->mpi, arena));
	TRY(request->launcher || request->words ? take_users(request, arena, &found)
	                                        : take_found(request, arena, &found));
	TRY(check_program(found.mpi, arena));
	TRY(program_path(found.mpi, arena, &found.program));
	*launch = found;
	return OK;
}

enum status bench_find_program(const struct bench_request *request, struct arena *arena,
                               struct bench_launch *launch)
{
	struct bench_launch found = {.processes = request->processes};

	if (bench_find(request, arena, launch) == OK)
		return OK;
	TRY(check_program(request->mpi, arena));
	found.mpi = request->mpi ? request->mpi : first_served(arena);
	TRY(program_path(found.mpi, arena, &found.program));
	*launch = found;
	return OK;
}

/* Running the job */

#define PROGRAM_PREFIX "tarry-bench: "

/* A growing command line, with room for all possible words. */
struct bench_command {
	char **words;
	size_t count;
	struct arena *arena;
};

static void add_word(struct bench_command *line, const char *word)
{
	line->words[line->count++] = arena_text(line->arena, word);
}

static void add_words(struct bench_command *line, char *const *words)
{
	for (; *words; words++)
		line->words[line->count++] = *words;
}

static struct bench_command line_for(size_t room, struct arena *arena)
{
	return (struct bench_command){arena_array(arena, char *, room + 1), 0, arena};
}

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value;
}

enum { WORDS_ADDED = 6 };

static char **launch_words(const struct bench_launch *launch, int64_t processes, char **arguments,
                           struct arena *arena)
{
	struct bench_command line = line_for(
		(size_t)(count_words(launch->words) + count_words(arguments)) + WORDS_ADDED, arena);

	add_words(&line, launch->words);
	if (processes) {
		add_word(&line, "-n");
		add_word(&line, arena_format(arena, "%lld", (long long)processes));
	}
	if (!launch->is_users && strcmp(launch->mpi, "openmpi") == 0) {
		static bool is_root_said, is_sharing_said;
		int cores = available_cores();

		/* Open MPI rejects two common cases. Print the added options once for all jobs of a
		 * command. */
		if (geteuid() == 0 && !is_set("OMPI_ALLOW_RUN_AS_ROOT")) {
			if (!is_root_said)
				say("added '--allow-run-as-root', because you are root");
			is_root_said = true;
			add_word(&line, "--allow-run-as-root");
		}
		if (processes > cores && !is_set("OMPI_MCA_rmaps_base_oversubscribe") &&
		    !is_set("SLURM_JOB_ID")) {
			if (!is_sharing_said)
				say("added '--oversubscribe', because %lld processes share %d core%s, which affects their times",
				    (long long)processes, cores, cores == 1 ? "" : "s");
			is_sharing_said = true;
			add_word(&line, "--oversubscribe");
		}
	}
	add_word(&line, launch->program);
	add_words(&line, arguments);
	return line.words;
}

char **bench_words(const struct bench_launch *launch, struct arena *arena)
{
	char *none[] = {NULL};

	return launch_words(launch, launch->tells_processes ? launch->processes : 0, none, arena);
}

static char **alone_words(const struct bench_launch *launch, const struct bench_plan *wanted,
                          struct arena *arena)
{
	struct bench_plan alone = *wanted;
	struct bench_command line;
	char **arguments;

	alone.world = launch->processes;
	arguments = plan_argv(&alone, arena);
	line = line_for((size_t)count_words(arguments) + 1, arena);
	add_word(&line, launch->program);
	add_words(&line, arguments);
	return line.words;
}

int bench_check(const struct bench_launch *launch, const struct bench_plan *wanted, struct arena *arena)
{
	struct bench_plan checked = *wanted;
	struct text answer = {0};
	int code;

	checked.dry_run = true;
	code = capture_output(launch->program, (const char *const *)alone_words(launch, &checked, arena),
	                      NULL, &answer);
	if (code) {
		const char *lines = text_get(&answer);
		struct text text = {0};

		/* The program's sentences as ours. */
		while (*lines) {
			size_t size = strcspn(lines, "\n");
			if (text_begins(lines, PROGRAM_PREFIX))
				text_add_bytes(&text, lines + strlen(PROGRAM_PREFIX),
				               size - strlen(PROGRAM_PREFIX));
			else
				text_add_bytes(&text, lines, size);
			text_add(&text, "\n");
			lines += size + (lines[size] == '\n');
		}
		say_lines(text_get(&text));
		text_release(&text);
	}
	if (code && !answer.length)
		say("'%s' cannot be run: try it by hand", launch->program);
	text_release(&answer);
	return code < 0 || code > EXIT_USAGE ? EXIT_FAILED : code;
}

enum status bench_run_alone(const struct bench_launch *launch, const struct bench_plan *wanted,
                            struct arena *arena, int *code)
{
	return job_run(launch->program, alone_words(launch, wanted, arena), code);
}

enum status bench_run(const struct bench_launch *launch, int64_t processes, const struct bench_plan *wanted,
                      struct bench_supervisor supervisor, struct arena *arena, struct bench_outcome *end)
{
	struct bench_plan job = *wanted;
	struct bench_relay relay = {.supervisor = supervisor, .what = "starting"};
	enum status status;
	char **words;
	int error;

	job.show_progress = true;
	job.coloured = *colour_code(COLOUR_STRONG, stdout);
	if (!processes && launch->tells_processes)
		processes = launch->processes;
	words = launch_words(launch, processes, plan_argv(&job, arena), arena);
	fflush(stdout);
	TRY(open_pipes(&relay));
	progress_begin(relay.what);
	error = start_thread(&relay);
	status = error ? fail("cannot start a thread: %s", strerror(error))
	               : job_run_into(launch->path, words, &relay.streams, &end->code);
	close(relay.streams.out);
	close(relay.streams.error);
	atomic_store(&relay.job_ended, true);
	if (!error)
		pthread_join(relay.thread, NULL);
	progress_end();
	end->reached = relay.reached;
	for (int i = 0; i < PIPES; i++)
		if (relay.ends[i] >= 0)
			close(relay.ends[i]);
	text_release(&relay.held);
	return status;
}

const char *bench_draft(const struct output_files *files, const char *subject, struct arena *arena)
{
	const char *slash = files->json ? strrchr(files->json, '/') : NULL;
	int folder = slash ? (int)(slash - files->json) + 1 : 0;

	return arena_format(arena, "%.*s.tarry-%s-%ld.json", folder, slash ? files->json : "", subject,
	                    (long)getpid());
}
