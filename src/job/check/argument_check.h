/* What the files that check arguments share: one call under examination, and how what is wrong with it is reported. */
#ifndef TARRY_JOB_CHECK_ARGUMENT_CHECK_H
#define TARRY_JOB_CHECK_ARGUMENT_CHECK_H

#include "job/check/agent.h"
#include "job/check/call_shapes.h"
#include "job/check/limits.h"
#include "job/check/objects.h"
#include "job/mpi/flavour.h"
#include "job/mpi/host.h"

/* The bytes that a buffer covers: from the first that is touched to the last. */
struct byte_range {
	int64_t first, last;
	int64_t bytes; /* of data; 0: none */
	bool solid;    /* there are no holes */
	bool in_order; /* of several blocks: each has no holes and begins behind the one before */
};

struct argument_check {
	struct agent_call *call;
	const struct call_shape *shape;
	const int64_t *values;              /* of the parameters */
	struct checked_object *comm_object; /* NULL: the call has none, or it is not known */
	const struct comm_limits *comm;     /* NULL: not known */
	bool at_root;                       /* this process is the root */
	bool idle; /* MPI_PROC_NULL is the root of an intercommunicator: nothing else matters */
	bool send_matters, receive_matters; /* what belongs to the two sides means something on this rank */
	bool input_in_place;                /* the receive buffer holds what would be in the send buffer */
};

#pragma GCC visibility push(hidden)

/* Values of findings. */
enum { VALUE_TEXT = 64 };
/* "MPI_ANY_SOURCE", "-1" */
const char *rank_text(int64_t rank, char text[VALUE_TEXT]);
const char *tag_text(int64_t tag, char text[VALUE_TEXT]);
/* "MPI_COMM_WORLD", "made by MPI_Comm_split" */
const char *object_text(const struct checked_object *object, char text[VALUE_TEXT]);

/* argument.bad-value and argument.negative-count, whose values are alike. */
void report_bad_value(struct argument_check *check, int parameter, int64_t value);
void report_bad_element(struct argument_check *check, int parameter, int64_t index, int64_t value);
void report_negative(struct argument_check *check, int parameter, int64_t value);
void report_negative_element(struct argument_check *check, int parameter, int64_t index, int64_t value);
void report_rank(struct argument_check *check, int parameter, int64_t rank, int64_t size,
                 const struct checked_object *comm);
void report_bad_word(struct argument_check *check, int parameter, const char *word);
void report_rank_element(struct argument_check *check, int parameter, int64_t index, int64_t rank,
                         int64_t size, const struct checked_object *object);
void report_root(struct argument_check *check, int parameter, int64_t root);
/* Of a call that MPI may reject. */
void report_problem(struct argument_check *check, struct finding_draft *draft);

/* Element of an array of counts or displacements, which are int or, of large-count functions, MPI_Count or MPI_Aint. */
int64_t element_of(const struct argument_check *check, int parameter, int64_t index);

struct byte_pattern;
struct byte_runs;
struct type_layout;
/* The bytes of a buffer without its gaps: those of `layout`, or all in `list`, which is the caller's. False: they are not known. */
bool buffer_pattern(const struct argument_check *check, const struct shaped_buffer *buffer,
                    struct byte_runs *list, const struct type_layout **layout, struct byte_pattern *pattern);

/* Buffers: null or unmapped, overlapping, MPI_IN_PLACE. */
void buffers_check(struct argument_check *check);
/* Where MPI_IN_PLACE must not be; sets what matters. */
void in_place_check(struct argument_check *check);

/* What single functions want beyond the kinds of their parameters. */
void values_check(struct argument_check *check);
/* A datatype that another one is made of. */
void type_of_struct_check(struct argument_check *check, int parameter, uint64_t handle);
/* Whether the communicator is of the kind that the function needs. */
void comm_kind_check(struct argument_check *check);

#pragma GCC visibility pop

#endif
