/* Other tools between the program and MPI: a profiler, an I/O tracer, a site's own wrappers. They
 * define MPI functions and forward calls to PMPI, as we do. A tool loaded after us gets the same calls
 * as without us (tool_calls.h). A tool loaded before us, or the program itself, intercepts its calls,
 * and a message names it. */
#ifndef TARRY_JOB_PRELOAD_OTHER_TOOLS_H
#define TARRY_JOB_PRELOAD_OTHER_TOOLS_H

#include <stdbool.h>

enum { MPI_LIBRARIES = 16 };

/* The MPI libraries of a process. */
struct mpi_libraries {
	void *handles[MPI_LIBRARIES]; /* C, Fortran, C++ */
	int count;
	const char *flavour; /* NULL: none */
	const char *path;    /* of the first library with MPI's C functions */
	const void *init;    /* its PMPI_Init */
	int others;          /* further libraries with MPI's C functions */
	bool is_called;      /* the caller is linked with it, whatever the others are */
};

/* Looks for other definitions of all functions and reports them. True: a tool follows us. Call once MPI
 * was found. */
bool other_tools_find(const struct mpi_libraries *libraries);

/* The function that would get this call without us, unless it is MPI's. NULL: none. */
void *other_tools_next(const char *name);

/* Adds a message to the folders of the recorder, the checker and the collectives, if they exist. */
void preload_note(const char *sentence);
void preload_note_in(const char *folder, const char *sentence);

#endif
