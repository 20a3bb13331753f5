/* The interface between the recorder and libtarry-preload.so, which observes OpenMP runtimes: GCC's through
 * entry points (src/job/preload/openmp_calls.c), which jump directly to the runtime if there are no hooks,
 * and LLVM's as an OMPT tool (openmp_tool.c). */
#ifndef TARRY_BASE_OPENMP_HOOKS_H
#define TARRY_BASE_OPENMP_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

/* One execution of a parallel region. It lives on the stack of the thread that encountered it, until all
 * members are done. */
struct openmp_region {
	void (*function)(void *data); /* the body, as a function made by the compiler */
	void *data;
	const void *site; /* an address in its first line */
	const struct openmp_hooks *hooks;
	uint64_t forked;
	void *team;      /* of the recorder; NULL: the region is not recorded */
	int is_parallel; /* number of threads; 0: only one thread, or the region is not recorded */
	bool is_outermost;
};

/* The team and number of a member's thread before the region. */
struct openmp_around {
	void *team;
	uint32_t threads;
	int member; /* negative: the recorder ignored the region */
};

/* Set while MPI is initialised and the recorder records all calls. */
struct openmp_hooks {
	/* Called by the thread that encounters a region, before and after all members execute it. */
	void (*fork)(struct openmp_region *region);
	void (*join)(struct openmp_region *region);
	/* Called by each member, before and after it executes the body. */
	void (*enter)(struct openmp_region *region, int member, int threads, struct openmp_around *around);
	void (*leave)(const struct openmp_around *around);
	/* A member arrives at a barrier, and continues after it. At the end of a region, members other than
	 * the first may not notice when the wait ends. */
	void (*wait)(const void *site);
	void (*go)(void);
	/* A member begins a loop that the team divides, and has done its part. */
	void (*begin_loop)(const void *site);
	void (*end_loop)(const void *site);
	/* Before a critical section or a lock is taken (returns the time; 0: it is free, or not recorded), or
	 * after a test has taken it; and after it is taken, if there is a time. */
	uint64_t (*ask)(const void *mutex);
	void (*take)(uint64_t asked, const void *mutex, const void *site, bool is_critical);
	/* Before it is released (returns the time; 0: no thread waits for it), and after it is released. */
	uint64_t (*before_release)(const void *mutex);
	void (*release)(uint64_t when, const void *mutex, const void *site);
	/* Around an explicit task, also while the thread waits at a barrier or for tasks. */
	void (*begin_task)(const void *site);
	void (*end_task)(void);
	/* Around a wait for tasks. */
	void (*wait_for_tasks)(const void *site);
	void (*end_wait_for_tasks)(void);
	/* The team executes explicit tasks of which the recorder does not see the begin and the end. */
	void (*unseen_task)(void);
};

/* The instance is in libtarry-preload.so. */
struct openmp_link {
	const struct openmp_hooks *hooks; /* set by the recorder; NULL: nothing is recorded */
};

#endif
