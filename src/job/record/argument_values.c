#include "job/record/argument_values.h"

#include "calls/calls.h"
#include "job/record/probes.h"
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

/* The number of an object's name. `handle` is a C handle. */
static int64_t object_name(enum argument_base base, uint64_t handle)
{
	char text[NAMES_TEXT] = "";
	const char *name = name_of(base, handle, text);

	return text_number(*name || base == ARGUMENT_INFO ? name : UNNAMED);
}

static uint8_t kind_of(const struct noted_call *noted, int parameter)
{
	return call_parameter_kinds((enum call_id)noted->call)[parameter];
}

static const struct argument_form *form_of(const struct noted_call *noted, int parameter)
{
	return &call_argument_forms[noted->call][parameter];
}

static const void *address_of(const struct noted_call *noted, int parameter)
{
	return (const void *)(uintptr_t)noted->values[parameter];
}

static int64_t number_at(const void *numbers, size_t i, bool is_wide)
{
	return is_wide ? ((const int64_t *)numbers)[i] : ((const int32_t *)numbers)[i];
}

/* Converts constants that differ between MPI libraries to the trace's numbers. */
static int64_t portable(uint8_t kind, int64_t number)
{
	switch (kind) {
	case KIND_color:
	case KIND_index:
	case KIND_outcount:
		return color_value(number);
	case KIND_lock:
		return lock_value(number);
	case KIND_assert:
		return assert_value(number);
	case KIND_rtag:
		return tag_value(number);
	default:
		return number;
	}
}

static int64_t scalar(const struct noted_call *noted, int parameter)
{
	const struct argument_form *form = form_of(noted, parameter);
	const void *place = address_of(noted, parameter);

	if (form->shape == ARGUMENT_VALUE)
		return noted->values[parameter];
	return place ? number_at(place, 0, form->is_wide) : ABSENT;
}

static uint64_t handle_at(enum argument_base base, const void *place, size_t i, bool is_fortran)
{
#define HANDLE_CASE(NAME, Type, word) \
	case ARGUMENT_##NAME: \
		return is_fortran ? HANDLE(f_##word((const MPI_Fint *)place + i)) \
		                  : HANDLE(((const Type *)place)[i]);
	switch (base) {
		HANDLE_CASE(COMM, MPI_Comm, comm)
		HANDLE_CASE(TYPE, MPI_Datatype, type)
		HANDLE_CASE(GROUP, MPI_Group, group)
		HANDLE_CASE(WIN, MPI_Win, win)
		HANDLE_CASE(FILE, MPI_File, file)
		HANDLE_CASE(OP, MPI_Op, op)
		HANDLE_CASE(MESSAGE, MPI_Message, message)
		HANDLE_CASE(INFO, MPI_Info, info)
		HANDLE_CASE(ERRHANDLER, MPI_Errhandler, errhandler)
		HANDLE_CASE(REQUEST, MPI_Request, request)
#if HAS_SESSIONS
		HANDLE_CASE(SESSION, MPI_Session, session)
#endif
	default:
		return 0;
	}
#undef HANDLE_CASE
}

static uint64_t handle_of(const struct noted_call *noted, int parameter)
{
	const struct argument_form *form = form_of(noted, parameter);

	if (form->shape == ARGUMENT_VALUE && !noted->is_fortran)
		return (uint64_t)noted->values[parameter];
	return handle_at((enum argument_base)form->base, address_of(noted, parameter), 0, noted->is_fortran);
}

static const struct recorded_comm *comm_of(const struct noted_call *noted)
{
	const int parameter = call_parameter((enum call_id)noted->call, KIND_comm);

	return parameter < 0 ? NULL : comm_get(noted->s, (MPI_Comm)(uintptr_t)handle_of(noted, parameter));
}

/* Significance of arguments on this process */

static bool is_of_send_side(uint8_t kind, const char *name)
{
	return kind == KIND_scount || kind == KIND_scounts || kind == KIND_stype || kind == KIND_stypes ||
	       strcmp(name, "sdispls") == 0;
}

static bool is_of_receive_side(uint8_t kind, const char *name)
{
	return kind == KIND_rcount || kind == KIND_rcounts || kind == KIND_rtype || kind == KIND_rtypes ||
	       strcmp(name, "rdispls") == 0;
}

static bool is_in_place(const struct noted_call *noted, enum parameter_kind buffer)
{
	const int parameter = call_parameter((enum call_id)noted->call, buffer);

	return parameter >= 0 && address_of(noted, parameter) == MPI_IN_PLACE;
}

/* Whether this process acts as the root, and whether it acts as a member other than the root. */
static void find_sides(const struct noted_call *noted, bool *is_root, bool *is_other)
{
	const int parameter = call_parameter((enum call_id)noted->call, KIND_root);
	const struct recorded_comm *comm = comm_of(noted);
	const int64_t root = scalar(noted, parameter);

	*is_root = comm->shape.inter ? root == MPI_ROOT : root == comm->shape.rank;
	*is_other = comm->shape.inter ? root >= 0 : true;
}

/* `name` distinguishes the displacements of both sides, which have the same kind. */
static bool is_significant_data(const struct noted_call *noted, uint8_t kind, const char *name)
{
	const enum movement moves = all_calls[noted->call].moves;
	const bool gathers = moves == MOVES_GATHER || moves == MOVES_GATHERV;
	const bool scatters = moves == MOVES_SCATTER || moves == MOVES_SCATTERV;
	const bool sends = is_of_send_side(kind, name) || (scatters && kind == KIND_displs);
	const bool receives = is_of_receive_side(kind, name) || (gathers && kind == KIND_displs);
	bool is_root = true, is_other = true;

	if (!sends && !receives)
		return true;
	if (gathers || scatters)
		find_sides(noted, &is_root, &is_other);
	if (gathers)
		return sends ? is_other && !is_in_place(noted, KIND_sbuf) : is_root;
	if (scatters)
		return sends ? is_root : is_other && !is_in_place(noted, KIND_rbuf);
	return !sends || !is_in_place(noted, KIND_sbuf);
}

/* Only the arguments of the root are significant in MPI_Comm_spawn, MPI_Comm_accept and similar functions. */
static bool is_root_argument(const struct noted_call *noted, uint8_t kind)
{
	bool is_root, is_other;

	if (all_calls[noted->call].class != CLASS_DYNAMIC || kind == KIND_comm || kind == KIND_root ||
	    kind == KIND_newcomm || call_parameter((enum call_id)noted->call, KIND_root) < 0)
		return true;
	find_sides(noted, &is_root, &is_other);
	return is_root;
}

static bool is_leader_argument(const struct noted_call *noted, uint8_t kind)
{
	enum { LOCAL_LEADER = 1 };

	if (noted->call != CALL_Intercomm_create || (kind != KIND_peercomm && kind != KIND_leader))
		return true;
	return comm_of(noted)->shape.rank == scalar(noted, LOCAL_LEADER);
}

/* With MPI_NO_OP, an operation only reads the target; its origin is not significant. */
static bool has_origin(const struct noted_call *noted, uint8_t kind)
{
	const int op = call_parameter((enum call_id)noted->call, KIND_op);

	return kind != KIND_otype || op < 0 || handle_of(noted, op) != HANDLE(MPI_NO_OP);
}

bool argument_is_significant(const struct noted_call *noted, const struct call_argument *argument)
{
	const uint8_t kind = kind_of(noted, argument->parameter);
	const char *name = call_parameter_name((enum call_id)noted->call, argument->parameter);

	/* Handle conversions accept invalid handles. */
	if (all_calls[noted->call].class == CLASS_CONVERSION)
		return argument_form(argument)->base <= ARGUMENT_ADDRESS;
	return is_significant_data(noted, kind, name) && is_root_argument(noted, kind) &&
	       is_leader_argument(noted, kind) && has_origin(noted, kind);
}

static int64_t text_number_in(const struct noted_call *noted, int parameter, const char *text)
{
	size_t length = noted->lengths ? fortran_length(text, noted->lengths[parameter])
	                               : strnlen(text, RECORDED_TEXT_MAX);

	return text_number_of(text, length < RECORDED_TEXT_MAX ? length : RECORDED_TEXT_MAX);
}

/* C has arrays of pointers, Fortran has arrays of texts of equal length. MPI_Init gets the address of an array. */
static const char *text_at(const struct noted_call *noted, int parameter, size_t i)
{
	const void *array = address_of(noted, parameter);

	if (noted->lengths)
		return (const char *)array + i * noted->lengths[parameter];
	if (kind_of(noted, parameter) == KIND_argv)
		array = *(char *const *const *)array;
	return array ? ((const char *const *)array)[i] : NULL;
}

static int64_t texts_before_end(const struct noted_call *noted, int parameter)
{
	for (int64_t i = 0; i < ARGUMENT_ELEMENTS_MAX; i++) {
		const char *text = text_at(noted, parameter, (size_t)i);
		if (!text || (noted->lengths && !fortran_length(text, noted->lengths[parameter])))
			return i;
	}
	return ARGUMENT_ELEMENTS_MAX;
}

/* The program passed a special constant instead of an array. */
static bool is_absent_array(const void *address)
{
	return !address || address == MPI_STATUSES_IGNORE || address == MPI_UNWEIGHTED ||
	       address == MPI_WEIGHTS_EMPTY || address == MPI_ERRCODES_IGNORE || address == MPI_ARGV_NULL;
}

static int64_t sum_of(const struct noted_call *noted, int parameter, int64_t length)
{
	int64_t sum = 0;

	for (int64_t i = 0; i < length; i++)
		sum += number_at(address_of(noted, parameter), (size_t)i, form_of(noted, parameter)->is_wide);
	return sum;
}

static int64_t peers_of(const struct noted_call *noted, enum argument_length length)
{
	const struct recorded_comm *comm = comm_of(noted);
	const bool is_local = all_calls[noted->call].class == CLASS_NEIGHBOURHOOD;

	if (length == LENGTH_MEMBERS)
		return comm->shape.size;
	return !is_local                  ? comm->shape.peers
	       : length == LENGTH_SOURCES ? comm->shape.sources
	                                  : comm->shape.destinations;
}

static int64_t dimensions_of(const struct noted_call *noted)
{
	const int parameter = call_parameter((enum call_id)noted->call, KIND_comm);
	int dimensions = 0;

	PMPI_Cartdim_get((MPI_Comm)(uintptr_t)handle_of(noted, parameter), &dimensions);
	return dimensions;
}

static int64_t length_of(const struct noted_call *noted, int parameter)
{
	const struct argument_form *form = form_of(noted, parameter);
	int64_t length = 0;

	if (is_absent_array(address_of(noted, parameter)))
		return 0;
	switch ((enum argument_length)form->length) {
	case LENGTH_NONE:
		return 0;
	case LENGTH_PARAMETER:
		length = scalar(noted, form->other);
		break;
	case LENGTH_TRIPLE:
		length = 3 * scalar(noted, form->other);
		break;
	case LENGTH_SUM:
		length = sum_of(noted, form->other, length_of(noted, form->other));
		break;
	case LENGTH_LAST:
		length = length_of(noted, form->other);
		length = length ? number_at(address_of(noted, form->other), (size_t)length - 1, false) : 0;
		break;
	case LENGTH_DIMENSIONS:
		length = dimensions_of(noted);
		break;
	case LENGTH_NULL:
		length = texts_before_end(noted, parameter);
		break;
	case LENGTH_DESTINATIONS:
	case LENGTH_SOURCES:
	case LENGTH_MEMBERS:
		length = peers_of(noted, (enum argument_length)form->length);
		break;
	}
	return length > 0 ? length : 0;
}

static int64_t of_all(const struct noted_call *noted, int parameter, enum argument_part part)
{
	const struct argument_form *form = form_of(noted, parameter);
	const int64_t length = length_of(noted, parameter);
	int64_t value = ABSENT;

	if (part == ARGUMENT_LENGTH)
		return length;
	if (part == ARGUMENT_SUM)
		return sum_of(noted, parameter, length);
	for (int64_t i = 0; i < length; i++) {
		int64_t number = number_at(address_of(noted, parameter), (size_t)i, form->is_wide);
		if (i == 0 || (part == ARGUMENT_MIN ? number < value : number > value))
			value = number;
	}
	return value;
}

/* Statuses in Fortran have the same layout. */
static int64_t of_status(const MPI_Status *status, enum argument_part part)
{
	if (!status || status == MPI_STATUS_IGNORE)
		return ABSENT;
	switch (part) {
	case ARGUMENT_SOURCE:
		return rank_value(status->MPI_SOURCE);
	case ARGUMENT_TAG:
		return tag_value(status->MPI_TAG);
	case ARGUMENT_ERROR:
		return error_value(status->MPI_ERROR);
	case ARGUMENT_BYTES:
		return status_bytes(status);
	default:
		return ABSENT;
	}
}

static int64_t request_at(const struct noted_call *noted, const void *place, size_t i)
{
	const void *own = noted->is_fortran ? (const void *)((const MPI_Fint *)place + i)
	                                    : (const void *)((const MPI_Request *)place + i);
	const uint64_t handle = handle_at(ARGUMENT_REQUEST, place, i, noted->is_fortran);
	const int64_t number = request_number((MPI_Request)(uintptr_t)handle, own);

	return number == ABSENT ? -1 : number;
}

/* The value itself, the value at an address, or an element of an array. */
static int64_t element(const struct noted_call *noted, const struct call_argument *argument, size_t i)
{
	const struct argument_form *form = argument_form(argument);
	const enum argument_base base = (enum argument_base)form->base;
	const void *place = address_of(noted, argument->parameter);
	const int64_t value = noted->values[argument->parameter];
	const bool is_value = form->shape == ARGUMENT_VALUE;
	const char *text;

	switch (base) {
	case ARGUMENT_NUMBER:
		return portable(kind_of(noted, argument->parameter),
		                is_value ? value : number_at(place, i, form->is_wide));
	case ARGUMENT_TRUTH:
		return (is_value ? value : number_at(place, i, form->is_wide)) != 0;
	case ARGUMENT_ADDRESS:
		return is_value ? value : ABSENT;
	case ARGUMENT_REQUEST:
		return is_value ? ABSENT : request_at(noted, place, i);
	case ARGUMENT_STATUS:
		return is_value
		               ? ABSENT
		               : of_status((const MPI_Status *)place + i, (enum argument_part)argument->part);
	case ARGUMENT_TEXT:
		text = is_value ? place : text_at(noted, argument->parameter, i);
		return text ? text_number_in(noted, argument->parameter, text) : ABSENT;
	default:
		return object_name(base, is_value ? handle_of(noted, argument->parameter)
		                                  : handle_at(base, place, i, noted->is_fortran));
	}
}

int64_t argument_value(const struct noted_call *noted, const struct call_argument *argument)
{
	const struct argument_form *form = argument_form(argument);

	if (form->shape == ARGUMENT_VALUE || form->shape == ARGUMENT_PLACE)
		return form->shape == ARGUMENT_VALUE || noted->values[argument->parameter]
		               ? element(noted, argument, 0)
		               : ABSENT;
	if (argument->element < 0)
		return of_all(noted, argument->parameter, (enum argument_part)argument->part);
	return argument->element < length_of(noted, argument->parameter)
	               ? element(noted, argument, (size_t)argument->element)
	               : ABSENT;
}
