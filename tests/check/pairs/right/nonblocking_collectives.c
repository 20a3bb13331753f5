/* pair: check=none ranks=3
 *
 * Many at once on two communicators; blocking ones in between; completed backwards. */
#include "../pair.h"

enum { CALLS = 6 };

int main(int argc, char **argv)
{
	int values[CALLS], sums[CALLS], all[3], total, scattered, counts[3] = {0, 1, 0};
	MPI_Request requests[CALLS + 3];
	MPI_Comm other;

	start(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	for (int i = 0; i < CALLS; i++) {
		values[i] = rank + i;
		MPI_Iallreduce(&values[i], &sums[i], 1, MPI_INT, i % 2 ? MPI_MAX : MPI_SUM,
		               i % 3 ? other : MPI_COMM_WORLD, &requests[i]);
	}
	MPI_Allreduce(&rank, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, other, &requests[CALLS]);
	MPI_Ibarrier(MPI_COMM_WORLD, &requests[CALLS + 1]);
	MPI_Iscatterv(rank ? NULL : &size, rank ? NULL : counts, rank ? NULL : (int[]){0, 0, 0}, MPI_INT,
	              &scattered, rank == 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[CALLS + 2]);
	for (int i = CALLS + 2; i >= 0; i--)
		MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
	expect(total == 3 && sums[0] == 3 && sums[1] == 3 && all[2] == 2 && (rank != 1 || scattered == 3));
	MPI_Comm_free(&other);
	return finish();
}
