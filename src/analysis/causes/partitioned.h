/* Waits for the last partition of a partitioned message: rows of messages and of partitioned sends put together. Internal to the causes.
 *
 *	struct partitioned_waits *waits = partitioned_waits_new();
 *	found = partitioned_waits_add(waits, &message->send, &wait, NULL);          when the message is received
 *	found = partitioned_waits_add(waits, &row->start, NULL, &row->last);        when it is known which partition was the last
 *	if (found) … found->wait waited for found->last …
 *	partitioned_waits_free(waits);
 *
 * Either may come first. As many halves are kept as there are slots; of two in one slot, the later one. */
#ifndef TARRY_ANALYSIS_CAUSES_PARTITIONED_H
#define TARRY_ANALYSIS_CAUSES_PARTITIONED_H

#include "analysis/model/relations.h"

struct partitioned_wait {
	struct occurrence send;       /* its start; without semantics: the slot is free */
	struct occurrence wait, last; /* without semantics: not known yet */
};

struct partitioned_waits *partitioned_waits_new(void);
void partitioned_waits_free(struct partitioned_waits *waits);
/* Adds the wait or the last partition of a send. When both are known, returns them, until the next is added; otherwise NULL. */
const struct partitioned_wait *partitioned_waits_add(struct partitioned_waits *waits,
                                                     const struct occurrence *send,
                                                     const struct occurrence *wait,
                                                     const struct occurrence *last);

#endif
