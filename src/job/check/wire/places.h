/* Places of calls with their call paths (job/mpi/places.h), for findings. A known place is recognised by the words of the stack that hold its
 * return addresses (job/mpi/call_path.h), which takes some ten nanoseconds. */
#ifndef TARRY_JOB_CHECK_WIRE_PLACES_H
#define TARRY_JOB_CHECK_WIRE_PLACES_H

#include "check/protocol/finding.h"
#include "job/mpi/places.h"

/* The name of a loaded file or of the code of a Python program. */
void place_module(uint64_t number, const char *path, const uint8_t *build_id, size_t bytes, bool is_python);

/* The stack of a place, innermost first; `stack` has FINDING_STACK_MAX elements. The texts live as long as the process. */
uint32_t place_stack(uint32_t place, struct check_place *stack);

/* The place of a single return address. */
uint32_t place_of_site(const void *site);

/* The place of return addresses, innermost first; those in the C library and in the Fortran library are left out.
 * `is_whole`: the last one is the start of the thread. NO_PLACE: none of them is in a function of the program. */
uint32_t place_of_addresses(const uintptr_t *addresses, uint32_t count, bool is_whole);

/* The place of a call of a function outside MPI, such as exit(): the stack without our own functions.
 * NO_PLACE: no function of the program is on it. */
uint32_t place_here(void);

/* In a signal handler: describes return addresses like place_stack(), as far as the files are known. Needs
 * places_prepare() first. */
void places_prepare(void);
uint32_t places_peek(const uintptr_t *addresses, uint32_t count, struct check_place *stack);

#endif
