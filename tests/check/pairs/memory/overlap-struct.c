/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * One receive fills the gap that the type of another one leaves. */
#include "../pair.h"

int main(int argc, char **argv)
{
	struct particle {
		int id;
		char name[12];
		double mass;
	} particles[10] = {{0}};
	const MPI_Aint places[] = {offsetof(struct particle, id), offsetof(struct particle, mass)};
	MPI_Datatype plain, numbers, name, resized, types[] = {MPI_INT, MPI_DOUBLE};
	int lengths[] = {1, 1};
	MPI_Request requests[4];
	struct particle sent[10] = {{0}};

	start(&argc, &argv);
	MPI_Type_create_struct(2, lengths, places, types, &plain);
	MPI_Type_create_resized(plain, 0, sizeof(struct particle), &numbers);
	MPI_Type_contiguous(12, MPI_CHAR, &name);
	MPI_Type_create_resized(name, 0, sizeof(struct particle), &resized);
	MPI_Type_commit(&numbers);
	MPI_Type_commit(&resized);
	sent[9].mass = rank + 1;
	MPI_Irecv(particles, 10, numbers, !rank, 0, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
#ifdef WRONG
	MPI_Irecv(particles[0].name - 1, 10, resized, !rank, 1, MPI_COMM_WORLD, &requests[1]); /* FOUND */
#else
	MPI_Irecv(particles[0].name, 10, resized, !rank, 1, MPI_COMM_WORLD, &requests[1]);
#endif
	MPI_Isend(sent, 10, numbers, !rank, 0, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(sent[0].name, 10, resized, !rank, 1, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	expect(particles[9].mass == !rank + 1);
	MPI_Type_free(&plain);
	MPI_Type_free(&numbers);
	MPI_Type_free(&name);
	MPI_Type_free(&resized);
	return finish();
}
