/* pair: check=none ranks=2
 *
 * A library with its own communicator uses the tags of the program, and finds its state in an attribute. */
#include "../pair.h"

struct library_state {
	MPI_Comm own;
	int calls;
};

static int key = MPI_KEYVAL_INVALID;

static int release(MPI_Comm comm, int used, void *value, void *extra)
{
	struct library_state *state = value;

	(void)comm, (void)used, (void)extra;
	MPI_Comm_free(&state->own);
	free(state);
	return MPI_SUCCESS;
}

static struct library_state *attach(MPI_Comm comm)
{
	struct library_state *state;
	int found;

	if (key == MPI_KEYVAL_INVALID)
		MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, release, &key, NULL);
	MPI_Comm_get_attr(comm, key, &state, &found);
	if (!found) {
		state = calloc(1, sizeof(*state));
		MPI_Comm_dup(comm, &state->own);
		MPI_Comm_set_attr(comm, key, state);
	}
	state->calls++;
	return state;
}

int main(int argc, char **argv)
{
	MPI_Comm mine;
	int value, other = -1, extra = -1;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &mine);
	for (int i = 0; i < 3; i++) {
		MPI_Comm own = attach(mine)->own;

		value = rank * 10 + i;
		MPI_Irecv(&other, 1, MPI_INT, !rank, MPI_ANY_TAG, mine, &request);
		MPI_Sendrecv(&value, 1, MPI_INT, !rank, 0, &extra, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
		             own, MPI_STATUS_IGNORE);
		MPI_Send(&rank, 1, MPI_INT, !rank, 0, mine);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		expect(other == !rank && extra == !rank * 10 + i);
	}
	MPI_Comm_free(&mine);
	MPI_Comm_free_keyval(&key);
	return finish();
}
