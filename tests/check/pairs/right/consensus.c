/* pair: check=none ranks=4 races
 *
 * A rank with nothing more to send joins a barrier, and continues to receive until all have. */
#include "../pair.h"

int main(int argc, char **argv)
{
	start(&argc, &argv);
	for (int round = 0; round < 3; round++) {
		MPI_Request s[3], b = MPI_REQUEST_NULL;
		int n = 0, got = 0, done = 0, v[3];
		for (int i = 0; i < size; i++)
			if (i != rank) {
				v[n] = rank;
				MPI_Issend(&v[n], 1, MPI_INT, i, round, MPI_COMM_WORLD, &s[n]);
				n++;
			}
		while (!done) {
			int f;
			MPI_Status st;
			MPI_Iprobe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &f, &st);
			if (f) {
				int x;
				MPI_Recv(&x, 1, MPI_INT, st.MPI_SOURCE, round, MPI_COMM_WORLD,
				         MPI_STATUS_IGNORE);
				expect(x == st.MPI_SOURCE);
				got++;
			}
			if (b == MPI_REQUEST_NULL) {
				int all;
				MPI_Testall(n, s, &all, MPI_STATUSES_IGNORE);
				if (all)
					MPI_Ibarrier(MPI_COMM_WORLD, &b);
			} else
				MPI_Test(&b, &done, MPI_STATUS_IGNORE);
		}
		expect(got == size - 1);
	}
	return finish();
}
