/* dlsym() of the C library. GOTCHA, which Caliper uses, redirects calls of dlsym() in all loaded files, and then returns the
 * functions of its tool under the names of MPI's. We would take them for the next functions, and call them without end.
 *
 * Include this instead of <dlfcn.h> where functions of MPI are looked up. */
#ifndef TARRY_BASE_LIBC_DLSYM_H
#define TARRY_BASE_LIBC_DLSYM_H

#include <dlfcn.h>

typedef void *symbol_lookup(void *handle, const char *name);

symbol_lookup *libc_dlsym(void);

/* RTLD_NEXT depends on the file of the caller, so it must be a direct call. */
#define dlsym(handle, name) libc_dlsym()(handle, name)

#endif
