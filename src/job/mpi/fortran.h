/* The Fortran interfaces of MPI. Their entry points are generated from the table of calls; arguments are
 * references; each entry point forwards its call to the next definition of the same name. */
#ifndef TARRY_JOB_MPI_FORTRAN_H
#define TARRY_JOB_MPI_FORTRAN_H

#include "job/mpi/flavour.h"

#include <stddef.h>

#define F_INT(p) (*(const MPI_Fint *)(p))
#define F_AINT(p) (*(const MPI_Aint *)(p))
#define F_OFFSET(p) (*(const MPI_Offset *)(p))
#define F_COUNT(p) (*(const MPI_Count *)(p))
#define F_PARTCOUNT(p) (*(const partition_count *)(p))

/* The C handle as a number. If MPI does not know the object (freed or invalid), the complement of the Fortran
 * handle, which is never an address. */
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

/* The MPI library's own entry point of this name, cached in `next`. NULL: none. */
void *fortran_next(void **next, const char *name);

/* Whether this is MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE, of the old or the new interface. */
bool fortran_ignored(const void *status);
/* Whether this is MPI_IN_PLACE. `described`: the buffer is a descriptor (TS 29113). */
bool fortran_in_place(const void *buffer, bool described);

/* The C equivalent of an address in Fortran, where MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE and others are
 * special addresses. */
int64_t fortran_address(const void *place) __attribute__((visibility("hidden")));

/* The same for a buffer. `described`: it is a descriptor (TS 29113). */
static inline int64_t fortran_buffer(const void *buffer, bool described)
{
	/* a descriptor begins with the address */
	return fortran_address(described && buffer ? *(void *const *)buffer : buffer);
}

/* Length of a Fortran string without trailing blanks. */
size_t fortran_length(const char *text, size_t length);

#endif
