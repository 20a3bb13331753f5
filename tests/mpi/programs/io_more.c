/* tarry-test: ranks=2
 *
 * MPI-IO: non-blocking in all forms, and collectives in two halves. */
#include "checksum.h"

#include <mpi.h>

static int out[4] = {1, 2, 3, 4}, in[4];

static void wait_for(MPI_Request *request)
{
	MPI_Wait(request, MPI_STATUS_IGNORE);
	/* @* x8 done=0 */
	checksum_add(in, sizeof(in));
}

static void nonblocking(MPI_File file, int rank)
{
	MPI_Request request;

	MPI_File_seek(file, rank * 4, MPI_SEEK_SET);
	MPI_File_iwrite(file, out, 4, MPI_INT, &request);
	/* @* file=$file sent=16 request=0 */
	wait_for(&request);
	MPI_File_seek(file, rank * 4, MPI_SEEK_SET);
	MPI_File_iread(file, in, 4, MPI_INT, &request);
	/* @* file=$file request=0 */
	wait_for(&request);
	MPI_File_iwrite_at_all(file, 8 + rank * 4, out, 2, MPI_INT, &request);
	/* @0 file=$file offset=8 sent=8 request=0
	 * @1 file=$file offset=12 sent=8 request=0 */
	wait_for(&request);
	MPI_File_iread_at_all(file, 8 + rank * 4, in, 2, MPI_INT, &request);
	/* @0 file=$file offset=8 request=0
	 * @1 file=$file offset=12 request=0 */
	wait_for(&request);
	MPI_File_seek(file, 16 + rank, MPI_SEEK_SET);
	MPI_File_iwrite_all(file, out, 1, MPI_INT, &request);
	/* @* file=$file sent=4 request=0 */
	wait_for(&request);
	MPI_File_seek(file, 16 + rank, MPI_SEEK_SET);
	MPI_File_iread_all(file, in, 1, MPI_INT, &request);
	/* @* file=$file request=0 */
	wait_for(&request);
	MPI_File_iwrite_shared(file, out, 1, MPI_INT, &request);
	/* @* file=$file sent=4 request=0 */
	wait_for(&request);
	MPI_Barrier(MPI_COMM_WORLD);
	/* @* comm=$world */
	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	/* @* file=$file */
	MPI_File_iread_shared(file, in, 1, MPI_INT, &request);
	/* @* file=$file request=0 */
	wait_for(&request);
}

static void halves(MPI_File file, int rank)
{
	MPI_File_seek(file, rank, MPI_SEEK_SET);
	MPI_File_write_all_begin(file, out, 1, MPI_INT);
	/* @* file=$file sent=4 */
	MPI_File_write_all_end(file, out, MPI_STATUS_IGNORE);
	/* @* file=$file */
	MPI_File_seek(file, rank, MPI_SEEK_SET);
	MPI_File_read_all_begin(file, in, 1, MPI_INT);
	/* @* file=$file */
	MPI_File_read_all_end(file, in, MPI_STATUS_IGNORE);
	/* @* file=$file */
	MPI_File_read_at_all_begin(file, rank, in, 1, MPI_INT);
	/* @0 file=$file offset=0
	 * @1 file=$file offset=1 */
	MPI_File_read_at_all_end(file, in, MPI_STATUS_IGNORE);
	/* @* file=$file */
	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	/* @* file=$file */
	MPI_File_write_ordered_begin(file, out, 1, MPI_INT);
	/* @* file=$file sent=4 */
	MPI_File_write_ordered_end(file, out, MPI_STATUS_IGNORE);
	/* @* file=$file */
	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	/* @* file=$file */
	MPI_File_read_ordered_begin(file, in, 1, MPI_INT);
	/* @* file=$file */
	MPI_File_read_ordered_end(file, in, MPI_STATUS_IGNORE);
	/* @* file=$file */
	checksum_add(in, sizeof(in));
}

int main(int argc, char **argv)
{
	MPI_File file;
	int rank;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_File_open(MPI_COMM_WORLD, "io_more.data",
	              MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
	/* @* comm=$world file=$file */
	MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	/* @* file=$file */
	nonblocking(file, rank);
	halves(file, rank);
	MPI_File_close(&file);
	/* @* file=$file */
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
/* @file $file path=io_more.data comm=$world */
