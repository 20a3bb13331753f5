/* pair: check=leak.communicator ranks=2 at=0,1
 *
 * A library keeps its communicator in an attribute of MPI_COMM_SELF, which MPI_Finalize deletes first. */
#include "../pair.h"

static int forget(MPI_Comm comm, int key, void *value, void *state)
{
	(void)comm;
	(void)key;
	(void)state;
	MPI_Comm_free(value);
	return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
	static MPI_Comm kept, other;
	int key;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
	MPI_Comm_dup(MPI_COMM_WORLD, &kept);
	MPI_Comm_set_attr(MPI_COMM_SELF, key, &kept);
	MPI_Comm_free_keyval(&key);
	MPI_Comm_idup(MPI_COMM_WORLD, &other, &request); /* FOUND */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(other);
#ifndef WRONG
	MPI_Comm_disconnect(&other);
#endif
	return finish();
}
