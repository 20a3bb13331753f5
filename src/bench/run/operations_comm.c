#include "bench/run/collectives.h"

#include "base/memory.h"
#include "bench/run/overlap.h"

#include <stdlib.h>

static enum status prepare(struct trial *t)
{
	t->own = memory_new(1, sizeof(MPI_Comm));
	*(MPI_Comm *)t->own = MPI_COMM_NULL;
	return OK;
}

static int after(struct trial *t)
{
	MPI_Comm *made = t->own;

	return *made == MPI_COMM_NULL ? MPI_SUCCESS : MPI_Comm_free(made);
}

static void release(struct trial *t)
{
	free(t->own);
	t->own = NULL;
}

static int run_dup(struct trial *t)
{
	return MPI_Comm_dup(t->comm, t->own);
}

static int run_idup(struct trial *t)
{
	return overlap_finish(t, MPI_Comm_idup(t->comm, t->own, &t->request));
}

static int run_split(struct trial *t)
{
	return MPI_Comm_split(t->comm, t->rank % 2, t->rank, t->own);
}

#define ENTRY(name, traits, help, run_) \
	{ \
		name, "communicators", help, traits, 1, .prepare = prepare, .run = run_, .after = after, \
							.release = release \
	}

const struct bench_operation communicator_operations[] = {
	ENTRY("MPI_Comm_dup", 0, "no size", run_dup),
	ENTRY("MPI_Comm_idup", CAN_OVERLAP, "no size", run_idup),
	ENTRY("MPI_Comm_split", 0, "no size; even and odd ranks apart", run_split),
	{0},
};
