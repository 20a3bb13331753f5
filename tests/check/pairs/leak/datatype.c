/* pair: check=leak.datatype ranks=2 at=0,1
 *
 * MPI_Type_get_contents gives new handles of derived types, and predefined types as they are. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int integers[4], numbers, addresses, types, combiner;
	MPI_Aint none[1];
	MPI_Datatype row, block, inner[1], basic[1];

	start(&argc, &argv);
	MPI_Type_contiguous(3, MPI_INT, &row); /* FOUND */
	MPI_Type_vector(2, 1, 2, row, &block);
	MPI_Type_get_envelope(block, &numbers, &addresses, &types, &combiner);
	expect(types == 1 && combiner == MPI_COMBINER_VECTOR);
	MPI_Type_get_contents(block, numbers, addresses, types, integers, none, inner);
	MPI_Type_get_contents(inner[0], 1, 0, 1, integers, none, basic);
	expect(basic[0] == MPI_INT && integers[0] == 3);
	MPI_Type_free(&inner[0]);
	MPI_Type_free(&block);
#ifndef WRONG
	MPI_Type_free(&row);
#endif
	return finish();
}
