/* What every program here shares: a checksum over what it received, printed by rank 0 alone, so that the
 * output of a run does not depend on how ranks interleave. */
#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static unsigned long checksum = 5381;

static inline void checksum_add(const void *data, size_t bytes)
{
	const unsigned char *at = (const unsigned char *)data;

	while (bytes--)
		checksum = checksum * 33 + *at++;
}

static inline void checksum_print(int rank)
{
	if (rank == 0)
		printf("checksum %016lx\n", checksum);
}

/* For programs that make their launcher end the job: it forgets what ranks printed and it has not read yet. */
static inline void checksum_print_early(int rank)
{
	checksum_print(rank);
	fflush(stdout);
	sleep(1);
}

#endif
