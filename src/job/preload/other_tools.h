/* Other tools between the program and MPI: a profiler, an I/O tracer, a site's own wrappers. They define functions of MPI's names and pass
 * calls on to PMPI's, as we do. A tool after us in the order of the loaded files gets its calls as without us (tool_calls.h). A tool before
 * us, or the program itself, keeps its calls to itself, and a note names it. */
#ifndef TARRY_JOB_PRELOAD_OTHER_TOOLS_H
#define TARRY_JOB_PRELOAD_OTHER_TOOLS_H

#include <stdbool.h>

enum { MPI_LIBRARIES = 16 };

/* What a process has loaded of MPI. */
struct mpi_libraries {
	void *handles[MPI_LIBRARIES]; /* C, Fortran, C++ */
	int count;
	const char *flavour; /* NULL: there is none */
	const char *path;    /* of the first one that has MPI's functions for C */
	const void *init;    /* its PMPI_Init */
};

/* Looks for definitions of all functions, and notes what there is. True: some come behind us. To be called once MPI was found. */
bool other_tools_find(const struct mpi_libraries *libraries);

/* Whom a call of this function would go to if we were not there, unless that is MPI. NULL: nobody. */
void *other_tools_next(const char *name);

/* Into the folders of what is recorded, checked and chosen, as far as these are there. */
void preload_note(const char *sentence);
void preload_note_in(const char *folder, const char *sentence);

#endif
