#include "strange.h"

#include <mpi.h>
#include <string.h>

int inner(int n)
{
	return 2 * n;
}

int outer(int n)
{
	MPI_Barrier(MPI_COMM_WORLD);
	return inner(n) + 1;
}

const char *greet(const char *name)
{
	return name && strcmp(name, "world") == 0 ? "hello" : NULL;
}

void call_back(void (*function)(void))
{
	function();
}

static volatile int ticks;

int tick(void)
{
	return ++ticks;
}

int unused(int n)
{
	return n;
}
