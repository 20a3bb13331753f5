/* pair: check=argument.predefined-freed ranks=2 at=0,1
 *
 * A call that gives a handle may give a predefined one, which is then freed like any other. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Datatype type = MPI_DOUBLE, copy;
	MPI_Group world, none;

	start(&argc, &argv);
	return_errors();
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 0, NULL, &none);
	MPI_Group_free(&none);
	MPI_Group_free(&world);
	MPI_Type_dup(type, &copy);
	MPI_Type_commit(&type);
	MPI_Type_free(&copy);
#ifdef WRONG
	MPI_Type_free(&type); /* FOUND */
#endif
	return finish();
}
