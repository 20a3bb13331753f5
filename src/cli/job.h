/* Runs a command as the user's shell would, and waits for it: the command has the terminal, receives every
 * signal exactly once, can be stopped and continued, and its exit code is returned. */
#ifndef TARRY_CLI_JOB_H
#define TARRY_CLI_JOB_H

#include "base/status.h"

#include <stdbool.h>

/* `code` is the exit code of the command, or 128 + n if signal n ended it. Fails if it cannot be started. */
enum status job_run(const char *path, char **argv, int *code) MUST_CHECK;

/* The signal that ended the last job: sent to this process and passed on, or sent to the job by a key. 0:
 * none. */
int job_signal(void);

/* A display of the job's activity. Called between signals, by the thread that waits for the job. */
struct job_watch {
	void (*look)(void *context); /* ten times a second or so */
	void (*suspend)(
		void *context); /* the job was stopped, for example by Ctrl-Z; this process stops next */
	void *context;
};

/* The same with other streams. The caller closes them. */
struct job_streams {
	int out, error;
	bool listens_to_keys; /* job_signal() also reports Ctrl-C */
	/* The processes of the job end by themselves soon after this file has appeared; NULL: none. If the
	 * command does not end then, its process group gets SIGTERM, and later SIGKILL. */
	const char *stopped_file;
	/* This file appears when all processes of the job have ended because one has crashed; NULL: none. If
	 * the command then has no child process for half a minute, its group gets the same signals, because
	 * some launchers hang at their end. */
	const char *crashed_file;
	const struct job_watch *watch; /* NULL: no display */
};

enum status job_run_into(const char *path, char **argv, const struct job_streams *streams,
                         int *code) MUST_CHECK;

#endif
