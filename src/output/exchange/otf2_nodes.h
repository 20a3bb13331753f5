/* The events of a thread, and how they lie in one another.
 *
 * A trace has calls in the order of their ends: one made inside another stands before it. Written as enter and
 * leave, the outer one comes first. So a thread is held in memory as nodes in the trace's order, and each knows
 * behind how many others it is entered:
 *
 *	for (size_t i = 0; i < nodes.count; i++) {
 *		for (size_t j = nodes.entered[i]; j != NO_NODE; j = nodes.at[j].next_entered)
 *			enter(&nodes.at[j]);
 *		leave(&nodes.at[i]);
 *	}
 *
 * gives every call its enter and leave, properly nested, whatever the times say. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_NODES_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_NODES_H

#include "trace/reader.h"

#define NO_NODE SIZE_MAX

struct node {
	struct event event;                  /* without a call: a record of the thread */
	const char *line;                    /* the record as text */
	uint8_t kind;                        /* of the record */
	struct event_operations *operations; /* NULL: has nothing to do with any */
	size_t next_entered;
};

struct nodes {
	struct node *at;
	size_t *entered; /* the first, and outermost, that is entered before a node is left */
	size_t count, room;
};

void nodes_load(struct nodes *nodes, struct reader *reader, struct stream *stream, struct arena *arena);
void nodes_release(struct nodes *nodes);

#endif
