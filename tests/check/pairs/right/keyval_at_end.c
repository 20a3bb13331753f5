/* pair: check=none ranks=2
 *
 * What MPI_Finalize calls first, the deletion of an attribute of MPI_COMM_SELF, frees a key and its last attribute. */
#include "../pair.h"

static int key;

static int clean(MPI_Comm comm, int own, void *value, void *extra)
{
	(void)comm, (void)own, (void)value, (void)extra;
	MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
	MPI_Comm_free_keyval(&key);
	return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
	static int number = 4;
	int last;

	start(&argc, &argv);
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
	MPI_Comm_set_attr(MPI_COMM_WORLD, key, &number);
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, clean, &last, NULL);
	MPI_Comm_set_attr(MPI_COMM_SELF, last, NULL);
	MPI_Comm_free_keyval(&last);
	return finish();
}
