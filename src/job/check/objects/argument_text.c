#include "job/check/objects/argument_text.h"

#include "calls/arguments.h"
#include "calls/calls.h"
#include "job/check/objects/mapped_memory.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/operand_classes.h"
#include "job/check/objects/request_table.h"
#include "job/check/objects/types.h"
#include "job/mpi/flavour.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 512, ARRAY_TEXT = 192, ELEMENTS_SHOWN = 4 };

enum value_style {
	STYLE_NONE,
	STYLE_NUMBER,
	STYLE_RANK,
	STYLE_TAG,
	STYLE_COLOR,
	STYLE_COMM,
	STYLE_TYPE,
	STYLE_OP,
};

static const uint8_t styles[PARAMETER_KINDS] = {
	[KIND_count] = STYLE_NUMBER,      [KIND_scount] = STYLE_NUMBER,
	[KIND_rcount] = STYLE_NUMBER,     [KIND_ocount] = STYLE_NUMBER,
	[KIND_tcount] = STYLE_NUMBER,     [KIND_xcount] = STYLE_NUMBER,
	[KIND_partcount] = STYLE_NUMBER,  [KIND_type] = STYLE_TYPE,
	[KIND_stype] = STYLE_TYPE,        [KIND_rtype] = STYLE_TYPE,
	[KIND_otype] = STYLE_TYPE,        [KIND_ttype] = STYLE_TYPE,
	[KIND_xtype] = STYLE_TYPE,        [KIND_dest] = STYLE_RANK,
	[KIND_source] = STYLE_RANK,       [KIND_root] = STYLE_RANK,
	[KIND_leader] = STYLE_RANK,       [KIND_target] = STYLE_RANK,
	[KIND_tag] = STYLE_TAG,           [KIND_stag] = STYLE_TAG,
	[KIND_rtag] = STYLE_TAG,          [KIND_color] = STYLE_COLOR,
	[KIND_key] = STYLE_NUMBER,        [KIND_disp] = STYLE_NUMBER,
	[KIND_offset] = STYLE_NUMBER,     [KIND_partition] = STYLE_NUMBER,
	[KIND_partitions] = STYLE_NUMBER, [KIND_lastpartition] = STYLE_NUMBER,
	[KIND_winsize] = STYLE_NUMBER,    [KIND_winunit] = STYLE_NUMBER,
	[KIND_many] = STYLE_NUMBER,       [KIND_comm] = STYLE_COMM,
	[KIND_peercomm] = STYLE_COMM,     [KIND_op] = STYLE_OP,
	[KIND_number] = STYLE_NUMBER,     [KIND_wide] = STYLE_NUMBER,
	[KIND_stride] = STYLE_NUMBER,     [KIND_position] = STYLE_NUMBER,
};

const char *rank_text(int64_t rank, char text[VALUE_TEXT])
{
	const char *name = rank == MPI_ANY_SOURCE  ? "MPI_ANY_SOURCE"
	                   : rank == MPI_PROC_NULL ? "MPI_PROC_NULL"
	                   : rank == MPI_ROOT      ? "MPI_ROOT"
	                   : rank == MPI_UNDEFINED ? "MPI_UNDEFINED"
	                                           : NULL;

	snprintf(text, VALUE_TEXT, "%" PRId64, rank);
	return name ? name : text;
}

const char *tag_text(int64_t tag, char text[VALUE_TEXT])
{
	snprintf(text, VALUE_TEXT, "%" PRId64, tag);
	return tag == MPI_ANY_TAG ? "MPI_ANY_TAG" : text;
}

static const char *live_object_text(enum object_kind kind, int64_t handle, char text[VALUE_TEXT])
{
	const struct checked_object *object = object_find(kind, (uint64_t)handle);

	return object && object->state != OBJECT_FREED ? object_text(object, text) : NULL;
}

/* NULL: the value is not shown. */
static const char *value_text(enum value_style style, int64_t value, char text[VALUE_TEXT])
{
	const char *name;

	switch (style) {
	case STYLE_COMM:
		return live_object_text(OBJECT_COMM, value, text);
	case STYLE_TYPE:
		name = type_name((uint64_t)value);
		return name ? name : live_object_text(OBJECT_TYPE, value, text);
	case STYLE_OP:
		return operation_name((uint64_t)value);
	case STYLE_RANK:
		return rank_text(value, text);
	case STYLE_TAG:
		return tag_text(value, text);
	case STYLE_NONE:
		return NULL;
	default:
		snprintf(text, VALUE_TEXT, "%" PRId64, value);
		return style == STYLE_COLOR && value == MPI_UNDEFINED ? "MPI_UNDEFINED" : text;
	}
}

/* Arrays: "sendcounts[16] = {1, 2, 3, 4, ...}" */

/* In a rooted call, arrays are significant only at the root. With MPI_IN_PLACE, those of the
 * send buffer are insignificant. */
static bool array_matters(const struct agent_call *call, uint32_t parameter, const struct comm_shape *comm)
{
	const int root = call_parameter(call->id, KIND_root), sends = call_parameter(call->id, KIND_sbuf);
	const bool is_in_place = sends >= 0 && call->arguments[sends] == (int64_t)(uintptr_t)MPI_IN_PLACE;

	if (root >= 0)
		return call->arguments[root] == (comm->inter ? MPI_ROOT : comm->rank);
	return !is_in_place || *call_parameter_name(call->id, parameter) != 's';
}

static int64_t peers_of(const struct agent_call *call, uint32_t parameter)
{
	const int at = call_parameter(call->id, KIND_comm);
	struct checked_object *object = at < 0 ? NULL
	                                       : object_find(OBJECT_COMM, (uint64_t)call->arguments[at]);
	const struct comm_shape *comm = object && object->state != OBJECT_FREED ? comm_shape_get(object)
	                                                                        : NULL;
	const uint8_t length = call_argument_forms[call->id][parameter].length;

	if (!comm || !array_matters(call, parameter, comm))
		return 0;
	if (length == LENGTH_MEMBERS)
		return comm->size;
	if (all_calls[call->id].class != CLASS_NEIGHBOURHOOD)
		return comm->peers;
	return length == LENGTH_SOURCES ? comm->sources : comm->destinations;
}

static int64_t array_length(const struct agent_call *call, uint32_t parameter)
{
	const struct argument_form *form = &call_argument_forms[call->id][parameter];
	const int many = call_parameter(call->id, KIND_many);

	switch (form->length) {
	case LENGTH_PARAMETER:
		return call->arguments[many >= 0 ? many : form->other];
	case LENGTH_DESTINATIONS:
	case LENGTH_SOURCES:
	case LENGTH_MEMBERS:
		return peers_of(call, parameter);
	default:
		return 0;
	}
}

/* Requests are shown only before the call, because MPI sets completed ones to null. */
static bool is_shown(const struct agent_call *call, uint8_t kind, const struct argument_form *form,
                     bool for_all)
{
	const bool is_data = kind == KIND_scounts || kind == KIND_rcounts || kind == KIND_stypes ||
	                     kind == KIND_rtypes;

	if (form->shape != ARGUMENT_ARRAY || form->is_out || (for_all && !is_data))
		return false;
	return form->base == ARGUMENT_NUMBER || form->base == ARGUMENT_TYPE ||
	       (form->base == ARGUMENT_REQUEST && !call->has_returned);
}

static size_t element_bytes(const struct agent_call *call, const struct argument_form *form)
{
	if (form->base == ARGUMENT_NUMBER)
		return form->is_wide ? sizeof(int64_t) : sizeof(int32_t);
	if (call->fortran)
		return sizeof(MPI_Fint);
	return form->base == ARGUMENT_TYPE ? sizeof(MPI_Datatype) : sizeof(MPI_Request);
}

static const char *element_text(const struct agent_call *call, const struct argument_form *form,
                                const void *array, size_t i, char text[VALUE_TEXT])
{
	const struct checked_request *request;
	const char *name;
	uint64_t handle;

	if (form->base == ARGUMENT_NUMBER) {
		snprintf(text, VALUE_TEXT, "%" PRId64,
		         form->is_wide ? ((const int64_t *)array)[i] : ((const int32_t *)array)[i]);
		return text;
	}
	if (form->base == ARGUMENT_TYPE) {
		name = value_text(STYLE_TYPE, (int64_t)handle_at(OBJECT_TYPE, array, i, call->fortran), text);
		return name ? name : "?";
	}
	handle = handle_at(OBJECT_REQUEST, array, i, call->fortran);
	request = request_look_up(handle, (const char *)array + i * element_bytes(call, form), 0);
	return request                                  ? all_calls[request->created_by].name
	       : handle_is_null(OBJECT_REQUEST, handle) ? "MPI_REQUEST_NULL"
	                                                : "?";
}

/* NULL: the parameter is not an array, or its elements are not shown. */
static const char *array_text(const struct agent_call *call, uint32_t parameter, bool for_all,
                              char text[ARRAY_TEXT])
{
	const struct argument_form *form = &call_argument_forms[call->id][parameter];
	const uint64_t address = (uint64_t)call->arguments[parameter];
	const bool may_be = is_shown(call, call_parameter_kinds(call->id)[parameter], form, for_all);
	const int64_t length = may_be && address ? array_length(call, parameter) : 0;
	const size_t shown = length < ELEMENTS_SHOWN ? (size_t)(length > 0 ? length : 0) : ELEMENTS_SHOWN;
	char room[VALUE_TEXT];
	size_t size;

	if (!shown || !is_mapped(address) || !is_mapped(address + shown * element_bytes(call, form) - 1))
		return NULL;
	size = (size_t)snprintf(text, ARRAY_TEXT, "[%" PRId64 "] = {", length);
	for (size_t i = 0; i < shown; i++) {
		const char *element = element_text(call, form, (const void *)(uintptr_t)address, i, room);

		if (size + strlen(element) + sizeof ", , ...}" > ARRAY_TEXT)
			return NULL;
		size += (size_t)snprintf(text + size, ARRAY_TEXT - size, "%s%s", i ? ", " : "", element);
	}
	snprintf(text + size, ARRAY_TEXT - size, "%s}", (int64_t)shown < length ? ", ..." : "");
	return text;
}

char *argument_text(const struct agent_call *call, bool for_all)
{
	const uint8_t *kinds;
	char text[TEXT_MAX] = "", room[VALUE_TEXT], array_room[ARRAY_TEXT];
	size_t size = 0;

	if (call->text)
		return call->text(call);
	kinds = call_parameter_kinds(call->id);
	for (uint32_t i = 0; call->arguments && kinds[i] != KIND_END; i++) {
		const char *value = value_text(styles[kinds[i]], call->arguments[i], room);
		const char *array = value ? NULL : array_text(call, i, for_all, array_room);

		if (!value && !array)
			continue;
		if (size + strlen(value ? value : array) + strlen(call_parameter_name(call->id, i)) + 8 >
		    sizeof text)
			break;
		size += (size_t)snprintf(text + size, sizeof text - size, "%s%s%s%s", size ? ", " : "",
		                         call_parameter_name(call->id, i), value ? " = " : "",
		                         value ? value : array);
	}
	return strdup(text);
}
