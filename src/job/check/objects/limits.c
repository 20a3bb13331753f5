#include "job/check/objects/limits.h"

#include "calls/calls.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/operand_classes.h"
#include "job/mpi/flavour.h"

/* The C handle from a number made by HANDLE(). */
#define COMM_OF(object) ((MPI_Comm)(uintptr_t)(object)->handle)
#define TYPE_OF(object) ((MPI_Datatype)(uintptr_t)(object)->handle)
#define GROUP_OF(object) ((MPI_Group)(uintptr_t)(object)->handle)
#define WIN_OF(object) ((MPI_Win)(uintptr_t)(object)->handle)

static bool may_be_asked(const struct checked_object *object)
{
	return object && (object->state == OBJECT_LIVE || object->state == OBJECT_PREDEFINED) &&
	       !object->incomplete;
}

/* Threads that ask at the same time get the same answer, so it does not matter whose result is kept. */
static bool is_known(const struct checked_object *object)
{
	return __atomic_load_n(&object->limits.known, __ATOMIC_ACQUIRE);
}

static void keep(struct checked_object *object)
{
	__atomic_store_n(&object->limits.known, true, __ATOMIC_RELEASE);
}

const struct comm_shape *comm_shape_get(struct checked_object *comm)
{
	struct comm_shape shape;

	if (!may_be_asked(comm))
		return NULL;
	if (!is_known(comm)) {
		if (!comm_shape_find(&shape, COMM_OF(comm)))
			return NULL;
		comm->limits.comm = shape;
		keep(comm);
	}
	return &comm->limits.comm;
}

static bool ask_type(MPI_Datatype type, struct type_limits *limits)
{
	MPI_Count bytes, lb, extent, true_lb, true_extent;

	if (PMPI_Type_size_x(type, &bytes) != MPI_SUCCESS ||
	    PMPI_Type_get_extent_x(type, &lb, &extent) != MPI_SUCCESS ||
	    PMPI_Type_get_true_extent_x(type, &true_lb, &true_extent) != MPI_SUCCESS)
		return false;
	*limits = (struct type_limits){
		.bytes = bytes, .extent = extent, .true_lb = true_lb, .true_extent = true_extent};
	return true;
}

/* Duplicates and unpacked parts of types may be equivalent to predefined ones. */
static enum operand_class operand_of(const struct checked_object *type)
{
	if (type->state == OBJECT_PREDEFINED)
		return operand_class_of(type->name);
	return all_calls[type->reference.created_by].new_object ? OPERAND_UNKNOWN : OPERAND_DERIVED;
}

const struct type_limits *type_limits_get(struct checked_object *type)
{
	struct type_limits limits;

	if (!may_be_asked(type))
		return NULL;
	if (!is_known(type)) {
		if (!ask_type(TYPE_OF(type), &limits))
			return NULL;
		limits.operand = (uint16_t)operand_of(type);
		type->limits.type = limits;
		keep(type);
	}
	return &type->limits.type;
}

static bool ask_members(const struct checked_object *object, int *members)
{
	MPI_Group group;

	if (object->kind == OBJECT_GROUP)
		return PMPI_Group_size(GROUP_OF(object), members) == MPI_SUCCESS;
	if (PMPI_Win_get_group(WIN_OF(object), &group) != MPI_SUCCESS)
		return false;
	const bool known = PMPI_Group_size(group, members) == MPI_SUCCESS;
	return PMPI_Group_free(&group) == MPI_SUCCESS && known;
}

int32_t members_get(struct checked_object *object)
{
	int members = 0;

	if (!may_be_asked(object))
		return -1;
	if (!is_known(object)) {
		if (!ask_members(object, &members))
			return -1;
		object->limits.members = members;
		keep(object);
	}
	return object->limits.members;
}
