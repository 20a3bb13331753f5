#include "analysis/live/live_parts.h"

#include "analysis/live/live_calls.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
	READ_BYTES = 8 << 20, /* of all threads, in one look */
	READ_LEAST = 1 << 16, /* of each */
	WORLD_DIGITS = 16,
	PID_MOST = 100000000,
};

/* File systems of one machine; of whatever else it is not certain. */
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

/* "WORLD-RANK-" or "WORLD-RANK+N-" of a part that is done. */
static const char *behind_rank(const char *name)
{
	const char *at = name;

	while (isxdigit((unsigned char)*at))
		at++;
	if (at - name != WORLD_DIGITS || *at++ != '-')
		return NULL;
	at += strspn(at, "0123456789+");
	return *at == '-' ? at + 1 : NULL;
}

/* HOST-PID-RANDOM.part; a host may have dashes, too. */
bool part_name_parse(const char *name, struct part_name *parsed)
{
	const char *end = name + strlen(name), *dash, *pid;

	*parsed = (struct part_name){.is_done = text_ends(name, DONE_SUFFIX)};
	if (!text_ends(name, PART_SUFFIX) || (parsed->is_done && !(name = behind_rank(name))))
		return false;
	end -= strlen(parsed->is_done ? DONE_SUFFIX : PART_SUFFIX);
	dash = memrchr(name, '-', (size_t)(end - name));
	pid = dash ? memrchr(name, '-', (size_t)(dash - name)) : NULL;
	if (!pid || (size_t)(pid - name) >= sizeof parsed->host)
		return false;
	memcpy(parsed->host, name, (size_t)(pid - name));
	for (pid++; pid < dash && isdigit((unsigned char)*pid) && parsed->pid < PID_MOST; pid++)
		parsed->pid = 10 * parsed->pid + (*pid - '0');
	return pid == dash && parsed->pid > 0;
}

static void hide(struct live_job *job, const struct live_part *part)
{
	bool is_named = false;

	for (size_t i = 0; i < job->parts.count && !is_named; i++)
		is_named = !job->parts.items[i]->followed &&
		           strcmp(job->parts.items[i]->host, part->host) == 0;
	job->hidden++;
	if (!is_named)
		text_add(&job->hidden_hosts, "%s%s", job->hidden_hosts.length ? ", " : "", part->host);
}

/* Looks whether the process is there, where that can be known: numbers of other hosts, or of containers, mean nothing here. */
static bool has_ended(const struct live_job *job, struct live_part *part)
{
	char path[32];
	bool is_there;

	if (part->is_done || strcmp(part->host, job->host) != 0)
		return false;
	snprintf(path, sizeof path, "/proc/%d", part->pid);
	is_there = access(path, F_OK) == 0;
	part->was_there |= is_there;
	return part->was_there && !is_there;
}

static struct live_part *add_part(struct live_job *job, uint64_t inode, const struct part_name *parsed)
{
	struct live_part *part = arena_new(&job->arena, struct live_part);

	part->inode = inode;
	part->pid = parsed->pid;
	part->host = arena_text(&job->arena, parsed->host);
	part->is_done = parsed->is_done;
	has_ended(job, part);
	if (job->is_local || strcmp(part->host, job->host) == 0)
		part->followed = followed_part_new();
	else
		hide(job, part);
	*map_put(&job->by_inode, map_key(inode, 0)) = (uint32_t)job->parts.count;
	array_add(&job->parts, part);
	return part;
}

static void note_part(struct live_job *job, uint64_t inode, const char *name)
{
	const uint32_t *known = map_find(&job->by_inode, map_key(inode, 0));
	struct live_part *part = known ? job->parts.items[*known] : NULL;
	struct part_name parsed;

	if (!part_name_parse(name, &parsed))
		return;
	if (!part)
		part = add_part(job, inode, &parsed);
	if (!part->name || strcmp(part->name, name) != 0)
		part->name = arena_text(&job->arena, name);
	part->is_done = parsed.is_done;
}

/* Whether it has ended is asked first: a process that ends in between may have given its part another name. In the order of names, whatever
 * that of the file system is. */
void live_parts_list(struct live_job *job)
{
	struct dirent **entries;
	int count;

	for (size_t i = 0; i < job->parts.count; i++) {
		struct live_part *part = job->parts.items[i];
		part->is_gone = part->is_gone || has_ended(job, part);
	}
	count = scandir(job->folder, &entries, NULL, versionsort);
	for (int i = 0; i < count; i++) {
		note_part(job, entries[i]->d_ino, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	for (size_t i = 0; i < job->parts.count; i++)
		if (job->parts.items[i]->is_done)
			job->parts.items[i]->is_gone = false;
}

/* What is read */

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

	if (!part->followed ||
	    snprintf(path, sizeof path, "%s/%s", job->folder, part->name) >= (int)sizeof path)
		return -1;
	return open_regular(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW);
}

static size_t count_streams(const struct live_job *job)
{
	size_t count = 1;

	for (size_t i = 0; i < job->parts.count; i++)
		count += job->parts.items[i]->followed ? job->parts.items[i]->followed->stream_count : 0;
	return count;
}

/* If calls were skipped, the number of calls is unknown. */
static void sum_bytes(struct live_job *job)
{
	job->read_bytes = job->skipped_bytes = 0;
	for (size_t i = 0; i < job->parts.count; i++) {
		const struct followed_part *part = job->parts.items[i]->followed;
		for (size_t j = 0; part && j < part->stream_count; j++) {
			const struct followed_stream *stream = part->streams[j];
			job->read_bytes += stream->read_bytes;
			job->skipped_bytes += stream->skipped_bytes;
			if (stream->data && (stream->skipped_bytes || stream->is_unreadable))
				((struct live_stream *)stream->data)->process->waiting.is_incomplete = true;
		}
	}
}

static void count_silent(struct live_job *job)
{
	job->silent = 0;
	for (size_t i = 0; i < job->parts.count; i++) {
		struct live_part *part = job->parts.items[i];
		bool is_silent = part->followed && !part->followed->process_count && !part->is_done;

		job->silent += is_silent && part->was_silent;
		part->was_silent = is_silent;
	}
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
				followed_part_note(part->followed, fd);
			else
				followed_part_read(part->followed, fd, &sink,
				                   most > READ_LEAST ? most : READ_LEAST);
			close(fd);
		}
		if (pass == 0)
			follow_barrier();
	}
	for (size_t i = 0; i < job->parts.count; i++) {
		reading.part = job->parts.items[i];
		for (size_t j = 0; reading.part->followed && j < reading.part->followed->process_count; j++)
			get_process(&reading, reading.part->followed->processes[j]);
	}
	count_silent(job);
	sum_bytes(job);
}
