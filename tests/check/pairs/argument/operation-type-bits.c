/* pair: check=argument.operation-type ranks=2 at=0,1 */
#include "../pair.h"

#include <complex.h>

static void larger(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < 2 * *count; i++)
		if (((int *)in)[i] > ((int *)inout)[i])
			((int *)inout)[i] = ((int *)in)[i];
}

int main(int argc, char **argv)
{
	double value = 1, sum = 0;
	double complex wave = 1, waves;
	unsigned char bits = 1, all;
	int pair[2] = {1, 2}, largest[2];
	MPI_Datatype two;
	MPI_Op op;

	start(&argc, &argv);
	return_errors();
	MPI_Allreduce(&bits, &all, 1, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD);
	MPI_Allreduce(&wave, &waves, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
	MPI_Allreduce(pair, largest, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
	MPI_Type_contiguous(2, MPI_INT, &two);
	MPI_Type_commit(&two);
	MPI_Op_create(larger, 1, &op);
	MPI_Allreduce(pair, largest, 1, two, op, MPI_COMM_WORLD);
	expect(largest[1] == 2 && all == 0);
#ifdef WRONG
	MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD); /* FOUND */
#else
	MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	expect(sum == 2);
#endif
	MPI_Op_free(&op);
	MPI_Type_free(&two);
	return finish();
}
