/* What the kernel says of another process:
 *
 *	struct process_status status;
 *	if (read_process_status(pid, &status) && status.state != 'Z')
 *		…
 */
#ifndef TARRY_BASE_PROCESS_H
#define TARRY_BASE_PROCESS_H

#include <stdbool.h>

struct process_status {
	char state; /* R: on a processor or waiting for one, Z: ended, but its parent has not asked for its exit code; others: see proc(5) */
	int parent;
};

/* False: there is no such process. */
bool read_process_status(int pid, struct process_status *status);

#endif
