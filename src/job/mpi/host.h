/* What this layer needs of the library that it is built into: the recorder (src/job/record/host.c) or the checker's agent
 * (src/job/check/wire/host.c) has these functions. */
#ifndef TARRY_JOB_MPI_HOST_H
#define TARRY_JOB_MPI_HOST_H

#include <stddef.h>
#include <stdint.h>

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
/* Functions of which the code lies together in memory. */
#define HOT __attribute__((hot))

/* For what one thread writes while another one reads it, where nothing else depends on the order. */
#define RELAXED_LOAD(variable) __atomic_load_n(&(variable), __ATOMIC_RELAXED)
#define RELAXED_STORE(variable, value) __atomic_store_n(&(variable), value, __ATOMIC_RELAXED)

#pragma GCC visibility push(hidden)

/* One sentence for the user. */
void host_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The rank of this process, for notes. */
uint32_t host_rank(void);

/* How many sites the path to a call may have; 0: its own is enough. */
uint32_t host_path_depth(void);

/* Zeroed, to be freed. NULL: there is none, and a note says so. */
void *host_table(size_t count, size_t size);
/* Zeroed, of whole pages; counts against what the library may use. */
void *host_claim(size_t bytes);
void host_give_back(void *memory, size_t bytes);

/* Guards what threads share of MPI's objects; may be taken again by who has it. */
void host_lock(void);
void host_unlock(void);

/* A loaded file that the process has call sites in or may have, as `number`. It may be told again. */
struct module_description {
	uint64_t base, bytes;
	const uint8_t *build_id;
	size_t build_id_bytes; /* 0: there is none */
	const char *path;
};

void host_module(uint64_t number, const struct module_description *module);
/* Code of a Python program, as a module whose offsets are lines. */
void host_python_code(uint64_t number, const char *function, const char *path);
/* Something was unloaded: an address may be another place now. */
void host_unloaded(void);

#pragma GCC visibility pop

#endif
