/* The data that a collective call sends and receives: for all peers, or a list with an element for each peer. Arguments that are insignificant in this
 * process are not read. */
#ifndef TARRY_JOB_CHECK_EVENTS_COLLECTIVE_DATA_H
#define TARRY_JOB_CHECK_EVENTS_COLLECTIVE_DATA_H

#include "job/check/events/comms.h"
#include "job/check/wire/agent_call.h"
#include "job/check/wire/announced.h"

struct collective_data {
	struct announced_data send, receive;
	struct announced_data *send_list, *receive_list; /* to be freed */
	uint32_t send_list_count, receive_list_count;
	bool in_place;
	bool accepted; /* by MPI: all handles are good */
	bool failed;   /* a type is not known, or there is no memory */
};

void collective_data_find(struct collective_data *data, const struct agent_call *call,
                          const struct followed_comm *c, bool accepted);

#endif
