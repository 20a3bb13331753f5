/* pair: check=order.init-twice ranks=2 at=0,1 dies
 *
 * A library asks first. */
#include "../pair.h"

static void library_start(void)
{
	int there = 0;

#ifndef WRONG
	MPI_Initialized(&there);
#endif
	if (!there)
		MPI_Init(NULL, NULL); /* FOUND */
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv); /* MAY */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return_errors();
	library_start();
	return finish();
}
