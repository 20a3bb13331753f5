/* Places of calls with their call paths (job/mpi/places.h), for findings. A known place is recognised by the words of the stack that hold its
 * return addresses (job/mpi/call_path.h), which takes some ten nanoseconds. */
#ifndef TARRY_JOB_CHECK_WIRE_PLACES_H
#define TARRY_JOB_CHECK_WIRE_PLACES_H

#include "check/protocol/finding.h"
#include "job/mpi/places.h"

/* What a loaded file or the code of a Python program is called. */
void place_module(uint64_t number, const char *path, const uint8_t *build_id, size_t bytes, bool is_python);

/* The stack of a place, innermost first; `stack` has FINDING_STACK_MAX elements. Its texts live as long as the process. */
uint32_t place_stack(uint32_t place, struct check_place *stack);

/* Of a return address alone. */
uint32_t place_of_site(const void *site);

/* Of return addresses, innermost first; what belongs to the C library and to that of Fortran is left out. `is_whole`: the last one is where the thread began. NO_PLACE: nothing
 * of the program is among them. */
uint32_t place_of_addresses(const uintptr_t *addresses, uint32_t count, bool is_whole);

/* The place where something calls that is not an MPI function, as exit() does: the stack without our own functions. NO_PLACE: nothing
 * of the program is on it. */
uint32_t place_here(void);

/* In a signal handler: describes return addresses as place_stack() does, as far as the files are known. It needs places_prepare() before. */
void places_prepare(void);
uint32_t places_peek(const uintptr_t *addresses, uint32_t count, struct check_place *stack);

#endif
