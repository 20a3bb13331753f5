/* Do all processes of MPI_COMM_WORLD run this library in the same version?
 *
 * A process may run without it: another node lacks the file, a launcher dropped LD_PRELOAD, or only some programs of
 * a job are started by `tarry exec`. Such a process would never answer our messages, and we would mistake its
 * messages for ours. So no process sends one before the answer is known. The answer comes from files in the folder
 * of the run, which all nodes share: each process registers its rank, process 0 counts, and the decision is a
 * symbolic link. Only one process can make that link, so all processes read the same decision. */
#ifndef TARRY_JOB_COLL_AGREEMENT_H
#define TARRY_JOB_COLL_AGREEMENT_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct coll_agreement {
	int folder; /* -1: none */
	int rank, size;
	uint64_t world;
};

/* `version`: processes with another one count as missing. `is_able`: whether this process, if it has rank 0, can take part.
 * Returns true on all processes or on none; true means that all messages between them are safe. Otherwise a message says why not. */
bool agreement_reach(struct coll_agreement *agreement, uint64_t version, bool is_able);

/* `is_known_to_all`: all processes have returned from agreement_reach(), so process 0 removes the files.
 * Otherwise a process may still read them. */
void agreement_end(struct coll_agreement *agreement, bool is_known_to_all);

#pragma GCC visibility pop

#endif
