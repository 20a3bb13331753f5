/* Sections of Fortran arrays: which bytes they have, by the descriptors that mpi_f08 of MPICH takes. Their layout is gfortran's, which that
 * module was compiled with; a descriptor that makes no sense in it is one of another compiler, of which nothing is known. */
#ifndef TARRY_JOB_CHECK_BUFFERS_FORTRAN_SECTION_H
#define TARRY_JOB_CHECK_BUFFERS_FORTRAN_SECTION_H

#include "job/check/objects/byte_runs.h"

enum section_kind { SECTION_UNKNOWN, SECTION_CONTIGUOUS, SECTION_WITH_GAPS };

#pragma GCC visibility push(hidden)

enum section_kind fortran_section_kind(const void *descriptor);
/* Adds the first `count` elements of `bytes` each. False: elements of the section are of another size, or are fewer. */
bool fortran_section_runs(const void *descriptor, int64_t count, int64_t bytes, struct byte_runs *runs);

/* A copy for this call of the thread, with the elements at another distance. NULL: it is not understood. */
void *fortran_section_moved(const void *descriptor, int64_t distance);

#pragma GCC visibility pop

#endif
