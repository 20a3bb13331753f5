/* pair: check=none ranks=2 flags=-fopenmp watched=gcc-O0,clang-O0
 *
 * OpenMP: a task stores, MPI_Isend follows its end. */
#include "../pair.h"

#include <omp.h>

enum { N = 64 };

int main(int argc, char **argv)
{
	static int buf[N], sum, at;
	at = argc + 2;
	MPI_Request request;
	omp_set_num_threads(2);
	start_threads(&argc, &argv, MPI_THREAD_SERIALIZED);
	if (!rank) {
#pragma omp parallel
#pragma omp single
		{
#pragma omp task
			buf[at] = 1;
#pragma omp taskwait
			MPI_Isend(buf, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		}
	} else {
		MPI_Recv(buf, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	expect(sum >= 0);
	return finish();
}
