// Calls from templates, methods, lambdas and constructors.
#include <mpi.h>

#include <functional>
#include <vector>

namespace halo
{
template <typename T> struct datatype;
template <> struct datatype<int> {
	static MPI_Datatype get() { return MPI_INT; }
};
template <> struct datatype<double> {
	static MPI_Datatype get() { return MPI_DOUBLE; }
};

template <typename T> __attribute__((noinline)) T sum(T value, MPI_Comm comm)
{
	T result{};
	MPI_Allreduce(&value, &result, 1, datatype<T>::get(), MPI_SUM, comm); // @ sum<int> @ sum<double>
	return result + value;
}

template <typename T, int N> class field
{
	std::vector<T> values = std::vector<T>(N);

      public:
	__attribute__((noinline)) explicit field(MPI_Comm comm)
	{
		MPI_Bcast(values.data(), N, datatype<T>::get(), 0, comm); // @ field
		values[0]++;
	}
	__attribute__((noinline)) T exchange(MPI_Comm comm)
	{
		MPI_Barrier(comm); // @ exchange
		return values[N - 1];
	}
};
} // namespace halo

static __attribute__((noinline)) void call(const std::function<void(MPI_Comm)> &function, MPI_Comm comm)
{
	function(comm);
}

int main(int argc, char **argv)
{
	int seen = 0;

	MPI_Init(&argc, &argv); // @ main
	halo::sum(1, MPI_COMM_SELF);
	halo::sum(1.0, MPI_COMM_SELF);
	halo::field<double, 8> field(MPI_COMM_SELF);
	field.exchange(MPI_COMM_SELF);
	call(
		[&seen](MPI_Comm comm) {
			MPI_Comm_size(comm, &seen); // @ operator()
			seen++;
		},
		MPI_COMM_SELF);
	MPI_Finalize(); // @ main
	return seen == 0;
}
