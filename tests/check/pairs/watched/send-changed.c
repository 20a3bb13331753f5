/* pair: check=memory.send-changed ranks=2 at=0 watched=gcc-O0,gcc-O2,clang-O2
 *
 * Stores into buffers of MPI_Isend before MPI_Wait: on the heap, on the stack and in a global array. */
#include "../pair.h"

static int global[4] = {5, 6, 7, 8};

int main(int argc, char **argv)
{
	MPI_Request requests[3];
	int *heap = calloc(4, sizeof *heap), stack[4] = {1, 2, 3, 4}, got;

	start(&argc, &argv);
	if (!rank) {
		MPI_Isend(&heap[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
		MPI_Isend(stack, 3, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);    /* PARTNER */
		MPI_Isend(global, 4, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[2]);   /* PARTNER */
#ifdef WRONG
		heap[1] = 9;          /* USED */
		stack[2] = 9;         /* USED */
		global[argc % 4] = 9; /* USED */
#endif
		/* neighbours, and loads, are allowed */
		heap[0] = heap[2] = heap[1] + stack[0] + stack[3];
		stack[3] = global[argc % 4];
		MPI_Waitall(3, requests, MPI_STATUSES_IGNORE); /* FOUND */
		heap[1] = stack[2] = global[argc % 4] = 1;
	} else {
		MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(stack, 3, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(global, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	free(heap);
	return finish();
}
