/* A library of the user's own, that knows nothing of MPI. */
#ifndef SOLVER_H
#define SOLVER_H

#include <stddef.h>

/* Smooths the cells of a level; what is left of the error. */
double solver_relax(int level, size_t cells);

#endif
