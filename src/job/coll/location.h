/* The location of this process in the machine, in addition to MPI's information: its socket from its CPU affinity, and the
 * switches above its node from the file of `tarry coll` in the folder of the run, or from Slurm's variable SLURM_TOPOLOGY_ADDR.
 *
 *	coll_comm_make_at(&coll, comm, location_get());
 *
 * Processes may know different levels: a level counts only if all members of a communicator know it. */
#ifndef TARRY_JOB_COLL_LOCATION_H
#define TARRY_JOB_COLL_LOCATION_H

#include "coll/algorithms/collective.h"

#include <stddef.h>

/* Determined at the first call, then constant. */
const struct coll_location *location_get(void);

/* For tests: */

/* The switches of a node, from lines "node switch switch ...", outermost first. Node names are compared up to the first dot. */
void location_read_switches(const char *lines, const char *host, struct coll_location *here);
/* The same from Slurm's "switch.switch.node". */
void location_read_address(const char *address, struct coll_location *here);
/* The first CPU of a list such as "0-3,8-11" if it contains the whole set, otherwise -1. */
int location_read_socket(const char *list, const unsigned char *allowed, size_t processors);

#endif
