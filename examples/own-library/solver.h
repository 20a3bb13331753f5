/* A user's library that does not use MPI. */
#ifndef SOLVER_H
#define SOLVER_H

#include <stddef.h>

/* Smooths the cells of a level; returns the remaining error. */
double solver_relax(int level, size_t cells);

#endif
