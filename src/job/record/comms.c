#include "job/record/comms.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/own_folder.h"
#include "base/settings.h"
#include "job/mpi/handles.h"
#include "job/mpi/members.h"
#include "job/record/process.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Worlds that MPI_Comm_spawn creates. The communicator between parents and children needs the same identity on both sides, but MPI gives them
 * no common value. So the identity is derived from the children's world, which the parents find through the parts folder: the first child
 * creates a file with that world's name, the root of the spawn renames it to the number of its spawn, and the other parents look for that
 * number.
 *
 * Parents wait only if `tarry run` started the whole job (SETTING_RUN), because otherwise the children may not be recorded. The wait is short:
 * in the worst case, the two sides are not connected in the trace. */

enum { PATIENCE_MS = 500 };

/* Names in the parts folder: spawned-CHILDREN-PARENTS-WORLD, then adopted-SPAWN-WORLD. */
#define SPAWNED MEETING_PREFIX "spawned-%d-%d-"
#define ADOPTED MEETING_PREFIX "adopted-%016llx-"

/* The origin of the identity of the communicator to the parents. */
static uint64_t spawned_world_origin(uint64_t child_world)
{
	return hash_words(&(int64_t){(int64_t)child_world}, 1, ORIGIN_SPAWN);
}

/* Called by process 0 of a world that has parents. */
static void spawned_world_announce(int world_size, int parents)
{
	char name[NAME_MAX + 1];
	int folder = part_folder(), fd;

	if (!setting_get(SETTING_RUN) || folder < 0)
		return;
	snprintf(name, sizeof name, SPAWNED "%016llx", world_size, parents,
	         (unsigned long long)process.world);
	fd = private_file_open(folder, name, O_WRONLY);
	if (fd >= 0)
		close(fd);
}

/* The world in the first file name with this prefix. */
static bool find_name(int folder, const char *prefix, char *name, uint64_t *world)
{
	DIR *listing = folder_list(folder);
	struct dirent *entry;
	bool found = false;

	while (listing && !found && (entry = readdir(listing)))
		if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
			snprintf(name, NAME_MAX + 1, "%s", entry->d_name);
			*world = strtoull(entry->d_name + strlen(prefix), NULL, 16);
			found = true;
		}
	if (listing)
		closedir(listing);
	return found;
}

/* Simultaneous spawns of the same size may take each other's children, but each name is taken only once. */
static bool adopt(int folder, const char *spawned, const char *adopted, uint64_t *world)
{
	char from[NAME_MAX + 1], to[NAME_MAX + 1];

	if (!find_name(folder, spawned, from, world))
		return false;
	snprintf(to, sizeof to, "%s%016llx", adopted, (unsigned long long)*world);
	return renameat(folder, from, folder, to) == 0;
}

/* Finds the origin of the communicator to the children. All processes that spawned them call it; `spawn` identifies the spawn in all of them.
 * False: no world of children was found. */
static bool spawned_world_find(uint64_t spawn, bool is_root, int children, int parents, uint64_t *origin)
{
	char spawned[64], adopted[64], name[NAME_MAX + 1];
	int folder = part_folder();
	uint64_t world = 0;
	bool found = false;

	if (!setting_get(SETTING_RUN) || folder < 0)
		return false;
	snprintf(spawned, sizeof spawned, SPAWNED, children, parents);
	snprintf(adopted, sizeof adopted, ADOPTED, (unsigned long long)spawn);
	for (int ms = 0; ms < PATIENCE_MS && !found; ms++) {
		found = is_root ? adopt(folder, spawned, adopted, &world)
		                : find_name(folder, adopted, name, &world);
		if (!found)
			nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
	}
	if (found)
		*origin = spawned_world_origin(world);
	return found;
}

static struct handles comms, wins, files;

/* The number that means "no object"; its identity is 0. */
enum { NOTHING = -1 };

static const struct recorded_comm no_comm = {.number = NOTHING};
static struct win no_win = {.number = NOTHING};

static int comm_kind(const struct comm_shape *shape)
{
	static const int kinds[] = {[TOPOLOGY_NONE] = COMM_INTRA,
	                            [TOPOLOGY_CART] = COMM_CART,
	                            [TOPOLOGY_GRAPH] = COMM_GRAPH,
	                            [TOPOLOGY_DIST_GRAPH] = COMM_DIST_GRAPH};

	return shape->inter ? COMM_INTER : kinds[shape->topology];
}

/* Ranks at a constant distance are one run: MPI_COMM_WORLD, for example, or a row or column of a grid. */
static struct rank_run next_run(const struct member_list *list, int at)
{
	const int *ranks = &list->ranks[at];
	const bool known = ranks[0] != MPI_UNDEFINED;
	int stride = 0, count = 1;

	if (at + 1 < list->count && (ranks[1] != MPI_UNDEFINED) == known)
		stride = known ? ranks[1] - ranks[0] : 0;
	while (at + count < list->count && (ranks[count] != MPI_UNDEFINED) == known &&
	       ranks[count] - ranks[count - 1] == stride)
		count++;
	return (struct rank_run){known ? process.world : 0, known ? (uint32_t)ranks[0] : 0,
	                         known ? stride : 1, (uint32_t)count};
}

/* If out of memory, the group has no members. */
static struct group group_of(const struct member_list *list)
{
	struct group group = {0};
	size_t runs = 0;

	for (int i = 0; i < list->count; i += (int)next_run(list, i).count)
		runs++;
	group.runs = process_table(runs, sizeof *group.runs);
	for (int i = 0; group.runs && i < list->count; i += (int)group.runs[group.run_count++].count)
		group.runs[group.run_count] = next_run(list, i);
	return group;
}

static void write_comm(const struct recorded_comm *c, uint64_t parent, const struct members *members,
                       const char *name)
{
	struct comm comm = {c->identity,
	                    parent,
	                    (uint64_t)comm_kind(&c->shape),
	                    (uint64_t)c->shape.rank,
	                    (uint64_t)c->shape.size,
	                    c->shape.inter ? (uint64_t)c->shape.peers : 0,
	                    .name = name};

	/* One process lists the members. */
	if (c->shape.rank == 0) {
		comm.local = group_of(&members->local);
		comm.remote = group_of(&members->remote);
	}
	process_write(RECORD_COMM, &comm);
	free(comm.local.runs);
	free(comm.remote.runs);
}

/* Adds a communicator, with an identity derived from `origin`. */
static const struct recorded_comm *add_comm_with(MPI_Comm handle, uint64_t origin, bool from_members,
                                                 uint64_t parent, const char *name)
{
	struct recorded_comm *c = process_table(1, sizeof *c);
	struct members members;

	if (!c)
		return &no_comm;
	comm_shape_find(&c->shape, handle);
	members_find(&members, handle, c->shape.inter);
	c->identity = from_members ? members_identity(&members, origin) : origin;
	process_lock();
	c->number = object_add(c->identity);
	handles_set(&comms, HANDLE(handle), c);
	process_unlock();
	write_comm(c, parent, &members, name);
	members_release(&members);
	return c;
}

static const struct recorded_comm *add_comm(MPI_Comm handle, uint64_t origin, uint64_t parent,
                                            const char *name)
{
	return add_comm_with(handle, origin, true, parent, name);
}

void comms_start(void)
{
	add_comm(MPI_COMM_WORLD, process.world, 0, "MPI_COMM_WORLD");
	add_comm(MPI_COMM_SELF, process.world ^ ((uint64_t)process.rank + 1) << 32, 0, "MPI_COMM_SELF");
}

/* If a communicator is unknown, so is its origin: its identity is derived from its members. */
static const struct recorded_comm *find_comm(const struct recording_stream *s, MPI_Comm handle)
{
	const struct recorded_comm *c;

	process_lock();
	c = handles_find(&comms, HANDLE(handle));
	process_unlock();
	if (c || handle == MPI_COMM_NULL || !process.identified || s->failed)
		return c ? c : &no_comm;
	return add_comm(handle, process.world, 0, "");
}

const struct recorded_comm *comm_get_slow(struct recording_stream *s, MPI_Comm handle)
{
	const struct recorded_comm *c = find_comm(s, handle);

	if (c != &no_comm)
		*cached(&s->comms, HANDLE(handle)) = (struct handle_cache_entry){HANDLE(handle),
		                                                                 (int64_t)(intptr_t)c};
	return c;
}

/* Forgets an older object with this handle, which was freed unnoticed, for example inside another call. */
static bool is_new(MPI_Comm handle)
{
	if (handle == MPI_COMM_NULL || !process.identified)
		return false;
	comm_ended(handle);
	return true;
}

static int64_t made(MPI_Comm handle, uint64_t origin, uint64_t parent)
{
	if (!is_new(handle))
		return NOTHING;
	return add_comm(handle, origin, parent, "")->number;
}

int64_t comm_made(struct recording_stream *s, MPI_Comm handle, MPI_Comm parent)
{
	uint64_t origin = comm_get(s, parent)->identity;

	return made(handle, origin, origin);
}

int64_t comm_made_in_group(struct recording_stream *s, MPI_Comm handle, MPI_Comm parent, int64_t tag)
{
	uint64_t origin = comm_get(s, parent)->identity;

	return made(handle, hash_words(&tag, 1, origin), origin);
}

int64_t comm_made_with_tag(struct recording_stream *s, MPI_Comm handle, int64_t tag)
{
	(void)s;
	return made(handle, hash_words(&tag, 1, ORIGIN_TAG), 0);
}

int64_t comm_made_at_port(struct recording_stream *s, MPI_Comm handle, const char *port, size_t length)
{
	(void)s;
	return made(handle, hash_bytes(port, length), 0);
}

int64_t comm_made_by_spawn(struct recording_stream *s, MPI_Comm handle, MPI_Comm parent, int root)
{
	const struct recorded_comm *c = comm_get(s, parent);
	uint64_t spawn = next_of_kind(c->identity, ORIGIN_SPAWN), origin = spawn;
	int children = 0;

	if (handle == MPI_COMM_NULL)
		return NOTHING;
	PMPI_Comm_remote_size(handle, &children);
	spawned_world_find(spawn, c->shape.rank == root, children, c->shape.size, &origin);
	s->overhead_cause = "search";
	return add_comm_with(handle, origin, false, c->identity, "")->number;
}

void comm_to_parents(void)
{
	MPI_Comm parents = MPI_COMM_NULL;
	int count = 0;

	PMPI_Comm_get_parent(&parents);
	if (parents == MPI_COMM_NULL)
		return;
	PMPI_Comm_remote_size(parents, &count);
	if (process.rank == 0)
		spawned_world_announce((int)process.size, count);
	add_comm_with(parents, spawned_world_origin(process.world), false, 0, "");
}

uint64_t comm_promised(struct recording_stream *s, MPI_Comm parent)
{
	const struct recorded_comm *c = comm_get(s, parent);
	struct members members;
	uint64_t identity;

	members_find(&members, parent, c->shape.inter);
	identity = members_identity(&members, c->identity);
	members_release(&members);
	return identity;
}

int64_t comm_made_by_request(int64_t parent_number, uint64_t identity, MPI_Comm handle)
{
	if (!is_new(handle))
		return NOTHING;
	return add_comm_with(handle, identity, false, object_identity(parent_number), "")->number;
}

void comm_ended(MPI_Comm handle)
{
	struct recorded_comm *c;

	process_lock();
	c = handles_remove(&comms, HANDLE(handle));
	if (c)
		handle_ended();
	process_unlock();
	free(c);
}

void handle_ended(void)
{
	__atomic_add_fetch(&object_generation, 1, __ATOMIC_RELAXED);
}

int64_t type_size_slow(struct recording_stream *s, MPI_Datatype handle)
{
	MPI_Count size = 0;

	if (s->failed || handle == MPI_DATATYPE_NULL || PMPI_Type_size_x(handle, &size) != MPI_SUCCESS ||
	    size < 0)
		return 0;
	*cached(&s->types, HANDLE(handle)) = (struct handle_cache_entry){HANDLE(handle), size};
	return size;
}

/* All processes of a communicator create its windows and files in the same order. */
static void write_object(int kind, uint64_t identity, uint64_t comm, int64_t bytes, int64_t unit,
                         const char *path, size_t length)
{
	char *name = process_table(1, length + 1);

	if (!name)
		return;
	memcpy(name, path, length);
	process_write(RECORD_OBJECT, &(struct object){(uint64_t)kind, identity, comm, (uint64_t)bytes,
	                                              (uint64_t)unit, name});
	free(name);
}

int64_t win_made(struct recording_stream *s, MPI_Win handle, MPI_Comm comm, int64_t bytes, int64_t unit)
{
	const struct recorded_comm *c = comm_get(s, comm);
	struct win *w;

	if (handle == MPI_WIN_NULL || !(w = process_table(1, sizeof *w)))
		return NOTHING;
	win_ended(handle); /* an older window with this handle, whose end was not seen */
	w->identity = next_of_kind(c->identity, ORIGIN_WIN);
	PMPI_Win_get_group(handle, &w->group);
	process_lock();
	w->number = object_add(w->identity);
	handles_set(&wins, HANDLE(handle), w);
	process_unlock();
	write_object(RECORDED_WIN, w->identity, c->identity, bytes, unit, "", 0);
	return w->number;
}

struct win *win_get(struct recording_stream *s, MPI_Win handle)
{
	struct handle_cache_entry *entry = cached(&s->wins, HANDLE(handle));
	struct win *w;

	if (LIKELY(entry->value && entry->handle == HANDLE(handle)))
		return (struct win *)(intptr_t)entry->value; /* NOLINT: it is a pointer */
	process_lock();
	w = handles_find(&wins, HANDLE(handle));
	process_unlock();
	if (!w)
		return &no_win;
	*entry = (struct handle_cache_entry){HANDLE(handle), (int64_t)(intptr_t)w};
	return w;
}

void win_ended(MPI_Win handle)
{
	struct win *w;

	process_lock();
	w = handles_remove(&wins, HANDLE(handle));
	if (w)
		handle_ended();
	process_unlock();
	if (w)
		PMPI_Group_free(&w->group);
	free(w);
}

int64_t file_made(struct recording_stream *s, MPI_File handle, MPI_Comm comm, const char *path, size_t length)
{
	const struct recorded_comm *c = comm_get(s, comm);
	struct file *f;

	if (handle == MPI_FILE_NULL || !(f = process_table(1, sizeof *f)))
		return NOTHING;
	f->identity = next_of_kind(c->identity, ORIGIN_FILE);
	process_lock();
	f->number = object_add(f->identity);
	handles_set(&files, HANDLE(handle), f);
	process_unlock();
	write_object(RECORDED_FILE, f->identity, c->identity, 0, 0, path, length);
	return f->number;
}

int64_t file_number(MPI_File handle)
{
	const struct file *f;

	process_lock_if_shared();
	f = handles_find(&files, HANDLE(handle));
	process_unlock_if_shared();
	return f ? f->number : NOTHING;
}

void file_ended(MPI_File handle)
{
	process_lock();
	free(handles_remove(&files, HANDLE(handle)));
	process_unlock();
}
