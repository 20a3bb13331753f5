/* Linked to the programs of this benchmark. An MPI library that waits sleeps instead of spinning, so waiting ranks take no CPU from others.
 * The programs get a higher priority than all others of the machine, if that is allowed. All ranks leave MPI_Init together. While it waits,
 * Open MPI calls sched_yield() (mpi_yield_when_idle). MPICH 4.0 has no such setting, but calls UCX repeatedly. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

enum { SLEEP_NS = 20000, IDLE_POLLS = 100, BARRIERS = 5 };

__attribute__((constructor)) static void come_first(void)
{
	(void)sched_setscheduler(0, SCHED_RR, &(struct sched_param){.sched_priority = 1});
}

static void sleep_briefly(void)
{
	nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
}

__attribute__((visibility("default"))) int sched_yield(void)
{
	sleep_briefly();
	return 0;
}

__attribute__((visibility("default"))) unsigned ucp_worker_progress(void *worker)
{
	static unsigned (*real)(void *worker);
	static _Thread_local unsigned idle;
	unsigned done;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "ucp_worker_progress");
	done = real(worker);
	idle = done ? 0 : idle + 1;
	if (idle > IDLE_POLLS)
		sleep_briefly();
	return done;
}

/* The recorder calls it, too. The first barriers create connections. */
__attribute__((visibility("default"))) int PMPI_Init(int *argc, char ***argv)
{
	static int (*real)(int *argc, char ***argv);
	int code;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "PMPI_Init");
	code = real(argc, argv);
	for (int i = 0; i < BARRIERS && code == MPI_SUCCESS; i++)
		code = PMPI_Barrier(MPI_COMM_WORLD);
	return code;
}
