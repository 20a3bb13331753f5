/* Linked to the programs of this benchmark. An MPI library that waits sleeps instead of spinning, so waiting ranks take no CPU from others.
 * Between MPI_Init and MPI_Finalize, the programs have a higher priority than all others of the machine, if that is allowed. All ranks leave MPI_Init together. While it waits,
 * Open MPI calls sched_yield() (mpi_yield_when_idle). MPICH 4.0 has no such setting, but calls UCX repeatedly. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

enum { SLEEP_NS = 20000, IDLE_POLLS = 100, BARRIERS = 5, RANKS_MAX = 64 };

/* Not while MPI starts or ends: it needs launchers then, which have no such priority. */
static void set_priority(int policy, int priority)
{
	(void)sched_setscheduler(0, policy, &(struct sched_param){.sched_priority = priority});
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

/* The first message between two ranks creates their connection, which takes up to 60 ms over TCP, and would be hidden in the waits of the bad program only. */
static int connect_all(void)
{
	int out[RANKS_MAX] = {0}, in[RANKS_MAX], size, code = PMPI_Comm_size(MPI_COMM_WORLD, &size);

	return code == MPI_SUCCESS && size <= RANKS_MAX
	               ? PMPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD)
	               : code;
}

/* The recorder calls it, too. */
__attribute__((visibility("default"))) int PMPI_Init(int *argc, char ***argv)
{
	static int (*real)(int *argc, char ***argv);
	int code;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "PMPI_Init");
	code = real(argc, argv);
	code = code == MPI_SUCCESS ? connect_all() : code;
	for (int i = 0; i < BARRIERS && code == MPI_SUCCESS; i++)
		code = PMPI_Barrier(MPI_COMM_WORLD);
	set_priority(SCHED_RR, 1);
	return code;
}

__attribute__((visibility("default"))) int PMPI_Finalize(void)
{
	static int (*real)(void);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "PMPI_Finalize");
	set_priority(SCHED_OTHER, 0);
	return real();
}
