/* The parameters of all MPI functions, generated from mpi.calls: their kinds (kinds.txt) and standard names.
 *
 *	call_parameter(CALL_Send, KIND_dest)                  3
 *	call_parameter_kinds(CALL_Send)[3]                    KIND_dest
 *	call_parameter_name(CALL_Send, 3)                     "dest" */
#ifndef TARRY_CALLS_PARAMETERS_H
#define TARRY_CALLS_PARAMETERS_H

#include "calls/ids.h"
#include "calls/kinds.h"

#include <stddef.h>
#include <stdint.h>

enum { CALL_PARAMETERS_MAX = 16 };

struct parameter_list {
	uint8_t kinds[CALL_PARAMETERS_MAX]; /* enum parameter_kind, terminated by KIND_END */
	const char *names[CALL_PARAMETERS_MAX - 1];
};

extern const struct parameter_list call_parameters[MPI_CALLS];
/* Index of the first parameter of a kind plus one; 0: none. For UPC and OpenMP: of the field. */
extern const uint8_t parameter_at[ALL_CALLS][PARAMETER_KINDS];

enum object_effect {
	EFFECT_MAKES = 1,
	EFFECT_ENDS = 2,
	EFFECT_COMMITS = 4,
};

extern const uint8_t
	kind_objects[PARAMETER_KINDS]; /* enum object_kind of a handle: OBJECT_COMM of KIND_newcomm */
extern const uint8_t
	kind_effects[PARAMETER_KINDS]; /* enum object_effect on that object; 0: none, or a request */

static inline const uint8_t *call_parameter_kinds(enum call_id id)
{
	return call_parameters[id].kinds;
}

static inline const char *call_parameter_name(enum call_id id, uint32_t parameter)
{
	return call_parameters[id].names[parameter];
}

/* The first parameter of this kind; -1: none. */
static inline int call_parameter(enum call_id id, enum parameter_kind kind)
{
	return parameter_at[id][kind] - 1;
}

/* The first parameter of one kind, or else of the other; -1: none. */
static inline int call_parameter_or(enum call_id id, enum parameter_kind kind, enum parameter_kind other)
{
	const int found = call_parameter(id, kind);

	return found >= 0 ? found : call_parameter(id, other);
}

#endif
