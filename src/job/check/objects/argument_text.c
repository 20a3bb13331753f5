#include "job/check/objects/argument_text.h"

#include "job/check/objects/objects.h"
#include "job/check/objects/operand_classes.h"
#include "job/check/objects/types.h"
#include "job/mpi/flavour.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 512 };

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
	[KIND_bigcount] = STYLE_NUMBER,   [KIND_type] = STYLE_TYPE,
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

char *argument_text(const struct agent_call *call)
{
	const uint8_t *kinds = call_parameter_kinds(call->id);
	char text[TEXT_MAX] = "", room[VALUE_TEXT];
	size_t size = 0;

	for (uint32_t i = 0; call->arguments && kinds[i] != KIND_END; i++) {
		const char *value = value_text(styles[kinds[i]], call->arguments[i], room);

		if (!value)
			continue;
		if (size + strlen(value) + strlen(call_parameter_name(call->id, i)) + 8 > sizeof text)
			break;
		size += (size_t)snprintf(text + size, sizeof text - size, "%s%s = %s", size ? ", " : "",
		                         call_parameter_name(call->id, i), value);
	}
	return strdup(text);
}
