/* pair: check=leak.buffer ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	static char room[4 + MPI_BSEND_OVERHEAD];
	int value = 0, bytes;
	void *memory;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Buffer_attach(room, sizeof(room)); /* FOUND */
		MPI_Bsend(&size, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifndef WRONG
		MPI_Buffer_detach(&memory, &bytes);
		expect(memory == room && bytes == (int)sizeof(room));
#endif
	} else {
		MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(value == 2);
	}
	(void)memory, (void)bytes;
	return finish();
}
