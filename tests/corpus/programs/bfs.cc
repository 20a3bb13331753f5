// corpus: ranks=4
//
// Searching a graph that is spread over the ranks, level by level, in C++. In each level a thread of its own sends the
// vertices that were found to the ranks they belong to (one message to each, of any length), while the main thread receives
// (Probe, Get_count, Recv): MPI_THREAD_MULTIPLE. Communicators and datatypes are objects that end by themselves, and an
// error of MPI is an exception.
//
// Check: distances are those of a search that each rank does alone; an exception is thrown where one has to be.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <mpi.h>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace mpi
{

struct error : std::runtime_error {
	explicit error(int code) : std::runtime_error(describe(code))
	{
	}

	static std::string describe(int code)
	{
		char text[MPI_MAX_ERROR_STRING];
		int length = 0;

		MPI_Error_string(code, text, &length);
		return std::string(text, static_cast<std::size_t>(length));
	}
};

inline void check(int code)
{
	if (code != MPI_SUCCESS)
		throw error(code);
}

template <typename T> MPI_Datatype type();
template <> MPI_Datatype type<int>()
{
	return MPI_INT;
}
template <> MPI_Datatype type<std::int64_t>()
{
	return MPI_INT64_T;
}

// A communicator that belongs to its object.
class comm
{
      public:
	comm(const comm &) = delete;
	comm &operator=(const comm &) = delete;

	static comm duplicate(MPI_Comm original)
	{
		MPI_Comm made;

		check(MPI_Comm_dup(original, &made));
		check(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN));
		return comm(made);
	}

	~comm()
	{
		MPI_Comm_free(&handle);
	}

	int rank() const
	{
		int value;

		check(MPI_Comm_rank(handle, &value));
		return value;
	}

	int size() const
	{
		int value;

		check(MPI_Comm_size(handle, &value));
		return value;
	}

	template <typename T> void send(const std::vector<T> &values, int to, int tag) const
	{
		check(MPI_Send(values.data(), static_cast<int>(values.size()), type<T>(), to, tag, handle));
	}

	// A message of any length from anybody.
	template <typename T> std::vector<T> receive(int tag) const
	{
		MPI_Status status;
		int count;

		check(MPI_Probe(MPI_ANY_SOURCE, tag, handle, &status));
		check(MPI_Get_count(&status, type<T>(), &count));
		std::vector<T> values(static_cast<std::size_t>(count));
		check(MPI_Recv(values.data(), count, type<T>(), status.MPI_SOURCE, tag, handle,
		               MPI_STATUS_IGNORE));
		return values;
	}

	template <typename T> T sum(T value) const
	{
		T all{};

		check(MPI_Allreduce(&value, &all, 1, type<T>(), MPI_SUM, handle));
		return all;
	}

      private:
	explicit comm(MPI_Comm made) : handle(made)
	{
	}

	MPI_Comm handle;
};

} // namespace mpi

namespace
{

constexpr int vertices = 600, unknown = -1;

std::vector<int> neighbours_of(int vertex)
{
	return {(vertex + 1) % vertices, (vertex * 7 + 3) % vertices, (vertex / 2 + 11) % vertices};
}

class search
{
      public:
	explicit search(const mpi::comm &all)
	    : comm(all), rank(all.rank()), size(all.size()), distances(vertices, unknown)
	{
	}

	// Returns the number of levels.
	int run(int start)
	{
		std::vector<int> frontier;
		int level = 0;

		if (start % size == rank)
			visit(start, 0, frontier);
		while (comm.sum<std::int64_t>(static_cast<std::int64_t>(frontier.size())) > 0)
			frontier = expand(frontier, ++level);
		return level;
	}

	int distance(int vertex) const
	{
		return distances[static_cast<std::size_t>(vertex)];
	}

      private:
	void visit(int vertex, int level, std::vector<int> &frontier)
	{
		auto &distance = distances[static_cast<std::size_t>(vertex)];

		if (distance == unknown) {
			distance = level;
			frontier.push_back(vertex);
		}
	}

	std::vector<int> expand(const std::vector<int> &frontier, int level)
	{
		std::vector<std::vector<int>> found(static_cast<std::size_t>(size));
		std::vector<int> next;

		for (int vertex : frontier)
			for (int neighbour : neighbours_of(vertex))
				found[static_cast<std::size_t>(neighbour % size)].push_back(neighbour);
		std::thread sender([&] {
			for (int to = 0; to < size; to++)
				comm.send(found[static_cast<std::size_t>(to)], to, level);
		});
		for (int i = 0; i < size; i++)
			for (int vertex : comm.receive<int>(level))
				visit(vertex, level, next);
		sender.join();
		return next;
	}

	const mpi::comm &comm;
	int rank, size;
	std::vector<int> distances; // of the own vertices
};

std::vector<int> search_alone(int start)
{
	std::vector<int> distances(vertices, unknown);
	std::queue<int> open({start});

	distances[static_cast<std::size_t>(start)] = 0;
	for (; !open.empty(); open.pop())
		for (int neighbour : neighbours_of(open.front())) {
			auto &distance = distances[static_cast<std::size_t>(neighbour)];

			if (distance == unknown) {
				distance = distances[static_cast<std::size_t>(open.front())] + 1;
				open.push(neighbour);
			}
		}
	return distances;
}

bool throws_where_it_has_to(const mpi::comm &comm)
{
	try {
		comm.send(std::vector<int>{1}, comm.size(), 0);
	} catch (const mpi::error &e) {
		return *e.what() != '\0';
	}
	return false;
}

void run()
{
	auto comm = mpi::comm::duplicate(MPI_COMM_WORLD);
	const auto right = search_alone(5);
	search found(comm);
	int levels = found.run(5), wrong = 0;

	for (int vertex = comm.rank(); vertex < vertices; vertex += comm.size())
		wrong += found.distance(vertex) != right[static_cast<std::size_t>(vertex)];
	wrong += !throws_where_it_has_to(comm);
	wrong = comm.sum(wrong);
	if (comm.rank() == 0)
		std::printf("%s : %d levels, %d wrong\n", wrong ? "wrong" : "ok", levels, wrong);
}

} // namespace

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided < MPI_THREAD_MULTIPLE)
		MPI_Abort(MPI_COMM_WORLD, 2);
	run();
	MPI_Finalize();
	return 0;
}
