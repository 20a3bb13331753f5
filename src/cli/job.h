/* Runs a command as if it had been started by the user's shell, and waits for it: the terminal is its own
 * while it runs, every signal reaches it exactly once, stopping and continuing work, and its exit code
 * comes back. */
#ifndef TARRY_CLI_JOB_H
#define TARRY_CLI_JOB_H

#include "base/status.h"

#include <stdbool.h>

/* `code` is the command's own, or 128 + n when signal n ended it. Fails if it could not be started. */
enum status job_run(const char *path, char **argv, int *code) MUST_CHECK;

/* The signal that was sent to us to end the last job, and passed on to it, or that a key has sent to the job itself; 0: none. */
int job_signal(void);

/* A display of the job's activity. Called between signals, by the thread that waits for the job. */
struct job_watch {
	void (*look)(void *context);    /* ten times a second or so */
	void (*suspend)(void *context); /* the job was stopped, by Ctrl-Z say, and so will we be */
	void *context;
};

/* The same with other streams than ours; they stay the caller's. */
struct job_streams {
	int out, error;
	bool listens_to_keys; /* job_signal() also reports Ctrl-C */
	/* The processes of the job end by themselves soon after this file has appeared; NULL: there is none. If the command does not end then, its process
	 * group gets SIGTERM, and later SIGKILL. */
	const char *stopped_file;
	/* There when all processes of the job are gone because one has crashed; NULL: there is none. The same happens if the command has no child process
	 * for half a minute then: some launchers hang in their own end. */
	const char *crashed_file;
	const struct job_watch *watch; /* NULL: nobody */
};

enum status job_run_into(const char *path, char **argv, const struct job_streams *streams,
                         int *code) MUST_CHECK;

#endif
