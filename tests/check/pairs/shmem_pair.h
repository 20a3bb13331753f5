/* Start and end of the OpenSHMEM programs here, like pair.h. */
#ifndef TARRY_TESTS_CHECK_SHMEM_PAIR_H
#define TARRY_TESTS_CHECK_SHMEM_PAIR_H

#include <shmem.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me, count, unexpected;

#define expect(condition) expect_at(condition, #condition, __LINE__)

static inline void expect_at(int condition, const char *text, int line)
{
	if (condition)
		return;
	printf("PE %d: line %d: not so: %s\n", me, line, text);
	fflush(stdout);
	unexpected = 1;
}

static inline void start(void)
{
	shmem_init();
	me = shmem_my_pe();
	count = shmem_n_pes();
}

static inline int finish(void)
{
	shmem_finalize();
	if (!me && !unexpected)
		puts("ok");
	return unexpected;
}

static inline void clear_sync(long *sync, int words)
{
	for (int i = 0; i < words; i++)
		sync[i] = SHMEM_SYNC_VALUE;
	shmem_barrier_all();
}

#endif
