/* A program of ours, started by a process of the user's job. It has no standard streams and is not traced.
 *
 *	struct child_signal held;
 *	char path[PATH_MAX];
 *
 *	if (helper_find("tarry-analyser", path)) {
 *		hold_child_signal(&held);
 *		if (helper_start(&pid, arguments, -1) == 0)      arguments[0] is path
 *			waitpid(pid, &status, 0);
 *		release_child_signal(&held);
 *	} */
#ifndef TARRY_JOB_MPI_HELPER_PROCESS_H
#define TARRY_JOB_MPI_HELPER_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Finds the helper in the installation or the build, next to the folder of our libraries. `path` has PATH_MAX bytes. */
bool helper_find(const char *name, char *path);

/* `socket`, or another open file, becomes the helper's descriptor IN_JOB_SOCKET; -1: none. Returns 0 or an error number. */
int helper_start(pid_t *pid, char *const *arguments, int socket);

/* Keeps the end of our child from the program's handler of SIGCHLD. */
struct child_signal {
	sigset_t before;
	struct sigaction action; /* of the program, if it has a handler */
	bool has_handler;
	bool was_pending;
	bool had_ended; /* a child of the program had ended, and the program has not waited for it yet */
};

void hold_child_signal(struct child_signal *held);
void release_child_signal(const struct child_signal *held);

#endif
