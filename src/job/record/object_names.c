#include "job/record/argument_values.h"

#include "job/record/wrap.h"

#include <stdio.h>
#include <string.h>

#define UNNAMED "user-defined"

enum { NAMES_TEXT = 257 };

static const char *op_name(MPI_Op op)
{
	/* in the order of op_value() */
	static const char *const names[] = {
		UNNAMED,    "MPI_MAX",    "MPI_MIN",    "MPI_SUM",     "MPI_PROD",
		"MPI_LAND", "MPI_BAND",   "MPI_LOR",    "MPI_BOR",     "MPI_LXOR",
		"MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP",
	};

	return op == MPI_OP_NULL ? "MPI_OP_NULL" : names[op_value(op)];
}

static const char *group_name(MPI_Group group)
{
	return group == MPI_GROUP_NULL    ? "MPI_GROUP_NULL"
	       : group == MPI_GROUP_EMPTY ? "MPI_GROUP_EMPTY"
	                                  : UNNAMED;
}

static const char *errhandler_name(MPI_Errhandler handler)
{
	return handler == MPI_ERRHANDLER_NULL    ? "MPI_ERRHANDLER_NULL"
	       : handler == MPI_ERRORS_ARE_FATAL ? "MPI_ERRORS_ARE_FATAL"
	       : handler == MPI_ERRORS_RETURN    ? "MPI_ERRORS_RETURN"
	                                         : UNNAMED;
}

static const char *message_name(MPI_Message message)
{
	return message == MPI_MESSAGE_NULL      ? "MPI_MESSAGE_NULL"
	       : message == MPI_MESSAGE_NO_PROC ? "MPI_MESSAGE_NO_PROC"
	                                        : UNNAMED;
}

/* "cb_nodes 4 striping_unit 1048576": keys and their values. */
static const char *info_text(MPI_Info info, char *text)
{
	char key[MPI_MAX_INFO_KEY + 1], value[NAMES_TEXT];
	int keys = 0, flag;
	size_t used = 0;

	if (info == MPI_INFO_NULL)
		return "MPI_INFO_NULL";
	*text = 0;
	PMPI_Info_get_nkeys(info, &keys);
	for (int i = 0; i < keys && used < NAMES_TEXT; i++) {
		flag = 0;
		if (PMPI_Info_get_nthkey(info, i, key) == MPI_SUCCESS &&
		    PMPI_Info_get(info, key, NAMES_TEXT - 1, value, &flag) == MPI_SUCCESS && flag)
			used += (size_t)snprintf(text + used, NAMES_TEXT - used, "%s%s %s", used ? " " : "",
			                         key, value);
	}
	return text;
}

static const char *name_of(enum argument_base base, uint64_t handle, char *text)
{
	int length = 0;

#define AS(Type) ((Type)(uintptr_t)handle)
	switch (base) {
	case ARGUMENT_COMM:
		if (AS(MPI_Comm) == MPI_COMM_NULL)
			return "MPI_COMM_NULL";
		PMPI_Comm_get_name(AS(MPI_Comm), text, &length);
		return text;
	case ARGUMENT_TYPE:
		if (AS(MPI_Datatype) == MPI_DATATYPE_NULL)
			return "MPI_DATATYPE_NULL";
		PMPI_Type_get_name(AS(MPI_Datatype), text, &length);
		return text;
	case ARGUMENT_GROUP:
		return group_name(AS(MPI_Group));
	case ARGUMENT_WIN:
		if (AS(MPI_Win) == MPI_WIN_NULL)
			return "MPI_WIN_NULL";
		PMPI_Win_get_name(AS(MPI_Win), text, &length);
		return text;
	case ARGUMENT_FILE:
		return AS(MPI_File) == MPI_FILE_NULL ? "MPI_FILE_NULL" : UNNAMED;
	case ARGUMENT_OP:
		return op_name(AS(MPI_Op));
	case ARGUMENT_MESSAGE:
		return message_name(AS(MPI_Message));
	case ARGUMENT_INFO:
		return info_text(AS(MPI_Info), text);
	case ARGUMENT_ERRHANDLER:
		return errhandler_name(AS(MPI_Errhandler));
	default:
		return UNNAMED;
	}
#undef AS
}

_Static_assert((int)MPI_MAX_OBJECT_NAME < (int)NAMES_TEXT, "a name has room");

int64_t object_name(enum argument_base base, uint64_t handle)
{
	char text[NAMES_TEXT] = "";
	const char *name = name_of(base, handle, text);

	return text_number(*name || base == ARGUMENT_INFO ? name : UNNAMED);
}
