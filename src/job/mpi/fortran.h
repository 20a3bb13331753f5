/* The Fortran faces of MPI: entry points come from the table of calls, everything travels by reference, and the
 * call goes on to the next definition of the same name. */
#ifndef TARRY_JOB_MPI_FORTRAN_H
#define TARRY_JOB_MPI_FORTRAN_H

#include "job/mpi/flavour.h"

#include <stddef.h>

#define F_INT(p) (*(const MPI_Fint *)(p))
#define F_AINT(p) (*(const MPI_Aint *)(p))
#define F_OFFSET(p) (*(const MPI_Offset *)(p))
#define F_COUNT(p) (*(const MPI_Count *)(p))

/* A handle as a number: C's. Where MPI has none for it, because the object was freed or never made, the complement of Fortran's, which is no
 * address. */
#define F_HANDLE(word, p) fortran_handle(HANDLE(f_##word(p)), p)
static inline uint64_t fortran_handle(uint64_t handle, const void *p)
{
#if defined(OPEN_MPI)
	return handle ? handle : ~(uint64_t)(uint32_t)F_INT(p);
#else
	(void)p;
	return handle;
#endif
}

/* The MPI library's own entry point of this name; remembered in `next`. NULL: it has none. */
void *fortran_next(void **next, const char *name);

/* Is this one of MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE, of the old interface or the new? */
bool fortran_ignored(const void *status);
/* Is this MPI_IN_PLACE? `described`: the buffer comes as a descriptor (TS 29113). */
bool fortran_in_place(const void *buffer, bool described);

/* An address that Fortran passes. MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE and their like are places in Fortran: they become C's
 * values. */
int64_t fortran_address(const void *place) __attribute__((visibility("hidden")));

/* The same of a buffer. `described`: it comes as a descriptor (TS 29113). */
static inline int64_t fortran_buffer(const void *buffer, bool described)
{
	/* a descriptor begins with the address */
	return fortran_address(described && buffer ? *(void *const *)buffer : buffer);
}

/* Length of a Fortran string without the blanks at its end. */
size_t fortran_length(const char *text, size_t length);

#endif
