/* How threads begin and end. Berkeley-like: the process that is started is thread 0 and forks the others. GNU-like: it
 * forks all threads and watches them. Under a launcher that starts all processes (UPC_STANDIN_SEGMENT names the
 * file they share) no thread forks. */
#include "runtime.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern const int upcr_static_threads;
extern const int upcr_pthreads;

#ifdef UPCR_BERKELEY
#define START_TOOL bupc_init_reentrant
#define USER_MAIN user_main
#define USER_MAIN_NAME "user_main"
#define STARTER_IS_A_THREAD true
#define EXIT_FILE "_FINAL_BARRIER"
#else
#define START_TOOL __upc_pupc_init
#define USER_MAIN upc_main
#define USER_MAIN_NAME "main"
#define STARTER_IS_A_THREAD false
#define EXIT_FILE NULL
#endif

int USER_MAIN(int argc, char **argv);
extern const int upcr_reports_functions __attribute__((weak));

struct program {
	int argc;
	char **argv;
	int first_thread;
};

void START_TOOL(struct program *program);

static pthread_t companions[MAX_THREADS];
static pid_t children[MAX_THREADS];
static int child_count;

int upcr_mythread(void)
{
	return self.thread;
}

int upcr_threads(void)
{
	return segment->threads;
}

static uint64_t milliseconds(const char *name)
{
	const char *text = getenv(name);

	return text ? (uint64_t)(atof(text) * 1e6) : 0;
}

static void read_planted(void)
{
	const char *bandwidth = getenv("UPC_STANDIN_BYTES_PER_SECOND");
	const char *slow = getenv("UPC_STANDIN_SLOW_EXIT_THREAD");

	planted.bytes_per_second = bandwidth ? atof(bandwidth) : 0;
	planted.put_ns = milliseconds("UPC_STANDIN_PUT_MS");
	planted.atomic_ns = milliseconds("UPC_STANDIN_ATOMIC_MS");
	planted.slow_thread = slow ? atoi(slow) : -1;
	planted.slow_ns = milliseconds("UPC_STANDIN_SLOW_EXIT_MS");
}

/* The threads' last barrier, after which all have finished. */
static void collective_exit(int status)
{
	struct upcr_place at = {EXIT_FILE, 0, UPCR_CALLS};

	START(GASP_UPC_COLLECTIVE_EXIT, at, status);
#ifdef UPCR_BERKELEY
	upcr_notify(at, false, 0);
	upcr_wait(at, false, 0);
#else
	upcr_barrier((struct upcr_place){0}, false, 0);
#endif
	END(GASP_UPC_COLLECTIVE_EXIT, at, status);
}

static void end_of_process(int status) __attribute__((noreturn));

static void end_of_process(int status)
{
	for (int i = 1; i < segment->threads_per_process; i++)
		pthread_join(companions[i], NULL);
	for (int i = 0; i < child_count; i++) {
		int how;

		if (waitpid(children[i], &how, 0) > 0 && WIFEXITED(how) && WEXITSTATUS(how) > status)
			status = WEXITSTATUS(how);
	}
	exit(status);
}

void upcr_exit(int status)
{
	collective_exit(status);
	if (self.thread % segment->threads_per_process != 0)
		pthread_exit(NULL);
	end_of_process(status);
}

void upcr_global_exit(int status, struct upcr_place at)
{
	EVENT(GASP_UPC_NONCOLLECTIVE_EXIT, GASP_ATOMIC, at, status);
	segment->exit_status = status;
	segment->is_exiting = true;
	fflush(NULL);
	for (int thread = 0; thread < segment->threads; thread++)
		if (segment->pids[thread] != 0 && segment->pids[thread] != getpid())
			kill(segment->pids[thread], SIGTERM);
	if (STARTER_IS_A_THREAD)
		_exit(status);
	exit(status);
}

static void on_termination(int signal)
{
	_exit(segment->is_exiting ? segment->exit_status : 128 + signal);
}

static void kill_children(void)
{
	for (int i = 0; i < child_count; i++)
		kill(children[i], SIGKILL);
}

/* A thread that died takes the job with it. */
static void on_child(int signal)
{
	(void)signal;
	for (int i = 0; i < child_count; i++) {
		siginfo_t how = {0};

		waitid(P_PID, (id_t)children[i], &how, WEXITED | WNOHANG | WNOWAIT);
		if (how.si_pid != 0 && how.si_code != CLD_EXITED) {
			kill_children();
			_exit(128 + how.si_status);
		}
	}
}

#ifdef UPCR_TOOL
/* Unusual events for a tool, if tests request them. */
static void tell_odd_events(void)
{
	static const struct upcr_place nowhere = {NULL, 0, UPCR_CALLS};
	static const struct upcr_place unnamed = {"(unknown)", 0, UPCR_CALLS};
	enum { NOBODYS = 5555 };

	if (!getenv("UPC_STANDIN_ODD_EVENTS"))
		return;
	START(NOBODYS, nowhere);
	END(NOBODYS, nowhere);
	EVENT(NOBODYS + 1, GASP_ATOMIC, unnamed, 1, 2);
	END(GASP_UPC_WAIT, unnamed, 0, 0);
	START(GASP_UPC_NOTIFY, nowhere, 0, 0);
	END(GASP_UPC_NOTIFY, nowhere, 0, 0);
	START(GASP_UPC_WAIT, unnamed, 0, 0);
	END(GASP_UPC_WAIT, unnamed, 0, 0);
}
#endif

/* A function of this name is in every program of the real runtime: by it tools tell which one they are in. */
void START_TOOL(struct program *program)
{
#ifdef UPCR_TOOL
	static const struct upcr_place startup = {"_STARTUP", 0, UPCR_CALLS};
	uint64_t object = segment->static_object;

	self.context = gasp_init(GASP_MODEL_UPC, &program->argc, &program->argv);
	EVENT(GASP_BUPC_STATIC_SHARED, GASP_ATOMIC, startup, (size_t)1, sizeof(int), (void *)&object,
	      (void *)&segment, sizeof(int), "standin_counter", "");
	tell_odd_events();
#else
	(void)program;
#endif
}

static void run_thread(struct program program, int thread)
{
	struct upcr_place at = {NULL, 0, &upcr_reports_functions ? UPCR_CALLS : 0};
	int status;

	self.thread = thread;
	segment->pids[thread] = getpid();
	START_TOOL(&program);
	upcr_barrier((struct upcr_place){0}, false, 0);
	START(GASP_C_FUNC, at, USER_MAIN_NAME);
	status = USER_MAIN(program.argc, program.argv);
	END(GASP_C_FUNC, at, USER_MAIN_NAME);
	upcr_exit(status);
}

static void *run_companion(void *argument)
{
	struct program program = *(struct program *)argument;
	static _Atomic int next;

	run_thread(program, program.first_thread + 1 + next++);
	return NULL;
}

static void run_process(struct program program, int process)
{
	program.first_thread = process * segment->threads_per_process;
	signal(SIGTERM, on_termination);
	prctl(PR_SET_TIMERSLACK, 1);
	for (int i = 1; i < segment->threads_per_process; i++)
		pthread_create(&companions[i], NULL, run_companion, &program);
	run_thread(program, program.first_thread);
}

static void fork_process(struct program program, int process)
{
	pid_t parent = getpid();
	pid_t child = fork();

	if (child < 0) {
		perror("fork");
		kill_children();
		exit(1);
	}
	if (child > 0) {
		children[child_count++] = child;
		return;
	}
	child_count = 0;
	signal(SIGCHLD, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	run_process(program, process);
}

/* Of the GNU-like runtime: its first process only watches. */
static void watch(void) __attribute__((noreturn));

static void watch(void)
{
	int status = 0;
	int how;

	while (wait(&how) > 0) {
		if (WIFSIGNALED(how) || segment->is_exiting)
			kill_children();
		if (!status)
			status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
	}
	_exit(segment->is_exiting ? segment->exit_status : status);
}

static int number_in(const char *name)
{
	const char *text = getenv(name);

	return text ? atoi(text) : 0;
}

static int rank_in_job(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "UPC_STANDIN_THREAD"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *rank = getenv(names[i]);

		if (rank)
			return atoi(rank);
	}
	return 0;
}

/* `-n N` and `-fupc-threads-N` are the runtime's and not the program's. */
static int threads_asked_for(struct program *program)
{
	int threads = number_in("UPC_STANDIN_THREADS");
	int taken = 0;

	if (!STARTER_IS_A_THREAD && program->argc > 2 && strcmp(program->argv[1], "-n") == 0) {
		threads = atoi(program->argv[2]);
		taken = 2;
	} else if (!STARTER_IS_A_THREAD && program->argc > 1 &&
	           strncmp(program->argv[1], "-fupc-threads-", 14) == 0) {
		threads = atoi(program->argv[1] + 14);
		taken = 1;
	}
	program->argv[taken] = program->argv[0];
	program->argv += taken;
	program->argc -= taken;
	return threads;
}

static int thread_count(struct program *program)
{
	int threads = threads_asked_for(program);

	if (upcr_static_threads && threads && threads != upcr_static_threads) {
		fprintf(stderr, "upcr: the program was compiled for %d threads, not for %d\n",
		        upcr_static_threads, threads);
		exit(1);
	}
	threads = threads ? threads : upcr_static_threads ? upcr_static_threads : 1;
	if (threads < 1 || threads > MAX_THREADS || (upcr_pthreads && threads % upcr_pthreads != 0)) {
		fprintf(stderr, "upcr: %d threads with %d in each process are not possible\n", threads,
		        upcr_pthreads);
		exit(1);
	}
	return threads;
}

static void fork_all(struct program program)
{
	int processes = segment->threads / segment->threads_per_process;

	if (STARTER_IS_A_THREAD)
		signal(SIGCHLD, on_child);
	for (int process = STARTER_IS_A_THREAD; process < processes; process++)
		fork_process(program, process);
	if (!STARTER_IS_A_THREAD)
		watch();
	run_process(program, 0);
}

int main(int argc, char **argv)
{
	struct program program = {.argc = argc, .argv = argv};
	bool by_launcher = getenv("UPC_STANDIN_SEGMENT") != NULL;
	int threads = thread_count(&program);

	read_planted();
	segment_open(threads, upcr_pthreads ? upcr_pthreads : threads, !by_launcher || rank_in_job() == 0);
	if (by_launcher)
		run_process(program, rank_in_job());
	else
		fork_all(program);
	return 0;
}
