/* pair: check=memory.receive-read ranks=2 at=1 always=--buffers=all output
 *
 * The buffer is written to a file by the kernel, which does not fault: the call succeeds all the same. */
#include "../pair.h"

#include <unistd.h>

enum { BYTES = 1 << 18 };

static char data[BYTES];

static void save(FILE *file)
{
	expect(write(fileno(file), data, BYTES) == BYTES); /* USED */
	expect(fwrite(data, 1, BYTES, file) == BYTES);
}

int main(int argc, char **argv)
{
	FILE *file = tmpfile();
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
		memset(data, 'x', BYTES);
		MPI_Send(data, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(data, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
		save(file);
#endif
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
		expect(data[0] == 'x' && data[BYTES - 1] == 'x');
		save(file);
	}
	fclose(file);
	return finish();
}
