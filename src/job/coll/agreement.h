/* Do all processes of MPI_COMM_WORLD run this library, in the same version?
 *
 * A process without it (another node lacks the file, a launcher dropped LD_PRELOAD, only some programs of a job are started by `tarry exec`) would never answer
 * a message of ours, and we would take its messages for ours. So no process sends one before the answer is known. The answer comes from files in the folder of the
 * run, which all nodes share: each process registers its rank there, process 0 counts, and the decision is a symbolic link. Only one process can make that
 * link, so all of them read the same decision. */
#ifndef TARRY_JOB_COLL_AGREEMENT_H
#define TARRY_JOB_COLL_AGREEMENT_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct coll_agreement {
	int folder; /* -1: there is none */
	int rank, size;
	uint64_t world;
};

/* `version`: processes with another one count as missing. `is_able`: this process, if it has rank 0, can take part. True: all processes get true from
 * this call, and all messages between them are safe. Otherwise a note says why not. */
bool agreement_reach(struct coll_agreement *agreement, uint64_t version, bool is_able);

/* `is_known_to_all`: all processes have come back from agreement_reach(). Then process 0 removes the files; otherwise somebody may still read them. */
void agreement_end(struct coll_agreement *agreement, bool is_known_to_all);

#pragma GCC visibility pop

#endif
