/* A chain of ranks: each receives a block from the previous one, writes a copy to a slow disk, and forwards the block. The copy is
 * written before the block is sent, so all later ranks wait for the disk of another one.
 *
 *	mpicc -g -o slow_io slow_io.c
 *	tarry run --rules slow_io.rules -- mpirun -n 3 ./slow_io
 *	tarry analyze --rules slow_io.rules slow_io.tarry
 *
 * With the argument `later` the block is sent first, and no rank waits for the disk. A slow thread at the other end
 * of a pipe imitates the disk. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 4, WORDS = 64 << 10, DISK_PART = 64 << 10, DISK_US = 3000 };

struct disk {
	int in, out;
	pthread_t thread;
};

static void *be_slow(void *argument)
{
	struct disk *disk = argument;
	static char part[DISK_PART];

	do
		usleep(DISK_US);
	while (read(disk->out, part, sizeof part) > 0);
	return NULL;
}

static void disk_open(struct disk *disk)
{
	int ends[2];

	if (pipe(ends) != 0)
		exit(1);
	disk->out = ends[0];
	disk->in = ends[1];
	if (pthread_create(&disk->thread, NULL, be_slow, disk) != 0)
		exit(1);
}

static void disk_close(struct disk *disk)
{
	close(disk->in);
	pthread_join(disk->thread, NULL);
	close(disk->out);
}

static void keep(const struct disk *disk, const int *block)
{
	if (write(disk->in, block, WORDS * sizeof *block) < 0)
		perror("write");
}

int main(int argc, char **argv)
{
	static int block[WORDS];
	struct disk disk;
	int rank, size, provided, later = argc > 1 && strcmp(argv[1], "later") == 0;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	if (provided < MPI_THREAD_FUNNELED)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	disk_open(&disk);
	for (int i = 0; i < BLOCKS; i++) {
		if (rank > 0)
			MPI_Recv(block, WORDS, MPI_INT, rank - 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank > 0 && !later)
			keep(&disk, block);
		if (rank + 1 < size)
			MPI_Send(block, WORDS, MPI_INT, rank + 1, i, MPI_COMM_WORLD);
		if (rank > 0 && later)
			keep(&disk, block);
	}
	disk_close(&disk);
	MPI_Finalize();
	return 0;
}
