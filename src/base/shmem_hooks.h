/* The interface between the recorder and the entry points of OpenSHMEM in libtarry-preload.so
 * (src/job/preload/shmem_calls.c), which jump directly to the library if there are no hooks. */
#ifndef TARRY_BASE_SHMEM_HOOKS_H
#define TARRY_BASE_SHMEM_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

/* What shmem_init() has started. */
struct shmem_start {
	int pe, pe_count;
	const char *library; /* its name, with a version if it is known */
	int major, minor;    /* version of the standard */
	bool is_multithreaded;
};

/* A call that has begun, on the stack of its thread. */
struct shmem_span {
	void *stream; /* of the recorder */
	uint64_t start;
	int64_t site;
	uint32_t call; /* enum call_id */
};

/* PEs first, first + 2^log_stride, …; a count of 0 means all PEs. */
struct shmem_set {
	int first, log_stride, count;
};

enum { SHMEM_NO_FLAG = -1 };

/* What the call was about. Each call needs only some of them. */
struct shmem_values {
	int pe; /* the accessed PE; of a broadcast: the root, as a number in the set */
	uint64_t bytes;
	const volatile void *object; /* a lock */
	int flag;                    /* the result of an attempt */
	struct shmem_set set;
};

struct shmem_hooks {
	void (*start)(const struct shmem_start *start, const void *site, const void *frame);
	/* False: the call is not recorded, and end() must not be called. */
	bool (*begin)(struct shmem_span *span, uint32_t call, const void *site, const void *frame);
	void (*end)(const struct shmem_span *span, const struct shmem_values *values);
	/* shmem_finalize() has returned. */
	void (*finish)(void);
};

/* The instance is in libtarry-preload.so. */
struct shmem_link {
	const struct shmem_hooks *hooks; /* set by the recorder; NULL: nothing is recorded */
};

#endif
