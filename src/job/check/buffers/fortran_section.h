/* The bytes of sections of Fortran arrays, from the descriptors that mpi_f08 of MPICH passes. Their layout is
 * that of gfortran, which compiled that module. Descriptors that are invalid in this layout come from another
 * compiler and are ignored. */
#ifndef TARRY_JOB_CHECK_BUFFERS_FORTRAN_SECTION_H
#define TARRY_JOB_CHECK_BUFFERS_FORTRAN_SECTION_H

#include "job/check/objects/byte_runs.h"

enum section_kind { SECTION_UNKNOWN, SECTION_CONTIGUOUS, SECTION_WITH_GAPS };

enum section_kind fortran_section_kind(const void *descriptor);
/* Adds the first `count` elements of `bytes` each. False: the section has fewer elements, or
 * elements of another size. */
bool fortran_section_runs(const void *descriptor, int64_t count, int64_t bytes, struct byte_runs *runs);

/* A copy of the descriptor, valid during this call of the thread, with all elements moved by `distance`. NULL: unknown format. */
void *fortran_section_moved(const void *descriptor, int64_t distance);

#endif
