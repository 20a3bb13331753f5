#include "analysis/model/processes.h"
#include "output/exchange/otf2_exporter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Thread 0 of a process has the process's own number, as other tools have it. */
OTF2_LocationRef location_of(size_t process, const struct stream *stream)
{
	return (uint64_t)stream->number << 32 | process;
}

OTF2_LocationRef first_location_of(const struct exporter *ex, size_t process)
{
	const struct process *recorded = &ex->reader->processes[process];

	if (process >= ex->reader->process_count || !recorded->stream_count)
		return process;
	return location_of(process, &recorded->streams[0]);
}

static const char *host_of(const struct process *process)
{
	const char *host = process_property(process, "host");

	return host ? host : "unknown host";
}

/* Processes on one machine may see different names of it, and those on two the same. */
static const char *node_of(const struct process *process)
{
	const char *node = process_property(process, "node");

	return node ? node : host_of(process);
}

/* Node 0 is the machine, the others are its parts. */
static OTF2_SystemTreeNodeRef define_node(struct exporter *ex, struct interner *nodes,
                                          const struct process *process)
{
	const char *key = node_of(process);
	uint64_t known = nodes->count;
	OTF2_SystemTreeNodeRef self = (OTF2_SystemTreeNodeRef)intern(nodes, key, strlen(key))->number + 1;

	if (self == known + 1) {
		wrote(ex, OTF2_GlobalDefWriter_WriteSystemTreeNode(ex->defs, self,
		                                                   define_string(ex, host_of(process)),
		                                                   define_string(ex, "node"), 0));
		wrote(ex, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
				  ex->defs, self, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
	}
	return self;
}

static void add_group_property(struct exporter *ex, size_t process, const char *name, const char *value)
{
	OTF2_AttributeValue text = {.stringRef = define_string(ex, value)};

	wrote(ex, OTF2_GlobalDefWriter_WriteLocationGroupProperty(ex->defs, (OTF2_LocationGroupRef)process,
	                                                          define_string(ex, name), OTF2_TYPE_STRING,
	                                                          text));
}

/* What a person would look for, under its own name. */
static void add_plain_properties(struct exporter *ex, size_t number)
{
	static const char *const names[] = {"tarry",        "host",         "pid",     "cpus",
	                                    "program",      "cwd",          "mpi",     "mpi_version",
	                                    "mpi_standard", "thread_level", "launcher"};
	const struct process *process = &ex->reader->processes[number];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (process_property(process, names[i]))
			add_group_property(ex, number, names[i], process_property(process, names[i]));
}

/* A line without its end. */
static const char *as_line(struct text *text)
{
	if (text->length && text->bytes[text->length - 1] == '\n')
		text->bytes[--text->length] = '\0';
	return text_get(text);
}

static void add_record_properties(struct exporter *ex, size_t number)
{
	const struct process *process = &ex->reader->processes[number];
	struct text line = {0};
	char name[sizeof OTF2_PROPERTY_RECORD + 20];
	struct record_iter iter = {0};
	struct process_record record;

	text_add_process(&line, process);
	add_group_property(ex, number, OTF2_PROPERTY_PROCESS, as_line(&line));
	for (size_t i = 0; process_next_record(process, &iter, &record); i++) {
		text_clear(&line);
		text_add_record(&line, process, &record);
		if (!line.length)
			continue;
		snprintf(name, sizeof name, OTF2_PROPERTY_RECORD "%zu", i);
		add_group_property(ex, number, name, as_line(&line));
	}
	text_release(&line);
}

static void define_process(struct exporter *ex, size_t number, OTF2_SystemTreeNodeRef node)
{
	const struct process *process = &ex->reader->processes[number];
	struct text name = {0};

	if (process->rank == PROCESS_UNKNOWN)
		text_add(&name, "process of unknown rank");
	else
		text_add(&name, "%s %u", is_upc_thread(process) ? "UPC thread" : "MPI Rank", process->rank);
	wrote(ex, OTF2_GlobalDefWriter_WriteLocationGroup(
			  ex->defs, (OTF2_LocationGroupRef)number, define_string(ex, text_get(&name)),
			  OTF2_LOCATION_GROUP_TYPE_PROCESS, node, OTF2_UNDEFINED_LOCATION_GROUP));
	text_release(&name);
	add_plain_properties(ex, number);
	add_record_properties(ex, number);
}

/* A location without events, so that members of groups have one. */
static void define_empty_location(struct exporter *ex, size_t process)
{
	OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(ex->archive, process);
	OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(ex->archive, process);

	wrote(ex, OTF2_Archive_CloseEvtWriter(ex->archive, events));
	wrote(ex, OTF2_Archive_CloseDefWriter(ex->archive, local));
	wrote(ex, OTF2_GlobalDefWriter_WriteLocation(ex->defs, process, define_string(ex, ""),
	                                             OTF2_LOCATION_TYPE_CPU_THREAD, 0,
	                                             (OTF2_LocationGroupRef)process));
}

void define_system(struct exporter *ex)
{
	struct interner nodes = {.arena = &ex->arena};
	OTF2_SystemTreeNodeRef *refs = arena_array(&ex->arena, OTF2_SystemTreeNodeRef,
	                                           ex->reader->process_count + 1);

	wrote(ex, OTF2_GlobalDefWriter_WriteSystemTreeNode(ex->defs, 0, define_string(ex, "machine"),
	                                                   define_string(ex, "machine"),
	                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	wrote(ex,
	      OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(ex->defs, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
	for (size_t i = 0; i < ex->reader->process_count; i++)
		refs[i] = define_node(ex, &nodes, &ex->reader->processes[i]);
	for (size_t i = 0; i < ex->reader->process_count; i++)
		define_process(ex, i, refs[i]);
	for (size_t i = 0; i < ex->comms.absents.count; i++) {
		size_t number = ex->reader->process_count + i;
		const struct absent_process *absent = &ex->comms.absents.items[i];
		struct text name = {0};

		if (absent->world)
			text_add(&name, "%s %u (not recorded)",
			         ex->paradigm == OTF2_PARADIGM_UPC ? "UPC thread" : "MPI Rank", absent->rank);
		else
			text_add(&name, "not known");
		wrote(ex, OTF2_GlobalDefWriter_WriteLocationGroup(
				  ex->defs, (OTF2_LocationGroupRef)number, define_string(ex, text_get(&name)),
				  OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
		text_release(&name);
	}
	for (size_t i = 0; i < ex->reader->process_count; i++)
		if (!ex->reader->processes[i].stream_count)
			define_empty_location(ex, i);
	for (size_t i = 0; i < ex->comms.absents.count; i++)
		define_empty_location(ex, ex->reader->process_count + i);
}

static void add_location_property(struct exporter *ex, OTF2_LocationRef location, const char *name,
                                  const char *value)
{
	OTF2_AttributeValue text = {.stringRef = define_string(ex, value)};

	wrote(ex, OTF2_GlobalDefWriter_WriteLocationProperty(ex->defs, location, define_string(ex, name),
	                                                     OTF2_TYPE_STRING, text));
}

void define_location(struct exporter *ex, size_t process, const struct stream *stream, uint64_t events,
                     const struct otf2_line *clock)
{
	OTF2_LocationRef self = location_of(process, stream);
	struct text line = {0};

	text_add(&line, "%s", stream->thread.known && *stream->thread.name ? stream->thread.name : "");
	if (!line.length)
		text_add(&line, "thread %u", stream->number);
	wrote(ex, OTF2_GlobalDefWriter_WriteLocation(ex->defs, self, define_string(ex, text_get(&line)),
	                                             OTF2_LOCATION_TYPE_CPU_THREAD, events,
	                                             (OTF2_LocationGroupRef)process));
	text_clear(&line);
	text_add_thread(&line, stream->number, &stream->thread);
	add_location_property(ex, self, OTF2_PROPERTY_THREAD, as_line(&line));
	text_clear(&line);
	text_add(&line, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, clock->tick, clock->time,
	         clock->last_tick, clock->last_time);
	add_location_property(ex, self, OTF2_PROPERTY_CLOCK, text_get(&line));
	text_release(&line);
}

/* Members of communicators */

#define NOBODY UINT64_MAX

/* Each is two files of the archive. Members beyond so many that were not recorded end their group: a trace of a few bytes can have
 * billions of them. */
enum { ABSENT_MAX = 256 };

/* NOBODY: there are too many. */
static uint64_t number_absent(struct known_comms *comms, const uint64_t key[2], struct absent_process who)
{
	size_t known = comms->absent_keys.count;
	uint64_t number;

	if (known >= ABSENT_MAX)
		return NOBODY;
	number = intern(&comms->absent_keys, key, 2 * sizeof *key)->number;
	if (number == known)
		array_add_in(comms->arena, &comms->absents, who);
	return comms->reader->process_count + number;
}

static uint64_t number_unknown(struct known_comms *comms, uint64_t identity, uint32_t rank)
{
	const uint64_t key[2] = {identity, (uint64_t)1 << 32 | rank};

	return number_absent(comms, key, (struct absent_process){0, rank});
}

static uint64_t number_of(struct known_comms *comms, uint64_t world, uint32_t rank)
{
	const struct process *process = find_process(comms->reader, world, rank);
	const uint64_t key[2] = {world, rank};

	if (process)
		return (uint64_t)(process - comms->reader->processes);
	return number_absent(comms, key, (struct absent_process){world, rank});
}

/* False: from here on its members are left out. */
static bool add_run(struct known_comms *comms, uint64_t identity, const struct rank_run *run,
                    struct process_list *members, uint32_t room)
{
	for (uint32_t i = 0; i < run->count && members->count < room; i++) {
		uint32_t rank = (uint32_t)(run->first + run->stride * i);
		uint64_t number = run->world ? number_of(comms, run->world, rank)
		                             : number_unknown(comms, identity, members->count);
		if (number == NOBODY)
			return false;
		members->at[members->count++] = number;
	}
	return members->count < room;
}

/* No group has more members than this that have a number. */
static uint32_t limited(const struct known_comms *comms, uint64_t size)
{
	uint64_t most = comms->reader->process_count + ABSENT_MAX;

	return (uint32_t)(size < most ? size : most);
}

static void add_group(struct known_comms *comms, uint64_t identity, const struct group *group, uint64_t size,
                      struct process_list *members)
{
	uint32_t room = limited(comms, size);

	if (members->count || !group->run_count)
		return;
	members->at = arena_array(comms->arena, uint64_t, room);
	for (size_t i = 0; i < group->run_count; i++)
		if (!add_run(comms, identity, &group->runs[i], members, room))
			break;
}

struct known_comm *known_comm_get(struct known_comms *comms, uint64_t identity)
{
	size_t known = comms->identities.count;
	uint64_t number = intern(&comms->identities, &identity, sizeof identity)->number;

	if (number == known)
		array_add_in(comms->arena, comms,
		             (struct known_comm){.identity = identity, .name = "", .ref = UINT32_MAX});
	return &comms->items[number];
}

static void learn(struct known_comms *comms, const struct comm *comm)
{
	struct known_comm *known = known_comm_get(comms, comm->identity);

	if (!*known->name)
		known->name = comm->name;
	if (!known->parent)
		known->parent = comm->parent;
	known->is_inter |= comm->kind == COMM_INTER;
	/* The two sides of an intercommunicator each call their own group the local one: the first one counts. */
	if (known->has_members)
		return;
	known->has_members = comm->local.run_count > 0;
	add_group(comms, comm->identity, &comm->local, comm->size, &known->local);
	if (known->is_inter)
		add_group(comms, comm->identity, &comm->remote, comm->remote_size, &known->remote);
}

/* Where no process gave the members, each that has the communicator is one of them. */
static void guess(struct known_comms *comms, uint64_t number, const struct comm *comm)
{
	struct known_comm *known = known_comm_get(comms, comm->identity);
	uint32_t size = limited(comms, comm->size);

	if (known->has_members || known->is_inter)
		return;
	if (!known->local.at && size) {
		known->local.at = arena_array(comms->arena, uint64_t, size);
		known->local.count = size;
		for (uint32_t i = 0; i < size; i++)
			known->local.at[i] = NOBODY;
	}
	if (known->local.at && comm->rank < known->local.count)
		known->local.at[comm->rank] = number;
}

static void fill(struct known_comms *comms, struct known_comm *known)
{
	for (uint32_t i = 0; i < known->local.count; i++) {
		if (known->local.at[i] == NOBODY)
			known->local.at[i] = number_unknown(comms, known->identity, i);
		if (known->local.at[i] == NOBODY)
			known->local.count = i;
	}
}

static void each_comm(struct known_comms *comms, bool only_guess)
{
	for (size_t i = 0; i < comms->reader->process_count; i++) {
		const struct process *process = &comms->reader->processes[i];
		for (size_t j = 0; j < process->comm_count; j++) {
			if (only_guess)
				guess(comms, i, &process->comms[j]);
			else
				learn(comms, &process->comms[j]);
		}
	}
}

void known_comms_collect(struct known_comms *comms, const struct reader *reader, struct arena *arena)
{
	*comms = (struct known_comms){.reader = reader, .arena = arena};
	comms->identities.arena = comms->absent_keys.arena = arena;
	each_comm(comms, false);
	each_comm(comms, true);
	for (size_t i = 0; i < comms->count; i++)
		fill(comms, &comms->items[i]);
}
