/* pair: check=memory.receive-read ranks=2 at=0 watched=gcc-O0,gcc-O2,clang-O2
 *
 * Loads from buffers of MPI_Irecv before MPI_Wait: on the heap, on the stack and in a global array. */
#include "../pair.h"

static double global[4];

int main(int argc, char **argv)
{
	MPI_Request requests[3];
	double *heap = calloc(4, sizeof *heap), stack[4] = {1, 2, 3, 4}, sum = 0;

	start(&argc, &argv);
	if (!rank) {
		MPI_Irecv(&heap[1], 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
		MPI_Irecv(stack, 3, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, &requests[1]);    /* PARTNER */
		MPI_Irecv(global, 4, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, &requests[2]);   /* PARTNER */
#ifdef WRONG
		sum += heap[1];          /* USED */
		sum += stack[2];         /* USED */
		sum += global[argc % 4]; /* USED */
#endif
		sum += heap[0] + heap[2] + stack[3];
		heap[0] = stack[3] = sum;
		MPI_Waitall(3, requests, MPI_STATUSES_IGNORE); /* FOUND */
		sum += heap[1] + stack[2] + global[argc % 4];
		expect(sum > 0);
	} else {
		MPI_Send(stack, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
		MPI_Send(stack, 3, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
		MPI_Send(stack, 4, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
	}
	free(heap);
	return finish();
}
