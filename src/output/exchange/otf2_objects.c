/* Groups, communicators, windows and files. */
#include "output/exchange/otf2_exporter.h"
#include "trace/grow.h"

/* Group 0 is that of all processes: members of the others are places in it. */
static OTF2_GroupRef define_group(struct exporter *ex, OTF2_GroupType type, const struct members *members)
{
	OTF2_GroupRef self = ex->group_count++;

	wrote(ex, OTF2_GlobalDefWriter_WriteGroup(ex->defs, self, define_string(ex, ""), type, ex->paradigm,
	                                          OTF2_GROUP_FLAG_NONE, members->count, members->at));
	return self;
}

OTF2_GroupRef define_group_of(struct exporter *ex, const struct members *members)
{
	size_t known = ex->group_keys.count;
	uint64_t number = intern(&ex->group_keys, members->at, members->count * sizeof *members->at)->number;

	if (number == known) {
		ex->groups = arena_grown(&ex->arena, ex->groups, number, sizeof *ex->groups);
		ex->groups[number] = define_group(ex, OTF2_GROUP_TYPE_COMM_GROUP, members);
	}
	return ex->groups[number];
}

static void define_all_processes(struct exporter *ex)
{
	uint32_t count = (uint32_t)(ex->reader->process_count + ex->comms.absent_count);
	struct members all = {.at = arena_array(&ex->arena, uint64_t, count), .count = count};

	for (uint32_t i = 0; i < count; i++)
		all.at[i] = first_location_of(ex, i);
	define_group(ex, OTF2_GROUP_TYPE_COMM_LOCATIONS, &all);
}

static bool is_predefined(const struct known_comm *comm)
{
	return !comm->parent && !comm->is_inter;
}

static void define_comm(struct exporter *ex, struct known_comm *comm, OTF2_CommRef parent)
{
	OTF2_StringRef name = define_string(ex, comm->name);
	OTF2_CommFlag flag = is_predefined(comm) ? OTF2_COMM_FLAG_NONE : OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS;
	OTF2_GroupRef local = define_group_of(ex, &comm->local);

	if (comm->is_inter) {
		OTF2_GroupRef remote = define_group_of(ex, &comm->remote);
		wrote(ex, OTF2_GlobalDefWriter_WriteInterComm(ex->defs, comm->ref, name, local, remote,
		                                              parent, flag));
	} else {
		wrote(ex, OTF2_GlobalDefWriter_WriteComm(ex->defs, comm->ref, name, local, parent, flag));
	}
}

/* Parents come first. One that is its own ancestor, as only a hostile trace has it, has none. */
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
	define_comm(ex, comm, parent_ref);
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

	if (number == known) {
		ex->objects = arena_grown(&ex->arena, ex->objects, number, sizeof *ex->objects);
		ex->objects[number] = (struct known_object){0};
	}
	return &ex->objects[number];
}

static void define_window(struct exporter *ex, const struct known_object *self, const struct object *object)
{
	wrote(ex, OTF2_GlobalDefWriter_WriteRmaWin(ex->defs, self->ref, define_string(ex, object->name),
	                                           define_comm_of(ex, object->comm),
	                                           OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS));
}

/* The handle has the number of its file. */
static void define_file(struct exporter *ex, const struct known_object *self, const struct object *object)
{
	OTF2_StringRef name = define_string(ex, object->name);

	wrote(ex, OTF2_GlobalDefWriter_WriteIoRegularFile(ex->defs, self->ref, name, 0));
	wrote(ex, OTF2_GlobalDefWriter_WriteIoHandle(
			  ex->defs, self->ref, name, self->ref, 0, OTF2_IO_HANDLE_FLAG_NONE,
			  define_comm_of(ex, object->comm), OTF2_UNDEFINED_IO_HANDLE));
}

static void define_object(struct exporter *ex, const struct object *object)
{
	struct known_object *known = known_object_get(ex, object->kind, object->identity);

	if (known->defined || !object->comm)
		return;
	known->defined = true;
	known->comm = object->comm;
	if (object->kind == OBJECT_WIN) {
		known->ref = ex->window_count++;
		define_window(ex, known, object);
	} else if (object->kind == OBJECT_FILE) {
		known->ref = ex->file_count++;
		define_file(ex, known, object);
	}
}

void define_objects(struct exporter *ex)
{
	define_all_processes(ex);
	for (size_t i = 0; i < ex->comms.count; i++)
		define_comm_of(ex, ex->comms.at[i].identity);
	wrote(ex, OTF2_GlobalDefWriter_WriteIoParadigm(
			  ex->defs, 0, define_string(ex, "MPI-IO"), define_string(ex, "MPI-IO"),
			  OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL));
	for (size_t i = 0; i < ex->reader->process_count; i++) {
		const struct process *process = &ex->reader->processes[i];
		for (size_t j = 0; j < process->object_count; j++)
			define_object(ex, &process->objects[j]);
	}
}
