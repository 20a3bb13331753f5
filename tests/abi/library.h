/* A library with MPI's standard binary interface, for one process. Code that depends only on the kinds of
 * parameters is generated (calls/generator/abi.py). This is the rest: handles, and messages of the process to itself. */
#ifndef TESTS_ABI_LIBRARY_H
#define TESTS_ABI_LIBRARY_H

#include <mpi.h>

/* Above the numbers of the standard's own objects. */
intptr_t library_new_handle(void);
/* Of the last message. */
void library_status(MPI_Status *statuses, int count);
void library_complete(MPI_Request *requests, int count, MPI_Status *statuses);

#endif
