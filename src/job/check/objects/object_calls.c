/* Effects of calls on objects, from the kinds of their parameters and from `new_object` in the table of calls. */
#include "base/object_limits.h"
#include "base/settings.h"
#include "base/utf8.h"
#include "calls/calls.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/type_contents.h"
#include "job/mpi/flavour.h"
#include "job/mpi/host.h"

#include <stdio.h>
#include <string.h>

uint32_t object_effects(enum call_id id)
{
	const uint8_t *kinds = call_parameter_kinds(id);
	uint32_t effects = 0;

	for (int i = 0; kinds[i] != KIND_END; i++)
		effects |= kind_effects[kinds[i]];
	if (call_parameter(id, KIND_outtypes) >= 0 && all_calls[id].new_object)
		effects |= EFFECT_UNPACKS_TYPE;
	if (id == CALL_Comm_set_name || id == CALL_Type_set_name)
		effects |= EFFECT_NAMES;
	return effects;
}

/* The name given by the program. */
static bool get_name(const struct checked_object *object, char name[MPI_MAX_OBJECT_NAME])
{
	int length = 0;

	if (!object->is_named || object->state != OBJECT_LIVE)
		return false;
	/* NOLINTBEGIN(performance-no-int-to-ptr): handles */
	if (object->kind == OBJECT_COMM)
		PMPI_Comm_get_name((MPI_Comm)(uintptr_t)object->handle, name, &length);
	else if (object->kind == OBJECT_TYPE)
		PMPI_Type_get_name((MPI_Datatype)(uintptr_t)object->handle, name, &length);
	/* NOLINTEND(performance-no-int-to-ptr) */
	return length > 0;
}

const char *object_text(const struct checked_object *object, char text[VALUE_TEXT])
{
	char name[MPI_MAX_OBJECT_NAME] = "";
	size_t length;

	if (object->name)
		return object->name;
	if (get_name(object, name)) {
		for (length = strnlen(name, VALUE_TEXT - sizeof "''"); utf8_continues(name[length]);)
			length--;
		snprintf(text, VALUE_TEXT, "'%.*s'", (int)length, name);
	} else {
		snprintf(text, VALUE_TEXT, "made by %s", all_calls[object->reference.created_by].name);
	}
	return text;
}

void object_report_freed(struct agent_call *call, uint32_t parameter, const struct checked_object *object)
{
	/* A key may be freed while attributes use it; it stays valid for them until they are deleted. */
	if (call_parameter_kinds(call->id)[parameter] == KIND_keyval)
		return;
	struct finding_draft draft = problem_draft(CHECK_ARGUMENT_FREED_HANDLE, call);
	finding_draft_parameter(&draft, call, parameter);
	finding_draft_value(&draft, "type", "%s", object_type_name(object->kind));
	finding_draft_call(&draft, object->freed_by, object->freed_at, NOTE_FREED);
	object_draft_created(&draft, object);
	finding_report(&draft);
}

static void report_predefined(struct agent_call *call, uint32_t parameter,
                              const struct checked_object *object)
{
	struct finding_draft draft = problem_draft(CHECK_ARGUMENT_PREDEFINED_FREED, call);

	finding_draft_parameter(&draft, call, parameter);
	finding_draft_value(&draft, "value", "%s",
	                    object->name ? object->name : object_type_name(object->kind));
	finding_report(&draft);
}

/* Functions that create groups and error handlers may return predefined ones, which the program may free. */
static bool may_be_freed(const struct checked_object *object)
{
	switch (object->kind) {
	case OBJECT_GROUP:
	case OBJECT_MESSAGE:
		return true;
	case OBJECT_ERRHANDLER:
		return object->references > 0;
	default:
		return false;
	}
}

static void before_parameter(struct agent_call *call, uint32_t parameter, enum object_effect effect)
{
	const enum object_kind kind = kind_objects[call_parameter_kinds(call->id)[parameter]];
	const void *variable = (const void *)(uintptr_t)call->arguments[parameter];
	struct checked_object *object;

	if (!variable || !(object = object_find(kind, handle_at(kind, variable, 0, call->fortran))))
		return;
	if (object->state == OBJECT_FREED) {
		if (!call->nested)
			object_report_freed(call, parameter, object);
		return;
	}
	if (effect != EFFECT_ENDS || (call->outer && call->outer->object == object))
		return; /* a Fortran function calls the C function */
	if (object->state == OBJECT_PREDEFINED && !may_be_freed(object)) {
		if (!call->nested)
			report_predefined(call, parameter, object);
		return;
	}
	/* This happens before MPI frees the object, because another thread may then get the same
	 * handle. */
	object_end(object, variable, call->id, agent_place(call));
	call->object = object;
}

void objects_before(struct agent_call *call)
{
	const uint8_t *kinds = call_parameter_kinds(call->id);

	for (uint32_t i = 0; kinds[i] != KIND_END; i++) {
		const enum object_effect effect = kind_effects[kinds[i]];
		if (effect & (EFFECT_ENDS | EFFECT_COMMITS))
			before_parameter(call, i, effect);
	}
}

static struct object_counts limits;

void object_limits_start(void)
{
	const char *setting = setting_get(SETTING_LIMITS);

	limits = object_counts_default;
	if (setting && !object_counts_read(&limits, setting))
		limits = object_counts_default; /* the command line has already rejected such a text */
}

static uint32_t limit_of(enum object_kind kind)
{
	static const uint8_t limited[OBJECT_KINDS] = {
		[OBJECT_COMM] = LIMITED_COMMUNICATORS,
		[OBJECT_TYPE] = LIMITED_DATATYPES,
		[OBJECT_GROUP] = LIMITED_GROUPS,
		[OBJECT_WIN] = LIMITED_WINDOWS,
		[OBJECT_OP] = LIMITED_OPERATIONS,
		[OBJECT_INFO] = LIMITED_INFOS,
		[OBJECT_FILE] = LIMITED_FILES,
		[OBJECT_KEYVAL] = LIMITED_KEYVALS,
		[OBJECT_ERRHANDLER] = LIMITED_ERRHANDLERS,
		[OBJECT_MESSAGE] = LIMITED_MESSAGES,
		[OBJECT_SESSION] = LIMITED_SESSIONS,
		[OBJECT_REQUEST] = LIMITED_REQUESTS,
	};

	return limits.most[limited[kind]];
}

void object_check_limit(const struct agent_call *call, enum object_kind kind, uint32_t count)
{
	static bool reported[OBJECT_KINDS];
	const uint32_t limit = limit_of(kind);

	if (LIKELY(count <= limit) || !limit || reported[kind] || call->nested)
		return;
	reported[kind] = true;
	struct finding_draft draft = finding_draft(CHECK_LIMIT_OBJECTS, call);
	finding_draft_value(&draft, "type", "%s", object_type_name(kind));
	finding_draft_value(&draft, "count", "%u", count);
	finding_report(&draft);
}

static bool model_is_committed(const struct agent_call *call)
{
	const struct checked_object *model = object_find(OBJECT_TYPE,
	                                                 (uint64_t)call_argument(call, KIND_type));

	return !model || model->committed;
}

/* MPI_Type_get_contents and MPI_File_get_view may return predefined types, of which libraries have more than
 * the standard. */
static enum creation creation_of(const struct agent_call *call, enum object_kind kind, uint64_t handle)
{
	const enum creation creation = all_calls[call->id].new_object;
	struct type_contents contents;

	if (kind == OBJECT_TYPE && creation == NEW_OBJECT_COMMITTED &&
	    type_contents_open(&contents, TYPE_OF(handle)) && combiner_is_named(contents.combiner))
		return NEW_OBJECT_PREDEFINED;
	return creation;
}

static bool is_predefined(uint64_t handle)
{
	const struct checked_object *type = object_find(OBJECT_TYPE, handle);

	return type && type->state == OBJECT_PREDEFINED;
}

/* The structure of the new datatype. */
static struct type_structure structure_of(const struct agent_call *call)
{
	const uint8_t *kinds = call_parameter_kinds(call->id);
	struct type_structure structure = {.made_by = (uint64_t)call->id + 1};
	int numbers = 0;

	for (int i = 0; kinds[i] != KIND_END; i++) {
		if (kinds[i] == KIND_type)
			structure.element = (uint64_t)call->arguments[i];
		else if ((kinds[i] == KIND_wide || kinds[i] == KIND_wideaint || kinds[i] == KIND_stride) &&
		         numbers < STRUCTURE_NUMBERS)
			structure.numbers[numbers++] = call->arguments[i];
		else if (kinds[i] != KIND_newtype)
			return (struct type_structure){0};
	}
	return is_predefined(structure.element) ? structure : (struct type_structure){0};
}

static void created(const struct agent_call *call, enum object_kind kind, uint64_t handle,
                    const void *variable)
{
	const enum creation creation = creation_of(call, kind, handle);
	struct checked_object *object = object_find(kind, handle);

	if (creation == NEW_OBJECT_EXISTING && object && object->state == OBJECT_LIVE)
		return;
	object = object_refer(kind, handle,
	                      &(struct object_reference){variable, call->id, agent_place(call), NULL});
	if (!object || object->state == OBJECT_PREDEFINED)
		return;
	if (call->fortran)
		object->fortran = *(const MPI_Fint *)variable;
	if (kind == OBJECT_TYPE)
		object->structure = structure_of(call);
	object->unowned |= creation == NEW_OBJECT_EXISTING || creation == NEW_OBJECT_PREDEFINED ||
	                   call->nested;
	object->incomplete = creation == NEW_OBJECT_INCOMPLETE;
	object->committed = creation == NEW_OBJECT_COMMITTED || creation == NEW_OBJECT_PREDEFINED ||
	                    (creation == NEW_OBJECT_LIKE && model_is_committed(call));
	if (creation == NEW_OBJECT_PREDEFINED)
		object->state = OBJECT_PREDEFINED;
	object_check_limit(call, kind, object_count(kind));
}

/* A probe found nothing, or found a message of MPI_PROC_NULL. */
static bool made_nothing(const struct agent_call *call)
{
	const int flag = call_parameter(call->id, KIND_flag);

	return flag >= 0 && !*(const int *)(uintptr_t)call->arguments[flag];
}

static void after_parameter(const struct agent_call *call, uint32_t parameter, enum object_effect effect)
{
	const enum object_kind kind = kind_objects[call_parameter_kinds(call->id)[parameter]];
	const void *variable = (const void *)(uintptr_t)call->arguments[parameter];
	uint64_t handle;

	if (!variable)
		return;
	handle = handle_at(kind, variable, 0, call->fortran);
	if (handle_is_null(kind, handle))
		return;
	if (effect == EFFECT_MAKES) {
		created(call, kind, handle, variable);
	} else if (effect == EFFECT_COMMITS) {
		struct checked_object *object = object_find(kind, handle);
		if (object)
			object->committed = true;
	}
}

/* The parts of the type are valid handles again, even if the program has freed them. */
static void types_unpacked(const struct agent_call *call)
{
	const int type = call_parameter(call->id, KIND_type), out = call_parameter(call->id, KIND_outtypes);
	const void *array = (const void *)(uintptr_t)call->arguments[out];
	struct type_contents contents;
	MPI_Datatype handle;

	memcpy(&handle, &call->arguments[type], sizeof handle);
	if (!array || !type_contents_open(&contents, handle))
		return;
	for (int i = 0; i < contents.type_count; i++) {
		const uint64_t part = handle_at(OBJECT_TYPE, array, (size_t)i, call->fortran);
		if (!handle_is_null(OBJECT_TYPE, part))
			created(call, OBJECT_TYPE, part,
			        (const char *)array + (size_t)i * (call->fortran ? sizeof(MPI_Fint)
			                                                         : sizeof(MPI_Datatype)));
	}
}

/* MPI_Mrecv also consumes a message that is truncated; the variable in Fortran is then unchanged. */
static bool was_taken(const struct agent_call *call, int rc)
{
	const int message = call_parameter(call->id, KIND_message);
	const void *variable = message < 0 ? NULL : (const void *)(uintptr_t)call->arguments[message];
	int class = rc;

	if (!variable)
		return false;
	PMPI_Error_class(rc, &class);
	return class == MPI_ERR_TRUNCATE ||
	       handle_is_null(OBJECT_MESSAGE, handle_at(OBJECT_MESSAGE, variable, 0, call->fortran));
}

static void named(const struct agent_call *call)
{
	const enum object_kind kind = call->id == CALL_Comm_set_name ? OBJECT_COMM : OBJECT_TYPE;
	struct checked_object *object = object_find(kind, (uint64_t)call->arguments[0]);

	if (object)
		object->is_named = true;
}

void objects_after(struct agent_call *call, int rc)
{
	const uint8_t *kinds = call_parameter_kinds(call->id);
	struct checked_object *ended = call->object;

	if (ended && (rc == MPI_SUCCESS || was_taken(call, rc)))
		object_release_facts(ended);
	else if (ended)
		object_revive(ended, NULL);
	if (rc != MPI_SUCCESS || made_nothing(call))
		return;
	for (uint32_t i = 0; kinds[i] != KIND_END; i++) {
		const enum object_effect effect = kind_effects[kinds[i]];
		if (effect & (EFFECT_MAKES | EFFECT_COMMITS))
			after_parameter(call, i, effect);
	}
	if (object_effects(call->id) & EFFECT_UNPACKS_TYPE)
		types_unpacked(call);
	else if (object_effects(call->id) & EFFECT_NAMES)
		named(call);
}
