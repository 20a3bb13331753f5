/* The calls that led to a finding, and what their time was: preparation, waiting for other processes to be ready, and transfer.
 *
 * A process is ready when the first of its calls begins. A call that only begins an operation (MPI_Irecv, MPI_Start, MPI_Send_init) is
 * preparation. Any other call waits until all other processes are ready; the rest of it is transfer. */
#ifndef TARRY_OUTPUT_REPORT_ACTIONS_H
#define TARRY_OUTPUT_REPORT_ACTIONS_H

#include "output/report/sheet.h"

/* All are 0 of a call that has to do with no other process. */
struct action_times {
	int64_t preparation_ns, waiting_ns, transfer_ns;
};

struct action_times action_times(const struct finding *finding, const struct action *action);

/* A line for each call of the longest occurrence, and one for all together. `has_times`: each is one call, not the sum of many. */
void add_actions(const struct sheet *sheet, struct report *report, const struct report_entry *entry,
                 bool has_times);

#endif
