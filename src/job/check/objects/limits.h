/* Properties of objects from MPI: the size of a communicator, the extent of a datatype. They are queried when
 * first needed, and stored in the object.
 *
 *	const struct comm_limits *limits = comm_limits_get(comm);
 *	if (limits && rank >= limits->peers) …
 *
 * MPI is asked about live objects only. */
#ifndef TARRY_JOB_CHECK_OBJECTS_LIMITS_H
#define TARRY_JOB_CHECK_OBJECTS_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

enum comm_topology { TOPOLOGY_NONE, TOPOLOGY_CART, TOPOLOGY_GRAPH, TOPOLOGY_DIST_GRAPH };

struct comm_limits {
	int32_t rank, size;
	int32_t peers; /* possible destinations: the size of the remote group of an intercommunicator */
	int32_t sources, destinations; /* neighbours; 0 without a topology */
	int32_t dimensions;            /* of a Cartesian topology */
	bool inter;
	uint8_t topology; /* enum comm_topology */
};

struct type_limits {
	int64_t bytes; /* of data in one element */
	int64_t extent, true_lb, true_extent;
	uint16_t operand; /* enum operand_class (operand_classes.h): the operations that accept it */
};

struct object_limits {
	bool known;
	union {
		struct comm_limits comm;
		struct type_limits type;
		int32_t members; /* of a group; for a window, of its group */
	};
};

struct checked_object;

/* NULL: unknown, because the object is not live. */
const struct comm_limits *comm_limits_get(struct checked_object *comm);
const struct type_limits *type_limits_get(struct checked_object *type);
/* Members of a group or window; -1: unknown. */
int32_t members_get(struct checked_object *object);

#endif
