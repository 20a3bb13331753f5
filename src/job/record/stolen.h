/* How long a thread wanted a processor and had none, because others had it: what is late then is not the program's fault.
 * The kernel tells it in a file, which a thread keeps open.
 *
 *	stolen_begin(&stolen, &total_us);
 *	…
 *	uint32_t us = stolen_since(&stolen);        since the last time it told something
 *	stolen_end(&stolen);
 *
 * To look takes half a microsecond, so it is done only when a call, or the time between two, was so long that this does
 * not matter. Where the file is missing or was closed by the program, nothing is stolen. */
#ifndef TARRY_JOB_RECORD_STOLEN_H
#define TARRY_JOB_RECORD_STOLEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

struct stolen {
	bool is_known;
	int file;
	dev_t device;
	ino_t number;       /* by which it is known that the file is still ours */
	uint64_t told_ns;   /* of the kernel's count */
	uint64_t *total_us; /* of all threads that it is counted with */
};

/* Ticks that are worth a look. */
uint64_t stolen_worth(void);

void stolen_begin(struct stolen *stolen, uint64_t *total_us);
void stolen_end(struct stolen *stolen);

/* Microseconds; what is hardly worth being told waits for more. */
uint32_t stolen_since(struct stolen *stolen);

#pragma GCC visibility pop

#endif
