/* pair: check=collective.data-changed ranks=3 at=1,2 always=--buffers=all flags=-ldl
 *
 * A faulty layer below MPI_Bcast changes one bit of what rank 2 receives. */
#define _GNU_SOURCE
#include "../pair.h"

#include <dlfcn.h>

int PMPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
	__typeof__(&PMPI_Bcast) next = dlsym(RTLD_NEXT, "PMPI_Bcast");
	const int rc = next(buf, count, type, root, comm);

#ifdef WRONG
	if (rank == 2)
		((unsigned char *)buf)[8] ^= 1;
#endif
	return rc;
}

int main(int argc, char **argv)
{
	double values[20] = {0};

	start(&argc, &argv);
	values[1] = rank;
	MPI_Bcast(values, 20, MPI_DOUBLE, 1, MPI_COMM_WORLD); /* FOUND */
#ifndef WRONG
	expect(values[1] == 1);
#endif
	return finish();
}
