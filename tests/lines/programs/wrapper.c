/* Rank 1 waits for rank 0 at two places, each through a function of this file that wraps the call. With THICK that function makes
 * more calls, for itself. */
#include <mpi.h>
#include <unistd.h>

enum { LATE_US = 60000 };

__attribute__((noinline)) static void wrapped_send(double *value, MPI_Comm pair)
{
	MPI_Send(value, 1, MPI_DOUBLE, 1, 1, pair);
	*value += 1; /* so that the call is not a jump */
}

__attribute__((noinline)) static void wrapped_receive(double *value, MPI_Comm pair)
{
	MPI_Recv(value, 1, MPI_DOUBLE, 0, 1, pair, MPI_STATUS_IGNORE);
#ifdef THICK
	MPI_Sendrecv(value, 1, MPI_DOUBLE, 1, 2, value + 1, 1, MPI_DOUBLE, 1, 2, pair, MPI_STATUS_IGNORE);
	MPI_Sendrecv(value, 1, MPI_DOUBLE, 1, 3, value + 1, 1, MPI_DOUBLE, 1, 3, pair, MPI_STATUS_IGNORE);
#endif
	*value += 1;
}

__attribute__((noinline)) static void solve(double *value, int rank, MPI_Comm pair)
{
	if (rank == 0) {
		usleep(LATE_US);
		wrapped_send(value, pair);
	} else {
		wrapped_receive(value, pair); /* ! first */
	}
	*value += 1;
}

__attribute__((noinline)) static void save(double *value, int rank, MPI_Comm pair)
{
	if (rank == 0) {
		usleep(LATE_US);
		wrapped_send(value, pair);
	} else {
		wrapped_receive(value, pair); /* ! second */
	}
	*value += 1;
}

int main(int argc, char **argv)
{
	double value[2] = {1, 1};
	MPI_Comm pair;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
	for (int i = 0; i < 5; i++) {
		solve(value, rank % 2, pair);
		save(value, rank % 2, pair);
	}
	MPI_Comm_free(&pair);
	MPI_Finalize();
	return value[0] < 0;
}
