/* A text from the launcher that is the same in all processes of a job and different in every other job: "pmix
 * prterun-node-7@1", "hydra node:4711 0", "slurm 12.0". */
#ifndef TARRY_BASE_JOB_IDENTITY_H
#define TARRY_BASE_JOB_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

enum { JOB_IDENTITY_MAX = 4096 };

/* Writes it to `text` (JOB_IDENTITY_MAX bytes) and returns its length; 0: no known launcher
 * started this process. */
size_t job_identity(char *text);

/* The state of another process:
 *
 *	struct process_status status;
 *	if (read_process_status(pid, &status) && status.state != 'Z')
 *		… */
struct process_status {
	char state; /* R: runnable, Z: ended, but not yet reaped by its parent; others: see proc(5) */
	int parent, group;
	unsigned long long start; /* since the start of the machine, in clock ticks */
};

/* False: the process does not exist. */
bool read_process_status(int pid, struct process_status *status);

#endif
