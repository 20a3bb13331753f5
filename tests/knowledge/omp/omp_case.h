/* Cases of OpenMP problems, each with a bad version and, with -DGOOD, a good one that does the same work. Threads sleep. */
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

static inline void work(int ms)
{
	usleep((useconds_t)ms * 1000);
}

/* By number of the thread. In the good version all take the mean. */
static inline void work_of_thread(int first, int second, int third)
{
#ifdef GOOD
	work((first + second + third) / 3);
#else
	work(((int[]){first, second, third})[omp_get_thread_num()]);
#endif
}

static inline void start(int *argc, char ***argv)
{
	int provided;

	MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Barrier(MPI_COMM_WORLD);
}

static inline int end(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
