/* pair: check=memory.receive-written ranks=2 at=1 always=--buffers=all
 *
 * A loop that is right for a long time. By then only some of its receives have a shadow. */
#include "../pair.h"

enum { ROUNDS = 1000, RIGHT_ROUNDS = 600, COUNT = 16 };

int main(int argc, char **argv)
{
	MPI_Request request;
	int numbers[COUNT] = {0};

	start(&argc, &argv);
	for (int round = 0; round < ROUNDS; round++) {
		if (rank == 0) {
			for (int i = 0; i < COUNT; i++)
				numbers[i] = round + i;
			MPI_Ssend(numbers, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD);
			continue;
		}
		MPI_Irecv(numbers, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
		if (round >= RIGHT_ROUNDS)
			numbers[round % COUNT] = -1;
#endif
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
		expect(numbers[0] == round && numbers[COUNT - 1] == round + COUNT - 1);
	}
	return finish();
}
