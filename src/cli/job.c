/* The command gets its own process group. So signals of the terminal reach the command and not this process,
 * and only this process passes on signals that are sent to it or its group: no signal arrives twice.
 * (Launchers kill their processes on a second SIGINT.) */
#include "cli/job.h"

#include "base/job_identity.h"
#include "base/paths.h"
#include "base/text.h"
#include "cli/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGALRM, 0};

/* Signals after which no further job is started. */
static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, 0};
static int ended_by;

/* The time that the command may run after its job was stopped, and the interval of looks for that. */
enum { LOOK_MS = 100, STOPPED_LOOK_MS = 20, TERM_AFTER_MS = 8000, KILL_AFTER_MS = 16000, CRASHED_MS = 22000 };

static void note_ending(int number)
{
	for (const int *known = ending; *known; known++)
		if (number == *known)
			ended_by = number;
}

int job_signal(void)
{
	return ended_by;
}

struct job {
	pid_t pid;
	pid_t listener; /* 0: none */
	int terminal;   /* -1: none */
	struct job_streams streams;
	sigset_t awaited; /* signals that are awaited instead of interrupting this process */
	sigset_t before;
	int stopped_ms; /* about the time when the job was stopped; 0: it was not */
	int crashed_ms; /* time since when only the command is left of a crashed job */
	int code;
	bool ended;
};

/* SIGTTOU is among them: it would stop us when we take the terminal back. */
static void block_signals(struct job *job)
{
	sigset_t blocked;

	sigemptyset(&job->awaited);
	for (const int *number = passed_on; *number; number++)
		sigaddset(&job->awaited, *number);
	sigaddset(&job->awaited, SIGCHLD);
	sigaddset(&job->awaited, SIGCONT);
	blocked = job->awaited;
	sigaddset(&blocked, SIGTTOU);
	sigprocmask(SIG_BLOCK, &blocked, &job->before);
}

/* In the background there is no terminal to pass on. */
static void give_terminal(const struct job *job, pid_t from, pid_t to)
{
	if (job->terminal >= 0 && tcgetpgrp(job->terminal) == from)
		tcsetpgrp(job->terminal, to);
}

/* Between fork and exec. The pipe closes by itself when exec succeeds. */
static void become_command(const struct job *job, const char *path, char **argv, int failure)
{
	pid_t parent_group = getpgid(getppid());
	int error;

	setpgid(0, 0);
	give_terminal(job, parent_group, getpid());
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	sigprocmask(SIG_SETMASK, &job->before, NULL);
	dup2(job->streams.out, STDOUT_FILENO);
	dup2(job->streams.error, STDERR_FILENO);
	execv(path, argv);
	error = errno;
	if (write(failure, &error, sizeof error) != sizeof error)
		_exit(EXIT_CANNOT_RUN);
	_exit(EXIT_NOT_FOUND);
}

static enum status start(struct job *job, const char *path, char **argv)
{
	int failure[2], error = 0;

	if (pipe2(failure, O_CLOEXEC) != 0)
		return fail("cannot create a pipe: %s", strerror(errno));
	job->pid = fork();
	if (job->pid == 0)
		become_command(job, path, argv, failure[1]);
	error = job->pid < 0 ? errno : 0;
	close(failure[1]);
	if (job->pid > 0) {
		setpgid(job->pid, job->pid);
		if (read(failure[0], &error, sizeof error) > 0)
			waitpid(job->pid, NULL, 0);
	}
	close(failure[0]);
	return error ? fail("cannot run '%s': %s", path, strerror(error)) : OK;
}

/* Signals from keys reach only the command's group, and a launcher may survive them or exit with 0. So one
 * process of ours in the group only waits to be ended by such a signal. */
static void start_listener(struct job *job)
{
	if (job->terminal < 0)
		return;
	job->listener = fork();
	if (job->listener == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		setpgid(0, job->pid);
		sigprocmask(SIG_SETMASK, &job->before, NULL);
		for (;;)
			pause();
	}
	setpgid(job->listener, job->pid);
}

/* A signal that was sent before ours has already decided the cause of death. */
static void ask_listener(const struct job *job)
{
	int status;

	if (job->listener <= 0)
		return;
	kill(job->listener, SIGKILL);
	if (waitpid(job->listener, &status, 0) == job->listener && WIFSIGNALED(status) &&
	    (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGQUIT))
		note_ending(WTERMSIG(status));
}

static void look_after_child(struct job *job)
{
	int status;

	while (waitpid(job->pid, &status, WNOHANG | WUNTRACED) == job->pid) {
		if (WIFSTOPPED(status)) {
			/* The command was stopped, for example by Ctrl-Z: this process also stops until it is
			 * continued. */
			if (job->streams.watch)
				job->streams.watch->suspend(job->streams.watch->context);
			give_terminal(job, job->pid, getpgrp());
			raise(SIGSTOP);
			continue;
		}
		job->ended = true;
		job->code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_BY_SIGNAL + WTERMSIG(status);
		return;
	}
}

/* The next living process of this machine; 0: there is none. */
static pid_t next_process(DIR *listing, struct process_status *status)
{
	int64_t pid;

	for (struct dirent *entry; (entry = readdir(listing));)
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    parse_integer(entry->d_name, &pid) == OK && read_process_status((int)pid, status) &&
		    status->state != 'Z')
			return (pid_t)pid;
	return 0;
}

static int look_ms(const struct job *job)
{
	return job->stopped_ms ? STOPPED_LOOK_MS : LOOK_MS;
}

static bool is_computing(pid_t pid)
{
	struct process_status status;

	return read_process_status(pid, &status) && status.state == 'R';
}

static bool has_children(pid_t parent)
{
	DIR *listing = opendir("/proc");
	bool found = !listing; /* nobody knows */
	struct process_status status;

	while (listing && !found && next_process(listing, &status))
		found = status.parent == parent;
	if (listing)
		closedir(listing);
	return found;
}

static bool is_open_mpi_launcher(pid_t pid)
{
	char path[64], program[PATH_MAX];
	const char *name;
	ssize_t size;

	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	size = readlink(path, program, sizeof program - 1);
	program[size > 0 ? size : 0] = '\0';
	name = path_name(program);
	return strcmp(name, "orterun") == 0 || strcmp(name, "prterun") == 0;
}

/* Open MPI's launcher sleeps for a second before each of two signals to its processes, even if all of them are gone. A signal that it
 * handles wakes it, and SIGCHLD lets it look once more. */
static void wake_launcher(const struct job *job)
{
	DIR *listing = opendir("/proc");
	struct process_status status;

	for (pid_t pid; listing && (pid = next_process(listing, &status));)
		if (status.group == job->pid && is_open_mpi_launcher(pid) && !has_children(pid))
			kill(pid, SIGCHLD);
	if (listing)
		closedir(listing);
}

/* A script may continue with other commands, but a launcher should end when all its processes have ended. */
static bool hangs_after_crash(struct job *job)
{
	if (!job->streams.crashed_file || access(job->streams.crashed_file, F_OK) != 0)
		return false;
	job->crashed_ms = has_children(job->pid) || is_computing(job->pid) ? 0
	                                                                   : job->crashed_ms + look_ms(job);
	return job->crashed_ms > CRASHED_MS;
}

/* The next signal; 0: none for a while. */
static int next_signal(const struct job *job)
{
	const struct timespec moment = {.tv_nsec = look_ms(job) * 1000000L};
	const bool looks = job->streams.stopped_file || job->streams.watch;
	const int number = looks ? sigtimedwait(&job->awaited, NULL, &moment)
	                         : sigwaitinfo(&job->awaited, NULL);

	return number > 0 ? number : 0;
}

/* The processes of the job end by themselves. A command that does not end after them gets signals, with its group: the processes that a launcher has started
 * may be in it, and it may have been asked before. */
static void end_stopped(struct job *job)
{
	const int before_ms = job->stopped_ms;

	job->stopped_ms += look_ms(job);
	if (access(job->streams.stopped_file, F_OK) == 0)
		wake_launcher(job);
	if (before_ms < TERM_AFTER_MS && job->stopped_ms >= TERM_AFTER_MS)
		kill(-job->pid, SIGTERM);
	else if (before_ms < KILL_AFTER_MS && job->stopped_ms >= KILL_AFTER_MS)
		kill(-job->pid, SIGKILL);
}

enum status job_run(const char *path, char **argv, int *code)
{
	return job_run_into(path, argv, &(struct job_streams){.out = STDOUT_FILENO, .error = STDERR_FILENO},
	                    code);
}

enum status job_run_into(const char *path, char **argv, const struct job_streams *streams, int *code)
{
	struct job job = {.terminal = isatty(STDIN_FILENO) ? STDIN_FILENO : -1, .streams = *streams};
	enum status status;

	ended_by = 0;
	block_signals(&job);
	status = start(&job, path, argv);
	if (status == OK && streams->listens_to_keys)
		start_listener(&job);
	while (status == OK && !job.ended) {
		const int number = next_signal(&job);
		if (number) {
			note_ending(number);
			if (number == SIGCHLD) {
				look_after_child(&job);
			} else if (number == SIGCONT) {
				give_terminal(&job, getpgrp(), job.pid);
				kill(-job.pid, SIGCONT);
			} else {
				kill(job.pid, number);
			}
		} else if (streams->stopped_file &&
		           (access(streams->stopped_file, F_OK) == 0 || hangs_after_crash(&job))) {
			end_stopped(&job);
		}
		if (streams->watch && !job.ended)
			streams->watch->look(streams->watch->context);
	}
	give_terminal(&job, job.pid, getpgrp());
	ask_listener(&job);
	sigprocmask(SIG_SETMASK, &job.before, NULL);
	*code = job.code;
	return status;
}
