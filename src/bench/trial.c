#include "bench/trial.h"

enum status trial_check(const struct operation *operation, const struct plan *wanted, uint64_t bytes,
                        int ranks)
{
	(void)wanted;
	(void)bytes;
	if (!operation->run)
		return fail("this MPI library has no %s", operation->name);
	if (ranks < operation->ranks_min)
		return fail("%s needs %d processes", operation->name, operation->ranks_min);
	return OK;
}

enum status trial_prepare(struct trial *trial, const struct operation *operation, const struct plan *wanted,
                          MPI_Comm comm, uint64_t bytes)
{
	*trial = (struct trial){
		.operation = operation, .comm = comm, .bytes = bytes, .request = MPI_REQUEST_NULL};
	MPI_Comm_rank(comm, &trial->rank);
	MPI_Comm_size(comm, &trial->ranks);
	return plan_root(wanted->root, trial->ranks, &trial->root);
}

void trial_turn(struct trial *trial)
{
	(void)trial;
}

void trial_release(struct trial *trial)
{
	(void)trial;
}

/* Without buffers there is nothing to need. */
uint64_t trial_memory(const struct operation *operation, const struct plan *wanted, uint64_t bytes, int ranks)
{
	(void)operation;
	(void)wanted;
	(void)bytes;
	(void)ranks;
	return 0;
}
