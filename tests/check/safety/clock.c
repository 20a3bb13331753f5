/* A deadlock while the wall clock is set back by an hour: clock_gettime() returns the time before that. A wait until a time of the wall clock lasts an hour too long. */
#define _GNU_SOURCE

#include <mpi.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time)
{
	const long failed = syscall(SYS_clock_gettime, clock, time);

	if (!failed && clock == CLOCK_REALTIME)
		time->tv_sec += 3600;
	return (int)failed;
}

int main(int argc, char **argv)
{
	int rank, theirs;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	sleep(1); /* what happens first is known */
	MPI_Recv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
