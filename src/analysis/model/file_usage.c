#include "analysis/model/file_usage.h"

#include "analysis/model/spans.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* A pattern is that of so many of the accesses. */
#define PATTERN_PART 0.8

const char *const access_pattern_names[ACCESS_PATTERNS] = {"", "sequential", "strided", "random"};

static uint64_t saturating_count(uint64_t sum, uint64_t more)
{
	return more > INT64_MAX - sum ? INT64_MAX : sum + more;
}

static int64_t ticks_as_ns(uint64_t ticks, double ns_per_tick)
{
	const double ns = (double)ticks * ns_per_tick;

	return ns < 0x1p62 ? (int64_t)ns : INT64_MAX;
}

static void add_transfers(struct file_transfers *sum, const struct file_transfers *more)
{
	sum->calls = saturating_count(sum->calls, more->calls);
	sum->bytes = saturating_count(sum->bytes, more->bytes);
	sum->consecutive = saturating_count(sum->consecutive, more->consecutive);
	sum->strided = saturating_count(sum->strided, more->strided);
	sum->ns = saturating_add(sum->ns, more->ns);
}

static void add_sums(struct file_sums *sum, const struct file_sums *more)
{
	for (size_t i = 0; i < FILE_DIRECTIONS; i++) {
		add_transfers(&sum->moved[i], &more->moved[i]);
		add_transfers(&sum->small[i], &more->small[i]);
	}
	sum->opens = saturating_count(sum->opens, more->opens);
	sum->seeks = saturating_count(sum->seeks, more->seeks);
	sum->stats = saturating_count(sum->stats, more->stats);
	sum->syncs = saturating_count(sum->syncs, more->syncs);
	sum->maps = saturating_count(sum->maps, more->maps);
	sum->mapped_bytes = saturating_count(sum->mapped_bytes, more->mapped_bytes);
	sum->other_ns = saturating_add(sum->other_ns, more->other_ns);
	sum->inside_ns = saturating_add(sum->inside_ns, more->inside_ns);
}

/* A trace may be damaged. */
static bool is_valid(const struct access_record *access)
{
	return access->direction < FILE_DIRECTIONS && access->interface < FILE_INTERFACES &&
	       access->size_class < FILE_SIZE_CLASSES;
}

static struct file_transfers transfers_of(const struct access_record *access, double ns_per_tick)
{
	return (struct file_transfers){access->calls, access->bytes, access->consecutive, access->strided,
	                               ticks_as_ns(access->inside, ns_per_tick)};
}

/* In the order of the process's records. */
struct file_user *process_file_users(const struct process *process, uint32_t index, double ns_per_tick)
{
	struct file_user *users = memory_new(process->file_count + 1, sizeof *users);
	struct map numbers = {0};

	for (size_t i = 0; i < process->file_count; i++) {
		const struct file_record *file = &process->files[i];

		*map_put(&numbers, map_key(file->number, 0)) = (uint32_t)i;
		users[i] = (struct file_user){.process = index,
		                              .record = file,
		                              .sums = {.opens = file->opens,
		                                       .seeks = file->seeks,
		                                       .stats = file->stats,
		                                       .syncs = file->syncs,
		                                       .maps = file->maps,
		                                       .mapped_bytes = file->mapped_bytes,
		                                       .other_ns = ticks_as_ns(file->inside, ns_per_tick)}};
		users[i].sums.inside_ns = users[i].sums.other_ns;
	}
	for (size_t i = 0; i < process->access_count; i++) {
		const struct access_record *access = &process->accesses[i];
		const struct file_transfers more = transfers_of(access, ns_per_tick);
		const uint32_t *number = map_find(&numbers, map_key(access->file, 0));
		struct file_sums *sums = number ? &users[*number].sums : NULL;

		if (!sums || !is_valid(access))
			continue;
		add_transfers(&sums->moved[access->direction], &more);
		if (access->size_class < SMALL_SIZE_CLASSES && access->interface != FILE_BY_STREAM)
			add_transfers(&sums->small[access->direction], &more);
		sums->inside_ns = saturating_add(sums->inside_ns, more.ns);
	}
	map_release(&numbers);
	return users;
}

bool file_is_used(const struct file_user *user)
{
	const struct file_sums *sums = &user->sums;

	return sums->opens || sums->stats || sums->inside_ns || sums->moved[FILE_READ].calls ||
	       sums->moved[FILE_WRITTEN].calls;
}

/* Files by path. Equal texts of a trace have the same pointer. */
struct file_pass {
	struct file_usage *usage;
	struct map numbers;
};

static struct used_file *find_used_file(struct file_pass *pass, const char *path)
{
	struct file_usage *usage = pass->usage;
	uint32_t *number = map_put(&pass->numbers, map_key((uintptr_t)path, 0));

	if (*number == MAP_NONE) {
		*number = (uint32_t)usage->file_count;
		arena_add(&usage->arena, usage->files, usage->file_count, (struct used_file){.path = path});
	}
	return &usage->files[*number];
}

static void add_process(struct file_pass *pass, const struct process *process, uint32_t index,
                        double ns_per_tick)
{
	struct file_user *users = process_file_users(process, index, ns_per_tick);
	struct map numbers = {0}; /* in the usage, by number in the process */

	for (size_t i = 0; i < process->file_count; i++) {
		const struct file_record *record = users[i].record;
		struct used_file *file;

		if (!file_is_used(&users[i]))
			continue;
		pass->usage->unlisted += !record->number && record->opens;
		file = find_used_file(pass, record->number ? record->path : NULL);
		*map_put(&numbers, map_key(record->number, 0)) = (uint32_t)(file - pass->usage->files);
		add_sums(&file->sums, &users[i].sums);
		for (size_t j = 0; j < FILE_DIRECTIONS; j++)
			file->movers[j] += users[i].sums.moved[j].calls != 0;
		arena_add(&pass->usage->arena, file->users, file->user_count, users[i]);
	}
	for (size_t i = 0; i < process->access_count; i++) {
		const struct access_record *access = &process->accesses[i];
		const struct file_transfers more = transfers_of(access, ns_per_tick);
		const uint32_t *number = map_find(&numbers, map_key(access->file, 0));
		struct used_file *file = number ? &pass->usage->files[*number] : NULL;

		if (!file || !is_valid(access))
			continue;
		add_transfers(&file->by_interface[access->direction][access->interface], &more);
		add_transfers(&file->by_size[access->direction][access->size_class], &more);
	}
	map_release(&numbers);
	free(users);
}

/* MPI-IO. Programs give MPI a path with or without a folder, and perhaps with a prefix that names the file system ("ufs:"). */
static bool is_path_of(const struct used_file *file, const struct process *process, const char *name)
{
	const char *cwd = process_property(process, "cwd"), *colon = strchr(name, ':'),
		   *slash = strchr(name, '/');
	size_t length;

	if (!file->path)
		return false;
	if (colon && (!slash || colon < slash))
		name = colon + 1;
	if (text_begins(name, "./"))
		name += 2;
	if (*name == '/')
		return strcmp(file->path, name) == 0;
	length = cwd ? strlen(cwd) : 0;
	return length && strncmp(file->path, cwd, length) == 0 && file->path[length] == '/' &&
	       strcmp(file->path + length + 1, name) == 0;
}

static struct used_file *file_of_object(struct file_usage *usage, const struct process *process,
                                        int64_t identity)
{
	const char *name = NULL;

	for (size_t i = 0; i < process->object_count && !name; i++)
		if (process->objects[i].identity == (uint64_t)identity &&
		    process->objects[i].kind == RECORDED_FILE)
			name = process->objects[i].name;
	for (size_t i = 0; name && i < usage->file_count; i++)
		if (is_path_of(&usage->files[i], process, name))
			return &usage->files[i];
	return NULL;
}

/* The trace has the bytes of a read if it was not asynchronous. */
static uint64_t file_call_bytes(const struct site_total *site, const struct call_info *info)
{
	const int64_t bytes = field_or(site->call, info->moves == MOVES_WRITE ? FIELD_SENT : FIELD_RECEIVED,
	                               0);
	const double all = (double)bytes * (double)site->starts;

	return all > 0 && all < 0x1p62 ? (uint64_t)bytes * site->starts : 0;
}

static void add_mpi_call(struct file_usage *usage, const struct process *process,
                         const struct site_total *site)
{
	const struct call_info *info = call_find(site->call->outline->name);
	struct used_file *file;
	struct mpi_file_calls *sum;
	int64_t identity;

	if (!info || (info->moves != MOVES_READ && info->moves != MOVES_WRITE) ||
	    !call_field(site->call, FIELD_FILE, &identity) ||
	    !(file = file_of_object(usage, process, identity)))
		return;
	sum = &file->mpi[info->moves == MOVES_WRITE ? FILE_WRITTEN : FILE_READ];
	sum->calls = saturating_count(sum->calls, site->starts);
	sum->ns = saturating_add(sum->ns, site->inside_ns);
	sum->bytes = saturating_count(sum->bytes, file_call_bytes(site, info));
}

static int by_inside(const void *left, const void *right)
{
	const struct used_file *a = left, *b = right;

	if (!a->path != !b->path)
		return a->path ? -1 : 1;
	if (a->sums.inside_ns != b->sums.inside_ns)
		return a->sums.inside_ns < b->sums.inside_ns ? 1 : -1;
	return a->path ? strcmp(a->path, b->path) : 0;
}

struct file_usage *file_usage_new(const struct reader *reader, const struct clocks *clocks,
                                  const struct figures *figures)
{
	struct file_pass pass = {0};
	bool is_recorded = false;

	for (size_t i = 0; i < reader->process_count && !is_recorded; i++)
		is_recorded = reader->processes[i].file_count;
	if (!is_recorded)
		return NULL;
	pass.usage = memory_new(1, sizeof *pass.usage);
	for (uint32_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];

		if (process->file_count)
			add_process(&pass, process, i, 1e9 * clocks_seconds_per_tick(clocks, i));
	}
	for (size_t i = 0; figures && i < figures->site_count; i++)
		add_mpi_call(pass.usage, &reader->processes[figures->sites[i].process], &figures->sites[i]);
	for (size_t i = 0; i < pass.usage->file_count; i++)
		pass.usage->inside_ns = saturating_add(pass.usage->inside_ns,
		                                       pass.usage->files[i].sums.inside_ns);
	if (pass.usage->file_count)
		qsort(pass.usage->files, pass.usage->file_count, sizeof *pass.usage->files, by_inside);
	map_release(&pass.numbers);
	return pass.usage;
}

void file_usage_free(struct file_usage *usage)
{
	if (usage)
		arena_release(&usage->arena);
	free(usage);
}

enum access_pattern access_pattern_of(const struct file_transfers *transfers, size_t movers)
{
	const double calls = (double)transfers->calls, first = (double)movers;

	if (!transfers->calls)
		return PATTERN_NONE;
	if ((double)transfers->consecutive >= PATTERN_PART * (calls - first))
		return PATTERN_SEQUENTIAL;
	return (double)transfers->consecutive + (double)transfers->strided >=
	                       PATTERN_PART * (calls - 2 * first)
	               ? PATTERN_STRIDED
	               : PATTERN_RANDOM;
}

const char *file_short_path(const struct process *process, const char *path)
{
	const char *cwd = process_property(process, "cwd");
	const size_t length = cwd ? strlen(cwd) : 0;

	return length > 1 && strncmp(path, cwd, length) == 0 && path[length] == '/' ? path + length + 1
	                                                                            : path;
}
