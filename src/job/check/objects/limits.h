/* Properties of objects from MPI: the size of a communicator, the extent of a datatype. They are queried when
 * first needed, and stored in the object.
 *
 *	const struct comm_shape *shape = comm_shape_get(comm);
 *	if (shape && rank >= shape->peers) …
 *
* Only live objects are queried. */
#ifndef TARRY_JOB_CHECK_OBJECTS_LIMITS_H
#define TARRY_JOB_CHECK_OBJECTS_LIMITS_H

#include "job/mpi/comm_shape.h"

#include <stdbool.h>
#include <stdint.h>

struct type_limits {
	int64_t bytes; /* of data in one element */
	int64_t extent, true_lb, true_extent;
	uint16_t operand; /* enum operand_class (operand_classes.h): the operations that accept it */
};

struct object_limits {
	bool known;
	union {
		struct comm_shape comm;
		struct type_limits type;
		int32_t members; /* of a group; for a window, of its group */
	};
};

struct checked_object;

/* NULL: unknown, because the object is not live. */
const struct comm_shape *comm_shape_get(struct checked_object *comm);
const struct type_limits *type_limits_get(struct checked_object *type);
/* Members of a group or window; -1: unknown. */
int32_t members_get(struct checked_object *object);

#endif
