/* The bytes of sections of Fortran arrays, from the descriptors that mpi_f08 of MPICH passes. Their layout is that of gfortran, with which that
 * module was compiled. Descriptors that are not valid in this layout are ignored: they come from another compiler. */
#ifndef TARRY_JOB_CHECK_BUFFERS_FORTRAN_SECTION_H
#define TARRY_JOB_CHECK_BUFFERS_FORTRAN_SECTION_H

#include "job/check/objects/byte_runs.h"

enum section_kind { SECTION_UNKNOWN, SECTION_CONTIGUOUS, SECTION_WITH_GAPS };

enum section_kind fortran_section_kind(const void *descriptor);
/* Adds the first `count` elements of `bytes` each. False: elements of the section are of another size, or are fewer. */
bool fortran_section_runs(const void *descriptor, int64_t count, int64_t bytes, struct byte_runs *runs);

/* A copy for this call of the thread, with the elements at another distance. NULL: it is not understood. */
void *fortran_section_moved(const void *descriptor, int64_t distance);

#endif
