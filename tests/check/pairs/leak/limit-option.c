/* pair: check=limit.objects ranks=2 at=0,1 options=--limits,communicators=20
 *
 * Few for most programs, many for a user who knows better. */
#include "../pair.h"

enum { SOME = 30 };

int main(int argc, char **argv)
{
	MPI_Comm comms[SOME];

	start(&argc, &argv);
	for (int i = 0; i < SOME; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]); /* FOUND */
	for (int i = 0; i < SOME; i++)
		MPI_Comm_free(&comms[i]);
	return finish();
}
