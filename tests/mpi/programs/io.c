/* tarry-test: ranks=2
 *
 * MPI-IO: individual, explicit and shared pointers, collective and not, split and non-blocking. */
#include "checksum.h"

#include <mpi.h>
#include <stdlib.h>

static int out[8] = {1, 2, 3, 4, 5, 6, 7, 8}, in[8];

static void individual(MPI_File file, int rank)
{
	MPI_Status status;
	MPI_Request request;

	MPI_File_write_at(file, rank * 4, out, 4, MPI_INT, &status);
	/* @0 file=$file offset=0 sent=16
	 * @1 file=$file offset=4 sent=16 */
	MPI_File_sync(file);
	/* @* file=$file */
	MPI_File_read_at(file, rank * 4, in, 4, MPI_INT, MPI_STATUS_IGNORE);
	/* @0 file=$file offset=0 received=16
	 * @1 file=$file offset=4 received=16 */
	MPI_File_seek(file, 8 + rank * 2, MPI_SEEK_SET);
	MPI_File_write(file, out, 2, MPI_INT, MPI_STATUS_IGNORE);
	/* @* file=$file sent=8 */
	MPI_File_seek(file, 8 + rank * 2, MPI_SEEK_SET);
	MPI_File_read(file, in + 4, 2, MPI_INT, &status);
	/* @* file=$file received=8 */
	MPI_File_iwrite_at(file, 12 + rank, out, 1, MPI_INT, &request);
	/* @0 file=$file offset=12 sent=4 request=0
	 * @1 file=$file offset=13 sent=4 request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 */
	MPI_File_iread_at(file, rank * 4, in, 2, MPI_INT, &request);
	/* @* file=$file request=0 */
	MPI_Wait(&request, &status);
	/* @* done=0 */
	checksum_add(in, sizeof(in));
}

static void collective(MPI_File file, int rank)
{
	MPI_Request request;

	MPI_File_write_at_all(file, 16 + rank * 2, out, 2, MPI_INT, MPI_STATUS_IGNORE);
	/* @0 file=$file offset=16 sent=8
	 * @1 file=$file offset=18 sent=8 */
	MPI_File_read_at_all(file, 16 + rank * 2, in, 2, MPI_INT, MPI_STATUS_IGNORE);
	/* @0 file=$file offset=16 received=8
	 * @1 file=$file offset=18 received=8 */
	MPI_File_seek(file, 20 + rank, MPI_SEEK_SET);
	MPI_File_write_all(file, out, 1, MPI_INT, MPI_STATUS_IGNORE);
	/* @* file=$file sent=4 */
	MPI_File_seek(file, 20 + rank, MPI_SEEK_SET);
	MPI_File_read_all(file, in, 1, MPI_INT, MPI_STATUS_IGNORE);
	/* @* file=$file received=4 */
	MPI_File_write_at_all_begin(file, 24 + rank, out, 1, MPI_INT);
	/* @0 file=$file offset=24 sent=4
	 * @1 file=$file offset=25 sent=4 */
	MPI_File_write_at_all_end(file, out, MPI_STATUS_IGNORE);
	/* @* file=$file */
	MPI_File_iwrite_all(file, out, 1, MPI_INT, &request);
	/* @* file=$file sent=4 request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 */
	checksum_add(in, sizeof(in));
}

static void shared(MPI_File file)
{
	MPI_File_seek_shared(file, 40, MPI_SEEK_SET);
	/* @* file=$file */
	MPI_File_write_shared(file, out, 2, MPI_INT, MPI_STATUS_IGNORE);
	/* @* file=$file sent=8 */
	MPI_Barrier(MPI_COMM_WORLD);
	/* @* comm=$world */
	MPI_File_seek_shared(file, 40, MPI_SEEK_SET);
	/* @* file=$file */
	MPI_File_read_ordered(file, in, 2, MPI_INT, MPI_STATUS_IGNORE);
	/* @* file=$file received=8 */
	MPI_File_write_ordered(file, in, 2, MPI_INT, MPI_STATUS_IGNORE);
	/* @* file=$file sent=8 */
	checksum_add(in, sizeof(in));
}

int main(int argc, char **argv)
{
	const char *path = getenv("SCRATCH_FILE") ? getenv("SCRATCH_FILE") : "io.data";
	MPI_File file;
	int rank;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	/* @* comm=$world file=$file */
	MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	/* @* file=$file */
	individual(file, rank);
	collective(file, rank);
	shared(file);
	MPI_File_close(&file);
	/* @* file=$file */
	if (rank == 0)
		MPI_File_delete(path, MPI_INFO_NULL);
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
/* @file $file path=io.data comm=$world */
