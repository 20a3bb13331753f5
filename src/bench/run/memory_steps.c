#include "bench/run/memory_steps.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { COPIES = 16, LARGE_BYTES = 256 * 1024, WINDOW_BYTES = 4096, PLANTED_BYTES = 4 << 20 };

static char outgoing[LARGE_BYTES], incoming[LARGE_BYTES];
static char exposed[COPIES][WINDOW_BYTES];
static MPI_Comm copies[COPIES], parts[COPIES];
static MPI_Win made[COPIES], allocated[COPIES];
static int comms_made, parts_made, windows_made, windows_allocated;

/* With each process once, in pairs. */
static int exchange(MPI_Comm world, int bytes)
{
	int rank, size, error = MPI_SUCCESS;

	MPI_Comm_rank(world, &rank);
	MPI_Comm_size(world, &size);
	for (int distance = 1; distance < size && error == MPI_SUCCESS; distance++)
		error = MPI_Sendrecv(outgoing, bytes, MPI_BYTE, (rank + distance) % size, 0, incoming, bytes,
		                     MPI_BYTE, (rank + size - distance) % size, 0, world, MPI_STATUS_IGNORE);
	return error;
}

int memory_meet(MPI_Comm world)
{
	return exchange(world, 1);
}

/* Pages that were never written are not allocated. */
void memory_steps_prepare(void)
{
	memset(outgoing, 1, sizeof outgoing);
	memset(incoming, 1, sizeof incoming);
	memset(exposed, 1, sizeof exposed);
}

static int exchange_large(MPI_Comm world)
{
	return exchange(world, LARGE_BYTES);
}

static int use_collectives(MPI_Comm comm)
{
	double value = 1, sum;
	int error = MPI_Bcast(&value, 1, MPI_DOUBLE, 0, comm);

	if (error == MPI_SUCCESS)
		error = MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
	if (error == MPI_SUCCESS)
		error = MPI_Barrier(comm);
	return error;
}

static int copy_world(MPI_Comm world)
{
	int error = MPI_SUCCESS;

	while (comms_made < COPIES && error == MPI_SUCCESS) {
		error = MPI_Comm_dup(world, &copies[comms_made]);
		comms_made += error == MPI_SUCCESS;
	}
	return error;
}

static int use_copies(MPI_Comm world)
{
	int error = MPI_SUCCESS;

	(void)world;
	for (int i = 0; i < comms_made && error == MPI_SUCCESS; i++)
		error = use_collectives(copies[i]);
	return error;
}

static int split_world(MPI_Comm world)
{
	int error = MPI_SUCCESS, rank;

	MPI_Comm_rank(world, &rank);
	while (parts_made < COPIES && error == MPI_SUCCESS) {
		error = MPI_Comm_split(world, rank % 2, rank, &parts[parts_made]);
		parts_made += error == MPI_SUCCESS;
	}
	return error;
}

static int make_windows(MPI_Comm world)
{
	int error = MPI_SUCCESS;

	while (windows_made < COPIES && error == MPI_SUCCESS) {
		error = MPI_Win_create(exposed[windows_made], WINDOW_BYTES, 1, MPI_INFO_NULL, world,
		                       &made[windows_made]);
		windows_made += error == MPI_SUCCESS;
	}
	return error;
}

static int allocate_windows(MPI_Comm world)
{
	int error = MPI_SUCCESS;
	void *memory;

	while (windows_allocated < COPIES && error == MPI_SUCCESS) {
		error = MPI_Win_allocate(WINDOW_BYTES, 1, MPI_INFO_NULL, world, (void *)&memory,
		                         &allocated[windows_allocated]);
		windows_allocated += error == MPI_SUCCESS;
	}
	return error;
}

const struct allocating memory_steps[] = {
	{"MPI_Init", 1, NULL},
	{"first message to each process", 1, memory_meet},
	{"first message of 256 KiB to each", 1, exchange_large},
	{"first collectives", 1, use_collectives},
	{"a copy of MPI_COMM_WORLD", COPIES, copy_world},
	{"first collectives on a copy", COPIES, use_copies},
	{"half of MPI_COMM_WORLD", COPIES, split_world},
	{"MPI_Win_create, 4 KiB", COPIES, make_windows},
	{"MPI_Win_allocate, 4 KiB", COPIES, allocate_windows},
	{NULL, 0, NULL},
};

static int do_nothing(MPI_Comm world)
{
	(void)world;
	return MPI_SUCCESS;
}

static int touch_pages(int kind)
{
	char *pages = mmap(NULL, PLANTED_BYTES, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return MPI_ERR_NO_MEM;
	memset(pages, 1, PLANTED_BYTES);
	return MPI_SUCCESS;
}

static int take_private(MPI_Comm world)
{
	(void)world;
	return touch_pages(MAP_PRIVATE);
}

static int take_shared(MPI_Comm world)
{
	(void)world;
	return touch_pages(MAP_SHARED);
}

static int take_heap(MPI_Comm world)
{
	static void *volatile kept;

	(void)world;
	kept = malloc(PLANTED_BYTES);
	return kept ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

const struct allocating planted_memory_steps[] = {
	{"MPI_Init", 1, NULL},           {"first message", 1, memory_meet},
	{"nothing", 1, do_nothing},      {"private", 1, take_private},
	{"shared", 1, take_shared},      {"heap", 1, take_heap},
	{"half of it", 2, take_private}, {NULL, 0, NULL},
};

static void free_windows(MPI_Win *windows, int *count)
{
	while (*count > 0)
		MPI_Win_free(&windows[--*count]);
}

static void free_comms(MPI_Comm *comms, int *count)
{
	while (*count > 0)
		MPI_Comm_free(&comms[--*count]);
}

void memory_steps_release(void)
{
	free_windows(allocated, &windows_allocated);
	free_windows(made, &windows_made);
	free_comms(parts, &parts_made);
	free_comms(copies, &comms_made);
}
