#include "analysis/live/live_parts.h"

#include "analysis/live/live_calls.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
	READ_BYTES = 8 << 20, /* of all threads, in one look */
	READ_MIN = 1 << 16,   /* of each */
};

/* Local file systems; others may be shared. */
static const long local_systems[] = {
	EXT4_SUPER_MAGIC,      XFS_SUPER_MAGIC,
	BTRFS_SUPER_MAGIC,     TMPFS_MAGIC,
	RAMFS_MAGIC,           F2FS_SUPER_MAGIC,
	OVERLAYFS_SUPER_MAGIC, REISERFS_SUPER_MAGIC,
	0x2fc12fc1 /* zfs */,  0x58465342 /* xfs, where headers lack it */,
};

bool live_folder_is_local(const char *folder)
{
	struct statfs about;

	if (statfs(folder, &about) != 0)
		return false;
	for (size_t i = 0; i < sizeof local_systems / sizeof *local_systems; i++)
		if ((uint32_t)about.f_type == (uint32_t)local_systems[i])
			return true;
	return false;
}

/* HOST-KEY.part; a host may have dashes, too. */
bool part_name_parse(const char *name, char host[PART_HOST_ROOM])
{
	const char *dash = strrchr(name, '-');

	if (!text_ends(name, PART_SUFFIX) || !dash || dash - name >= PART_HOST_ROOM)
		return false;
	memcpy(host, name, (size_t)(dash - name));
	host[dash - name] = '\0';
	return true;
}

static void add_hidden_host(struct live_job *job, const char *host)
{
	for (size_t i = 0; i < job->parts.count; i++)
		if (job->parts.items[i]->is_hidden && strcmp(job->parts.items[i]->host, host) == 0)
			return;
	text_add(&job->hidden_hosts, "%s%s", job->hidden_hosts.length ? ", " : "", host);
}

/* Looks whether the process is there, where that can be known: numbers of other hosts, or of containers, mean nothing here. */
static void look_for(const struct live_job *job, struct live_process *process)
{
	const struct part_entry *entry = followed_process_entry(process->part->followed, process->followed);
	char path[32];
	bool is_there;

	if (!entry || strcmp(process->host, job->host) != 0)
		return;
	snprintf(path, sizeof path, "/proc/%u", entry->pid);
	is_there = access(path, F_OK) == 0;
	process->is_gone |= process->was_there && !is_there;
	process->was_there |= is_there;
}

static void note_part(struct live_job *job, const char *name)
{
	char host[PART_HOST_ROOM];
	struct live_part *part;

	if (!part_name_parse(name, host) || text_map_find(&job->by_name, name))
		return;
	part = arena_new(&job->arena, struct live_part);
	part->name = arena_text(&job->arena, name);
	part->host = arena_text(&job->arena, host);
	part->followed = followed_part_new();
	part->is_hidden = !job->is_local && strcmp(host, job->host) != 0;
	if (part->is_hidden)
		add_hidden_host(job, host);
	*text_map_put(&job->by_name, part->name) = part;
	array_add(&job->parts, part);
}

/* Whether processes have ended is asked first: one that ends in between may have finished. In the order of names, whatever that of the file
 * system is. */
void live_parts_list(struct live_job *job)
{
	struct dirent **entries;
	int count;

	for (size_t i = 0; i < job->processes.count; i++)
		look_for(job, job->processes.items[i]);
	count = scandir(job->folder, &entries, NULL, versionsort);
	for (int i = 0; i < count; i++) {
		note_part(job, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

/* Reading */

struct part_reading {
	struct live_job *job;
	struct live_part *part;
};

static struct live_process *get_process(const struct part_reading *reading, struct followed_process *followed)
{
	struct live_process *process = followed->data;

	if (process)
		return process;
	process = arena_new(&reading->job->arena, struct live_process);
	process->rank = PROCESS_UNKNOWN;
	process->part = reading->part;
	process->followed = followed;
	process->site = LIVE_NONE;
	process->host = reading->part->host;
	followed->data = process;
	look_for(reading->job, process);
	array_add(&reading->job->processes, process);
	return process;
}

static void take_chunk(void *context, struct followed_stream *followed)
{
	const struct part_reading *reading = context;
	struct live_stream *stream = followed->data;

	if (!stream) {
		stream = followed->data = arena_new(&reading->job->arena, struct live_stream);
		stream->last_site = LIVE_NONE;
	}
	stream->process = get_process(reading, followed->process);
	live_calls_forget(stream);
}

static void take_event(void *context, struct followed_stream *followed, const struct event *event)
{
	live_calls_add(((const struct part_reading *)context)->job, followed, event);
}

static int open_part_file(const struct live_job *job, const struct live_part *part)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof path, "%s/%s", job->folder, part->name) >= (int)sizeof path)
		return -1;
	return open_regular(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW);
}

static size_t count_streams(const struct live_job *job)
{
	size_t count = 1;

	for (size_t i = 0; i < job->parts.count; i++)
		count += job->parts.items[i]->followed->stream_count;
	return count;
}

/* If calls were skipped, their number is unknown. */
static void sum_bytes(struct live_job *job)
{
	job->read_bytes = job->skipped_bytes = 0;
	for (size_t i = 0; i < job->parts.count; i++) {
		const struct followed_part *part = job->parts.items[i]->followed;
		for (size_t j = 0; j < part->stream_count; j++) {
			const struct followed_stream *stream = part->streams[j];
			job->read_bytes += stream->read_bytes;
			job->skipped_bytes += stream->skipped_bytes;
			if (stream->data && (stream->skipped_bytes || stream->is_unreadable))
				((struct live_stream *)stream->data)->process->waiting.is_incomplete = true;
		}
	}
}

static bool is_at_work(const struct part_header *header)
{
	for (uint32_t i = 0; i < part_entry_count(header); i++)
		if (header->processes[i].state <= PART_RUNNING)
			return true;
	return false;
}

static void count_silent(struct live_job *job)
{
	job->silent = 0;
	for (size_t i = 0; i < job->parts.count; i++) {
		struct live_part *part = job->parts.items[i];
		const struct followed_part *followed = part->followed;
		bool is_silent = !part->is_hidden && !followed->process_count &&
		                 (!followed->header || is_at_work(followed->header));

		job->silent += is_silent && part->was_silent;
		part->was_silent = is_silent;
	}
}

static void count_hidden(struct live_job *job)
{
	job->hidden = 0;
	for (size_t i = 0; i < job->parts.count; i++) {
		const struct live_part *part = job->parts.items[i];
		uint32_t count = part->followed->header ? part_entry_count(part->followed->header) : 0;

		if (part->is_hidden)
			job->hidden += count ? count : 1;
	}
}

/* A process that ended without a rank has left. */
static void find_end(struct live_process *process)
{
	const struct part_entry *entry = followed_process_entry(process->part->followed, process->followed);

	if (!entry)
		return;
	process->is_done = entry->state == PART_FINISHED || entry->state == PART_MERGED;
	process->is_gone = !process->is_done && (process->is_gone || entry->state == PART_LEFT);
}

/* The table of a part that cannot be read tells how many processes it has. */
static void note_part_file(const struct live_part *part, int fd)
{
	if (part->is_hidden)
		followed_part_note_header(part->followed, fd);
	else
		followed_part_note(part->followed, fd);
}

/* Files are opened for each look: there may be more than a process may have open. */
void live_parts_read(struct live_job *job)
{
	struct part_reading reading = {.job = job};
	const struct follow_sink sink = {&reading, take_chunk, take_event};
	size_t most = READ_BYTES / count_streams(job);

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < job->parts.count; i++) {
			struct live_part *part = reading.part = job->parts.items[i];
			int fd = open_part_file(job, part);
			if (fd < 0)
				continue;
			if (pass == 0)
				note_part_file(part, fd);
			else if (!part->is_hidden)
				followed_part_read(part->followed, fd, &sink,
				                   most > READ_MIN ? most : READ_MIN);
			close(fd);
		}
		if (pass == 0)
			follow_barrier();
	}
	for (size_t i = 0; i < job->parts.count; i++) {
		reading.part = job->parts.items[i];
		for (size_t j = 0; j < reading.part->followed->process_count; j++)
			find_end(get_process(&reading, reading.part->followed->processes[j]));
	}
	count_hidden(job);
	count_silent(job);
	sum_bytes(job);
}
