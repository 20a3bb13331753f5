/* The ranks of a traced job, and the machine that they are shown on.
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

/* Of MPI_COMM_WORLD, or the threads of UPC; where a job spawned others, of the first world. */
struct job_ranks {
	struct rank_place *at;
	uint32_t *processes; /* index in the reader */
	uint32_t count;
	uint64_t world;
};

/* Fails where ranks are missing in the trace. */
enum status job_ranks_read(const struct reader *reader, struct job_ranks *ranks) MUST_CHECK;
void job_ranks_release(struct job_ranks *ranks);

/* The machine that `name` names; NULL: what machine_open() finds, but not this node alone: then the hosts that the trace names. */
enum status job_machine_open(const char *name, const struct job_ranks *ranks,
                             struct machine **machine) MUST_CHECK;

/* Said once on stderr: sizes that were assumed, and more ranks than cores. */
void say_placement_doubts(const struct machine *machine, const struct placement *placement);

#endif
