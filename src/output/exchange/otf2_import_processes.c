#include "output/exchange/otf2_importer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOWS = 40, FILES = 41, OWN_COMMS = 44 };

uint64_t window_identity(OTF2_RmaWinRef ref)
{
	return ((uint64_t)1 << WINDOWS) + ref + 1;
}

uint64_t file_identity(OTF2_IoHandleRef ref)
{
	return ((uint64_t)1 << FILES) + ref + 1;
}

bool comm_is_of_processes(const struct importer *im, OTF2_CommRef ref)
{
	struct contents *contents = (struct contents *)&im->contents;
	const struct comm_item *comm = item_get(&contents->comms, ref);
	OTF2_GroupRef local = comm->local;

	/* An undefined one is reported as such. */
	return !comm->name || !((const struct group_item *)item_get(&contents->groups, local))->is_foreign;
}

/* MPI_COMM_SELF is one definition, but another communicator in each process. */
uint64_t comm_identity(const struct importer *im, const struct import_process *process, OTF2_CommRef ref)
{
	struct contents *contents = (struct contents *)&im->contents;
	const struct comm_item *comm = item_get(&contents->comms, ref);
	const struct group_item *group = comm->name ? item_get(&contents->groups, comm->local) : NULL;
	uint64_t number = (uint64_t)(process - im->processes.items) + 1;

	if (!comm->name || group->is_foreign)
		return 0;
	return group->type == OTF2_GROUP_TYPE_COMM_SELF ? (number << OWN_COMMS) + ref + 1 : (uint64_t)ref + 1;
}

/* The process with this rank; NULL: none. */
static struct import_process *process_of_rank(const struct importer *im, uint64_t rank)
{
	return rank < im->contents.all_processes.count ? im->by_rank[rank] : NULL;
}

static struct import_process *owner_of(struct importer *im, const struct location_item *location)
{
	size_t number = 0;

	if (location->defined)
		number =
			((struct process_item *)item_get(&im->contents.processes, location->process))->number;
	return number ? &im->processes.items[number - 1] : NULL;
}

static void give_ranks(struct importer *im)
{
	const struct group_item *all = &im->contents.all_processes;

	im->by_rank = arena_array(&im->contents.arena, struct import_process *, (size_t)all->count + 1);
	for (uint32_t rank = 0; rank < all->count; rank++) {
		struct import_process *process = owner_of(
			im, item_get(&im->contents.locations, all->members[rank]));
		if (!process || process->rank != PROCESS_UNKNOWN)
			continue;
		process->rank = rank;
		process->world = im->world;
		im->by_rank[rank] = process;
	}
}

void find_own(struct importer *im)
{
	struct definition_table *processes = &im->contents.processes;

	for (size_t i = 0; i < table_count(processes) && !im->job->plain; i++)
		im->own |= table_at(processes, struct process_item, i)->own_process != NULL;
}

/* Ranks as runs of neighbours. */
static struct group make_group(struct importer *im, const struct group_item *item)
{
	ARRAY(struct rank_run) runs = {0};

	for (uint32_t i = 0; i < item->count;) {
		struct rank_run run = {.world = im->world, .first = (uint32_t)item->members[i], .stride = 1};
		do
			run.count++;
		while (++i < item->count && item->members[i] == (uint64_t)run.first + run.count);
		array_add_in(&im->contents.arena, &runs, run);
	}
	return (struct group){runs.items, runs.count};
}

static bool has_good_members(const struct importer *im, const struct group_item *group)
{
	if (!group->defined || !group->count)
		return false;
	for (uint32_t i = 0; i < group->count; i++)
		if (group->members[i] >= im->contents.all_processes.count)
			return false;
	return true;
}

/* A communicator as seen by its member `rank`; the first one lists the members. */
static void add_comm(struct importer *im, struct import_process *process, const struct comm_item *item,
                     struct comm comm)
{
	OTF2_CommRef ref = (OTF2_CommRef)item->id;

	comm.identity = comm_identity(im, process, ref);
	if (item->parent != ref && item->parent != OTF2_UNDEFINED_COMM)
		comm.parent = comm_identity(im, process, item->parent);
	comm.name = item->name;
	if (comm.rank != 0)
		comm.local = comm.remote = (struct group){0};
	array_add_in(&im->contents.arena, &process->comms, comm);
}

static void add_side(struct importer *im, const struct comm_item *item, const struct group_item *local,
                     const struct group_item *remote)
{
	struct comm comm = {.kind = remote ? COMM_INTER : COMM_INTRA,
	                    .size = local->count,
	                    .local = make_group(im, local)};

	if (remote) {
		comm.remote_size = remote->count;
		comm.remote = make_group(im, remote);
	}
	for (; comm.rank < local->count; comm.rank++) {
		struct import_process *process = process_of_rank(im, local->members[comm.rank]);
		if (process)
			add_comm(im, process, item, comm);
	}
}

/* One definition, one communicator per process. */
static void add_own_comms(struct importer *im, const struct comm_item *item)
{
	for (size_t i = 0; i < im->processes.count; i++) {
		struct import_process *process = &im->processes.items[i];
		uint64_t self = process->rank;
		struct group_item alone = {.members = &self, .count = 1};
		if (self != PROCESS_UNKNOWN)
			add_comm(im, process, item,
			         (struct comm){
					 .kind = COMM_INTRA, .size = 1, .local = make_group(im, &alone)});
	}
}

static void add_comms(struct importer *im)
{
	struct contents *contents = &im->contents;

	for (size_t i = 0; i < table_count(&contents->comms); i++) {
		struct comm_item comm = *table_at(&contents->comms, struct comm_item, i);
		struct group_item local = *(struct group_item *)item_get(&contents->groups, comm.local);
		struct group_item remote = *(struct group_item *)item_get(&contents->groups, comm.remote);
		if (!comm.name || local.is_foreign)
			continue;
		if (local.type == OTF2_GROUP_TYPE_COMM_SELF && local.defined)
			add_own_comms(im, &comm);
		else if (!has_good_members(im, &local) || (comm.is_inter && !has_good_members(im, &remote)))
			im->counts[NOTE_NO_SUCH]++;
		else
			add_side(im, &comm, &local, comm.is_inter ? &remote : NULL);
		if (comm.is_inter && has_good_members(im, &local) && has_good_members(im, &remote))
			add_side(im, &comm, &remote, &local);
	}
}

static void add_object(struct importer *im, uint64_t kind, uint64_t identity, const struct window_item *item)
{
	struct contents *contents = &im->contents;
	const struct comm_item comm = *(struct comm_item *)item_get(&contents->comms, item->comm);
	const struct group_item group = *(struct group_item *)item_get(&contents->groups, comm.local);

	if (!item->name || !comm.name || group.is_foreign || !has_good_members(im, &group))
		return;
	for (uint32_t i = 0; i < group.count; i++) {
		struct import_process *process = process_of_rank(im, group.members[i]);
		struct object object = {.kind = kind, .identity = identity, .name = item->name};
		if (!process)
			continue;
		object.comm = comm_identity(im, process, item->comm);
		array_add_in(&contents->arena, &process->objects, object);
	}
}

static void add_objects(struct importer *im)
{
	struct contents *contents = &im->contents;

	for (size_t i = 0; i < table_count(&contents->windows); i++) {
		struct window_item item = *table_at(&contents->windows, struct window_item, i);
		add_object(im, RECORDED_WIN, window_identity((OTF2_RmaWinRef)item.id), &item);
	}
	for (size_t i = 0; i < table_count(&contents->files); i++) {
		struct window_item item = *table_at(&contents->files, struct window_item, i);
		add_object(im, RECORDED_FILE, file_identity((OTF2_IoHandleRef)item.id), &item);
	}
}

static uint32_t number_function(struct importer *im, const char *file, const char *function)
{
	size_t known = im->source_keys.count;
	scoped_text key = {0};
	uint32_t number;

	text_add(&key, "%s\n%s", file, function);
	number = intern(&im->source_keys, key.bytes, key.length)->number;
	if (number == known)
		array_add_in(&im->contents.arena, &im->sources, (struct source_function){file, function});
	return number + 1;
}

static void number_source(struct importer *im, struct place_item *place)
{
	if (place->file)
		place->source = number_function(im, place->file, "");
}

/* Source files of calls and of the program's regions, and these regions themselves: they
 * form the call paths. */
static void number_sources(struct importer *im)
{
	struct contents *contents = &im->contents;

	for (size_t i = 0; i < table_count(&contents->places); i++)
		number_source(im, table_at(&contents->places, struct place_item, i));
	for (size_t i = 0; i < table_count(&contents->regions); i++) {
		struct region_item *region = table_at(&contents->regions, struct region_item, i);
		if (!region->name || region->function)
			continue;
		number_source(im, &region->place);
		region->source = number_function(
			im, region->file && *region->file ? region->file : "the program", region->name);
	}
}

void find_processes(struct importer *im)
{
	struct contents *contents = &im->contents;
	struct definition_table *locations;

	for (size_t i = 0; i < table_count(&contents->processes); i++) {
		struct process_item *item = table_at(&contents->processes, struct process_item, i);
		/* In an archive of Tarry the others were not recorded. */
		if (im->own ? item->own_process != NULL
		            : item->defined && item->type != OTF2_LOCATION_GROUP_TYPE_ACCELERATOR) {
			struct import_process process = {
				.item = item, .rank = PROCESS_UNKNOWN, .first_location = NO_LOCATION};

			/* A process without a rank is its own world. */
			process.world = im->world + im->processes.count + 1;
			array_add_in(&im->contents.arena, &im->processes, process);
			item->number = im->processes.count;
		}
	}
	locations = &im->contents.locations;
	im->next_location = arena_array(&im->contents.arena, size_t, table_count(locations) + 1);
	/* From the last to the first, so that lists are in order. */
	for (size_t i = table_count(locations); i-- > 0;) {
		const struct location_item *location = table_at(locations, struct location_item, i);
		struct import_process *owner = owner_of(im, location);
		if (!owner || location->type != OTF2_LOCATION_TYPE_CPU_THREAD) {
			im->counts[NOTE_STRANGE_LOCATIONS] += location->defined && !im->own;
			continue;
		}
		im->next_location[i] = owner->first_location;
		owner->first_location = i;
	}
	if (im->own)
		return;
	if (contents->all_processes.defined)
		give_ranks(im);
	else {
		/* Archives of programs without MPI. */
		for (size_t i = 0; i < im->processes.count; i++) {
			im->processes.items[i].rank = (uint32_t)i;
			im->processes.items[i].world = im->world;
		}
	}
	add_comms(im);
	add_objects(im);
	number_sources(im);
}

static int by_number(const void *a, const void *b)
{
	const struct own_line *one = a, *other = b;

	return one->number < other->number ? -1 : one->number > other->number;
}

static void put_own_process(struct importer *im, struct process_item *item)
{
	put_line(im, item->own_process);
	if (item->own_records.count)
		qsort(item->own_records.items, item->own_records.count, sizeof *item->own_records.items,
		      by_number);
	for (size_t i = 0; i < item->own_records.count; i++)
		put_line(im, item->own_records.items[i].text);
}

static enum status write_clock(struct importer *im)
{
	const struct contents *contents = &im->contents;
	struct clock_point start = {contents->first_time, contents->date};
	struct clock clock = {.name = "otf2",
	                      .ticks_per_second = contents->resolution ? contents->resolution : 1000000000,
	                      .points = &start};

	clock.point_count = contents->date != OTF2_UNDEFINED_TIMESTAMP && contents->date;
	return trace_writer_record(&im->out, RECORD_CLOCK, &clock);
}

/* The error of an offset in ticks, from its deviation, or because it is not on the line between its
 * neighbours: clocks do not run evenly. */
static double offset_error(const struct location_item *location, size_t number)
{
	const struct clock_offset *here = &location->offsets.items[number];
	double deviation = here->deviation > 0 ? here->deviation : 0, part, line, bend;

	if (!number || number + 1 >= location->offsets.count || here[1].time <= here[-1].time)
		return deviation;
	part = (double)(here->time - here[-1].time) / (double)(here[1].time - here[-1].time);
	line = (double)here[-1].offset + part * (double)(here[1].offset - here[-1].offset);
	bend = fabs((double)here->offset - line);
	return bend > deviation ? bend : deviation;
}

static const struct location_item *first_location(const struct importer *im,
                                                  const struct import_process *process)
{
	return process->first_location == NO_LOCATION
	               ? NULL
	               : table_at(&im->contents.locations, struct location_item, process->first_location);
}

/* True if the archive says how exact its times are. */
static bool has_uncertainty(const struct importer *im, const struct import_process *process)
{
	const struct location_item *location = first_location(im, process);

	for (size_t i = 0; location && i < location->offsets.count; i++)
		if (offset_error(location, i) > 0)
			return true;
	return false;
}

#define CLOCK_OF_ARCHIVE "otf2"

/* Times of the archive are those of one clock, as corrected by OTF2. A process with a remaining clock error
 * gets its own clock, which shows the same time within this error. */
static enum status write_offsets(struct importer *im, const struct import_process *process)
{
	const struct location_item *location = first_location(im, process);
	uint64_t rate = im->contents.resolution ? im->contents.resolution : 1000000000;

	if (!has_uncertainty(im, process))
		return trace_writer_property(&im->out, "clock", CLOCK_OF_ARCHIVE);
	TRY(trace_writer_property(&im->out, "clock",
	                          arena_format(&im->contents.arena, CLOCK_OF_ARCHIVE " of process %zu",
	                                       (size_t)(process - im->processes.items))));
	for (size_t i = 0; i < location->offsets.count; i++) {
		const struct clock_offset *offset = &location->offsets.items[i];
		double ns = offset_error(location, i) * 1e9 / (double)rate;
		struct clock_comparison comparison = {.clock = CLOCK_OF_ARCHIVE,
		                                      .tick = offset->time + (uint64_t)offset->offset,
		                                      .other_rate = rate,
		                                      .uncertainty_ns = ns < 1e18 ? (uint64_t)ns : 0};
		comparison.other = comparison.tick;
		TRY(trace_writer_record(&im->out, RECORD_COMPARE, &comparison));
	}
	return OK;
}

static enum status write_process(struct importer *im, struct import_process *process)
{
	const struct node_item *node = item_get(&im->contents.nodes, process->item->node);
	uint32_t ranks = im->contents.all_processes.count;

	TRY(trace_writer_process(&im->out, process->world, process->rank));
	if (process->rank != PROCESS_UNKNOWN)
		TRY(trace_writer_world(&im->out, ranks ? ranks : im->processes.count, im->world));
	if (node->name && node->is_host)
		TRY(trace_writer_property(&im->out, "host", node->name));
	TRY(write_offsets(im, process));
	TRY(write_clock(im));
	for (size_t i = 0; i < im->sources.count; i++) {
		struct module module = {.number = i + 1,
		                        .path = im->sources.items[i].file,
		                        .function = im->sources.items[i].function};
		TRY(trace_writer_record(&im->out, RECORD_SOURCE, &module));
	}
	for (size_t i = 0; i < process->comms.count; i++)
		TRY(trace_writer_record(&im->out, RECORD_COMM, &process->comms.items[i]));
	for (size_t i = 0; i < process->objects.count; i++)
		TRY(trace_writer_record(&im->out, RECORD_OBJECT, &process->objects.items[i]));
	return OK;
}

void put_process(struct importer *im, struct import_process *process)
{
	if (im->own)
		put_own_process(im, process->item);
	else
		im->status = write_process(im, process);
}
