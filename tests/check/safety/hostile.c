/* Legal programs that are difficult for a tool; the first argument selects one. Lines begin with "rank N:". */
#define _GNU_SOURCE

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank = -1, size = 1;

/* In one piece: launchers mix what processes say. */
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	char line[256];
	int length = snprintf(line, sizeof line, "rank %d: ", rank);
	va_list args;

	va_start(args, format);
	length += vsnprintf(line + length, sizeof line - (size_t)length, format, args);
	va_end(args);
	if (write(STDOUT_FILENO, line, (size_t)length) != length)
		abort();
}

static void init(void)
{
	int level;

	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* Round the ring, with tags that change. */
static void talk_on(MPI_Comm comm, int times)
{
	long sum = 0;

	for (int i = 0; i < times; i++) {
		int out = rank + i, in = -1;
		MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, i % 5000, &in, 1, MPI_INT,
		             (rank + size - 1) % size, i % 5000, comm, MPI_STATUS_IGNORE);
		sum += in;
	}
	if (times)
		say("sum %ld\n", sum);
}

static void talk(int times)
{
	talk_on(MPI_COMM_WORLD, times);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Files */

/* Replaces all files of others by its own sockets; nothing may be written to them. */
static void replace_files(int first, int end)
{
	static int pairs[2048];
	int bytes = 0;

	for (int fd = first; fd < end; fd++) {
		int pair[2];
		if (fcntl(fd, F_GETFD) < 0)
			continue;
		close(fd);
		socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
		if (pair[0] != fd) {
			dup2(pair[0], fd);
			close(pair[0]);
		}
		pairs[fd] = fcntl(pair[1], F_DUPFD, 1500);
		close(pair[1]);
	}
	if (rank >= 0)
		talk(4000);
	else
		init();
	for (int fd = first; fd < end; fd++) {
		char text[64];
		if (pairs[fd])
			bytes += recv(pairs[fd], text, sizeof text, MSG_DONTWAIT) > 0;
	}
	say("%d files with strange bytes\n", bytes);
}

static void close_before_init(void)
{
	int version, subversion;

	MPI_Get_version(&version, &subversion);
	replace_files(400, 1024);
	talk(1000);
	MPI_Finalize();
}

static void close_in_the_middle(void)
{
	init();
	talk(100);
	replace_files(400, 1024);
	talk(100);
	MPI_Finalize();
}

/* Numbers below those of the program's own files stay free for it. */
static void low_numbers(void)
{
	char path[64], target[256];
	int found = 0;

	init();
	talk(100);
	for (int fd = 0; fd < 300; fd++) {
		ssize_t length;
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		length = readlink(path, target, sizeof target - 1);
		target[length > 0 ? length : 0] = '\0';
		found += strstr(target, "tarry") || strstr(target, ".check");
	}
	say("%d files of others\n", found);
	MPI_Finalize();
}

static void masked(void)
{
	umask(0777);
	if (chdir("/") != 0)
		say("no root\n");
	init();
	talk(1000);
	MPI_Finalize();
	say("mask %o\n", umask(0));
}

/* Processes */

static void *send_alone(void *stop)
{
	for (int i = 0; !*(volatile int *)stop; i++)
		MPI_Send(&i, 1, MPI_INT, MPI_PROC_NULL, i % 3000, MPI_COMM_WORLD);
	return NULL;
}

static int wait_for(pid_t child)
{
	int status = 0;

	for (int i = 0; i < 1500; i++) {
		if (waitpid(child, &status, WNOHANG) == child)
			return status;
		usleep(1000);
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return -1;
}

/* A child of fork has whatever locks the threads of its parent held. */
static void fork_storm(void)
{
	volatile int stop = 0;
	int slow = 0;
	pthread_t thread;

	init();
	pthread_create(&thread, NULL, send_alone, (void *)&stop);
	for (int i = 0; i < 300; i++) {
		pid_t child = fork();
		if (child == 0)
			exit(0);
		slow += wait_for(child) != 0;
	}
	stop = 1;
	pthread_join(thread, NULL);
	say("%d children did not end\n", slow);
	talk(100);
	MPI_Finalize();
}

/* They hold whatever they inherit, long after the job. */
static void children_outlive(void)
{
	if (system("sleep 3 >/dev/null 2>&1 </dev/null &") != 0)
		say("no shell\n");
	init();
	if (system("sleep 3 >/dev/null 2>&1 </dev/null &") != 0)
		say("no shell\n");
	talk(100);
	if (fork() == 0) {
		close(0), close(1), close(2);
		sleep(3);
		_exit(0);
	}
	MPI_Finalize();
	if (system("exit 0") != 0)
		say("no shell\n");
	say("done\n");
}

static volatile sig_atomic_t children;

static void on_child(int number)
{
	(void)number;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		children++;
}

/* Its children end while others start processes of their own. */
static void child_signals(void)
{
	struct sigaction action = {.sa_handler = on_child, .sa_flags = SA_RESTART};

	sigaction(SIGCHLD, &action, NULL);
	if (fork() == 0) {
		usleep(2000);
		_exit(0);
	}
	init();
	for (int i = 0; i < 3000 && !children; i++)
		usleep(1000);
	say("%d child\n", (int)children);
	signal(SIGCHLD, SIG_DFL);
	talk(100);
	MPI_Finalize();
}

/* Signals */

static volatile sig_atomic_t ticks;

static void on_alarm(int number)
{
	(void)number;
	ticks++;
}

static void alarms(void)
{
	struct sigaction action = {.sa_handler = on_alarm};
	struct itimerval often = {{0, 500}, {0, 500}}, never = {0};

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	init();
	talk(4000);
	MPI_Finalize();
	setitimer(ITIMER_REAL, &never, NULL);
	say("ticks: %s\n", ticks > 3 ? "some" : "none");
}

static void signal_masks(void)
{
	sigset_t before, after;
	int blocked = 0;

	sigemptyset(&before);
	sigaddset(&before, SIGUSR1);
	sigprocmask(SIG_SETMASK, &before, NULL);
	init();
	talk(100);
	MPI_Finalize();
	sigprocmask(SIG_SETMASK, NULL, &after);
	for (int i = 1; i < 32; i++)
		blocked |= sigismember(&after, i) << i;
	say("mask %x, SIGPIPE %s\n", blocked, signal(SIGPIPE, SIG_DFL) == SIG_DFL ? "kills" : "is held");
}

static sigjmp_buf after_fault;

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)context;
	say("signal %d, code %d, address %p\n", number, info->si_code > 0,
	    info->si_code > 0 ? info->si_addr : NULL);
	if (info->si_code > 0)
		siglongjmp(after_fault, 1);
}

static void on_plain(int number)
{
	say("signal %d\n", number);
}

static int end_of_child(int number)
{
	const pid_t child = fork();
	int status = 0;

	if (child == 0) {
		signal(number, SIG_DFL);
		if (number == SIGSEGV)
			*(volatile int *)16 = 0;
		raise(number);
		_exit(7);
	}
	waitpid(child, &status, 0);
	return status;
}

/* Handlers of signals that end a process: they are reported and called as the program set them. */
static void handlers(void)
{
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	struct sigaction mine = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, seen,
			 once = {.sa_handler = on_plain, .sa_flags = SA_RESETHAND};

	init();
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		sigaction(numbers[i], &mine, &seen);
		say("signal %d was %s, flags %x\n", numbers[i], seen.sa_handler == SIG_DFL ? "free" : "taken",
		    (unsigned)seen.sa_flags);
		sigaction(numbers[i], NULL, &seen);
		say("signal %d is mine: %d\n", numbers[i], seen.sa_sigaction == on_fault);
		raise(numbers[i]);
	}
	for (volatile int i = 0; i < 20; i++)
		if (!sigsetjmp(after_fault, 1))
			*(volatile int *)16 = 0;
	sigaction(SIGFPE, &once, NULL);
	raise(SIGFPE);
	sigaction(SIGFPE, NULL, &seen);
	say("SIGFPE is free: %d\n", seen.sa_handler == SIG_DFL);
	say("SIGILL was mine: %d\n", (void *)signal(SIGILL, SIG_IGN) == (void *)on_fault);
	raise(SIGILL);
	talk(100);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		say("child: %x\n", (unsigned)end_of_child(numbers[i]));
	MPI_Finalize();
}

/* Signals that others end processes with. Without SA_RESTART, a handler interrupts system calls. */
static void end_signals(void)
{
	static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
	struct sigaction mine = {.sa_handler = on_alarm}, seen;
	int ends[2];
	char byte;

	init();
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		sigaction(numbers[i], NULL, &seen);
		say("signal %d is %s, child: %x\n", numbers[i], seen.sa_handler == SIG_DFL ? "free" : "taken",
		    (unsigned)end_of_child(numbers[i]));
	}
	say("SIGHUP was free: %d\n", signal(SIGHUP, SIG_IGN) == SIG_DFL);
	raise(SIGHUP);
	sigaction(SIGTERM, &mine, &seen);
	say("SIGTERM was free: %d\n", seen.sa_handler == SIG_DFL);
	sigaction(SIGTERM, NULL, &seen);
	say("SIGTERM is mine: %d, flags %x\n", seen.sa_handler == on_alarm, (unsigned)seen.sa_flags);
	if (pipe(ends) == 0 && fork() == 0) {
		usleep(200000);
		kill(getppid(), SIGTERM);
		_exit(0);
	}
	errno = 0;
	say("read: %d, interrupted: %d, calls: %d\n", (int)read(ends[0], &byte, 1), errno == EINTR,
	    (int)ticks);
	talk(100);
	MPI_Finalize();
}

/* Jumps and threads */

static jmp_buf back;

static void jump(MPI_Comm *comm, int *code, ...)
{
	(void)comm, (void)code;
	longjmp(back, 1);
}

static void jumps(void)
{
	MPI_Errhandler handler;
	volatile int count = 0;
	int value = 0;

	MPI_Init(NULL, NULL); /* MPICH with threads would keep its lock */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_create_errhandler(jump, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Errhandler_free(&handler);
	for (volatile int i = 0; i < 1000; i++) {
		if (setjmp(back) == 0)
			MPI_Send(&value, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD);
		else
			count++;
	}
	say("%d jumps\n", count);
	talk(100);
	MPI_Finalize();
}

static void *barriers(void *unused)
{
	for (;;) {
		MPI_Barrier(MPI_COMM_SELF);
		pthread_testcancel();
	}
	return unused;
}

/* Somebody stops the analyser meanwhile: a thread that has to wait for it is cancelled, and leaves nothing locked. */
static void cancel_while_full(void)
{
	pthread_t thread;

	init();
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		say("waits\n");
		getchar();
	}
	MPI_Barrier(MPI_COMM_WORLD);
	pthread_create(&thread, NULL, barriers, NULL);
	sleep(3);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	talk(100);
	MPI_Finalize();
}

/* Threads of Open MPI that wait do not let others run: safety.py says how often they report. */
#ifndef ROUNDS
#define ROUNDS 200
#endif

enum { THREADS = 8 };
static MPI_Comm comms[THREADS];

static void *talk_in_thread(void *comm)
{
	talk_on(*(MPI_Comm *)comm, ROUNDS);
	return NULL;
}

static void threads(void)
{
	pthread_t started[THREADS];

	init();
	for (int i = 0; i < THREADS; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&started[i], NULL, talk_in_thread, &comms[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(started[i], NULL);
	for (int i = 0; i < THREADS; i++)
		MPI_Comm_free(&comms[i]);
	MPI_Finalize();
}

static void *all_of_it(void *unused)
{
	init();
	talk(1000);
	MPI_Finalize();
	return unused;
}

static void second_thread(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 256 << 10);
	pthread_create(&thread, &attributes, all_of_it, NULL);
	pthread_join(thread, NULL);
	say("joined\n");
}

/* The ends */

/* Runs until it is killed. */
static void wait_for_ever(void)
{
	init();
	MPI_Barrier(MPI_COMM_WORLD);
	say("waits\n");
	for (;;)
		pause();
}

static void never(void)
{
	say("no MPI\n");
}

static void quick(void)
{
	MPI_Init(NULL, NULL);
	MPI_Finalize();
	say("done\n");
}

static void after(void)
{
	init();
	talk(100);
	MPI_Finalize();
	for (int i = 0; i < 30; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(0);
		wait_for(child);
		usleep(50000);
	}
	say("went on\n");
}

/* Until a line is read. */
static void long_after(void)
{
	int is_first;

	init();
	is_first = rank == 0;
	MPI_Finalize();
	if (is_first) {
		say("finalized\n");
		getchar();
	}
}

static void finalize_at_exit(void)
{
	MPI_Finalize();
}

static void at_exit(void)
{
	atexit(finalize_at_exit);
	init();
	talk(100);
}

static int finalizes_at_end;

__attribute__((destructor)) static void end(void)
{
	if (finalizes_at_end)
		MPI_Finalize();
}

static void destructor(void)
{
	finalizes_at_end = 1;
	init();
	talk(100);
}

static void exit_code(void)
{
	init();
	talk(10);
	MPI_Finalize();
	exit(rank == 0 ? 7 : 0);
}

/* Limits */

static void limit(int which, rlim_t value)
{
	struct rlimit limit;

	getrlimit(which, &limit);
	limit.rlim_cur = value;
	setrlimit(which, &limit);
}

/* As large as MPI needs it, and no larger. */
static void file_size(void)
{
	limit(RLIMIT_FSIZE, 8 << 20);
	init();
	talk(1000);
	MPI_Finalize();
	say("done\n");
}

static void few_files(void)
{
	int next;

	init();
	next = open("/dev/null", O_RDONLY);
	close(next);
	limit(RLIMIT_NOFILE, (rlim_t)next);
	talk(6000);
	limit(RLIMIT_NOFILE, 1024);
	MPI_Finalize();
	say("done\n");
}

/* MPI has the memory then that it needs for a few messages later. */
static void fill_queues(void)
{
	MPI_Request requests[200];
	int in;

	for (int i = 0; i < 200; i++)
		MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[i]);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 200; i++)
		MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Waitall(200, requests, MPI_STATUSES_IGNORE);
}

static void small_memory(void)
{
	long pages = 0;
	FILE *statm;

	init();
	talk(10);
	fill_queues();
	statm = fopen("/proc/self/statm", "r");
	if (!statm || fscanf(statm, "%ld", &pages) != 1)
		say("no statm\n");
	fclose(statm);
	limit(RLIMIT_AS, (rlim_t)(pages * 4096 + (300 << 10)));
	for (int i = 0; i < 30000; i++)
		MPI_Send(&i, 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD);
	talk(5000);
	limit(RLIMIT_AS, RLIM_INFINITY);
	MPI_Finalize();
	say("done\n");
}

/* What MPI ignores may hold anything. */
static void garbage(void)
{
	volatile uintptr_t nowhere = 0x10; /* compilers need not know */
	void *bad = (void *)nowhere;
	int *bads = bad, in[64], out[64], counts[64], places[64];
	MPI_Datatype type, types[64];
	MPI_Request none = MPI_REQUEST_NULL;
	MPI_Comm inter, half;
	int index, flag;

	init();
	memset(&type, 0x5a, sizeof type);
	for (int i = 0; i < 64; i++)
		in[i] = i, counts[i] = 1, places[i] = i, types[i] = MPI_INT;
	if (rank == 0) {
		MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, 0, MPI_COMM_WORLD);
		MPI_Gatherv(MPI_IN_PLACE, -7, type, out, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
		MPI_Scatter(in, 1, MPI_INT, MPI_IN_PLACE, -7, type, 0, MPI_COMM_WORLD);
		MPI_Scatterv(in, counts, places, MPI_INT, out, 1, MPI_INT, 0, MPI_COMM_WORLD);
		MPI_Reduce(MPI_IN_PLACE, out, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	} else {
		MPI_Gather(in, 1, MPI_INT, bad, -7, type, 0, MPI_COMM_WORLD);
		MPI_Gatherv(in, 1, MPI_INT, bad, bads, bads, type, 0, MPI_COMM_WORLD);
		MPI_Scatter(bad, -7, type, out, 1, MPI_INT, 0, MPI_COMM_WORLD);
		MPI_Scatterv(bad, bads, bads, type, out, 1, MPI_INT, 0, MPI_COMM_WORLD);
		MPI_Reduce(in, bad, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	}
	memcpy(out, in, sizeof in);
	MPI_Allgather(MPI_IN_PLACE, -7, type, out, 1, MPI_INT, MPI_COMM_WORLD);
	MPI_Allgatherv(MPI_IN_PLACE, -7, type, out, counts, places, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoall(MPI_IN_PLACE, -7, type, out, 1, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoallv(MPI_IN_PLACE, bads, bads, type, out, counts, places, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < 64; i++)
		places[i] = 4 * i;
	MPI_Alltoallw(MPI_IN_PLACE, bads, bads, bad, out, counts, places, types, MPI_COMM_WORLD);
	MPI_Waitany(0, bad, &index, MPI_STATUS_IGNORE);
	MPI_Testall(0, bad, &flag, MPI_STATUSES_IGNORE);
	MPI_Startall(0, bad);
	MPI_Wait(&none, MPI_STATUS_IGNORE);
	MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	if (size > 1) {
		MPI_Comm peer = MPI_COMM_WORLD;
		int half_rank;
		MPI_Comm_rank(half, &half_rank);
		if (half_rank != 0)
			memset(&peer, 0x5a, sizeof peer);
		MPI_Intercomm_create(half, 0, peer, half_rank == 0 ? 1 - rank % 2 : -99, 3, &inter);
		if (rank % 2)
			MPI_Bcast(in, 1, MPI_INT, 0, inter);
		else if (rank == 0)
			MPI_Bcast(in, 1, MPI_INT, MPI_ROOT, inter);
		else
			MPI_Bcast(bad, -7, type, MPI_PROC_NULL, inter);
		MPI_Comm_free(&inter);
	}
	MPI_Comm_free(&half);
	say("done\n");
	MPI_Finalize();
}

/* Nobody calls MPI for longer than the hang timeout. These system calls return early after any signal handler. */
static void sleeps(void)
{
	init();
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		say("%u s left\n", sleep(5));
	else
		say("poll: %d\n", poll(NULL, 0, 5000));
	MPI_Finalize();
}

/* The others wait for rank 1. It must not wake up before the run is ended. */
static void late(void)
{
	init();
	if (rank == 1) {
		sleep(100);
		say("woke up\n");
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
}

static const struct {
	const char *name;
	void (*act)(void);
} kinds[] = {
	{"close_before_init", close_before_init},
	{"close_in_the_middle", close_in_the_middle},
	{"low_numbers", low_numbers},
	{"masked", masked},
	{"fork_storm", fork_storm},
	{"children_outlive", children_outlive},
	{"child_signals", child_signals},
	{"alarms", alarms},
	{"signal_masks", signal_masks},
	{"handlers", handlers},
	{"end_signals", end_signals},
	{"jumps", jumps},
	{"threads", threads},
	{"second_thread", second_thread},
	{"cancel_while_full", cancel_while_full},
	{"never", never},
	{"quick", quick},
	{"after", after},
	{"long_after", long_after},
	{"at_exit", at_exit},
	{"destructor", destructor},
	{"exit_code", exit_code},
	{"file_size", file_size},
	{"few_files", few_files},
	{"small_memory", small_memory},
	{"garbage", garbage},
	{"sleeps", sleeps},
	{"late", late},
	{"wait", wait_for_ever},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (argc > 1 && strcmp(argv[1], kinds[i].name) == 0) {
			kinds[i].act();
			return 0;
		}
	return 99;
}
