/* Calls traced functions in all ways that could go wrong, and prints what came of it: the same, traced or not. */
#include "strange.h"

#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 20000, THREAD_CALLS = 10 };

int own_function(int n);

/* In the program itself: no wrapper can stand before it. */
__attribute__((noinline)) int own_function(int n)
{
	return n + 3;
}

static sig_atomic_t handled;

static void handle(int number)
{
	(void)number;
	handled += tick() > 0;
}

/* Threads of the MPI library would get the signal too, on their own stacks: they inherit what main() blocks. */
static void block_alarm(int how)
{
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(how, &alarm, NULL);
}

/* On a stack of its own, which may be anywhere. */
static void interrupt_often(void)
{
	static char room[1 << 16];
	stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK | SA_RESTART};
	struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
	long sum = 0;

	sigaltstack(&stack, NULL);
	sigaction(SIGALRM, &action, NULL);
	block_alarm(SIG_UNBLOCK);
	setitimer(ITIMER_REAL, &often, NULL);
	while (handled < 20)
		for (int i = 0; i < CALLS / 20; i++)
			sum += inner(i & 7);
	setitimer(ITIMER_REAL, &never, NULL);
	printf("interrupted: %s\n", sum > 0 ? "yes" : "no");
}

static jmp_buf way_out;

static void jump(void)
{
	longjmp(way_out, 1);
}

static void leave_by_jump(void)
{
	if (!setjmp(way_out))
		call_back(jump);
	printf("after the jump: %d\n", inner(5));
}

static void *work(void *argument)
{
	long sum = 0;

	for (int i = 0; i < THREAD_CALLS; i++)
		sum += inner(1000);
	*(long *)argument = sum;
	return NULL;
}

static void use_thread(void)
{
	pthread_t thread;
	long sum = 0;

	if (pthread_create(&thread, NULL, work, &sum) == 0)
		pthread_join(thread, NULL);
	printf("thread: %ld\n", sum);
}

static void use_child(void)
{
	pid_t child;
	int status = 0;

	fflush(stdout);
	child = fork();
	if (!child)
		_exit(inner(3000) == 6000 ? 7 : 8);
	waitpid(child, &status, 0);
	printf("child: %d\n", WEXITSTATUS(status));
}

static void use_plugin(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*plugin)(int) = library ? (int (*)(int))dlsym(library, "plugin") : NULL;

	printf("plugin: %d\n", plugin ? plugin(4) : -1);
}

static void use_texts(void)
{
	const char *answer = greet("world"), *none = greet(NULL);

	printf("greetings: %s %s\n", answer, none ? none : "none");
}

int main(int argc, char **argv)
{
	int rank, early = inner(1);

	block_alarm(SIG_BLOCK);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	errno = 55;
	printf("%d %d %d %d\n", early, outer(10), own_function(1), errno);
	use_texts();
	leave_by_jump();
	use_thread();
	use_child();
	use_plugin(argv[1]);
	interrupt_often();
	MPI_Finalize();
	printf("late: %d\n", inner(2));
	return 0;
}
