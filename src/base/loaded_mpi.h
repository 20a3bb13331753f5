/* Finds the loaded files that are MPI: those that define MPI's profiling interface, whatever their
 * names. A tool that wraps MPI defines MPI_Init; its name may begin with `libmpi`, as in libmpiP.so. Darshan also
 * defines PMPI_Init and PMPI_File_open; so MPI is what defines PMPI_Comm_rank, which no tool does. */
#ifndef TARRY_BASE_LOADED_MPI_H
#define TARRY_BASE_LOADED_MPI_H

#include <link.h>
#include <stdbool.h>

/* The first of the linked list of all loaded files. The program itself and the vDSO have
 * names without a slash. */
const struct link_map *loaded_files(void);
/* NULL: not loaded. */
const struct link_map *loaded_file_find(const char *path);

/* True if the file defines MPI's functions for C. */
bool loaded_file_is_mpi(const struct link_map *file);
/* True if it defines MPI's functions for C or for Fortran, which may be in separate files. */
bool loaded_file_is_part_of_mpi(const struct link_map *file);

#endif
