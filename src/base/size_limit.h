/* The limit of file sizes (RLIMIT_FSIZE, ulimit -f). A call that would make a file longer fails with EFBIG, and SIGXFSZ ends the
 * process unless it has a handler. User programs have none, so a signal that a call of ours causes is removed; a signal
 * that the program itself has caused stays.
 *
 *	struct size_limit held;
 *
 *	size_limit_hold(&held);
 *	result = ftruncate(fd, bytes);
 *	size_limit_release(&held, result != 0 && errno == EFBIG);        errno stays
 *
 * write_fully() and pwrite_fully() do this by themselves. */
#ifndef TARRY_BASE_SIZE_LIMIT_H
#define TARRY_BASE_SIZE_LIMIT_H

#include <signal.h>
#include <stdbool.h>

struct size_limit {
	sigset_t before;
	bool was_pending; /* the program holds SIGXFSZ back, and has caused one */
};

void size_limit_hold(struct size_limit *held);
void size_limit_release(const struct size_limit *held, bool was_exceeded);

#endif
