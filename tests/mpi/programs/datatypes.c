/* tarry-test: ranks=2
 *
 * Derived datatypes: bytes are those of the type's data, without its gaps. */
#include "checksum.h"

#include <mpi.h>
#include <stddef.h>

struct pair {
	char letter;
	double number;
};

static MPI_Datatype make_pair(void)
{
	static const int lengths[] = {1, 1};
	static const MPI_Aint places[] = {offsetof(struct pair, letter), offsetof(struct pair, number)};
	const MPI_Datatype parts[] = {MPI_CHAR, MPI_DOUBLE};
	MPI_Datatype type;

	MPI_Type_create_struct(2, lengths, places, parts, &type);
	MPI_Type_commit(&type);
	return type;
}

static void exchange(int rank, MPI_Datatype column, MPI_Datatype pair)
{
	double matrix[4][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
	struct pair pairs[3] = {{'a', 1}, {'b', 2}, {'c', 3}};

	if (rank == 0) {
		MPI_Send(matrix, 1, column, 1, 1, MPI_COMM_WORLD);
		/* @0 peer=1 tag=1 sent=32 size=32 */
		MPI_Send(pairs, 3, pair, 1, 2, MPI_COMM_WORLD);
		/* @0 peer=1 tag=2 sent=27 size=9 */
	} else {
		MPI_Recv(matrix, 1, column, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		/* @1 peer=0 tag=1 room=32 received=32 */
		MPI_Recv(pairs, 3, pair, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		/* @1 peer=0 tag=2 room=27 received=27 */
	}
	checksum_add(matrix, sizeof(matrix));
}

int main(int argc, char **argv)
{
	MPI_Datatype column, pair, twice;
	char packed[64];
	int rank, place = 0, value = 3;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);
	MPI_Type_commit(&column);
	pair = make_pair();
	exchange(rank, column, pair);
	MPI_Type_free(&column);
	/* The handle may be reused for another type, of another size. */
	MPI_Type_contiguous(2, MPI_SHORT, &twice);
	MPI_Type_commit(&twice);
	MPI_Send(packed, 5, twice, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
	/* @* peer=null tag=3 sent=20 size=4 */
	MPI_Type_free(&twice);
	MPI_Type_free(&pair);
	MPI_Pack(&value, 1, MPI_INT, packed, 64, &place, MPI_COMM_WORLD);
	MPI_Send(packed, place, MPI_PACKED, MPI_PROC_NULL, 4, MPI_COMM_WORLD);
	/* @* peer=null tag=4 sent=4 size=1 */
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
