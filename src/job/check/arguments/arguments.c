#include "job/check/arguments/arguments.h"

#include "calls/calls.h"
#include "job/check/arguments/argument_check.h"
#include "job/check/objects/argument_text.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/mapped_memory.h"
#include "job/check/objects/operand_classes.h"
#include "job/check/objects/repeated_calls.h"
#include "job/check/wire/process_state.h"

#include <stdio.h>
#include <string.h>

typedef void kind_check(struct argument_check *check, int parameter, int64_t value);

/* The side of a call to which a parameter belongs. A side may be insignificant on some ranks. */
enum argument_side { SIDE_NONE, SIDE_SEND, SIDE_RECEIVE };

static void check_count(struct argument_check *check, int parameter, int64_t value)
{
	if (UNLIKELY(value < 0))
		report_negative(check, parameter, value);
}

static void check_counts(struct argument_check *check, int parameter, int64_t value)
{
	const struct shaped_buffer *owner = value ? array_owner(check, parameter) : NULL;
	const int64_t elements = owner ? data_elements(check, owner) : 0;

	for (int64_t i = 0; i < elements; i++) {
		const int64_t count = element_of(check, parameter, i);

		if (UNLIKELY(count < 0)) {
			report_negative_element(check, parameter, i, count);
			return;
		}
	}
}

static void check_dest(struct argument_check *check, int parameter, int64_t value)
{
	if (LIKELY(check->comm && value >= 0 && value < check->comm->peers) || value == MPI_PROC_NULL)
		return;
	if (value == MPI_ANY_SOURCE) {
		struct finding_draft draft = argument_draft(check, CHECK_ARGUMENT_WILDCARD_IN_SEND,
		                                            parameter);
		finding_draft_value(&draft, "value", "MPI_ANY_SOURCE");
		finding_report(&draft);
	} else if (check->comm) {
		report_rank(check, parameter, value, check->comm->peers, check->comm_object);
	}
}

static bool is_partitioned(const struct argument_check *check)
{
	return call_parameter(check->call->id, KIND_partitions) >= 0;
}

static void check_source(struct argument_check *check, int parameter, int64_t value)
{
	if (LIKELY(check->comm && value >= 0 && value < check->comm->peers) || value == MPI_PROC_NULL)
		return;
	if (value == MPI_ANY_SOURCE) {
		if (is_partitioned(check))
			report_bad_word(check, parameter, "MPI_ANY_SOURCE");
	} else if (check->comm) {
		report_rank(check, parameter, value, check->comm->peers, check->comm_object);
	}
}

static void check_root(struct argument_check *check, int parameter, int64_t value)
{
	if (!check->comm || LIKELY(value >= 0 && value < check->comm->peers))
		return;
	if (!check->comm->inter || (value != MPI_ROOT && value != MPI_PROC_NULL))
		report_root(check, parameter, value);
}

static void check_target(struct argument_check *check, int parameter, int64_t value)
{
	struct checked_object *win = object_find(OBJECT_WIN, (uint64_t)check->values[check->shape->win]);
	const int32_t members = win ? members_get(win) : -1;

	if (members >= 0 && UNLIKELY(value < 0 || value >= members) && value != MPI_PROC_NULL)
		report_rank(check, parameter, value, members, win);
}

/* The largest tag. It is queried once, because predefined attributes of MPI_COMM_WORLD never change. */
static int64_t tag_limit(void)
{
	static int64_t limit;
	int64_t known = __atomic_load_n(&limit, __ATOMIC_RELAXED);
	void *attribute = NULL;
	int found = 0;

	if (LIKELY(known))
		return known;
	known = INT32_MAX;
	if (object_find(OBJECT_COMM, HANDLE(MPI_COMM_WORLD)) &&
	    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &attribute, &found) == MPI_SUCCESS && found &&
	    attribute)
		known = *(int *)attribute;
	__atomic_store_n(&limit, known, __ATOMIC_RELAXED);
	return known;
}

static void report_tag(struct argument_check *check, int parameter, int64_t tag)
{
	const bool wildcard = tag == MPI_ANY_TAG;
	char text[VALUE_TEXT];
	struct finding_draft draft = argument_draft(
		check, wildcard ? CHECK_ARGUMENT_WILDCARD_IN_SEND : CHECK_ARGUMENT_TAG_OUTSIDE, parameter);

	finding_draft_value(&draft, "value", "%s", tag_text(tag, text));
	if (!wildcard)
		finding_draft_value(&draft, "limit", "%lld", (long long)tag_limit());
	finding_report(&draft);
}

static void check_sent_tag(struct argument_check *check, int parameter, int64_t value)
{
	if (UNLIKELY(value < 0 || value > tag_limit()))
		report_tag(check, parameter, value);
}

static void check_received_tag(struct argument_check *check, int parameter, int64_t value)
{
	if (UNLIKELY(value < 0 || value > tag_limit()) && value != MPI_ANY_TAG)
		report_tag(check, parameter, value);
	else if (value == MPI_ANY_TAG && is_partitioned(check))
		report_bad_word(check, parameter, "MPI_ANY_TAG");
}

static void check_tag(struct argument_check *check, int parameter, int64_t value)
{
	if (check->shape->receives)
		check_received_tag(check, parameter, value);
	else
		check_sent_tag(check, parameter, value);
}

static void report_handle(struct argument_check *check, enum check which, int parameter,
                          enum object_kind kind, uint64_t handle)
{
	char value[HANDLE_TEXT];
	struct finding_draft draft = argument_draft(check, which, parameter);

	handle_print(handle, check->call->fortran, value);
	finding_draft_value(&draft, "value", "%s",
	                    which == CHECK_ARGUMENT_NULL_HANDLE ? null_handle_name(kind) : value);
	finding_report(&draft);
}

static bool may_be_null(enum call_id id, int parameter, enum object_kind kind)
{
	const struct call_info *info = &all_calls[id];

	return info->nullable >> parameter & 1 || (kind == OBJECT_INFO && info->class != CLASS_INFO) ||
	       (kind == OBJECT_FILE && info->class == CLASS_ERRHANDLER);
}

/* NULL: unknown or invalid. */
static struct checked_object *check_object(struct argument_check *check, int parameter, enum object_kind kind,
                                           uint64_t handle)
{
	struct checked_object *object = object_find(kind, handle);

	if (LIKELY(object && object->state != OBJECT_FREED))
		return object;
	if (!object && check->call->fortran && handle_is_missing(handle))
		object = object_find_freed(kind, (int32_t)~handle);
	if (object) {
		object_report_freed(check->call, (uint32_t)parameter, object);
	} else if (handle_is_null(kind, handle)) {
		if (!may_be_null(check->call->id, parameter, kind))
			report_handle(check, CHECK_ARGUMENT_NULL_HANDLE, parameter, kind, handle);
	} else if (handle_is_invalid(kind, handle)) {
		report_handle(check, CHECK_ARGUMENT_INVALID_HANDLE, parameter, kind, handle);
	}
	return NULL;
}

static void check_handle(struct argument_check *check, int parameter, int64_t value)
{
	const uint8_t kind = call_parameter_kinds(check->call->id)[parameter];

	check_object(check, parameter, kind_objects[kind], (uint64_t)value);
}

static void check_errhandler(struct argument_check *check, int parameter, int64_t value)
{
	RELAXED_STORE(checked.chooses_handlers, true);
	check_handle(check, parameter, value);
}

/* find_comm() has looked it up already. */
static void check_comm(struct argument_check *check, int parameter, int64_t value)
{
	if (parameter != check->shape->comm ||
	    UNLIKELY(!check->comm_object || check->comm_object->state == OBJECT_FREED))
		check_object(check, parameter, OBJECT_COMM, (uint64_t)value);
	else if (UNLIKELY(all_calls[check->call->id].needs != NEEDS_NONE))
		comm_kind_check(check);
}

/* In MPI_Intercomm_create, it is significant only at the leader. */
static void check_peercomm(struct argument_check *check, int parameter, int64_t value)
{
	const bool by_leader = check->call->id == CALL_Intercomm_create;

	if (by_leader && (!check->comm || check->values[1] != check->comm->rank))
		return;
	struct checked_object *peer = check_object(check, parameter, OBJECT_COMM, (uint64_t)value);
	const struct comm_shape *shape = peer ? comm_shape_get(peer) : NULL;
	const int leader = call_parameter(check->call->id, KIND_leader);
	if (by_leader && shape && (check->values[leader] < 0 || check->values[leader] >= shape->peers))
		report_rank(check, leader, check->values[leader], shape->peers, peer);
}

void type_check(struct argument_check *check, int parameter, uint64_t handle)
{
	const struct checked_object *type = check_object(check, parameter, OBJECT_TYPE, handle);

	if (LIKELY(!type || type->committed) || !all_calls[check->call->id].committed)
		return;
	struct finding_draft draft = argument_draft(check, CHECK_ARGUMENT_UNCOMMITTED_TYPE, parameter);
	object_draft_created(&draft, type);
	finding_report(&draft);
}

static void check_type(struct argument_check *check, int parameter, int64_t value)
{
	type_check(check, parameter, (uint64_t)value);
}

/* Types of MPI_Alltoallw. Those with a count of 0 are insignificant. */
static void check_side_types(struct argument_check *check, int parameter, int64_t value)
{
	const struct shaped_buffer *owner = value ? array_owner(check, parameter) : NULL;
	const int64_t elements = owner ? data_elements(check, owner) : 0;
	const int8_t counts = owner ? owner->counts : -1;

	if (counts < 0 || !check->values[counts])
		return;
	for (int64_t i = 0; i < elements; i++)
		if (element_of(check, counts, i) > 0)
			type_check(check, parameter,
			           handle_at(OBJECT_TYPE, (void *)(uintptr_t)value, (size_t)i,
			                     check->call->fortran));
}

/* Objects that the call frees; objects.c reports objects that were already freed. */
static void check_ended(struct argument_check *check, int parameter, int64_t value)
{
	const enum object_kind kind = kind_objects[call_parameter_kinds(check->call->id)[parameter]];
	uint64_t handle;

	if (UNLIKELY(!value)) {
		report_null(check, parameter, sizeof(void *));
		return;
	}
	handle = handle_at(kind, (const void *)(uintptr_t)value, 0, check->call->fortran);
	if (UNLIKELY(!object_find(kind, handle)))
		check_object(check, parameter, kind, handle);
}

/* The variable for a number or a handle. */
static void check_result(struct argument_check *check, int parameter, int64_t value)
{
	if (UNLIKELY(!value))
		report_null(check, parameter, sizeof(int));
}

static void check_one_request(struct argument_check *check, int parameter, uint64_t handle)
{
	if (UNLIKELY(handle_is_null(OBJECT_REQUEST, handle)) && !all_calls[check->call->id].completes)
		report_handle(check, CHECK_ARGUMENT_NULL_HANDLE, parameter, OBJECT_REQUEST, handle);
}

static void check_request_place(struct argument_check *check, int parameter, int64_t value)
{
	if (UNLIKELY(!value))
		report_null(check, parameter, sizeof(MPI_Request));
	else if (!all_calls[check->call->id].completes)
		check_one_request(
			check, parameter,
			handle_at(OBJECT_REQUEST, (void *)(uintptr_t)value, 0, check->call->fortran));
}

static void check_request(struct argument_check *check, int parameter, int64_t value)
{
	if (UNLIKELY(handle_is_null(OBJECT_REQUEST, (uint64_t)value)) && !all_calls[check->call->id].tests)
		report_handle(check, CHECK_ARGUMENT_NULL_HANDLE, parameter, OBJECT_REQUEST, (uint64_t)value);
}

static void report_unmapped(struct argument_check *check, int parameter, int64_t value, size_t bytes)
{
	struct finding_draft draft = argument_draft(check, CHECK_ARGUMENT_UNMAPPED_BUFFER, parameter);

	finding_draft_value(&draft, "value", "%#llx", (unsigned long long)value);
	finding_draft_value(&draft, "bytes", "%zu", bytes);
	finding_report(&draft);
}

static void check_requests(struct argument_check *check, int parameter, int64_t value)
{
	const int many = call_parameter(check->call->id, KIND_many);
	const int64_t count = many < 0 ? 0 : check->values[many];
	const size_t bytes = (size_t)count * (check->call->fortran ? sizeof(MPI_Fint) : sizeof(MPI_Request));

	if (UNLIKELY(count > 0 && !is_mapped((uint64_t)value + bytes - 1)))
		report_unmapped(check, parameter, value, bytes);
	else if (!all_calls[check->call->id].completes)
		for (int64_t i = 0; i < count; i++)
			check_one_request(check, parameter,
			                  handle_at(OBJECT_REQUEST, (void *)(uintptr_t)value, (size_t)i,
			                            check->call->fortran));
}

/* A status that the call reads or sets for the program. */
static void check_used_status(struct argument_check *check, int parameter, int64_t value)
{
	const bool ignored = value == (int64_t)(uintptr_t)MPI_STATUS_IGNORE;

	if (LIKELY(!ignored && value))
		return;
	struct finding_draft draft = argument_draft(check, CHECK_ARGUMENT_STATUS_IGNORE, parameter);
	finding_draft_value(&draft, "value", "%s", ignored ? "MPI_STATUS_IGNORE" : "NULL");
	finding_report(&draft);
}

/* Only in some libraries, a null pointer is MPI_STATUS_IGNORE. */
static void check_status(struct argument_check *check, int parameter, int64_t value)
{
	if (UNLIKELY(!value) && MPI_STATUS_IGNORE)
		report_null(check, parameter, sizeof(MPI_Status));
}

static void check_statuses(struct argument_check *check, int parameter, int64_t value)
{
	int many;

	if (LIKELY(value) || !MPI_STATUSES_IGNORE)
		return;
	many = call_parameter(check->call->id, KIND_many);
	if (many >= 0 && check->values[many] > 0)
		report_null(check, parameter, (size_t)check->values[many] * sizeof(MPI_Status));
}

static void report_operand(struct argument_check *check, const char *operation, struct checked_object *type)
{
	char text[VALUE_TEXT];
	struct finding_draft draft = problem_draft(CHECK_ARGUMENT_OPERATION_TYPE, check->call);

	finding_draft_value(&draft, "operation", "%s", operation);
	finding_draft_value(&draft, "datatype", "%s", object_text(type, text));
	finding_report(&draft);
}

static void check_element_type(struct argument_check *check, int parameter, int64_t value)
{
	struct checked_object *type = object_find(OBJECT_TYPE, (uint64_t)value);
	const struct type_limits *limits;

	check_type(check, parameter, value);
	if (LIKELY(check->call->id != CALL_Compare_and_swap))
		return;
	limits = type ? type_limits_get(type) : NULL;
	if (limits && !swap_takes(limits->operand))
		report_operand(check, "MPI_Compare_and_swap", type);
}

static void check_op(struct argument_check *check, int parameter, int64_t value)
{
	const struct checked_object *op = check_object(check, parameter, OBJECT_OP, (uint64_t)value);
	const int position = call_parameter(check->call->id, KIND_type);
	const int count = call_parameter(check->call->id, KIND_count);
	const bool one_sided = all_calls[check->call->id].class == CLASS_ONE_SIDED;
	struct checked_object *type;
	const struct type_limits *limits;

	if (!op || op->state != OBJECT_PREDEFINED || (count >= 0 && check->values[count] == 0))
		return;
	/* A function without data only inquires about the operation. */
	if (position < 0)
		return;
	if (!one_sided && operation_is_one_sided((uint64_t)value)) {
		report_bad_word(check, parameter, operation_name((uint64_t)value));
		return;
	}
	type = object_find(OBJECT_TYPE, (uint64_t)check->values[position]);
	limits = type ? type_limits_get(type) : NULL;
	if (!limits || LIKELY(operation_takes((uint64_t)value, limits->operand)))
		return;
	report_operand(check, operation_name((uint64_t)value), type);
}

static void check_offset(struct argument_check *check, int parameter, int64_t value)
{
	if (UNLIKELY(value < 0) && all_calls[check->call->id].class == CLASS_FILE_DATA)
		report_bad_value(check, parameter, value);
}

/* Sizes of files and positions of views. */
static void check_position(struct argument_check *check, int parameter, int64_t value)
{
#ifdef MPI_DISPLACEMENT_CURRENT
	if (check->call->id == CALL_File_set_view && value == MPI_DISPLACEMENT_CURRENT)
		return;
#endif
	if (UNLIKELY(value < 0))
		report_bad_value(check, parameter, value);
}

static void check_lock(struct argument_check *check, int parameter, int64_t value)
{
	if (UNLIKELY(value != MPI_LOCK_SHARED && value != MPI_LOCK_EXCLUSIVE))
		report_bad_value(check, parameter, value);
}

static void check_unit(struct argument_check *check, int parameter, int64_t value)
{
	if (UNLIKELY(value <= 0))
		report_bad_value(check, parameter, value);
}

/* Memory that the program gives for a window. */
static void check_window_size(struct argument_check *check, int parameter, int64_t value)
{
	const enum call_id id = check->call->id;
	const int base = call_parameter(id, KIND_pointer);

	check_count(check, parameter, value);
	if (LIKELY(value <= 0 || base < 0 || check->values[base]) ||
	    (all_calls[id].window_memory && all_calls[id].window_memory != WINDOW_MEMORY_PROGRAM))
		return;
	struct finding_draft draft = argument_draft(check, CHECK_ARGUMENT_NULL_BUFFER, base);
	finding_draft_value(&draft, "bytes", "%lld", (long long)value);
	finding_report(&draft);
}

/* The values of MPI_Comm_split_type differ between libraries. */
static void check_color(struct argument_check *check, int parameter, int64_t value)
{
	if (UNLIKELY(value < 0 && value != MPI_UNDEFINED) && check->call->id == CALL_Comm_split)
		report_bad_value(check, parameter, value);
}

/* The checks of a used object, of the variable for the handle of a new object, and that an
 * old object exists. */
#define OBJECT_CHECKS(word, check) \
	[KIND_##word] = (check), [KIND_new##word] = check_result, [KIND_old##word] = check_ended

static kind_check *const kind_checks[PARAMETER_KINDS] = {
	OBJECT_CHECKS(comm, check_comm),
	OBJECT_CHECKS(type, check_element_type),
	OBJECT_CHECKS(group, check_handle),
	OBJECT_CHECKS(win, check_handle),
	OBJECT_CHECKS(op, check_op),
	OBJECT_CHECKS(info, check_handle),
	OBJECT_CHECKS(file, check_handle),
	OBJECT_CHECKS(errhandler, check_errhandler),
	OBJECT_CHECKS(keyval, check_handle),
	OBJECT_CHECKS(session, check_handle),
	[KIND_count] = check_count,
	[KIND_scount] = check_count,
	[KIND_rcount] = check_count,
	[KIND_ocount] = check_count,
	[KIND_tcount] = check_count,
	[KIND_xcount] = check_count,
	[KIND_partcount] = check_count,
	[KIND_many] = check_count,
	[KIND_partitions] = check_count,
	[KIND_winsize] = check_window_size,
	[KIND_wide] = check_count,
	[KIND_scounts] = check_counts,
	[KIND_rcounts] = check_counts,
	[KIND_stype] = check_type,
	[KIND_rtype] = check_type,
	[KIND_otype] = check_type,
	[KIND_ttype] = check_type,
	[KIND_xtype] = check_type,
	[KIND_stypes] = check_side_types,
	[KIND_rtypes] = check_side_types,
	[KIND_usetype] = check_ended,
	[KIND_dest] = check_dest,
	[KIND_source] = check_source,
	[KIND_root] = check_root,
	[KIND_target] = check_target,
	[KIND_tag] = check_tag,
	[KIND_stag] = check_sent_tag,
	[KIND_rtag] = check_received_tag,
	[KIND_color] = check_color,
	[KIND_lock] = check_lock,
	[KIND_winunit] = check_unit,
	[KIND_offset] = check_offset,
	[KIND_position] = check_position,
	[KIND_peercomm] = check_peercomm,
	[KIND_inrequest] = check_request_place,
	[KIND_request] = check_request,
	[KIND_requests] = check_requests,
	[KIND_conrequests] = check_requests,
	[KIND_message] = check_ended,
	[KIND_status] = check_status,
	[KIND_statuses] = check_statuses,
	[KIND_constatus] = check_used_status,
	[KIND_setstatus] = check_used_status,
	[KIND_newrequest] = check_result,
	[KIND_newmessage] = check_result,
	[KIND_flag] = check_result,
	[KIND_index] = check_result,
	[KIND_outcount] = check_result,
	[KIND_outtruth] = check_result,
	[KIND_outnumber] = check_result,
	[KIND_outwide] = check_result,
	[KIND_packsize] = check_count,
};

/* The sides of counts and types. */
static const uint8_t kind_sides[PARAMETER_KINDS] = {
	[KIND_scount] = SIDE_SEND,    [KIND_rcount] = SIDE_RECEIVE,  [KIND_ocount] = SIDE_SEND,
	[KIND_scounts] = SIDE_SEND,   [KIND_rcounts] = SIDE_RECEIVE, [KIND_stype] = SIDE_SEND,
	[KIND_rtype] = SIDE_RECEIVE,  [KIND_otype] = SIDE_SEND,      [KIND_stypes] = SIDE_SEND,
	[KIND_rtypes] = SIDE_RECEIVE,
};

static void find_comm(struct argument_check *check)
{
	const struct call_shape *shape = check->shape;

	if (shape->comm < 0)
		return;
	check->comm_object = object_find(OBJECT_COMM, (uint64_t)check->values[shape->comm]);
	check->comm = check->comm_object ? comm_shape_get(check->comm_object) : NULL;
	if (shape->root < 0 || !check->comm)
		return;
	const int64_t root = check->values[shape->root];
	check->at_root = check->comm->inter ? root == MPI_ROOT : root == check->comm->rank;
}

/* On an intercommunicator, each group either sends or receives; processes with root MPI_PROC_NULL do neither. */
static void find_sides(struct argument_check *check)
{
	const struct call_shape *shape = check->shape;

	/* With MPI_NO_OP, nothing is read at the origin. */
	check->send_matters = shape->win < 0 || shape->op < 0 ||
	                      (uint64_t)check->values[shape->op] != HANDLE(MPI_NO_OP);
	check->receive_matters = true;
	if (shape->root < 0)
		return;
	if (!check->comm || (check->comm->inter && check->values[shape->root] == MPI_PROC_NULL)) {
		check->send_matters = check->receive_matters = false;
		check->idle = check->comm != NULL;
		return;
	}
	for (int i = 0; i < shape->buffer_count; i++) {
		const struct shaped_buffer *buffer = &shape->buffers[i];
		bool *matters = buffer->sends ? &check->send_matters : &check->receive_matters;

		if (buffer->only_root)
			*matters = check->at_root;
		else if (check->comm->inter && shape->buffer_count > 1)
			*matters = !check->at_root;
	}
}

static void check_all(struct argument_check *check)
{
	const uint8_t *kinds = call_parameter_kinds(check->call->id);

	for (int i = 0; kinds[i] != KIND_END; i++) {
		kind_check *function = kind_checks[kinds[i]];
		const uint8_t side = kind_sides[kinds[i]];

		if (!check->values[i] && null_array_check(check, i))
			continue;
		if (!function || (check->idle && kinds[i] != KIND_comm && kinds[i] != KIND_root) ||
		    (side == SIDE_SEND && !check->send_matters) ||
		    (side == SIDE_RECEIVE && !check->receive_matters))
			continue;
		function(check, i, check->values[i]);
	}
	if (UNLIKELY(all_calls[check->call->id].arguments))
		values_check(check);
	if (!check->call->problems)
		repeated_call_keep(check->call);
}

void arguments_check(struct agent_call *call)
{
	struct argument_check check = {
		.call = call, .shape = &call_shapes[call->id], .values = call->arguments};

	find_comm(&check);
	find_sides(&check);
	if (check.shape->buffer_count)
		in_place_check(&check);
	if (call->problems || !repeated_call_find(call))
		check_all(&check);
	/* If counts, types or communicators are wrong, the memory is unknown. */
	if (check.shape->buffer_count && !call->problems)
		buffers_check(&check);
	if (UNLIKELY(all_calls[call->id].window_memory == WINDOW_MEMORY_PROGRAM) && !call->problems)
		window_buffer_check(&check);
}
