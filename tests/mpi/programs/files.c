/* Accesses to files of all kinds. It prints what the calls return, so that runs can be compared; files.py knows how often it calls what.
 *
 * tarry-test: ranks=2 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 4096, MANY = 950, ALARMS = 5, THREADS = 2, THREAD_WRITES = 1000 };

static int rank;
static char block[1 << 16];
static char own_name[32];

/* A result with the errno that the call left behind. */
static void say(const char *what, long result)
{
	int left = errno;

	printf("rank %d: %s = %ld, errno %d\n", rank, what, result, left);
	errno = 0;
}

/* What the compiler makes of fgets() and fread() with _FORTIFY_SOURCE. */
char *__fgets_chk(char *line, size_t room, int size, FILE *stream);
size_t __fread_chk(void *bytes, size_t room, size_t size, size_t count, FILE *stream);

static int use_descriptor(void)
{
	struct iovec pieces[2] = {{block, 10}, {block + 10, 20}};
	int file = open(own_name, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0644), copy;
	long sum = 0;
	char *mapped;

	errno = 0;
	say("close on exec", fcntl(file, F_GETFD) & FD_CLOEXEC);
	for (int i = 0; i < 10; i++)
		sum += write(file, block, BLOCK);
	for (int i = 0; i < 5; i++)
		sum += pwrite(file, block, 100, 50000 + 1000 * i);
	say("write", sum);
	say("lseek", lseek(file, 0, SEEK_SET));
	sum = 0;
	for (int i = 0; i < 3; i++)
		sum += read(file, block, 2 * BLOCK);
	sum += pread(file, block, 50, 50000) + pread(file, block, 50, 0);
	say("read", sum);
	say("writev", writev(file, pieces, 2));
	say("readv", readv(file, pieces, 2));
	say("fsync", fsync(file));
	say("fdatasync", fdatasync(file));
	say("dprintf", dprintf(file, "%05d\n", 12));
	mapped = mmap(NULL, BLOCK, PROT_READ, MAP_SHARED, file, 0);
	say("mmap", mapped[1]);
	munmap(mapped, BLOCK);
	copy = dup(file);
	say("dup", write(copy, block, 7));
	say("dup2", dup2(file, copy) == copy);
	close(copy);
	say("closed", write(copy, block, 1));
	say("missing", open("nowhere/at/all", O_RDONLY));
	return file;
}

static void use_stream(void)
{
	char line[100];
	int number = 0;
	FILE *file;

	if (rank == 0) {
		file = fopen("shared.txt", "w");
		for (int i = 0; i < 10; i++)
			fprintf(file, "%07d\n", i); /* 8 bytes */
		fputs("a line\n", file);
		fputc('\n', file);
		for (int i = 0; i < 100; i++)
			fwrite(block, 4, 16, file);
		say("fflush", fflush(file));
		say("fclose", fclose(file));
	}
	MPI_Barrier(MPI_COMM_WORLD);
	file = fopen("shared.txt", "r");
	say("fgets", fgets(line, sizeof line, file) && strlen(line) == 8);
	say("fscanf", fscanf(file, "%d", &number));
	say("its value", number);
	say("fgetc", fgetc(file));
	say("__fgets_chk", __fgets_chk(line, sizeof line, sizeof line, file) && strlen(line) == 8);
	say("__fread_chk", (long)__fread_chk(line, sizeof line, 4, 2, file));
	say("fseek", fseek(file, 88, SEEK_SET));
	say("fread", (long)fread(block, 64, 100, file));
	say("the end", feof(file) != 0);
	fclose(file);
	MPI_Barrier(MPI_COMM_WORLD);
	file = fopen("shared.txt", "a");
	for (int i = 0; i < 2; i++)
		fwrite(block, 1, 10, file);
	fclose(file);
	say("fmemopen", (file = fmemopen(block, 100, "w")) != NULL);
	fputs("in memory", file);
	fclose(file);
}

/* Children have the file, too: what they do to it is not this process's work, and this process still has it. */
static void use_children(int file)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		for (int i = 0; i < 100; i++)
			if (write(file, block, 1) != 1)
				_exit(1);
		close(file);
		_exit(7);
	}
	waitpid(child, &status, 0);
	say("fork", WEXITSTATUS(status));
	child = vfork();
	if (child == 0) {
		close(file);
		execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL);
		_exit(1);
	}
	waitpid(child, &status, 0);
	say("vfork", WEXITSTATUS(status));
	say("after children", write(file, block, 11));
	say("close", close(file));
}

static volatile sig_atomic_t alarms;
static int alarm_file;

static void on_alarm(int number)
{
	int left = errno, other;

	(void)number;
	if (alarms >= ALARMS)
		return;
	if (write(alarm_file, "x", 1) == 1)
		alarms++;
	other = open("shared.txt", O_RDONLY);
	close(other);
	errno = left;
}

/* A handler on a small stack of its own, and calls that it interrupts. */
static void use_signals(void)
{
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_ONSTACK | SA_RESTART};
	struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
	stack_t stack = {.ss_sp = malloc((size_t)SIGSTKSZ), .ss_size = (size_t)SIGSTKSZ};
	char name[32];

	snprintf(name, sizeof name, "alarms.%d", rank);
	alarm_file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
	sigaltstack(&stack, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (alarms < ALARMS) {
		FILE *file = fopen("shared.txt", "r");
		fclose(file);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	errno = 0;
	say("alarms", alarms);
	close(alarm_file);
}

static void *write_in_thread(void *argument)
{
	int file = *(int *)argument;

	for (int i = 0; i < THREAD_WRITES; i++)
		if (pwrite(file, block, 16, 16L * i) != 16)
			abort();
	return NULL;
}

static void use_threads(void)
{
	pthread_t threads[THREADS];
	char name[32];
	int file;

	snprintf(name, sizeof name, "threads.%d", rank);
	file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, write_in_thread, &file);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	close(file);
}

static void use_many(void)
{
	struct stat info;
	char name[32];
	long sum = 0;

	mkdir("many", 0755);
	for (int i = 0; i < MANY; i++) {
		int file;
		snprintf(name, sizeof name, "many/%d", i);
		file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
		sum += write(file, block, 3);
		close(file);
		sum += stat(name, &info) + info.st_size;
	}
	errno = 0;
	say("many", sum);
}

int main(int argc, char **argv)
{
	MPI_File shared;
	int size, file;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	snprintf(own_name, sizeof own_name, "own.%d", rank);
	file = use_descriptor();
	use_stream();
	use_children(file);
	use_signals();
	use_threads();
	MPI_File_open(MPI_COMM_WORLD, "mpi.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &shared);
	for (int i = 0; i < 3; i++)
		MPI_File_write_at(shared, (MPI_Offset)(i * size + rank) * BLOCK, block, BLOCK, MPI_BYTE,
		                  MPI_STATUS_IGNORE);
	MPI_File_sync(shared);
	MPI_File_read_at(shared, 0, block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
	MPI_File_close(&shared);
	if (rank == 0)
		use_many();
	MPI_Finalize();
	return 0;
}
