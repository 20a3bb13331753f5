#include "analysis/model/processes.h"
#include "output/exchange/export_output.h"
#include "output/exchange/otf2_exporter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Thread 0 of a process has the process's own number, as in other tools. */
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

/* Processes on one machine may see different names of it, and processes on two machines the same name. */
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
		DEFINE(ex, SystemTreeNode, self, define_string(ex, host_of(process)),
		       define_string(ex, "node"), 0);
		DEFINE(ex, SystemTreeNodeDomain, self, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
	}
	return self;
}

static void add_group_property(struct exporter *ex, size_t process, const char *name, const char *value)
{
	OTF2_AttributeValue text = {.stringRef = define_string(ex, value)};

	DEFINE(ex, LocationGroupProperty, (OTF2_LocationGroupRef)process, define_string(ex, name),
	       OTF2_TYPE_STRING, text);
}

/* Properties of general interest, under their own names. */
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
	scoped_text line = {0};
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
}

static void define_process(struct exporter *ex, size_t number, OTF2_SystemTreeNodeRef node)
{
	const struct process *process = &ex->reader->processes[number];
	scoped_text name = {0};

	if (process->rank == PROCESS_UNKNOWN)
		text_add(&name, "process of unknown rank");
	else
		text_add(&name, "%s %u", is_upc_thread(process) ? "UPC thread" : "MPI Rank", process->rank);
	DEFINE(ex, LocationGroup, (OTF2_LocationGroupRef)number, define_string(ex, text_get(&name)),
	       OTF2_LOCATION_GROUP_TYPE_PROCESS, node, OTF2_UNDEFINED_LOCATION_GROUP);
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
	DEFINE(ex, Location, process, define_string(ex, ""), OTF2_LOCATION_TYPE_CPU_THREAD, 0,
	       (OTF2_LocationGroupRef)process);
}

static void define_system(struct exporter *ex)
{
	struct interner nodes = {.arena = &ex->arena};
	OTF2_SystemTreeNodeRef *refs = arena_array(&ex->arena, OTF2_SystemTreeNodeRef,
	                                           ex->reader->process_count + 1);

	DEFINE(ex, SystemTreeNode, 0, define_string(ex, "machine"), define_string(ex, "machine"),
	       OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	DEFINE(ex, SystemTreeNodeDomain, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
	for (size_t i = 0; i < ex->reader->process_count; i++)
		refs[i] = define_node(ex, &nodes, &ex->reader->processes[i]);
	for (size_t i = 0; i < ex->reader->process_count; i++)
		define_process(ex, i, refs[i]);
	for (size_t i = 0; i < ex->comms.absents.count; i++) {
		size_t number = ex->reader->process_count + i;
		const struct absent_process *absent = &ex->comms.absents.items[i];
		scoped_text name = {0};

		if (absent->world)
			text_add(&name, "%s %u (not recorded)",
			         ex->paradigm == OTF2_PARADIGM_UPC ? "UPC thread" : "MPI Rank", absent->rank);
		else
			text_add(&name, "not known");
		DEFINE(ex, LocationGroup, (OTF2_LocationGroupRef)number, define_string(ex, text_get(&name)),
		       OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
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

	DEFINE(ex, LocationProperty, location, define_string(ex, name), OTF2_TYPE_STRING, text);
}

void define_location(struct exporter *ex, size_t process, const struct stream *stream, uint64_t events,
                     const struct otf2_line *clock)
{
	OTF2_LocationRef self = location_of(process, stream);
	scoped_text line = {0};

	text_add(&line, "%s", stream->thread.known && *stream->thread.name ? stream->thread.name : "");
	if (!line.length)
		text_add(&line, "thread %u", stream->number);
	DEFINE(ex, Location, self, define_string(ex, text_get(&line)), OTF2_LOCATION_TYPE_CPU_THREAD, events,
	       (OTF2_LocationGroupRef)process);
	text_clear(&line);
	text_add_thread(&line, stream->number, &stream->thread);
	add_location_property(ex, self, OTF2_PROPERTY_THREAD, as_line(&line));
	text_clear(&line);
	text_add(&line, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, clock->tick, clock->time,
	         clock->last_tick, clock->last_time);
	add_location_property(ex, self, OTF2_PROPERTY_CLOCK, text_get(&line));
}

/* Members of communicators */

#define NOBODY UINT64_MAX

/* Each is two files of the archive. A group ends after so many unrecorded members: a trace of a few bytes can
 * have billions of them. */
enum { ABSENT_MAX = 256 };

/* NOBODY: too many. */
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

/* False: further members are omitted. */
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

/* The maximum number of members with a number in any group. */
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
	/* Each side of an intercommunicator calls its own group the local one: the first one counts. */
	if (known->has_members)
		return;
	known->has_members = comm->local.run_count > 0;
	add_group(comms, comm->identity, &comm->local, comm->size, &known->local);
	if (known->is_inter)
		add_group(comms, comm->identity, &comm->remote, comm->remote_size, &known->remote);
}

/* If no process gave the members, each process that has the communicator is one of them. */
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

/* All communicators of all processes. */
static void known_comms_collect(struct known_comms *comms, const struct reader *reader, struct arena *arena)
{
	*comms = (struct known_comms){.reader = reader, .arena = arena};
	comms->identities.arena = comms->absent_keys.arena = arena;
	each_comm(comms, false);
	each_comm(comms, true);
	for (size_t i = 0; i < comms->count; i++)
		fill(comms, &comms->items[i]);
}

/* Times */

/* Margin for times before the first comparison of a clock: a process may have entered MPI_Init long before.
 * Larger numbers cost the same. */
#define ROOM_NS ((uint64_t)OTF2_TICKS_PER_SECOND * 24 * 60 * 60)

/* Only a damaged trace has later times. */
#define TIME_MAX ((uint64_t)1 << 62)

uint64_t otf2_line_tick(const struct otf2_line *line, uint64_t time)
{
	__int128 elapsed = (__int128)time - line->time;
	__int128 ticks = (__int128)line->last_tick - line->tick,
		 length = (__int128)line->last_time - line->time;

	/* At most 2^62, so that the product does not overflow. */
	if (length <= 0 || length > (__int128)TIME_MAX || ticks < 0 || ticks > (__int128)TIME_MAX)
		return line->tick;
	return (uint64_t)(line->tick + (elapsed * ticks + (elapsed < 0 ? -length : length) / 2) / length);
}

/* A clock without a date among others with a date counts from its own zero. */
static bool has_date(const struct otf2_times *times, size_t process)
{
	const struct clocks *clocks = times->corrected->clocks;

	return clocks->lines[clocks->line_of[process]].base_ns > 0;
}

uint64_t otf2_time(const struct otf2_times *times, size_t process, uint64_t tick)
{
	int64_t ns = corrected_ns(times->corrected, (uint32_t)process, tick);

	if (has_date(times, process))
		ns -= (int64_t)times->start_ns;
	return ns < 0 ? 0 : (uint64_t)ns < TIME_MAX ? (uint64_t)ns : TIME_MAX;
}

struct otf2_line otf2_line_between(const struct otf2_times *times, size_t process, uint64_t first,
                                   uint64_t last)
{
	return (struct otf2_line){first, otf2_time(times, process, first), last,
	                          otf2_time(times, process, last)};
}

static void otf2_times_init(struct otf2_times *times, const struct export_job *job)
{
	uint64_t earliest = UINT64_MAX;

	*times = (struct otf2_times){.corrected = job->session->time, .first = UINT64_MAX};
	/* The earliest date that a clock was compared with, minus a margin; 0: none. */
	for (size_t i = 0; i < job->reader->process_count; i++) {
		const struct process *process = &job->reader->processes[i];
		int64_t ns;
		if (!has_date(times, i) || !process->clock_count || !process->clocks[0].point_count)
			continue;
		ns = corrected_ns(times->corrected, (uint32_t)i, process->clocks[0].points[0].tick);
		if (ns >= 0 && (uint64_t)ns < earliest)
			earliest = (uint64_t)ns;
	}
	times->start_ns = earliest == UINT64_MAX || earliest < ROOM_NS ? 0 : earliest - ROOM_NS;
}

/* The archive */

static OTF2_ErrorCode keep_silent(void *context, const char *file, uint64_t line, const char *function,
                                  OTF2_ErrorCode code, const char *format, va_list args)
{
	(void)context, (void)file, (void)line, (void)function, (void)format, (void)args;
	return code;
}

void otf2_drop_messages(void)
{
	OTF2_Error_RegisterCallback(keep_silent, NULL);
}

static OTF2_FlushType before_flush(void *context, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                   bool final)
{
	(void)context, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = before_flush};

static enum status status_of(OTF2_ErrorCode code)
{
	return code == OTF2_SUCCESS ? OK
	                            : fail("cannot write the archive: %s", OTF2_Error_GetDescription(code));
}

static enum status exporter_open(struct exporter *ex, const char *folder)
{
	otf2_drop_messages();
	ex->archive = OTF2_Archive_Open(folder, OTF2_ARCHIVE, OTF2_FILEMODE_WRITE,
	                                OTF2_CHUNK_SIZE_EVENTS_DEFAULT, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
	                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!ex->archive)
		return fail("cannot create an archive in '%s'", folder);
	wrote(ex, OTF2_Archive_SetFlushCallbacks(ex->archive, &flush_callbacks, NULL));
	wrote(ex, OTF2_Archive_SetSerialCollectiveCallbacks(ex->archive));
	wrote(ex, OTF2_Archive_SetCreator(ex->archive, "tarry"));
	wrote(ex, OTF2_Archive_OpenEvtFiles(ex->archive));
	wrote(ex, OTF2_Archive_OpenDefFiles(ex->archive));
	ex->defs = OTF2_Archive_GetGlobalDefWriter(ex->archive);
	return ex->defs ? status_of(ex->failed) : fail("cannot write definitions into '%s'", folder);
}

static enum status exporter_close(struct exporter *ex)
{
	if (!ex->archive)
		return OK;
	wrote(ex, OTF2_Archive_CloseEvtFiles(ex->archive));
	wrote(ex, OTF2_Archive_CloseDefFiles(ex->archive));
	wrote(ex, OTF2_Archive_CloseGlobalDefWriter(ex->archive, ex->defs));
	wrote(ex, OTF2_Archive_Close(ex->archive));
	return status_of(ex->failed);
}

static enum status write_into(const struct export_job *job, const char *folder)
{
	bool is_upc = paradigm_of(job->reader) == PARADIGM_UPC;
	struct exporter ex = {.job = job,
	                      .reader = job->reader,
	                      .paradigm = is_upc ? OTF2_PARADIGM_UPC : OTF2_PARADIGM_MPI};
	enum status opened, closed;

	ex.strings.arena = ex.object_keys.arena = ex.group_keys.arena = ex.regions.arena = ex.places.arena =
		&ex.arena;
	otf2_times_init(&ex.times, job);
	opened = exporter_open(&ex, folder);
	if (opened == OK) {
		define_paradigms(&ex);
		known_comms_collect(&ex.comms, ex.reader, &ex.arena);
		define_system(&ex);
		define_objects(&ex);
		for (size_t i = 0; i < ex.reader->process_count; i++) {
			if (ex.job->session->progress)
				ex.job->session->progress((double)i / (double)ex.reader->process_count);
			export_process(&ex, i);
		}
		write_definitions(&ex);
		define_clock(&ex);
	}
	closed = exporter_close(&ex);
	arena_release(&ex.arena);
	return opened == OK ? closed : opened;
}

enum status otf2_export(const struct export_job *job)
{
	struct output_folder folder;

	TRY(output_folder_open(&folder, job->path, OTF2_ANCHOR, job->force));
	if (write_into(job, folder.draft) != OK) {
		output_folder_discard(&folder);
		return because("writing '%s'", job->path);
	}
	return output_folder_commit(&folder);
}
