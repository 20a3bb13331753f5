/* A program on top of the fake MPI library (tests/unit/fake) that makes the recorder use everything it has: several
 * chunks, a second thread, communicators, windows, files, requests, regions. Its output and exit code depend on what
 * its MPI calls return.
 *
 *	victim [RANK SIZE [END]]   by default the only process of its world, which puts its trace together by itself;
 *	                           END: it ends without MPI_Finalize, by `exit` or by being killed (`die`) */
#include "fake_control.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tarry.h>

enum { TAGS = 3000, REQUESTS = 40, MEMBERS = 3, EXIT_CODE = 7 };

static unsigned long sum;
static char buffer[64];

static void add(int value)
{
	sum = sum * 31 + (unsigned long)value + 1;
}

/* More distinct calls than a chunk has room for. */
static void send_much(void)
{
	for (int tag = 0; tag < TAGS; tag++)
		add(MPI_Send(buffer, 1, MPI_INT, 0, tag, MPI_COMM_WORLD));
}

static void use_requests(void)
{
	MPI_Request requests[REQUESTS];
	int flag = 0;

	for (int i = 0; i < REQUESTS; i++)
		add(MPI_Isend(buffer, 4, MPI_BYTE, 0, i, MPI_COMM_WORLD, &requests[i]));
	for (int i = 0; i < 10; i++)
		add(MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE));
	fake->index = 1;
	fake->flag = 1;
	add(MPI_Testany(REQUESTS, requests, &(int){0}, &flag, MPI_STATUS_IGNORE));
	add(MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE));
}

static void use_objects(void)
{
	MPI_Comm comm;
	MPI_Win win;
	MPI_File file;

	for (int i = 0; i < 60; i++) {
		add(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
		add(MPI_Barrier(comm));
	}
	add(MPI_Comm_spawn("child", NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm, NULL));
	add(MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
	add(MPI_Win_fence(0, win));
	add(MPI_Win_free(&win));
	add(MPI_File_open(MPI_COMM_WORLD, "data", 0, MPI_INFO_NULL, &file));
	add(MPI_File_write(file, buffer, 8, MPI_BYTE, MPI_STATUS_IGNORE));
	add(MPI_File_close(&file));
}

static void *use_thread(void *unused)
{
	for (int i = 0; i < 100; i++)
		add(MPI_Send(buffer, i, MPI_BYTE, 1, 5, MPI_COMM_WORLD));
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int level;

	const char *end = argc > 3 ? argv[3] : "";

	fake->rank = argc > 2 ? (int)strtol(argv[1], NULL, 10) : 0;
	fake->size = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1;
	fake->thread_level = MPI_THREAD_MULTIPLE;
	add(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level));
	add(level);
	tarry_region_begin("work");
	use_objects();
	use_requests();
	if (pthread_create(&thread, NULL, use_thread, NULL) != 0 || pthread_join(thread, NULL) != 0)
		return 1;
	send_much();
	tarry_region_end("work");
	if (strcmp(end, "die") == 0)
		raise(SIGKILL);
	if (strcmp(end, "exit") == 0) {
		printf("%lx\n", sum);
		exit(EXIT_CODE);
	}
	add(MPI_Finalize());
	printf("%lx\n", sum);
	return EXIT_CODE;
}
