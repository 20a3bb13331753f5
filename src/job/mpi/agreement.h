/* Do all processes of MPI_COMM_WORLD run the same library of ours?
 *
 * A process may run without it: another node lacks the file, a launcher dropped LD_PRELOAD, or only some programs of
 * a job are started by `tarry exec`. Such a process would never answer our messages, and we would mistake its
 * messages for ours. So no process sends a message before the answer is known. The answer comes from files in the
 * folder of the run, which all nodes share: each process registers its rank, process 0 counts, and the decision is
 * a symbolic link. Only one process can create that link, so all processes read the same decision. */
#ifndef TARRY_JOB_MPI_AGREEMENT_H
#define TARRY_JOB_MPI_AGREEMENT_H

#include <stdbool.h>
#include <stdint.h>

struct agreement {
	int folder; /* -1: none */
	int rank, size;
	uint64_t
		world; /* hash_word() of the world and of everything that must be equal in all processes; world_claim() may change it */
	const char *library; /* for `obstacle` */
	char obstacle[256];  /* "": only another process knows it */
};

/* `is_able`: whether this process can take part; only that of rank 0 counts. Returns true on all processes or on none. True: messages between
 * all processes are safe. False: `obstacle` has the reason. */
bool agreement_reach(struct agreement *agreement, bool is_able);

/* Removes the files. All processes must have returned from agreement_reach(). */
void agreement_forget(const struct agreement *agreement);

#endif
