#include "analysis/model/processes.h"
#include "base/paths.h"
#include "calls/calls.h"
#include "output/exchange/otf2_exporter.h"

#include <string.h>

OTF2_StringRef define_string(struct exporter *ex, const char *text)
{
	uint64_t known = ex->strings.count;
	uint64_t number = intern(&ex->strings, text, strlen(text))->number;

	if (number == known)
		DEFINE(ex, String, (OTF2_StringRef)number, text);
	return (OTF2_StringRef)number;
}

/* The role of a function: by its name, … */
static const struct {
	enum call_id plain;
	OTF2_RegionRole role;
} named_roles[] = {
	{CALL_Barrier, OTF2_REGION_ROLE_BARRIER},
	{CALL_upc_barrier, OTF2_REGION_ROLE_BARRIER},
	{CALL_omp_barrier, OTF2_REGION_ROLE_BARRIER},
	{CALL_Alloc_mem, OTF2_REGION_ROLE_ALLOCATE},
	{CALL_Win_allocate, OTF2_REGION_ROLE_ALLOCATE},
	{CALL_Win_allocate_shared, OTF2_REGION_ROLE_ALLOCATE},
	{CALL_Free_mem, OTF2_REGION_ROLE_DEALLOCATE},
	{CALL_File_open, OTF2_REGION_ROLE_FILE_IO_METADATA},
	{CALL_File_close, OTF2_REGION_ROLE_FILE_IO_METADATA},
	{CALL_File_delete, OTF2_REGION_ROLE_FILE_IO_METADATA},
	{CALL_File_seek, OTF2_REGION_ROLE_FILE_IO_METADATA},
	{CALL_File_seek_shared, OTF2_REGION_ROLE_FILE_IO_METADATA},
	{CALL_File_sync, OTF2_REGION_ROLE_FILE_IO},
};

/* … otherwise, for an MPI operation, by its data flow, … */
static const OTF2_RegionRole flow_roles[MOVES_VALUES] = {
	[MOVES_BCAST] = OTF2_REGION_ROLE_COLL_ONE2ALL,    [MOVES_SCATTER] = OTF2_REGION_ROLE_COLL_ONE2ALL,
	[MOVES_SCATTERV] = OTF2_REGION_ROLE_COLL_ONE2ALL, [MOVES_GATHER] = OTF2_REGION_ROLE_COLL_ALL2ONE,
	[MOVES_GATHERV] = OTF2_REGION_ROLE_COLL_ALL2ONE,  [MOVES_REDUCE] = OTF2_REGION_ROLE_COLL_ALL2ONE,
	[MOVES_ACCUMULATE] = OTF2_REGION_ROLE_ATOMIC,     [MOVES_GET_ACCUMULATE] = OTF2_REGION_ROLE_ATOMIC,
	[MOVES_FETCH] = OTF2_REGION_ROLE_ATOMIC,
};

/* … otherwise by its class. */
static const OTF2_RegionRole class_roles[CALL_CLASSES] = {
	[CLASS_POINT_TO_POINT] = OTF2_REGION_ROLE_POINT2POINT,
	[CLASS_PERSISTENT] = OTF2_REGION_ROLE_POINT2POINT,
	[CLASS_PARTITIONED] = OTF2_REGION_ROLE_POINT2POINT,
	[CLASS_PROBE] = OTF2_REGION_ROLE_POINT2POINT,
	[CLASS_COLLECTIVE] = OTF2_REGION_ROLE_COLL_ALL2ALL,
	[CLASS_NEIGHBOURHOOD] = OTF2_REGION_ROLE_COLL_ALL2ALL,
	[CLASS_ONE_SIDED] = OTF2_REGION_ROLE_RMA,
	[CLASS_FILE_DATA] = OTF2_REGION_ROLE_FILE_IO,
};

static const OTF2_RegionRole pgas_roles[PGAS_VALUES] = {
	[PGAS_COLLECTIVE] = OTF2_REGION_ROLE_COLL_OTHER,
	[PGAS_ACCESS] = OTF2_REGION_ROLE_RMA,
	[PGAS_ATOMIC] = OTF2_REGION_ROLE_RMA,
};

static OTF2_RegionRole function_role(const char *name)
{
	const struct call_info *info = call_find(name);

	if (!info)
		return OTF2_REGION_ROLE_FUNCTION;
	for (size_t i = 0; i < sizeof named_roles / sizeof *named_roles; i++)
		if (info->plain == named_roles[i].plain)
			return named_roles[i].role;
	if (info->collective == COLLECTIVE_LOWER_FIRST)
		return OTF2_REGION_ROLE_COLL_OTHER;
	if (!call_is_pgas(info) && flow_roles[info->moves])
		return flow_roles[info->moves];
	if (pgas_roles[info->pgas])
		return pgas_roles[info->pgas];
	return class_roles[info->class] ? class_roles[info->class] : OTF2_REGION_ROLE_FUNCTION;
}

static OTF2_Paradigm paradigm_named(const char *name)
{
	const struct call_info *info = call_find(name);

	if (info && call_is_shmem(info))
		return OTF2_PARADIGM_SHMEM;
	if (info && call_is_pgas(info))
		return OTF2_PARADIGM_UPC;
	if (info && call_is_openmp(info))
		return OTF2_PARADIGM_OPENMP;
	return text_begins(name, "MPI_") ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER;
}

/* A region is identified by its name and its kind. */
static OTF2_RegionRef define_region(struct exporter *ex, char kind, const char *name,
                                    struct region_draft draft)
{
	uint64_t known = ex->regions.count;
	scoped_text key = {0};
	OTF2_RegionRef self;

	text_add(&key, "%c%s", kind, name);
	self = (OTF2_RegionRef)intern(&ex->regions, key.bytes, key.length)->number;
	if (self == known) {
		draft.name = define_string(ex, name);
		array_add_in(&ex->arena, &ex->region_drafts, draft);
	}
	return self;
}

/* Scalasca recognizes MPI functions by their source file name, as written by Score-P. */
OTF2_RegionRef define_function(struct exporter *ex, const char *name)
{
	OTF2_Paradigm paradigm = paradigm_named(name);
	OTF2_StringRef file = paradigm == OTF2_PARADIGM_MPI ? define_string(ex, "MPI")
	                                                    : OTF2_UNDEFINED_STRING;

	return define_region(
		ex, 'f', name,
		(struct region_draft){.file = file, .role = function_role(name), .paradigm = paradigm});
}

OTF2_RegionRef define_user_region(struct exporter *ex, const char *name, bool is_phase,
                                  const struct location *where)
{
	return define_region(
		ex, is_phase ? 'p' : 'u', name,
		(struct region_draft){.file = where->file ? define_string(ex, where->file)
	                                                  : OTF2_UNDEFINED_STRING,
	                              .role = OTF2_REGION_ROLE_CODE,
	                              .paradigm = OTF2_PARADIGM_USER,
	                              .flags = is_phase ? OTF2_REGION_FLAG_PHASE : OTF2_REGION_FLAG_NONE,
	                              .line = where->file ? (uint32_t)where->line : 0});
}

OTF2_RegionRef define_program(struct exporter *ex, const struct process *process)
{
	const char *path = process_property(process, "program");

	return define_region(ex, 'm', path && *path_name(path) ? path_name(path) : "program",
	                     (struct region_draft){.file = OTF2_UNDEFINED_STRING,
	                                           .role = OTF2_REGION_ROLE_FUNCTION,
	                                           .paradigm = OTF2_PARADIGM_USER});
}

OTF2_SourceCodeLocationRef define_place(struct exporter *ex, const char *file, int line)
{
	OTF2_StringRef text = define_string(ex, file);
	uint32_t key[2] = {text, (uint32_t)line};
	uint64_t known = ex->places.count;
	uint64_t number = intern(&ex->places, key, sizeof key)->number;

	if (number == known)
		array_add_in(&ex->arena, &ex->place_drafts, (struct place_draft){text, (uint32_t)line});
	return (OTF2_SourceCodeLocationRef)number;
}

static void define_attributes(struct exporter *ex)
{
#define ATTRIBUTE(id, NAME, name, TYPE, description) \
	DEFINE(ex, Attribute, id, define_string(ex, name), define_string(ex, description), OTF2_TYPE_##TYPE);
	OTF2_ATTRIBUTES(ATTRIBUTE)
#undef ATTRIBUTE
}

void define_paradigms(struct exporter *ex)
{
	OTF2_StringRef mpi_io = define_string(ex, "MPI-IO");

	DEFINE(ex, Paradigm, ex->paradigm,
	       define_string(ex, ex->paradigm == OTF2_PARADIGM_UPC ? "UPC" : "MPI"),
	       OTF2_PARADIGM_CLASS_PROCESS);
	DEFINE(ex, IoParadigm, 0, mpi_io, mpi_io, OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE,
	       0, NULL, NULL, NULL);
}

/* The time range is known only when all events are written. */
void define_clock(struct exporter *ex)
{
	const struct otf2_times *times = &ex->times;
	uint64_t first = times->first == UINT64_MAX ? 0 : times->first;
	uint64_t length = times->last > first ? times->last - first : 0;
	uint64_t date = OTF2_UNDEFINED_TIMESTAMP;

	if (times->start_ns)
		date = times->start_ns + first;
	DEFINE(ex, ClockProperties, OTF2_TICKS_PER_SECOND, first, length, date);
}

/* Groups, communicators, windows and files */

/* Group 0 contains all processes: members of the others are positions in it. */
static OTF2_GroupRef define_group(struct exporter *ex, OTF2_GroupType type,
                                  const struct process_list *members)
{
	struct process_list copy = {.at = arena_array(&ex->arena, uint64_t, members->count),
	                            .count = members->count};

	if (copy.count)
		memcpy(copy.at, members->at, copy.count * sizeof *copy.at);
	array_add_in(&ex->arena, &ex->group_drafts, (struct group_draft){type, copy});
	return (OTF2_GroupRef)(ex->group_drafts.count - 1);
}

OTF2_GroupRef define_group_of(struct exporter *ex, const struct process_list *members)
{
	size_t known = ex->group_keys.count;
	uint64_t number = intern(&ex->group_keys, members->at, members->count * sizeof *members->at)->number;

	if (number == known)
		array_add_in(&ex->arena, &ex->groups, define_group(ex, OTF2_GROUP_TYPE_COMM_GROUP, members));
	return ex->groups.items[number];
}

static bool is_predefined(const struct known_comm *comm)
{
	return !comm->parent && !comm->is_inter;
}

/* For an intercommunicator. Scalasca, which does not support InterComm, stops at its messages. */
static OTF2_GroupRef define_both_groups(struct exporter *ex, const struct known_comm *comm)
{
	struct process_list both = {
		.at = arena_array(&ex->arena, uint64_t, (size_t)comm->local.count + comm->remote.count),
		.count = comm->local.count + comm->remote.count};

	if (comm->local.count)
		memcpy(both.at, comm->local.at, comm->local.count * sizeof *both.at);
	if (comm->remote.count)
		memcpy(both.at + comm->local.count, comm->remote.at, comm->remote.count * sizeof *both.at);
	return define_group_of(ex, &both);
}

/* Parents first. A communicator that is its own ancestor, in a damaged trace, has none. */
static OTF2_CommRef ref_of(struct exporter *ex, uint64_t identity, unsigned depth)
{
	enum { DEPTH_MAX = 1000 };
	struct known_comm *comm = known_comm_get(&ex->comms, identity);
	uint64_t parent = comm->parent;
	OTF2_CommRef parent_ref = OTF2_UNDEFINED_COMM;

	if (comm->ref != UINT32_MAX)
		return comm->ref;
	if (parent && parent != identity && depth < DEPTH_MAX) {
		comm->ref = OTF2_UNDEFINED_COMM - 1;
		parent_ref = ref_of(ex, parent, depth + 1);
		if (parent_ref == OTF2_UNDEFINED_COMM - 1)
			parent_ref = OTF2_UNDEFINED_COMM;
		comm = known_comm_get(&ex->comms, identity);
	}
	comm->ref = ex->comm_count++;
	comm->parent_ref = parent_ref;
	comm->group = comm->is_inter ? define_both_groups(ex, comm) : define_group_of(ex, &comm->local);
	array_add_in(&ex->arena, &ex->comm_order, comm->identity);
	return comm->ref;
}

OTF2_CommRef define_comm_of(struct exporter *ex, uint64_t identity)
{
	return identity ? ref_of(ex, identity, 0) : OTF2_UNDEFINED_COMM;
}

struct known_object *known_object_get(struct exporter *ex, uint64_t kind, uint64_t identity)
{
	const uint64_t key[2] = {kind, identity};
	size_t known = ex->object_keys.count;
	uint64_t number = intern(&ex->object_keys, key, sizeof key)->number;

	if (number == known)
		array_add_in(&ex->arena, &ex->objects, (struct known_object){0});
	return &ex->objects.items[number];
}

static void write_window(struct exporter *ex, const struct known_object *self)
{
	DEFINE(ex, RmaWin, self->ref, define_string(ex, self->object->name), self->comm_ref,
	       OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
}

/* The handle has the number of its file. */
static void write_file(struct exporter *ex, const struct known_object *self)
{
	OTF2_StringRef name = define_string(ex, self->object->name);

	DEFINE(ex, IoRegularFile, self->ref, name, 0);
	DEFINE(ex, IoHandle, self->ref, name, self->ref, 0, OTF2_IO_HANDLE_FLAG_NONE, self->comm_ref,
	       OTF2_UNDEFINED_IO_HANDLE);
}

static void write_objects(struct exporter *ex, uint64_t kind,
                          void (*write)(struct exporter *ex, const struct known_object *self))
{
	for (size_t i = 0; i < ex->objects.count; i++) {
		const struct known_object *object = &ex->objects.items[i];
		if (object->defined && object->object->kind == kind)
			write(ex, object);
	}
}

void define_objects(struct exporter *ex)
{
	uint32_t count = (uint32_t)(ex->reader->process_count + ex->comms.absents.count);
	struct process_list all = {.at = arena_array(&ex->arena, uint64_t, count), .count = count};

	for (uint32_t i = 0; i < count; i++)
		all.at[i] = first_location_of(ex, i);
	define_group(ex, OTF2_GROUP_TYPE_COMM_LOCATIONS, &all);
	for (size_t i = 0; i < ex->comms.count; i++)
		define_comm_of(ex, ex->comms.items[i].identity);
	for (size_t i = 0; i < ex->reader->process_count; i++) {
		const struct process *process = &ex->reader->processes[i];
		for (size_t j = 0; j < process->object_count; j++) {
			const struct object *object = &process->objects[j];
			struct known_object *known = known_object_get(ex, object->kind, object->identity);

			if (known->defined || !object->comm)
				continue;
			*known = (struct known_object){.defined = true,
			                               .comm = object->comm,
			                               .object = object,
			                               .comm_ref = define_comm_of(ex, object->comm)};
			if (object->kind == RECORDED_WIN)
				known->ref = ex->window_count++;
			else if (object->kind == RECORDED_FILE)
				known->ref = ex->file_count++;
		}
	}
}

void write_definitions(struct exporter *ex)
{
	OTF2_StringRef none = define_string(ex, "");

	for (size_t i = 0; i < ex->region_drafts.count; i++) {
		const struct region_draft *region = &ex->region_drafts.items[i];
		DEFINE(ex, Region, (OTF2_RegionRef)i, region->name, region->name, none, region->role,
		       region->paradigm, region->flags, region->file, region->line, 0);
	}
	for (size_t i = 0; i < ex->group_drafts.count; i++) {
		const struct group_draft *group = &ex->group_drafts.items[i];
		DEFINE(ex, Group, (OTF2_GroupRef)i, none, group->type, ex->paradigm, OTF2_GROUP_FLAG_NONE,
		       group->members.count, group->members.at);
	}
	for (size_t i = 0; i < ex->comm_order.count; i++) {
		const struct known_comm *comm = known_comm_get(&ex->comms, ex->comm_order.items[i]);
		OTF2_StringRef name = define_string(ex, comm->name);
		OTF2_CommFlag flag = is_predefined(comm) ? OTF2_COMM_FLAG_NONE
		                                         : OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS;

		DEFINE(ex, Comm, comm->ref, name, comm->group, comm->parent_ref, flag);
	}
	write_objects(ex, RECORDED_WIN, write_window);
	DEFINE(ex, Parameter, PARAMETER_MARK, define_string(ex, "mark"), OTF2_PARAMETER_TYPE_STRING);
	DEFINE(ex, Parameter, PARAMETER_RECORD, define_string(ex, "record"), OTF2_PARAMETER_TYPE_STRING);
	define_attributes(ex);
	for (size_t i = 0; i < ex->place_drafts.count; i++)
		DEFINE(ex, SourceCodeLocation, (OTF2_SourceCodeLocationRef)i, ex->place_drafts.items[i].file,
		       ex->place_drafts.items[i].line);
	write_objects(ex, RECORDED_FILE, write_file);
}
