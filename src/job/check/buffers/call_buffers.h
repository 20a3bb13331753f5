/* The bytes of a call's buffers, from counts, displacements and datatypes, or from descriptors of Fortran arrays. */
#ifndef TARRY_JOB_CHECK_BUFFERS_CALL_BUFFERS_H
#define TARRY_JOB_CHECK_BUFFERS_CALL_BUFFERS_H

#include "job/check/buffers/call_shapes.h"
#include "job/check/objects/byte_runs.h"
#include "job/check/objects/limits.h"
#include "job/check/objects/objects.h"
#include "job/check/wire/agent_call.h"
#include "job/mpi/flavour.h"
#include "job/mpi/host.h"

struct active_buffer;
struct type_layout;

/* The bytes that a buffer covers: from the first used byte to the last. */
struct byte_range {
	int64_t first, last;
	int64_t bytes; /* bytes of data; 0: none */
	bool solid;    /* there are no gaps */
	bool in_order; /* each of its blocks has no gaps and begins after the previous one */
};

struct argument_check {
	struct agent_call *call;
	const struct call_shape *shape;
	const int64_t *values;              /* of the parameters */
	struct checked_object *comm_object; /* NULL: none, or unknown */
	const struct comm_shape *comm;      /* NULL: unknown */
	bool at_root;                       /* this process is the root */
	bool idle; /* MPI_PROC_NULL is the root of an intercommunicator: everything else is ignored */
	bool send_matters, receive_matters; /* arguments of the two sides are significant on this rank */
	bool input_in_place;                /* the receive buffer holds the input, not the send buffer */
};

/* Called before MPI uses buffers. `ranges`: those of the buffers in the call's shape. */
struct buffers_observer {
	void (*called)(const struct argument_check *check, const struct byte_range *ranges);
	void (*started)(const struct agent_call *call, const struct active_buffer *buffer); /* persistent */
};
/* NULL unless a window has memory of this process (windows/window_buffers.c). */
extern HIDDEN const struct buffers_observer *buffers_observer;

/* An element of an array of counts or displacements, which are int or, in large-count functions,
 * MPI_Count or MPI_Aint. */
int64_t element_of(const struct argument_check *check, int parameter, int64_t index);

/* The bytes of a buffer without its gaps: the bytes of `layout`, or of `list`, which the caller
 * releases. False: unknown. */
bool buffer_pattern(const struct argument_check *check, const struct shaped_buffer *buffer,
                    struct byte_runs *list, const struct type_layout **layout, struct byte_pattern *pattern);

/* The range from a buffer's first byte to its last. False: there is none, or it is unknown. */
bool buffer_range(const struct argument_check *check, const struct shaped_buffer *buffer,
                  struct byte_range *range);
/* The minimum number of bytes in this range that MPI would write more than once. */
int64_t buffer_written_twice(const struct argument_check *check, const struct shaped_buffer *buffer,
                             const struct byte_range *range);

#endif
