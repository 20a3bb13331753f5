/* Functions that this layer needs from the library that contains it: the recorder (src/job/record/host.c)
 * or the checker's agent (src/job/check/wire/host.c). */
#ifndef TARRY_JOB_MPI_HOST_H
#define TARRY_JOB_MPI_HOST_H

#include <stddef.h>
#include <stdint.h>

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
/* For variables in headers: avoids the indirection of default visibility. Functions do not need it. */
#define HIDDEN __attribute__((visibility("hidden")))
/* Puts hot functions next to each other in memory. */
#define HOT __attribute__((hot))

/* For variables that one thread writes and another reads, without ordering. */
#define RELAXED_LOAD(variable) __atomic_load_n(&(variable), __ATOMIC_RELAXED)
#define RELAXED_STORE(variable, value) __atomic_store_n(&(variable), value, __ATOMIC_RELAXED)

/* Leaves a message of one sentence for the user. */
void host_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The rank of this process, for messages. */
uint32_t host_rank(void);

/* The maximum number of sites in a call path; 0: only the call site. */
uint32_t host_path_depth(void);

/* Zeroed memory, freed by the caller. NULL: out of memory; a message reports it. */
void *host_table(size_t count, size_t size);
/* Zeroed whole pages; they count against the library's memory limit. */
void *host_claim(size_t bytes);
void host_give_back(void *memory, size_t bytes);

/* A recursive lock for the shared tables of MPI objects. */
void host_lock(void);
void host_unlock(void);

/* Describes a loaded file with call sites, under the number `number`. May be repeated. */
struct module_description {
	uint64_t base, bytes;
	const uint8_t *build_id;
	size_t build_id_bytes; /* 0: none */
	const char *path;
};

void host_module(uint64_t number, const struct module_description *module);
/* Describes code of a Python program as a module whose offsets are lines. */
void host_python_code(uint64_t number, const char *function, const char *path);
/* A file was unloaded, so addresses may have another meaning now. */
void host_unloaded(void);

#endif
