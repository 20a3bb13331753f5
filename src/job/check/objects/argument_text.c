#include "job/check/objects/argument_text.h"

#include "job/check/objects/objects.h"
#include "job/check/objects/operand_classes.h"
#include "job/check/objects/types.h"
#include "job/mpi/flavour.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 512, VALUE_MAX = 96 };

/* How values of a kind are written. */
enum value_style {
	STYLE_NONE,
	STYLE_NUMBER,
	STYLE_RANK,
	STYLE_TAG,
	STYLE_COLOR,
	STYLE_COMM,
	STYLE_TYPE,
	STYLE_OP,
	STYLE_PATH,
};

static const uint8_t styles[PARAMETER_KINDS] = {
	[KIND_count] = STYLE_NUMBER,
	[KIND_scount] = STYLE_NUMBER,
	[KIND_rcount] = STYLE_NUMBER,
	[KIND_ocount] = STYLE_NUMBER,
	[KIND_tcount] = STYLE_NUMBER,
	[KIND_xcount] = STYLE_NUMBER,
	[KIND_bigcount] = STYLE_NUMBER,
	[KIND_type] = STYLE_TYPE,
	[KIND_stype] = STYLE_TYPE,
	[KIND_rtype] = STYLE_TYPE,
	[KIND_otype] = STYLE_TYPE,
	[KIND_ttype] = STYLE_TYPE,
	[KIND_xtype] = STYLE_TYPE,
	[KIND_dest] = STYLE_RANK,
	[KIND_source] = STYLE_RANK,
	[KIND_root] = STYLE_RANK,
	[KIND_leader] = STYLE_RANK,
	[KIND_target] = STYLE_RANK,
	[KIND_tag] = STYLE_TAG,
	[KIND_stag] = STYLE_TAG,
	[KIND_rtag] = STYLE_TAG,
	[KIND_color] = STYLE_COLOR,
	[KIND_key] = STYLE_NUMBER,
	[KIND_disp] = STYLE_NUMBER,
	[KIND_offset] = STYLE_NUMBER,
	[KIND_partition] = STYLE_NUMBER,
	[KIND_partitions] = STYLE_NUMBER,
	[KIND_lastpartition] = STYLE_NUMBER,
	[KIND_path] = STYLE_PATH,
	[KIND_winsize] = STYLE_NUMBER,
	[KIND_winunit] = STYLE_NUMBER,
	[KIND_many] = STYLE_NUMBER,
	[KIND_comm] = STYLE_COMM,
	[KIND_peercomm] = STYLE_COMM,
	[KIND_op] = STYLE_OP,
	[KIND_number] = STYLE_NUMBER,
	[KIND_wide] = STYLE_NUMBER,
	[KIND_position] = STYLE_NUMBER,
};

struct named_number {
	int64_t value;
	const char *name;
};

static const char *name_of(const struct named_number *names, size_t count, int64_t value)
{
	for (size_t i = 0; i < count; i++)
		if (names[i].value == value)
			return names[i].name;
	return NULL;
}

static const char *name_of_number(enum value_style style, int64_t value)
{
	static const struct named_number ranks[] = {
		{MPI_PROC_NULL, "MPI_PROC_NULL"}, {MPI_ANY_SOURCE, "MPI_ANY_SOURCE"}, {MPI_ROOT, "MPI_ROOT"}};
	static const struct named_number tags[] = {{MPI_ANY_TAG, "MPI_ANY_TAG"}};
	static const struct named_number colors[] = {{MPI_UNDEFINED, "MPI_UNDEFINED"}};

	switch (style) {
	case STYLE_RANK:
		return value >= 0 ? NULL : name_of(ranks, sizeof ranks / sizeof *ranks, value);
	case STYLE_TAG:
		return name_of(tags, 1, value);
	case STYLE_COLOR:
		return name_of(colors, 1, value);
	default:
		return NULL;
	}
}

/* Of a handle; NULL: it has none. */
static const char *name_of_handle(enum value_style style, uint64_t handle, char text[VALUE_TEXT])
{
	const struct checked_object *comm;

	switch (style) {
	case STYLE_COMM:
		comm = object_find(OBJECT_COMM, handle);
		return comm && comm->state != OBJECT_FREED ? object_text(comm, text) : NULL;
	case STYLE_TYPE:
		return type_name(handle);
	case STYLE_OP:
		return operation_name(handle);
	default:
		return NULL;
	}
}

/* False: it is left out. */
static bool write_value(char *text, enum value_style style, int64_t value)
{
	char room[VALUE_TEXT];
	const char *name;

	switch (style) {
	case STYLE_NONE:
	case STYLE_PATH: /* of Fortran, nobody knows its end */
		return false;
	case STYLE_COMM:
	case STYLE_TYPE:
	case STYLE_OP:
		name = name_of_handle(style, (uint64_t)value, room);
		if (name)
			snprintf(text, VALUE_MAX, "%s", name);
		return name;
	default:
		name = name_of_number(style, value);
		if (name)
			snprintf(text, VALUE_MAX, "%s", name);
		else
			snprintf(text, VALUE_MAX, "%" PRId64, value);
		return true;
	}
}

char *argument_text(const struct agent_call *call)
{
	const uint8_t *kinds = call_parameter_kinds(call->id);
	char text[TEXT_MAX] = "", value[VALUE_MAX];
	size_t size = 0;

	for (uint32_t i = 0; call->arguments && kinds[i] != KIND_END; i++) {
		if (!write_value(value, styles[kinds[i]], call->arguments[i]))
			continue;
		if (size + strlen(value) + strlen(call_parameter_name(call->id, i)) + 8 > sizeof text)
			break;
		size += (size_t)snprintf(text + size, sizeof text - size, "%s%s = %s", size ? ", " : "",
		                         call_parameter_name(call->id, i), value);
	}
	return strdup(text);
}
