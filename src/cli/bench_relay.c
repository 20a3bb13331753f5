#include "cli/bench_relay.h"

#include "base/files.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/terminal.h"

#include <errno.h>
#include <fcntl.h>
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

/* A process that outlives its job may keep the pipes open: it is not waited for. */
enum { OUT, ERROR, PIPES, PATIENCE_MS = 200, AGAIN_MS = 2000, WHAT_SIZE = 64 };

struct bench_relay {
	int ends[PIPES]; /* to read; -1: at its end */
	struct job_streams streams;
	pthread_t thread;
	atomic_bool job_ended;
	struct bench_supervisor supervisor;
	int64_t next_check_ms;
	struct text held; /* the beginning of a line that may tell of progress */
	bool in_line;     /* of stderr: the last byte passed on did not end one */
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

/* "\036tarry 0.3 12/40 MPI_Bcast 64 B": false if it is something else. */
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

/* Only lines that begin with the mark are held back until they are whole. */
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

static void read_some(struct bench_relay *relay, int which)
{
	char bytes[4096];
	ssize_t size = read(relay->ends[which], bytes, sizeof bytes);

	if (size < 0 && errno == EINTR)
		return;
	if (size <= 0) {
		close(relay->ends[which]);
		relay->ends[which] = -1;
	} else if (which == OUT) {
		pass_on(relay, STDOUT_FILENO, bytes, (size_t)size);
	} else {
		take_errors(relay, bytes, (size_t)size);
	}
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Signals to us are passed on to the job by the thread that waits for it. A launcher may have to be told again. */
static void look_after_job(struct bench_relay *relay)
{
	int64_t now = now_ms();

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

	while (relay->ends[OUT] >= 0 || relay->ends[ERROR] >= 0) {
		struct pollfd polled[PIPES] = {{relay->ends[OUT], POLLIN, 0},
		                               {relay->ends[ERROR], POLLIN, 0}};
		bool was_over = atomic_load(&relay->job_ended);
		int ready = poll(polled, PIPES, PATIENCE_MS);

		if (ready == 0 && was_over)
			break;
		look_after_job(relay);
		for (int i = 0; ready > 0 && i < PIPES; i++)
			if (polled[i].revents)
				read_some(relay, i);
	}
	end_line(relay);
	return NULL;
}

static void close_all(const struct bench_relay *relay)
{
	const int fds[] = {relay->ends[OUT], relay->ends[ERROR], relay->streams.out, relay->streams.error};

	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
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

/* Signals are the business of the thread that waits for the job. */
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

enum status bench_relay_start(struct bench_supervisor supervisor, struct bench_relay **relay)
{
	struct bench_relay *made = memory_new(1, sizeof *made);
	int error;

	if (open_pipes(made) != OK) {
		free(made);
		return FAILED;
	}
	made->supervisor = supervisor;
	snprintf(made->what, sizeof made->what, "starting");
	progress_begin(made->what);
	error = start_thread(made);
	if (error) {
		close_all(made);
		free(made);
		return fail("cannot start a thread: %s", strerror(error));
	}
	*relay = made;
	return OK;
}

const struct job_streams *bench_relay_streams(const struct bench_relay *relay)
{
	return &relay->streams;
}

void bench_relay_finish(struct bench_relay *relay, struct bench_progress *reached)
{
	close(relay->streams.out);
	close(relay->streams.error);
	relay->streams = (struct job_streams){.out = -1, .error = -1};
	atomic_store(&relay->job_ended, true);
	pthread_join(relay->thread, NULL);
	progress_end();
	*reached = relay->reached;
	close_all(relay);
	text_release(&relay->held);
	free(relay);
}
