/* tarry-test: ranks=2
 *
 * Rank 0 sends late. "code": all ranks exit with code 7. "killed": rank 1 dies while rank 0 waits in MPI_Finalize. "abort": rank 1 calls MPI_Abort. An attribute of
 * MPI_COMM_SELF lets rank 1 wait in MPI_Finalize for a message that rank 0 sends in MPI_Finalize. "children": counts signals of ended children, of which it has none, with
 * a second thread that could get them. "streams": closes its standard streams before MPI_Finalize. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static void count_child(int signal)
{
	(void)signal;
	ended++;
}

static void *sleep_on(void *unused)
{
	for (;;)
		sleep(1);
	return unused;
}

static int at_end(MPI_Comm comm, int key, void *value, void *extra)
{
	int rank, last = 1;

	(void)comm;
	(void)key;
	(void)value;
	(void)extra;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		MPI_Send(&last, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
	if (rank == 1)
		MPI_Recv(&last, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return MPI_SUCCESS;
}

static void end_as(const char *way, int rank)
{
	if (rank != 1 || (strcmp(way, "killed") != 0 && strcmp(way, "abort") != 0))
		return;
	usleep(300000);
	if (strcmp(way, "killed") == 0)
		raise(SIGKILL);
	MPI_Abort(MPI_COMM_WORLD, 5);
}

int main(int argc, char **argv)
{
	int rank, size, value = 0, key;

	MPI_Init(&argc, &argv);
	if (argc > 1 && strcmp(argv[1], "children") == 0) {
		pthread_t thread;
		signal(SIGCHLD, count_child);
		pthread_create(&thread, NULL, sleep_on, NULL);
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 5; i++) {
		if (rank == 0)
			usleep(30000);
		for (int to = 1; rank == 0 && to < size; to++)
			MPI_Send(&i, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
		if (rank)
			MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("done\n");
	fflush(stdout);
	end_as(argc > 1 ? argv[1] : "", rank);
	if (argc == 1) {
		MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
		MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
	}
	for (int i = 0; argc > 1 && strcmp(argv[1], "streams") == 0 && i < 3; i++)
		close(i);
	MPI_Finalize();
	if (ended)
		printf("children: %d\n", (int)ended);
	return argc > 1 && strcmp(argv[1], "code") == 0 ? 7 : 0;
}
