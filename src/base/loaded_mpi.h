/* Which of the files that this process has loaded are MPI: those that define MPI's profiling interface, whatever their names. A tool that wraps MPI
 * defines MPI_Init, but not PMPI_Init; its name may well begin with `libmpi`, as that of libmpiP.so does. */
#ifndef TARRY_BASE_LOADED_MPI_H
#define TARRY_BASE_LOADED_MPI_H

#include <link.h>
#include <stdbool.h>

/* The first of all loaded files, which are a list. The program itself and the kernel's own file have names without a slash. */
const struct link_map *loaded_files(void);
/* NULL: it is not loaded. */
const struct link_map *loaded_file_find(const char *path);

/* Has it MPI's functions for C? */
bool loaded_file_is_mpi(const struct link_map *file);
/* Has it those for C or those for Fortran, which libraries may keep in files of their own? */
bool loaded_file_is_part_of_mpi(const struct link_map *file);

#endif
