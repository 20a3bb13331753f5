#include "base/size_limit.h"

#include <errno.h>
#include <time.h>

static void only_this_signal(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGXFSZ);
}

void size_limit_hold(struct size_limit *held)
{
	sigset_t signal, pending;

	only_this_signal(&signal);
	pthread_sigmask(SIG_BLOCK, &signal, &held->before);
	/* Where it was not blocked, none can be pending. */
	held->was_pending = sigismember(&held->before, SIGXFSZ) == 1 && sigpending(&pending) == 0 &&
	                    sigismember(&pending, SIGXFSZ) == 1;
}

/* The kernel sends the signal to the thread that made the call. */
void size_limit_release(const struct size_limit *held, bool was_exceeded)
{
	static const struct timespec at_once;
	const int error = errno;
	sigset_t signal;

	only_this_signal(&signal);
	if (was_exceeded && !held->was_pending)
		while (sigtimedwait(&signal, NULL, &at_once) < 0 && errno == EINTR)
			continue;
	pthread_sigmask(SIG_SETMASK, &held->before, NULL);
	errno = error;
}
