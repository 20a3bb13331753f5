/* Rank 1 waits for rank 0 at two places, each through the layer. What has to be found is marked. With THICK it waits in a function that makes
 * calls directly, and which is not a layer. */
#include "layer.h"

#include <unistd.h>

enum { LATE_US = 60000 };

static void send_or_receive(double *value, int rank, MPI_Comm pair)
{
	if (rank == 0) {
		usleep(LATE_US);
		layer_send(value, 1, pair);
	} else {
		layer_receive(value, 0, pair); /* ! first */
	}
	*value += 1;
}

static void again(double *value, int rank, MPI_Comm pair)
{
	if (rank == 0) {
		usleep(LATE_US);
		layer_send(value, 1, pair);
	} else {
		layer_receive(value, 0, pair); /* ! second */
	}
	layer_sum(value, pair);
	*value += 1;
}

int main(int argc, char **argv)
{
	double value = 1;
	MPI_Comm pair;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
	MPI_Comm_set_name(pair, "pair of two");
	rank %= 2;
	for (int i = 0; i < 5; i++) {
#ifdef THICK
		usleep(rank ? 0 : LATE_US);
		exchange(&value, 1 - rank, pair);
		exchange(&value, 1 - rank, pair);
#else
		send_or_receive(&value, rank, pair);
		again(&value, rank, pair);
#endif
	}
	MPI_Comm_free(&pair);
	MPI_Finalize();
	return value < 0;
}
