/* pair: check=none ranks=4 races
 *
 * A master receives messages in any order, and identifies the senders by the status. */
#include "../pair.h"

enum { WORK, TEXT, STOP, MESSAGES = 20 };

static void worker(void)
{
	char text[8] = "result";

	for (int i = 0; i < MESSAGES; i++) {
		if (i % 3)
			MPI_Send(&i, 1, MPI_INT, 0, WORK, MPI_COMM_WORLD);
		else
			MPI_Ssend(text, i % 8, MPI_CHAR, 0, TEXT, MPI_COMM_WORLD);
	}
	MPI_Send(NULL, 0, MPI_BYTE, 0, STOP, MPI_COMM_WORLD);
}

static void master(void)
{
	int running = size - 1, number, count, there, got = 0;
	char text[8];
	MPI_Status status;
	MPI_Message message;

	while (running) {
		MPI_Improbe(MPI_ANY_SOURCE, TEXT, MPI_COMM_WORLD, &there, &message, &status);
		if (there) {
			MPI_Get_count(&status, MPI_CHAR, &count);
			MPI_Mrecv(text, count, MPI_CHAR, &message, MPI_STATUS_IGNORE);
			got++;
			continue;
		}
		MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
		if (!there || status.MPI_TAG == TEXT)
			continue;
		if (status.MPI_TAG == WORK)
			MPI_Recv(&number, 1, MPI_INT, status.MPI_SOURCE, WORK, MPI_COMM_WORLD, &status);
		else
			MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, STOP, MPI_COMM_WORLD, &status);
		running -= status.MPI_TAG == STOP;
		got += status.MPI_TAG != STOP;
	}
	expect(got == (size - 1) * MESSAGES);
}

int main(int argc, char **argv)
{
	start(&argc, &argv);
	if (rank)
		worker();
	else
		master();
	return finish();
}
