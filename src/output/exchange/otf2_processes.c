#include "output/exchange/otf2_importer.h"

#include "trace/grow.h"

#include <inttypes.h>
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

/* MPI_COMM_SELF is one definition, and another communicator in each process. */
uint64_t comm_identity(const struct importer *im, const struct import_process *process, OTF2_CommRef ref)
{
	struct contents *contents = (struct contents *)&im->contents;
	const struct comm_item *comm = item_get(&contents->comms, ref);
	const struct group_item *group = comm->name ? item_get(&contents->groups, comm->local) : NULL;
	uint64_t number = (uint64_t)(process - im->processes) + 1;

	if (!comm->name)
		return 0;
	return group->type == OTF2_GROUP_TYPE_COMM_SELF ? (number << OWN_COMMS) + ref + 1 : (uint64_t)ref + 1;
}

/* The process that has a rank; NULL: none, or none that is a process. */
static struct import_process *process_of_rank(const struct importer *im, uint64_t rank)
{
	return rank < im->contents.all_processes.count ? im->by_rank[rank] : NULL;
}

static void add_process(struct importer *im, struct process_item *item)
{
	struct import_process process = {
		.item = item, .rank = PROCESS_UNKNOWN, .first_location = NO_LOCATION};

	/* A process of no rank is a world of its own. */
	process.world = im->world + im->process_count + 1;
	im->processes = arena_grown(&im->contents.arena, im->processes, im->process_count, sizeof process);
	im->processes[im->process_count++] = process;
	item->number = im->process_count;
}

static struct import_process *owner_of(struct importer *im, const struct location_item *location)
{
	size_t number = 0;

	if (location->defined)
		number =
			((struct process_item *)item_get(&im->contents.processes, location->process))->number;
	return number ? &im->processes[number - 1] : NULL;
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

/* Archives of programs without MPI. */
static void count_ranks(struct importer *im)
{
	for (size_t i = 0; i < im->process_count; i++) {
		im->processes[i].rank = (uint32_t)i;
		im->processes[i].world = im->world;
	}
}

static void find_locations(struct importer *im)
{
	struct table *locations = &im->contents.locations;

	im->next_location = arena_array(&im->contents.arena, size_t, table_count(locations) + 1);
	/* From the last to the first, so that lists have them in order. */
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
}

void find_own(struct importer *im)
{
	struct table *processes = &im->contents.processes;

	for (size_t i = 0; i < table_count(processes) && !im->job->plain; i++)
		im->own |= table_at(processes, struct process_item, i)->own_process != NULL;
}

/* Ranks as runs of neighbours: "1:0-3,1:8". */
static void add_members(struct importer *im, const char *key, const struct group_item *group,
                        struct text *out)
{
	for (uint32_t i = 0; i < group->count;) {
		uint64_t first = group->members[i], last = first;
		text_add(out, "%s%" PRIx64 ":%" PRIu64, i ? "," : key, im->world, first);
		while (++i < group->count && group->members[i] == last + 1)
			last++;
		if (last > first)
			text_add(out, "-%" PRIu64, last);
	}
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

/* A communicator as its member number `rank` sees it. */
static void add_comm(struct importer *im, struct import_process *process, const struct comm_item *comm,
                     uint32_t rank, const struct group_item *local, const struct group_item *remote)
{
	struct text *out = &process->records;
	OTF2_CommRef ref = (OTF2_CommRef)comm->id;
	uint64_t parent = comm->parent != ref && comm->parent != OTF2_UNDEFINED_COMM
	                          ? comm_identity(im, process, comm->parent)
	                          : 0;

	text_add(out, "comm 0x%" PRIx64 " parent=0x%" PRIx64 " kind=%s rank=%u size=%u remote=%u",
	         comm_identity(im, process, ref), parent, remote ? "inter" : "intra", rank, local->count,
	         remote ? remote->count : 0);
	if (rank == 0) {
		add_members(im, " members=", local, out);
		if (remote)
			add_members(im, " others=", remote, out);
	}
	text_add(out, " ");
	text_add_quoted(out, comm->name);
	text_add(out, "\n");
}

static void add_side(struct importer *im, const struct comm_item *comm, const struct group_item *local,
                     const struct group_item *remote)
{
	for (uint32_t i = 0; i < local->count; i++) {
		struct import_process *process = process_of_rank(im, local->members[i]);
		if (process)
			add_comm(im, process, comm, i, local, remote);
	}
}

/* Of one definition, a communicator for each process alone. */
static void add_own_comms(struct importer *im, const struct comm_item *comm)
{
	for (size_t i = 0; i < im->process_count; i++) {
		struct import_process *process = &im->processes[i];
		uint64_t self = process->rank;
		struct group_item alone = {.members = &self, .count = 1};
		if (self != PROCESS_UNKNOWN)
			add_comm(im, process, comm, 0, &alone, NULL);
	}
}

static void add_comms(struct importer *im)
{
	struct contents *contents = &im->contents;

	for (size_t i = 0; i < table_count(&contents->comms); i++) {
		struct comm_item comm = *table_at(&contents->comms, struct comm_item, i);
		struct group_item local = *(struct group_item *)item_get(&contents->groups, comm.local);
		struct group_item remote = *(struct group_item *)item_get(&contents->groups, comm.remote);
		if (!comm.name)
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

static void add_object(struct importer *im, const char *kind, uint64_t identity,
                       const struct window_item *item)
{
	struct contents *contents = &im->contents;
	const struct comm_item comm = *(struct comm_item *)item_get(&contents->comms, item->comm);
	const struct group_item group = *(struct group_item *)item_get(&contents->groups, comm.local);

	if (!item->name || !comm.name || !has_good_members(im, &group))
		return;
	for (uint32_t i = 0; i < group.count; i++) {
		struct import_process *process = process_of_rank(im, group.members[i]);
		if (!process)
			continue;
		text_add(&process->records, "object %s 0x%" PRIx64 " comm=0x%" PRIx64 " size=0 unit=0 ", kind,
		         identity, comm_identity(im, process, item->comm));
		text_add_quoted(&process->records, item->name);
		text_add(&process->records, "\n");
	}
}

static void add_objects(struct importer *im)
{
	struct contents *contents = &im->contents;

	for (size_t i = 0; i < table_count(&contents->windows); i++) {
		struct window_item item = *table_at(&contents->windows, struct window_item, i);
		add_object(im, "win", window_identity((OTF2_RmaWinRef)item.id), &item);
	}
	for (size_t i = 0; i < table_count(&contents->files); i++) {
		struct window_item item = *table_at(&contents->files, struct window_item, i);
		add_object(im, "file", file_identity((OTF2_IoHandleRef)item.id), &item);
	}
}

uint64_t source_number(struct importer *im, const char *file)
{
	return intern(&im->files, file, strlen(file))->number + 1;
}

/* Files that places and regions of the program lie in, by their numbers. */
static void list_files(struct importer *im)
{
	struct contents *contents = &im->contents;
	size_t most = table_count(&contents->places) + table_count(&contents->regions);

	im->file_names = arena_array(&contents->arena, const char *, most + 1);
	for (size_t i = 0; i < table_count(&contents->places); i++) {
		const struct place_item *place = table_at(&contents->places, struct place_item, i);
		if (place->file)
			im->file_names[source_number(im, place->file) - 1] = place->file;
	}
	for (size_t i = 0; i < table_count(&contents->regions); i++) {
		const struct region_item *region = table_at(&contents->regions, struct region_item, i);
		if (region->place.file && !region->function)
			im->file_names[source_number(im, region->place.file) - 1] = region->place.file;
	}
}

void find_processes(struct importer *im)
{
	struct contents *contents = &im->contents;

	for (size_t i = 0; i < table_count(&contents->processes); i++) {
		struct process_item *item = table_at(&contents->processes, struct process_item, i);
		/* In an archive of Tarry's the others were not recorded. */
		if (im->own ? item->own_process != NULL
		            : item->defined && item->type != OTF2_LOCATION_GROUP_TYPE_ACCELERATOR)
			add_process(im, item);
	}
	find_locations(im);
	if (im->own)
		return;
	if (contents->all_processes.defined)
		give_ranks(im);
	else
		count_ranks(im);
	add_comms(im);
	add_objects(im);
	list_files(im);
}

static int by_number(const void *a, const void *b)
{
	const struct own_line *one = a, *other = b;

	return one->number < other->number ? -1 : one->number > other->number;
}

static void put_own_process(struct importer *im, struct process_item *item)
{
	text_add(&im->line, "%s", item->own_process);
	put_line(im);
	if (item->own_record_count)
		qsort(item->own_records, item->own_record_count, sizeof *item->own_records, by_number);
	for (size_t i = 0; i < item->own_record_count; i++) {
		text_add(&im->line, "%s", item->own_records[i].text);
		put_line(im);
	}
}

static void put_property(struct importer *im, const char *key, const char *value)
{
	text_add(&im->line, "property %s ", key);
	text_add_quoted(&im->line, value);
	put_line(im);
}

static void put_clock(struct importer *im)
{
	const struct contents *contents = &im->contents;

	text_add(&im->line, "clock otf2 %" PRIu64, contents->resolution ? contents->resolution : 1000000000);
	if (contents->date != OTF2_UNDEFINED_TIMESTAMP && contents->date)
		text_add(&im->line, " tick=%" PRIu64 " ns=%" PRIu64, contents->first_time, contents->date);
	put_line(im);
}

static void put_sources(struct importer *im)
{
	for (size_t i = 0; i < im->files.count; i++) {
		text_add(&im->line, "source %zu ", i + 1);
		text_add_quoted(&im->line, im->file_names[i]);
		text_add(&im->line, " \"\"");
		put_line(im);
	}
}

void put_process(struct importer *im, struct import_process *process)
{
	const struct node_item *node;

	if (im->own) {
		put_own_process(im, process->item);
		return;
	}
	text_add(&im->line, "process world=%" PRIx64, process->world);
	if (process->rank == PROCESS_UNKNOWN)
		text_add(&im->line, " rank=unknown");
	else
		text_add(&im->line, " rank=%" PRIu32 " size=%" PRIu32 " run=%" PRIx64, process->rank,
		         im->contents.all_processes.count ? im->contents.all_processes.count
		                                          : (uint32_t)im->process_count,
		         im->world);
	put_line(im);
	node = item_get(&im->contents.nodes, process->item->node);
	if (node->name && node->is_host)
		put_property(im, "host", node->name);
	put_property(im, "clock", "otf2"); /* an archive's times are of one clock */
	put_clock(im);
	put_sources(im);
	text_add_bytes(&im->line, text_get(&process->records), process->records.length);
	put_line(im);
}
