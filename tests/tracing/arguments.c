/* Calls with arguments of every kind. Each process writes its arguments and results to said-RANK.txt: a line for each call, with the function and
 * pairs of argument and value, all separated by '|'. The value '-' means that no value must be recorded. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *said;
static int rank, size;

static __attribute__((format(printf, 1, 2))) void say(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	vfprintf(said, format, values);
	va_end(values);
	fputc('\n', said);
}

/* Numbers of the trace where those of MPI libraries differ. */
static int source_number(int source)
{
	return source == MPI_PROC_NULL ? -2 : source;
}

static void communicators(void)
{
	MPI_Comm half, shared, inter, merged, world;
	int color = rank == 1 ? MPI_UNDEFINED : 7 + rank, result;

	MPI_Comm_split(MPI_COMM_WORLD, color, -rank, &half);
	say("MPI_Comm_split|color|%d|key|%d|newcomm|%s", rank == 1 ? -1 : color, -rank,
	    rank == 1 ? "MPI_COMM_NULL" : "*");
	if (half != MPI_COMM_NULL)
		MPI_Comm_free(&half);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 3, MPI_INFO_NULL, &shared);
	say("MPI_Comm_split_type|split_type|%d|key|3|info|MPI_INFO_NULL", MPI_COMM_TYPE_SHARED);
	MPI_Comm_compare(MPI_COMM_WORLD, shared, &result);
	say("MPI_Comm_compare|result|%d|comm2|*", result);
	MPI_Comm_set_name(shared, "all of us");
	say("MPI_Comm_set_name|comm_name|all of us");
	MPI_Comm_dup(MPI_COMM_WORLD, &world);
	MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &half);
	say("MPI_Comm_split|color|%d|key|0|newcomm|*", rank == 0);
	/* Away from the leader the peer's communicator may be anything. */
	MPI_Intercomm_create(half, 0, rank < 2 ? world : (MPI_Comm)0, rank ? 0 : 1, 12, &inter);
	say("MPI_Intercomm_create|local_leader|0|peer_comm|%s|remote_leader|%s|tag|12", rank < 2 ? "*" : "-",
	    rank == 0   ? "1"
	    : rank == 1 ? "0"
	                : "-");
	MPI_Intercomm_merge(inter, rank == 0, &merged);
	say("MPI_Intercomm_merge|high|%d", rank == 0);
	MPI_Comm_free(&merged);
	MPI_Comm_free(&inter);
	MPI_Comm_free(&half);
	MPI_Comm_free(&world);
	MPI_Comm_free(&shared);
}

static void topologies(void)
{
	int dims[2] = {0, 1}, periods[2] = {0, 1}, remain[2] = {1, 0}, coords[2], source, dest;
	int index[3] = {1, 2, 2}, edges[2] = {1, 0}, one = (rank + 1) % size, degree;
	MPI_Comm cart, row, graph, ring;

	MPI_Dims_create(size, 2, dims);
	say("MPI_Dims_create|nnodes|%d|ndims|2|dims[0]|%d|dims[1]|%d|dims[2]|-", size, dims[0], dims[1]);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
	say("MPI_Cart_create|ndims|2|dims[0]|%d|dims[1]|%d|dims[2]|-|dims.sum|%d|dims.min|%d|dims.max|%d|dims.length|2|periods[0]|0|"
	    "periods[1]|1|reorder|0",
	    dims[0], dims[1], dims[0] + dims[1], dims[0] < dims[1] ? dims[0] : dims[1],
	    dims[0] < dims[1] ? dims[1] : dims[0]);
	MPI_Cart_coords(cart, rank, 2, coords);
	say("MPI_Cart_coords|rank|%d|maxdims|2|coords[0]|%d|coords[1]|%d", rank, coords[0], coords[1]);
	MPI_Cart_shift(cart, 1, 1, &source, &dest);
	say("MPI_Cart_shift|direction|1|disp|1|rank_source|%d|rank_dest|%d", source, dest);
	MPI_Cart_sub(cart, remain, &row);
	say("MPI_Cart_sub|remain_dims[0]|1|remain_dims[1]|0|remain_dims[2]|-");
	MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &graph);
	say("MPI_Graph_create|nnodes|3|index[1]|2|edges[0]|1|edges[1]|0|edges[2]|-|edges.length|2");
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &one, MPI_UNWEIGHTED, 1, &one, MPI_UNWEIGHTED,
	                               MPI_INFO_NULL, 0, &ring);
	say("MPI_Dist_graph_create_adjacent|indegree|1|sources[0]|%d|sourceweights[0]|-|outdegree|1|destinations[0]|%d",
	    one, one);
	MPI_Dist_graph_neighbors_count(ring, &degree, &degree, &index[0]);
	say("MPI_Dist_graph_neighbors_count|outdegree|%d|weighted|%d", degree, index[0]);
	MPI_Comm_free(&ring);
	if (graph != MPI_COMM_NULL)
		MPI_Comm_free(&graph);
	MPI_Comm_free(&row);
	MPI_Comm_free(&cart);
}

static void longest(void *in, void *out, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *count; i++)
		if (((double *)in)[i] > ((double *)out)[i])
			((double *)out)[i] = ((double *)in)[i];
}

static void collectives(void)
{
	double in[16] = {0}, out[16] = {0};
	int counts[16], displs[16], total = 0;
	MPI_Op op;

	for (int i = 0; i < size; i++) {
		counts[i] = 1;
		displs[i] = i;
		total++;
	}
	MPI_Op_create(longest, 1, &op);
	say("MPI_Op_create|commute|1|op|user-defined");
	for (int i = 0; i < 3; i++) {
		MPI_Allreduce(in, out, i + 1, MPI_DOUBLE, i == 1 ? op : MPI_SUM, MPI_COMM_WORLD);
		say("MPI_Allreduce|count|%d|datatype|MPI_DOUBLE|op|%s", i + 1,
		    i == 1 ? "user-defined" : "MPI_SUM");
	}
	MPI_Reduce(in, out, 2, MPI_DOUBLE, MPI_MAX, 1, MPI_COMM_WORLD);
	say("MPI_Reduce|count|2|datatype|MPI_DOUBLE|op|MPI_MAX");
	MPI_Op_free(&op);
	say("MPI_Op_free|op|MPI_OP_NULL");
	/* What means nothing away from the root may be anything. */
	MPI_Gatherv(in, 1, MPI_DOUBLE, out, rank ? (int *)3 : counts, rank ? (int *)5 : displs,
	            rank ? (MPI_Datatype)0 : MPI_DOUBLE, 0, MPI_COMM_WORLD);
	if (rank)
		say("MPI_Gatherv|sendcount|1|sendtype|MPI_DOUBLE|recvcounts[0]|-|recvcounts.sum|-|displs[1]|-|recvtype|-");
	else
		say("MPI_Gatherv|sendcount|1|sendtype|MPI_DOUBLE|recvcounts[0]|1|recvcounts.sum|%d|displs[1]|1|recvtype|MPI_DOUBLE",
		    total);
	MPI_Alltoallv(in, counts, displs, MPI_DOUBLE, out, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
	say("MPI_Alltoallv|sendcounts.sum|%d|sdispls[1]|1|recvcounts.length|%d|sendtype|MPI_DOUBLE", total,
	    size);
	MPI_Alltoallv(MPI_IN_PLACE, (int *)3, (int *)5, (MPI_Datatype)0, out, counts, displs, MPI_DOUBLE,
	              MPI_COMM_WORLD);
	say("MPI_Alltoallv|sendcounts.sum|-|sdispls[1]|-|recvcounts.length|%d|sendtype|-", size);
	MPI_Reduce_scatter(in, out, counts, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
	say("MPI_Reduce_scatter|recvcounts[0]|1|recvcounts.length|%d|op|MPI_MIN", size);
}

static void messages(void)
{
	int next = (rank + 1) % size, before = (rank + size - 1) % size, got = 0, index, flag, count,
	    outcount;
	int indices[2];
	MPI_Request requests[2];
	MPI_Status status, statuses[2];

	MPI_Sendrecv(&rank, 1, MPI_INT, next, 3, &got, 1, MPI_INT, before, 3, MPI_COMM_WORLD, &status);
	say("MPI_Sendrecv|sendcount|1|dest|%d|recvtag|3|recvcount|1|status.MPI_SOURCE|%d|status.MPI_TAG|3|status.bytes|4",
	    next, before);
	MPI_Get_count(&status, MPI_INT, &count);
	say("MPI_Get_count|count|%d|datatype|MPI_INT|status.MPI_TAG|3", count);
	for (int i = 0; i < 3; i++) {
		MPI_Irecv(&got, 1, MPI_INT, before, 4, MPI_COMM_WORLD, &requests[0]);
		say("MPI_Irecv|count|1|datatype|MPI_INT");
		MPI_Isend(&rank, 1, MPI_INT, next, 4, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, statuses);
		say("MPI_Waitall|array_of_statuses[0].MPI_SOURCE|%d|array_of_statuses[0].bytes|4|array_of_requests.length|2",
		    before);
	}
	MPI_Irecv(&got, 1, MPI_INT, before, 5, MPI_COMM_WORLD, &requests[0]);
	say("MPI_Irecv|count|1|datatype|MPI_INT");
	MPI_Send(&rank, 1, MPI_INT, next, 5, MPI_COMM_WORLD);
	MPI_Waitany(1, requests, &index, MPI_STATUS_IGNORE);
	say("MPI_Waitany|index|%d|count|1", index);
	MPI_Waitany(1, requests, &index, &status);
	say("MPI_Waitany|index|-1|count|1");
	MPI_Irecv(&got, 1, MPI_INT, before, 6, MPI_COMM_WORLD, &requests[0]);
	say("MPI_Irecv|count|1|datatype|MPI_INT");
	requests[1] = MPI_REQUEST_NULL;
	MPI_Send(&rank, 1, MPI_INT, next, 6, MPI_COMM_WORLD);
	MPI_Waitsome(2, requests, &outcount, indices, statuses);
	say("MPI_Waitsome|outcount|%d|array_of_indices[0]|%d|array_of_indices[1]|-|array_of_requests[1]|-1|array_of_statuses[0].MPI_SOURCE|%d",
	    outcount, indices[0], source_number(statuses[0].MPI_SOURCE));
	MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, &status);
	say("MPI_Iprobe|flag|%d", flag);
	MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status);
	say("MPI_Request_get_status|flag|1");
}

static void types(void)
{
	int lengths[2] = {1, 2}, ranks[2] = {1, 0}, ranges[1][3] = {{0, 1, 1}}, position = 0;
	MPI_Aint places[2] = {0, 8}, lb, extent;
	MPI_Datatype kinds[2] = {MPI_INT, MPI_CHAR}, vector, record;
	MPI_Group world, two, range;
	char buffer[64], name[MPI_MAX_OBJECT_NAME];
	int length;

	MPI_Type_vector(3, 2, 5, MPI_FLOAT, &vector);
	say("MPI_Type_vector|count|3|blocklength|2|stride|5|oldtype|MPI_FLOAT");
	MPI_Type_set_name(vector, "stripes");
	say("MPI_Type_set_name|type_name|stripes|datatype|stripes");
	MPI_Type_get_name(vector, name, &length);
	say("MPI_Type_get_name|type_name|%s|resultlen|%d", name, length);
	MPI_Type_get_extent(vector, &lb, &extent);
	say("MPI_Type_get_extent|lb|%ld|extent|%ld|datatype|stripes", (long)lb, (long)extent);
	MPI_Type_create_struct(2, lengths, places, kinds, &record);
	say("MPI_Type_create_struct|count|2|array_of_blocklengths[1]|2|array_of_displacements[1]|8|array_of_displacements.max|8|"
	    "array_of_types[0]|MPI_INT|array_of_types[1]|MPI_CHAR|array_of_types[2]|-");
	MPI_Type_free(&record);
	MPI_Type_free(&vector);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 2, ranks, &two);
	say("MPI_Group_incl|n|2|ranks[0]|1|ranks[1]|0|ranks.length|2|newgroup|user-defined");
	MPI_Group_range_incl(world, 1, ranges, &range);
	say("MPI_Group_range_incl|n|1|ranges[0]|0|ranges[1]|1|ranges[2]|1|ranges[3]|-");
	MPI_Group_free(&range);
	MPI_Group_free(&two);
	MPI_Group_free(&world);
	MPI_Pack(lengths, 2, MPI_INT, buffer, 64, &position, MPI_COMM_SELF);
	say("MPI_Pack|incount|2|outsize|64|position|%d", position);
}

static void windows_and_files(void)
{
	double *memory;
	MPI_Info info;
	MPI_File file;
	MPI_Win win;

	MPI_Info_create(&info);
	MPI_Info_set(info, "access_style", "write_once");
	say("MPI_Info_set|key|access_style|value|write_once");
	MPI_Win_allocate(32, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	say("MPI_Win_allocate|size|32|disp_unit|8|info|MPI_INFO_NULL");
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	say("MPI_Win_fence|assert|8");
	double mine = rank;
	MPI_Put(&mine, 1, MPI_DOUBLE, (rank + 1) % size, 2, 1, MPI_DOUBLE, win);
	say("MPI_Put|origin_count|1|target_disp|2|target_count|1|target_datatype|MPI_DOUBLE");
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	say("MPI_Win_fence|assert|16");
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
	say("MPI_Win_lock|lock_type|2|rank|%d|assert|0", rank);
	MPI_Win_unlock(rank, win);
	MPI_Win_free(&win);
	MPI_File_open(MPI_COMM_WORLD, "made.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &file);
	say("MPI_File_open|filename|made.bin|amode|%d|info|*access_style write_once*",
	    MPI_MODE_CREATE | MPI_MODE_WRONLY);
	MPI_File_set_view(file, 16, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	say("MPI_File_set_view|disp|16|etype|MPI_INT|datarep|native");
	MPI_File_seek(file, 1, MPI_SEEK_SET);
	say("MPI_File_seek|offset|1|whence|%d", MPI_SEEK_SET);
	MPI_File_close(&file);
	MPI_Info_free(&info);
}

static void errors(void)
{
	int dims[2] = {size + 1, 1}, periods[2] = {0, 0}, class, length, no = 0;
	char text[MPI_MAX_ERROR_STRING];
	MPI_Comm cart;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	say("MPI_Comm_set_errhandler|errhandler|MPI_ERRORS_RETURN");
	/* Nothing is read through the pointers of a call that fails. */
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, no, &cart);
	say("MPI_Cart_create|ndims|2|dims[0]|-|dims[1]|-|dims.sum|-|periods[0]|-|reorder|0");
	MPI_Error_class(MPI_ERR_TAG, &class);
	say("MPI_Error_class|errorcode|%d|errorclass|%d", MPI_ERR_TAG, class);
	MPI_Error_string(MPI_ERR_TAG, text, &length);
	say("MPI_Error_string|string|%s|resultlen|%d", text, length);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	say("MPI_Comm_set_errhandler|errhandler|MPI_ERRORS_ARE_FATAL");
}

int main(int argc, char **argv)
{
	char name[64];
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	snprintf(name, sizeof name, "said-%d.txt", rank);
	said = fopen(name, "w");
	say("MPI_Init_thread|argc|%d|argv[1]|%s|required|%d|provided|%d", argc, argc > 1 ? argv[1] : "-",
	    MPI_THREAD_FUNNELED, provided);
	say("MPI_Comm_rank|rank|%d", rank);
	say("MPI_Comm_size|size|%d", size);
	communicators();
	topologies();
	collectives();
	messages();
	types();
	windows_and_files();
	errors();
	fclose(said);
	MPI_Finalize();
	return 0;
}
