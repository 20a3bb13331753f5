/* POSIX and C threads: functions report the object through which one thread releases another. */
#include "job/thread_calls/thread_calls.h"

#include "base/access_hooks.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

EXPORT struct thread_hooks tarry_thread_hooks;
_Thread_local bool is_of_program;

__attribute__((constructor)) static void begin(void)
{
	is_of_program = true;
}

EXPORT void tarry_thread_follow(void)
{
	is_of_program = true;
}

EXPORT void tarry_thread_publish(const void *object, const void *site)
{
	publish(object, site);
}

EXPORT void tarry_thread_learn(const void *object, const void *site)
{
	learn(object, site);
}

/* Threads */

struct started_thread {
	void *(*function)(void *);
	void *argument;
};

/* Also called when the thread is cancelled or calls pthread_exit(). */
static void end_thread(void *unused)
{
	(void)unused;
	publish((const void *)pthread_self(), NULL);
}

static void *run_thread(void *start)
{
	struct started_thread *given = start, thread = *given;
	void *result;

	is_of_program = true;
	if (tarry_thread_hooks.begin)
		tarry_thread_hooks.begin(given);
	free(given);
	pthread_cleanup_push(end_thread, NULL);
	result = thread.function(thread.argument);
	pthread_cleanup_pop(1);
	return result;
}

/* Threads of MPI, and of other libraries with their own synchronisation, are not followed. */
static bool is_followed(void *(*function)(void *))
{
	static const char *const runtimes[] = {"/libstdc++.so", "/libc++.so", "/libgomp.so", "/libomp"};
	struct link_map *map = NULL;
	Dl_info info;

	if (!access_hooks_are_there() ||
	    !dladdr1((const void *)(uintptr_t)function, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
		return false;
	if (!map->l_name[0]) /* the program */
		return true;
	for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
		if (strstr(map->l_name, runtimes[i]))
			return true;
	return false;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                          void *argument)
{
	struct started_thread *start = is_followed(function) ? malloc(sizeof *start) : NULL;
	int error;

	if (!start)
		return NEXT(pthread_create)(thread, attributes, function, argument);
	*start = (struct started_thread){function, argument};
	if (tarry_thread_hooks.create)
		tarry_thread_hooks.create(start);
	error = NEXT(pthread_create)(thread, attributes, run_thread, start);
	if (error)
		free(start);
	return error;
}

#define JOINS(function, parameters, arguments) \
	EXPORT int function parameters \
	{ \
		const int error = NEXT(function) arguments; \
		if (!error) \
			learn((const void *)thread, HERE); \
		return error; \
	}

JOINS(pthread_join, (pthread_t thread, void **result), (thread, result))
JOINS(pthread_tryjoin_np, (pthread_t thread, void **result), (thread, result))
JOINS(pthread_timedjoin_np, (pthread_t thread, void **result, const struct timespec *until),
      (thread, result, until))

/* C11 threads are not followed. */
EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
	tarry_thread_hooks.is_unseen = true;
	return NEXT(thrd_create)(thread, function, argument);
}

/* Locks */

#define LOCKS(function, parameters, arguments) \
	EXPORT int function parameters \
	{ \
		const int error = NEXT(function) arguments; \
		if (!error || error == EOWNERDEAD) \
			learn((const void *)lock, HERE); \
		return error; \
	}
#define UNLOCKS(function, type) \
	EXPORT int function(type *lock) \
	{ \
		publish((const void *)lock, HERE); \
		return NEXT(function)(lock); \
	}
#define UNTIL const struct timespec *until

LOCKS(pthread_mutex_lock, (pthread_mutex_t * lock), (lock))
LOCKS(pthread_mutex_trylock, (pthread_mutex_t * lock), (lock))
LOCKS(pthread_mutex_timedlock, (pthread_mutex_t * lock, UNTIL), (lock, until))
LOCKS(pthread_mutex_clocklock, (pthread_mutex_t * lock, clockid_t clock, UNTIL), (lock, clock, until))
UNLOCKS(pthread_mutex_unlock, pthread_mutex_t)

LOCKS(pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
LOCKS(pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
LOCKS(pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock), (lock))
LOCKS(pthread_rwlock_trywrlock, (pthread_rwlock_t * lock), (lock))
LOCKS(pthread_rwlock_timedrdlock, (pthread_rwlock_t * lock, UNTIL), (lock, until))
LOCKS(pthread_rwlock_timedwrlock, (pthread_rwlock_t * lock, UNTIL), (lock, until))
LOCKS(pthread_rwlock_clockrdlock, (pthread_rwlock_t * lock, clockid_t clock, UNTIL), (lock, clock, until))
LOCKS(pthread_rwlock_clockwrlock, (pthread_rwlock_t * lock, clockid_t clock, UNTIL), (lock, clock, until))
UNLOCKS(pthread_rwlock_unlock, pthread_rwlock_t)

LOCKS(pthread_spin_lock, (pthread_spinlock_t * lock), (lock))
LOCKS(pthread_spin_trylock, (pthread_spinlock_t * lock), (lock))
UNLOCKS(pthread_spin_unlock, pthread_spinlock_t)

/* Semaphores */

LOCKS(sem_wait, (sem_t * lock), (lock))
LOCKS(sem_trywait, (sem_t * lock), (lock))
LOCKS(sem_timedwait, (sem_t * lock, UNTIL), (lock, until))
LOCKS(sem_clockwait, (sem_t * lock, clockid_t clock, UNTIL), (lock, clock, until))
UNLOCKS(sem_post, sem_t)

/* Condition variables: the mutex is released during the wait. */

#define WAITS(function, parameters, arguments) \
	EXPORT int function parameters \
	{ \
		int error; \
		publish(mutex, HERE); \
		error = NEXT(function) arguments; \
		learn(mutex, HERE); \
		learn(condition, HERE); \
		return error; \
	}
#define WAITED pthread_cond_t *condition, pthread_mutex_t *mutex

WAITS(pthread_cond_wait, (WAITED), (condition, mutex))
WAITS(pthread_cond_timedwait, (WAITED, UNTIL), (condition, mutex, until))
WAITS(pthread_cond_clockwait, (WAITED, clockid_t clock, UNTIL), (condition, mutex, clock, until))
UNLOCKS(pthread_cond_signal, pthread_cond_t)
UNLOCKS(pthread_cond_broadcast, pthread_cond_t)

/* Barriers, and one-time initialisation */

EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	int result;

	publish(barrier, HERE);
	result = NEXT(pthread_barrier_wait)(barrier);
	learn(barrier, HERE);
	return result;
}

EXPORT int pthread_once(pthread_once_t *once, void (*function)(void))
{
	const int error = NEXT(pthread_once)(once, function);

	publish(once, HERE);
	learn(once, HERE);
	return error;
}
