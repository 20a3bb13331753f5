/* pair: check=none ranks=2 mpi=mpich
 *
 * A session with its own communicator, in addition to MPI_Init, and a persistent collective. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int sum = 0;
	MPI_Session session;
	MPI_Group group;
	MPI_Comm comm;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	MPI_Comm_create_from_group(group, "tarry", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
	MPI_Group_free(&group);
	MPI_Allreduce_init(&size, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
	for (int i = 0; i < 3; i++) {
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	expect(sum == 4);
	MPI_Request_free(&request);
	MPI_Comm_free(&comm);
	MPI_Session_finalize(&session);
	return finish();
}
