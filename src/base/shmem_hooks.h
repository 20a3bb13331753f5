/* The interface of the recorder and of the checker to the entry points of OpenSHMEM in libtarry-preload.so
 * (src/job/preload/shmem_calls.c), which only call the library if there are neither. */
#ifndef TARRY_BASE_SHMEM_HOOKS_H
#define TARRY_BASE_SHMEM_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What shmem_init() has started. */
struct shmem_start {
	int pe, pe_count;
	const char *library; /* its name, with a version if it is known */
	int major, minor;    /* version of the standard */
	bool is_multithreaded;
	uint32_t call; /* CALL_shmem_init */
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
	/* A lock; a variable to wait for; accessed memory of the PE; the destination of a collective call; a new allocation */
	const volatile void *object;
	int flag; /* the result of an attempt */
	struct shmem_set set;
	/* Only the checker needs these. */
	const void *local;  /* of an access: the memory of the caller */
	const void *source; /* of a collective call; memory that is freed or resized */
	const void *sync;   /* pSync */
	const void *work;   /* pWrk */
	uint64_t elements;
	uint32_t element_bytes;
	ptrdiff_t stride, source_stride; /* in elements, of `object` and `source`; 0: contiguous */
	const char *operation;           /* of a reduction: "int_sum" */
};

struct shmem_hooks {
	void (*start)(const struct shmem_start *start, const void *site, const void *frame);
	/* False: the call is not recorded, and end() must not be called. */
	bool (*begin)(struct shmem_span *span, uint32_t call, const void *site, const void *frame);
	void (*end)(const struct shmem_span *span, const struct shmem_values *values);
	/* shmem_finalize() has returned. */
	void (*finish)(void);
};

/* Room for the checker's data of a call, on the stack of its wrapper. */
struct shmem_checked_call {
	uint64_t words[64];
};

struct shmem_checker {
	/* shmem_init() has returned. */
	void (*start)(const struct shmem_start *start, const void *site, const void *frame);
	/* False: the call is not checked, and after() must not be called. */
	bool (*before)(struct shmem_checked_call *checked, uint32_t call, const struct shmem_values *values,
	               const void *site, const void *frame);
	void (*after)(struct shmem_checked_call *checked, const struct shmem_values *values);
	/* shmem_ptr(): the program gets a pointer to the memory of another PE. */
	void (*shared)(void);
	/* shmem_finalize() has returned. */
	void (*finish)(void);
};

/* The instance is in libtarry-preload.so. */
struct shmem_link {
	const struct shmem_hooks *hooks;     /* set by the recorder; NULL: nothing is recorded */
	const struct shmem_checker *checker; /* set by the checker; NULL: nothing is checked */
};

#endif
