/* The buffers of each function: their counts and types, the ranks on which they are significant, and where
 * MPI_IN_PLACE is allowed. Generated from mpi.calls and flows.txt.
 *
 *	call_shapes[CALL_Gatherv].buffers[1].counts    4: recvcounts, one for each member, on the root only */
#ifndef TARRY_JOB_CHECK_BUFFERS_CALL_SHAPES_H
#define TARRY_JOB_CHECK_BUFFERS_CALL_SHAPES_H

#include "calls/calls.h"
#include "job/mpi/host.h"

#include <stdbool.h>

/* The number of blocks described by a count or an array of counts. */
enum data_blocks {
	ONE_BLOCK,
	BLOCK_PER_PEER,
	BLOCK_PER_SOURCE, /* this and the next: of neighbours */
	BLOCK_PER_DESTINATION,
	OWN_BLOCK, /* the element of an array for this rank */
	BLOCK_PER_PARTITION,
};

enum in_place_rule { IN_PLACE_NEVER, IN_PLACE_SEND, IN_PLACE_SEND_AT_ROOT, IN_PLACE_RECEIVE_AT_ROOT };

/* Positions of parameters; -1: none. */
struct shaped_buffer {
	int8_t buffer;
	int8_t count, counts;
	int8_t displs; /* in units of the type's extent, or of bytes if there are several types */
	int8_t type, types;
	int8_t bytes;            /* the size of packed data, instead of count and type */
	bool sends;              /* the call reads it */
	bool only_root;          /* insignificant on other ranks */
	uint8_t blocks;          /* enum data_blocks */
	uint8_t blocks_in_place; /* the same, if a receive buffer also holds the input */
};

enum { SHAPED_BUFFERS = 3 };

struct call_shape {
	bool receives;    /* a call with one tag receives: wildcards are allowed */
	uint8_t in_place; /* enum in_place_rule */
	uint8_t buffer_count;
	int8_t comm, peercomm, win, root, dest, source, op, file;
	struct shaped_buffer buffers[SHAPED_BUFFERS];
};

extern HIDDEN const struct call_shape call_shapes[MPI_CALLS];

#endif
