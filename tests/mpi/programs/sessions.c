/* tarry-test: ranks=2 mpi=mpich
 *
 * The sessions model (MPI 4): no MPI_Init, no MPI_COMM_WORLD. */
#include "checksum.h"

#include <mpi.h>

int main(void)
{
	MPI_Session session;
	MPI_Group group;
	MPI_Comm comm;
	int rank, value;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	/* @* */
	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	MPI_Comm_create_from_group(group, "tarry-test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
	/* @* newcomm=$all */
	MPI_Comm_rank(comm, &rank);
	value = rank + 60;
	if (rank == 0)
		MPI_Recv(&value, 1, MPI_INT, 1, 2, comm, MPI_STATUS_IGNORE);
	/* @0 comm=$all peer=1 tag=2 received=4 */
	else
		MPI_Send(&value, 1, MPI_INT, 0, 2, comm);
	/* @1 comm=$all peer=0 tag=2 sent=4 */
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, comm);
	/* @* comm=$all op=3 */
	checksum_add(&value, sizeof(value));
	MPI_Comm_free(&comm);
	/* @* comm=$all */
	MPI_Group_free(&group);
	checksum_print(rank);
	MPI_Session_finalize(&session);
	/* @* */
	return 0;
}
/* @comm $all size=2 members=0,1 */
