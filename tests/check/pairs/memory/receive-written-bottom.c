/* pair: check=memory.receive-written ranks=2 at=1 always=--buffers=all
 *
 * Members of a structure by their absolute addresses. */
#include "../pair.h"

struct particle {
	double mass, place[3];
	int kind, unused;
};

int main(int argc, char **argv)
{
	struct particle particle = {1.0, {2.0, 3.0, 4.0}, 5, 6};
	const int lengths[] = {3, 1};
	MPI_Aint addresses[2];
	MPI_Datatype members[] = {MPI_DOUBLE, MPI_INT}, type;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Get_address(particle.place, &addresses[0]);
	MPI_Get_address(&particle.kind, &addresses[1]);
	MPI_Type_create_struct(2, lengths, addresses, members, &type);
	MPI_Type_commit(&type);
	if (rank == 0) {
		MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD);
	} else {
		memset(&particle, 0, sizeof particle);
		MPI_Irecv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
		particle.kind = 7; /* SEEN */
#endif
		particle.mass = 1.0; /* not part of it */
		particle.unused = 6;
		MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	}
	expect(particle.mass == 1.0 && particle.place[0] == 2.0 && particle.place[2] == 4.0);
	expect(particle.kind == 5 && particle.unused == 6);
	MPI_Type_free(&type);
	return finish();
}
