/* pair: check=leak.session ranks=1 at=0 mpi=mpich dies
 *
 * MPICH may end a process with such a session badly, and then its launcher kills the others: there are none. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int provided_level;
	MPI_Session session, other;
	MPI_Info info;
	MPI_Group group;

	start(&argc, &argv);
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session); /* FOUND */
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other);
	MPI_Query_thread(&provided_level);
	MPI_Session_get_info(session, &info);
	MPI_Info_free(&info);
	MPI_Group_from_session_pset(session, "mpi://SELF", &group);
	MPI_Group_free(&group);
	MPI_Session_finalize(&other);
#ifndef WRONG
	MPI_Session_finalize(&session);
#endif
	return finish();
}
