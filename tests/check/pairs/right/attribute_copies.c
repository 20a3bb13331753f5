/* pair: check=none ranks=2
 *
 * Attribute functions that call MPI: copies are made in MPI_Comm_dup and freed in MPI_Comm_free, inside of MPI. */
#include "../pair.h"

static int copy(MPI_Comm comm, int key, void *extra, void *value, void *result, int *flag)
{
	MPI_Datatype *type = malloc(sizeof(*type));

	(void)comm, (void)key, (void)extra;
	MPI_Type_dup(*(MPI_Datatype *)value, type);
	*(void **)result = type;
	*flag = 1;
	return MPI_SUCCESS;
}

static int release(MPI_Comm comm, int key, void *value, void *extra)
{
	(void)comm, (void)key, (void)extra;
	MPI_Type_free(value);
	free(value);
	return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
	MPI_Comm first, second;
	MPI_Datatype *type = malloc(sizeof(*type)), *found;
	int key, there, bytes;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Type_contiguous(3, MPI_INT, type);
	MPI_Type_commit(type);
	MPI_Comm_create_keyval(copy, release, &key, NULL);
	MPI_Comm_dup(MPI_COMM_WORLD, &first);
	MPI_Comm_set_attr(first, key, type);
	MPI_Comm_idup(first, &second, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_free(&first);
	MPI_Comm_get_attr(second, key, &found, &there);
	expect(there);
	MPI_Type_size(*found, &bytes);
	expect(bytes == 12);
	MPI_Comm_delete_attr(second, key);
	MPI_Comm_free(&second);
	MPI_Comm_free_keyval(&key);
	return finish();
}
