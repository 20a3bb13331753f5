/* What a thread does between two calls of MPI. Rank 1 spends a while in each gap: on a CPU, asleep, in a read that waits for its input, in a page fault
 * that waits for its page, or ready without a CPU; with -DGOOD always on a CPU. Prints the kinds of the gaps, in their order. computing.py reads the
 * report. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GAP_US = 200000 * STRETCH };

static double cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static void compute(void)
{
	const double until = cpu_us() + GAP_US;

	while (cpu_us() < until)
		;
}

static void wait_for_sleep(void)
{
	usleep(GAP_US);
}

static void *write_late(void *pipe)
{
	usleep(GAP_US);
	return (void *)(intptr_t)write(*(int *)pipe, "x", 1);
}

static void wait_for_input(void)
{
	pthread_t writer;
	int ends[2];
	char one;

	if (pipe(ends) || pthread_create(&writer, NULL, write_late, &ends[1]) || read(ends[0], &one, 1) != 1)
		abort();
	pthread_join(writer, NULL);
	close(ends[0]);
	close(ends[1]);
}

/* Gives the page to the faulting thread, as a slow disk would. */
static void *serve_fault(void *file)
{
	const int faults = *(int *)file;
	struct uffd_msg message;
	struct uffdio_zeropage page = {.range = {.len = (uint64_t)sysconf(_SC_PAGESIZE)}};

	if (read(faults, &message, sizeof message) != sizeof message)
		abort();
	usleep(GAP_US);
	page.range.start = message.arg.pagefault.address & ~(page.range.len - 1);
	if (ioctl(faults, UFFDIO_ZEROPAGE, &page))
		abort();
	return NULL;
}

/* -1: the kernel forbids it. */
static int faults = -1;

static void wait_for_page(void)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register range = {.range = {(uint64_t)(uintptr_t)page, size},
	                                .mode = UFFDIO_REGISTER_MODE_MISSING};
	pthread_t server;

	if (ioctl(faults, UFFDIO_REGISTER, &range) || pthread_create(&server, NULL, serve_fault, &faults))
		abort();
	page[0] = 1;
	pthread_join(server, NULL);
}

/* Another process always uses the same CPU. */
static void compute_among_two(void)
{
	cpu_set_t all, one;
	pid_t other;

	sched_getaffinity(0, sizeof all, &all);
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	other = fork();
	if (!other)
		for (;;)
			;
	compute();
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	sched_setaffinity(0, sizeof all, &all);
}

static void gap(const char *kind, void (*work)(void), int rank)
{
#ifdef GOOD
	work = compute;
#endif
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1) {
		printf("%s\n", kind);
		work();
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	struct uffdio_api api = {.api = UFFD_API};
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (faults >= 0 && ioctl(faults, UFFDIO_API, &api))
		faults = -1;
	gap("cpu", compute, rank);
	gap("sleep", wait_for_sleep, rank);
	gap("input", wait_for_input, rank);
	if (faults >= 0)
		gap("page", wait_for_page, rank);
	gap("ready", compute_among_two, rank);
	MPI_Finalize();
	return 0;
}
