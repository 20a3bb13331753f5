/* Each rank relaxes its cells with a library outside MPI, then all agree on the error. One rank has more cells than the others, which
 * wait for it in MPI_Allreduce.
 *
 *	cc -g -fPIC -shared -o libsolver.so solver.c
 *	mpicc -g -o jacobi jacobi.c -L. -lsolver -Wl,-rpath,'$ORIGIN'
 *	tarry run --rules solver.rules -- mpirun -n 3 ./jacobi
 *	tarry analyze --rules solver.rules jacobi.tarry
 *
 * With the argument `even` all ranks have equally many cells. */
#include "solver.h"

#include <mpi.h>
#include <string.h>

enum { STEPS = 5, CELLS = 2000, TOO_MANY = 30000 };

int main(int argc, char **argv)
{
	int rank, is_even = argc > 1 && strcmp(argv[1], "even") == 0;
	double error, largest;
	size_t cells;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	cells = rank == 1 && !is_even ? TOO_MANY : CELLS;
	for (int level = 0; level < STEPS; level++) {
		error = solver_relax(level, cells);
		MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
