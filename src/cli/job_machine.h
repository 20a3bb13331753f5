/* The ranks of a traced job, and the machine on which they are shown.
 *
 *	struct job_ranks ranks;
 *	TRY(job_ranks_read(reader, &ranks));
 *	TRY(job_machine_open(name, &ranks, &machine));
 *	TRY(placement_of_job(&placement, machine, ranks.at, ranks.count));
 *	job_ranks_release(&ranks); */
#ifndef TARRY_CLI_JOB_MACHINE_H
#define TARRY_CLI_JOB_MACHINE_H

#include "topo/machine/placement.h"
#include "trace/reader.h"

/* The ranks of MPI_COMM_WORLD, or UPC threads. If a job spawned others, those of the first world. */
struct job_ranks {
	struct rank_place *at;
	uint32_t *processes; /* index in the reader */
	uint32_t count;
	uint64_t world;
};

/* Fails if ranks are missing from the trace. */
enum status job_ranks_read(const struct reader *reader, struct job_ranks *ranks) MUST_CHECK;
void job_ranks_release(struct job_ranks *ranks);

/* The machine with this name. NULL: the machine that machine_open() finds or, instead of this node alone, the
 * hosts in the trace. */
enum status job_machine_open(const char *name, const struct job_ranks *ranks,
                             struct machine **machine) MUST_CHECK;

/* Prints on stderr if sizes were assumed, or if there are more ranks than cores. */
void say_placement_doubts(const struct machine *machine, const struct placement *placement);

#endif
