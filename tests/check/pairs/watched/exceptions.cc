/* pair: check=memory.send-changed ranks=2 at=0 watched=gcc-O0,gcc-O2,clang-O2
 *
 * Functions with variables on the stack are left by exceptions; a buffer of MPI_Isend is on the stack later. */
#include "../pair.h"

#include <vector>

static void fill(int depth, std::vector<int> &values)
{
	int local[8];

	for (int &one : local)
		one = depth;
	values.push_back(local[depth % 8]);
	if (depth > 20)
		throw depth;
	fill(depth + 1, values);
}

static int send_one(std::vector<int> &values)
{
	MPI_Request request;
	int local[32] = {0};

	MPI_Isend(local, 32, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); // PARTNER
#ifdef WRONG
	local[values.size() % 32] = 3; // USED
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE); // FOUND
	local[values.size() % 32] = 3;
	return local[0];
}

int main(int argc, char **argv)
{
	std::vector<int> values;
	int got[32];

	start(&argc, &argv);
	try {
		fill(0, values);
	} catch (int depth) {
		expect(depth == 21);
	}
	if (!rank)
		send_one(values);
	else
		MPI_Recv(got, 32, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return finish();
}
