/* tarry-test: ranks=2
 *
 * What else a program may do: calls before MPI_Init, names of communicators, operations of its own,
 * generalised requests, a function pointer to MPI, and calls of PMPI, which are not recorded. */
#include "checksum.h"

#include <mpi.h>

static void add_mod_97(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *count; i++)
		((int *)inout)[i] = (((int *)in)[i] + ((int *)inout)[i]) % 97;
}

static void own_operation(int rank)
{
	int value = 90 + rank, total;
	MPI_Op op;

	MPI_Op_create(add_mod_97, 1, &op);
	MPI_Allreduce(&value, &total, 1, MPI_INT, op, MPI_COMM_WORLD);
	/* @* comm=$world op=0 sent=4 received=4 */
	MPI_Op_free(&op);
	checksum_add(&total, sizeof(total));
}

static int query(void *state, MPI_Status *status)
{
	(void)state;
	MPI_Status_set_elements(status, MPI_BYTE, 0);
	MPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = MPI_UNDEFINED;
	status->MPI_TAG = MPI_UNDEFINED;
	return MPI_SUCCESS;
}

static int forget(void *state)
{
	(void)state;
	return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
	(void)state, (void)complete;
	return MPI_SUCCESS;
}

static void own_request(void)
{
	MPI_Request request;

	MPI_Grequest_start(query, forget, cancel, NULL, &request);
	/* @* request=0 */
	MPI_Grequest_complete(request);
	/* @* request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 */
}

static void by_pointer(void)
{
	static int (*const volatile barrier)(MPI_Comm) = MPI_Barrier;

	barrier(MPI_COMM_WORLD);
	/* @* MPI_Barrier comm=$world */
	PMPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int rank, flag;
	MPI_Comm named;

	MPI_Initialized(&flag);
	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Pcontrol(1);
	/* @* level=1 */
	MPI_Comm_dup(MPI_COMM_WORLD, &named);
	/* @* comm=$world newcomm=$named */
	MPI_Comm_set_name(named, "ocean model");
	MPI_Barrier(named);
	/* @* comm=$named */
	MPI_Comm_free(&named);
	/* @* comm=$named */
	own_operation(rank);
	own_request();
	by_pointer();
	MPI_Pcontrol(0);
	/* @* level=0 */
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	MPI_Finalized(&flag);
	return flag ? 0 : 9;
}
/* @comm $named size=2 parent=$world */
