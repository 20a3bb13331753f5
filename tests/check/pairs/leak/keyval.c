/* pair: check=leak.keyval ranks=2 at=0,1
 *
 * A key may be freed while attributes with it are still there, and they are copied all the same. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int key, type_key, found, *value, number = 7;
	MPI_Comm first, second;
	MPI_Datatype type;

	start(&argc, &argv);
	MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL); /* FOUND */
	MPI_Type_contiguous(2, MPI_INT, &type);
	MPI_Type_set_attr(type, type_key, &number);
	MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
	MPI_Comm_dup(MPI_COMM_WORLD, &first);
	MPI_Comm_set_attr(first, key, &number);
	MPI_Comm_dup(first, &second);
	MPI_Comm_get_attr(second, key, &value, &found);
	expect(found && *value == 7);
	MPI_Comm_free_keyval(&key);
	MPI_Comm_free(&first);
	MPI_Comm_free(&second);
#ifndef WRONG
	MPI_Type_free_keyval(&type_key);
#endif
	MPI_Type_free(&type);
	return finish();
}
