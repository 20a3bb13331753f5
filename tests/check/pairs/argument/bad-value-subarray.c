/* pair: check=argument.bad-value ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Datatype part = MPI_DATATYPE_NULL;

	start(&argc, &argv);
	return_errors();
	MPI_Type_create_subarray(2, (int[]){4, 6}, (int[]){4, 2}, (int[]){0, 4}, MPI_ORDER_FORTRAN, MPI_INT,
	                         &part);
	MPI_Type_free(&part);
#ifdef WRONG
	MPI_Type_create_subarray(2, (int[]){4, 6}, (int[]){4, 3}, (int[]){0, 4}, MPI_ORDER_C, MPI_INT,
	                         &part); /* FOUND */
	if (part != MPI_DATATYPE_NULL)
		MPI_Type_free(&part); /* some libraries take it */
#endif
	return finish();
}
