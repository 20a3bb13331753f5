/* A mutex with a time limit. pthread_mutex_timedlock() uses the wall clock and waits longer
 * if that is set back. */
#ifndef TARRY_BASE_TIMED_LOCK_H
#define TARRY_BASE_TIMED_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* For the end of a process, when the owner of the lock may never release it. Defers
 * cancellation of the thread. */
static inline bool lock_in_time(pthread_mutex_t *lock, uint32_t ms)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	bool locked = pthread_mutex_trylock(lock) == 0;
	struct timespec since, now;
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	clock_gettime(CLOCK_MONOTONIC, &since);
	now = since;
	/* On a busy machine a sleep takes much longer than requested, so the clock counts, not the sleeps. */
	while (!locked && (now.tv_sec - since.tv_sec) * 1000 + (now.tv_nsec - since.tv_nsec) / 1000000 < ms) {
		nanosleep(&moment, NULL);
		locked = pthread_mutex_trylock(lock) == 0;
		clock_gettime(CLOCK_MONOTONIC, &now);
	}
	pthread_setcancelstate(before, NULL);
	return locked;
}

#endif
