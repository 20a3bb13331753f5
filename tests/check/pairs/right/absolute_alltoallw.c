/* pair: check=none ranks=3 always=--buffers=all
 *
 * Data by absolute addresses, from and to blocks in opposite order. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *out, *in, counts[3] = {1, 1, 1}, zero[3] = {0};
	MPI_Datatype st[3], rt[3];
	MPI_Request q;
	start(&argc, &argv);
	out = malloc(3 * sizeof(int));
	in = malloc(3 * sizeof(int));
	for (int i = 0; i < 3; i++) {
		int one = 1;
		MPI_Aint a;
		MPI_Get_address(out + i, &a);
		MPI_Type_create_hindexed(1, &one, &a, MPI_INT, &st[i]);
		MPI_Get_address(in + 2 - i, &a);
		MPI_Type_create_hindexed(1, &one, &a, MPI_INT, &rt[i]);
		MPI_Type_commit(&st[i]);
		MPI_Type_commit(&rt[i]);
		out[i] = 10 * rank + i;
		in[i] = -1;
	}
	for (int k = 0; k < 2; k++) {
		if (k)
			MPI_Ialltoallw(MPI_BOTTOM, counts, zero, st, MPI_BOTTOM, counts, zero, rt,
			               MPI_COMM_WORLD, &q),
				MPI_Wait(&q, MPI_STATUS_IGNORE);
		else
			MPI_Alltoallw(MPI_BOTTOM, counts, zero, st, MPI_BOTTOM, counts, zero, rt,
			              MPI_COMM_WORLD);
		for (int i = 0; i < 3; i++) {
			expect(in[2 - i] == 10 * i + rank);
			in[2 - i] = -1;
		}
	}
	for (int i = 0; i < 3; i++) {
		MPI_Type_free(&st[i]);
		MPI_Type_free(&rt[i]);
	}
	free(out);
	free(in);
	return finish();
}
