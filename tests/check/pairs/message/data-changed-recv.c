/* pair: check=message.data-changed ranks=2 always=--buffers=all flags=-ldl
 *
 * A faulty layer below MPI_Recv changes one bit of each message. */
#define _GNU_SOURCE
#include "../pair.h"

#include <dlfcn.h>

int PMPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	__typeof__(&PMPI_Recv) next = dlsym(RTLD_NEXT, "PMPI_Recv");
	const int rc = next(buf, count, type, source, tag, comm, status);

#ifdef WRONG
	((unsigned char *)buf)[7] ^= 16;
#endif
	return rc;
}

int main(int argc, char **argv)
{
	int data[100] = {0};

	start(&argc, &argv);
	if (rank == 0) {
		data[1] = 5;
		MPI_Send(data, 50, MPI_INT, 1, 0, MPI_COMM_WORLD); /* FOUND */
	} else {
		MPI_Recv(data, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* PARTNER */
#ifndef WRONG
		expect(data[1] == 5);
#endif
	}
	return finish();
}
