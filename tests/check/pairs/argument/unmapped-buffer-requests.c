/* pair: check=argument.unmapped-buffer ranks=2 at=0,1 dies exit=any
 *
 * A count of requests that was never set: it goes far beyond the array. */
#include "../pair.h"

#include <limits.h>

int main(int argc, char **argv)
{
	MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
	int count = 2;

	start(&argc, &argv);
	return_errors();
#ifdef WRONG
	count = INT_MAX;
#endif
	MPI_Barrier(MPI_COMM_WORLD);                       /* MAY */
	MPI_Waitall(count, requests, MPI_STATUSES_IGNORE); /* FOUND */
	return finish();
}
