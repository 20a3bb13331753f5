/* The independent count: an auditor of the dynamic linker (rtld-audit(7)) that counts the calls which a program makes
 * of MPI functions. It shares nothing with the recorder, not even the list of functions: whatever the program binds
 * under a name like MPI_Send or mpi_send_ is counted.
 *
 *	CORPUS_COUNTS=folder LD_AUDIT=/path/to/corpus-count-mpich.so ./program
 *
 * leaves the counts in `folder/PID.counts`, a mapped file, so that they are complete however the process ends.
 *
 * When the linker binds an MPI function for the program, the auditor gives it the address of a thunk instead
 * (thunks_*.S). A thunk keeps all parameters and the stack as they are, lets count_call() count, and jumps to the
 * function: the recorder and the MPI library see the program as the caller. The auditor does not see calls through the
 * program's own function pointers, because the linker does not bind these. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SLOTS = 640, THREADS = 32, PEERS = 64, NAME_BYTES = 56 };

/* The file, which compare.py reads. */
struct counts {
	char name[SLOTS][NAME_BYTES]; /* as it was bound; one name may have several slots */
	int64_t thread_id[THREADS];   /* 0: unused */
	uint64_t calls[THREADS][SLOTS];
	uint64_t messages[PEERS]; /* sent, by the receiver's rank in MPI_COMM_WORLD */
	uint64_t bytes[PEERS];
	uint64_t lost; /* what found no room in these tables */
};

/* The parameters of a call as the thunk found them: those in registers, then those on the stack. */
struct arguments {
	const uint64_t *registers;
	const uint64_t *stack;
};

#if defined(__aarch64__)
enum { REGISTERS = 8 };
#elif defined(__x86_64__)
enum { REGISTERS = 6 };
#else
#error "thunks are written for AArch64 and x86-64"
#endif

static inline uint64_t argument(const struct arguments *a, int index)
{
	return index < REGISTERS ? a->registers[index] : a->stack[index - REGISTERS];
}

/* Called by the thunk with this number. Returns the function to jump to. */
void *count_call(uint64_t slot, const uint64_t *registers, const uint64_t *stack);

/* In thunks_*.S: one after the other, all of the same size. */
extern const char count_thunks[], count_thunks_end[];

/* Messages that a call sends, if it is one that does. `mpi`: handle of the MPI library, for its PMPI functions. */
struct sender;
const struct sender *sender_find(const char *function);
void sender_count(const struct sender *sender, const struct arguments *a, void *mpi, struct counts *counts);
