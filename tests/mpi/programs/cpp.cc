// tarry-test: ranks=2
//
// C++: calls from a namespace, a template, a member, a lambda and a destructor, each with a line of its own.
#include "checksum.h"

#include <mpi.h>
#include <numeric>
#include <vector>

namespace shop {

template <typename T> struct type_of;
template <> struct type_of<int> {
	static MPI_Datatype get() { return MPI_INT; }
};
template <> struct type_of<double> {
	static MPI_Datatype get() { return MPI_DOUBLE; }
};

template <typename T> T sum(T value)
{
	T total{};
	MPI_Allreduce(&value, &total, 1, type_of<T>::get(), MPI_SUM, MPI_COMM_WORLD);
	// @* comm=$world op=3 sent=4 size=4
	// @* comm=$world op=3 sent=8 size=8
	return total;
}

class channel {
public:
	explicit channel(int peer) : peer(peer)
	{
		MPI_Comm_dup(MPI_COMM_WORLD, &comm);
		// @* comm=$world newcomm=$channel
	}
	~channel()
	{
		MPI_Comm_free(&comm);
		// @* comm=$channel
	}
	void swap(std::vector<double> &data) const
	{
		std::vector<double> mine(data);
		MPI_Request requests[2];
		MPI_Irecv(data.data(), 16, MPI_DOUBLE, peer, 3, comm, &requests[0]);
		// @0 comm=$channel peer=1 tag=3 room=128 request=0
		// @1 comm=$channel peer=0 tag=3 room=128 request=0
		MPI_Isend(mine.data(), 16, MPI_DOUBLE, peer, 3, comm, &requests[1]);
		// @0 comm=$channel peer=1 tag=3 sent=128 request=1
		// @1 comm=$channel peer=0 tag=3 sent=128 request=1
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		// @0 count=2 done=0 received=128 source=1 done=1
		// @1 count=2 done=0 received=128 source=0 done=1
	}

private:
	int peer;
	MPI_Comm comm;
};

} // namespace shop

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	// @*
	int rank;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);

	std::vector<double> data(16);
	std::iota(data.begin(), data.end(), 16.0 * rank);
	shop::channel(1 - rank).swap(data);
	auto barrier = [] {
		MPI_Barrier(MPI_COMM_WORLD);
		// @* comm=$world
	};
	barrier();
	int whole = shop::sum(rank + 1);
	double real = shop::sum(data[0]);
	checksum_add(data.data(), data.size() * sizeof(double));
	checksum_add(&whole, sizeof(whole));
	checksum_add(&real, sizeof(real));
	checksum_print(rank);
	MPI_Finalize();
	// @*
	return 0;
}
