/* What a launcher told each process of a job, and no other job: "pmix prterun-node-7@1", "hydra node:4711 0", "slurm 12.0". */
#ifndef TARRY_BASE_JOB_IDENTITY_H
#define TARRY_BASE_JOB_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

enum { JOB_IDENTITY_MAX = 4096 };

/* Puts it into `text` (JOB_IDENTITY_MAX bytes) and returns its length; 0: no known launcher started this process. */
size_t job_identity(char *text);

/* What the kernel says of another process:
 *
 *	struct process_status status;
 *	if (read_process_status(pid, &status) && status.state != 'Z')
 *		…
 */
struct process_status {
	char state; /* R: on a processor or waiting for one, Z: ended, but its parent has not asked for its exit code; others: see proc(5) */
	int parent, group;
};

/* False: there is no such process. */
bool read_process_status(int pid, struct process_status *status);

#endif
