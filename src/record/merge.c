#include "record/merge.h"

#include "base/crc32.h"
#include "base/notes.h"
#include "base/settings.h"
#include "record/part.h"
#include "record/process.h"
#include "trace/format.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 18, PREFIX_SIZE = 17 };

/* Finished parts of the world: their names begin with its number. */
struct finished {
	char folder[PATH_MAX];
	char prefix[PREFIX_SIZE + 1];
	char (*names)[NAME_MAX + 1];
	uint32_t count, wanted;
};

/* Whose part it is: the name says it. */
struct owner {
	uint64_t world;
	uint32_t rank;
};

static struct owner owner_of(const char *name)
{
	char *rest;
	uint64_t world = strtoull(name, &rest, 16);

	return (struct owner){world, *rest == '-' ? (uint32_t)strtoul(rest + 1, NULL, 10) : PROCESS_UNKNOWN};
}

static bool is_finished(const struct finished *parts, const char *name)
{
	size_t length = strlen(name), suffix = strlen(DONE_SUFFIX);

	return length > suffix && strcmp(name + length - suffix, DONE_SUFFIX) == 0 &&
	       strncmp(name, parts->prefix, PREFIX_SIZE) == 0;
}

static bool list_finished(struct finished *parts)
{
	DIR *folder = opendir(parts->folder);
	struct dirent *entry;

	if (!folder)
		return false;
	parts->count = 0;
	while ((entry = readdir(folder)))
		if (is_finished(parts, entry->d_name) && parts->count < parts->wanted)
			memcpy(parts->names[parts->count++], entry->d_name, strlen(entry->d_name) + 1);
	closedir(folder);
	return parts->count == parts->wanted;
}

static bool write_fully(int fd, const void *bytes, size_t size)
{
	while (size > 0) {
		ssize_t written = write(fd, bytes, size);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes = (const char *)bytes + written;
		size -= (size_t)written;
	}
	return true;
}

static bool read_fully(int fd, void *bytes, size_t size, off_t offset)
{
	while (size > 0) {
		ssize_t got = pread(fd, bytes, size, offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		bytes = (char *)bytes + got;
		size -= (size_t)got;
		offset += got;
	}
	return true;
}

static bool copy_bytes(int from, off_t offset, int to, size_t size, char *buffer)
{
	while (size > 0) {
		size_t piece = size < BUFFER ? size : BUFFER;
		if (!read_fully(from, buffer, piece, offset) || !write_fully(to, buffer, piece))
			return false;
		offset += (off_t)piece;
		size -= piece;
	}
	return true;
}

/* One chunk without the room it did not use; `*offset` moves to the next one. */
static bool copy_chunk(int from, off_t *offset, int to, const struct owner *owner, char *buffer)
{
	static const char padding[CHUNK_ALIGNMENT];
	struct chunk_header header;
	uint32_t capacity, filled;
	off_t payload;

	if (!read_fully(from, &header, sizeof header, *offset) ||
	    memcmp(header.magic, CHUNK_MAGIC, CHUNK_MAGIC_SIZE) != 0 || header.length > header.capacity)
		return false;
	payload = *offset + (off_t)sizeof header;
	capacity = header.capacity;
	filled = (header.length + CHUNK_ALIGNMENT - 1) & ~(uint32_t)(CHUNK_ALIGNMENT - 1);
	header.capacity = filled;
	if (header.process == PROCESS_UNKNOWN) { /* sealed before MPI_Init told it */
		header.world = owner->world;
		header.process = owner->rank;
	}
	header.identity_crc = crc32_of(&header, offsetof(struct chunk_header, identity_crc));
	*offset = payload + capacity;
	return write_fully(to, &header, sizeof header) &&
	       copy_bytes(from, payload, to, header.length, buffer) &&
	       write_fully(to, padding, filled - header.length);
}

static bool copy_part(const char *path, int to, const struct owner *owner, char *buffer)
{
	int from = open(path, O_RDONLY | O_CLOEXEC);
	off_t offset = 0, size = from < 0 ? 0 : lseek(from, 0, SEEK_END);
	bool copied = from >= 0;

	while (copied && offset + (off_t)sizeof(struct chunk_header) <= size)
		copied = copy_chunk(from, &offset, to, owner, buffer);
	if (from >= 0)
		close(from);
	return copied;
}

static bool path_in(const struct finished *parts, const char *name, char *path)
{
	return snprintf(path, PATH_MAX, "%s/%s", parts->folder, name) < PATH_MAX;
}

static bool copy_parts(const struct finished *parts, int to)
{
	char *buffer = malloc(BUFFER), path[PATH_MAX];
	bool copied = buffer != NULL;

	for (uint32_t i = 0; i < parts->count && copied; i++) {
		struct owner owner = owner_of(parts->names[i]);
		copied = path_in(parts, parts->names[i], path) && copy_part(path, to, &owner, buffer);
	}
	free(buffer);
	return copied;
}

/* Of this world: another one in the same folder may have its own just now, and would wait for ever. */
static void remove_meetings(const struct finished *parts)
{
	DIR *folder = opendir(parts->folder);
	struct dirent *entry;
	char path[PATH_MAX], prefix[64];

	snprintf(prefix, sizeof prefix, MEETING_PREFIX "eager-%s", parts->prefix);
	while (folder && (entry = readdir(folder)))
		if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 &&
		    path_in(parts, entry->d_name, path))
			unlink(path);
	if (folder)
		closedir(folder);
}

static void remove_parts(const struct finished *parts, const char *lock)
{
	char path[PATH_MAX];

	for (uint32_t i = 0; i < parts->count; i++)
		if (path_in(parts, parts->names[i], path))
			unlink(path);
	unlink(lock);
	remove_meetings(parts);
	rmdir(parts->folder); /* not if there are notes, or parts of another world */
}

/* Under a name of its own first, so that a trace is complete from the moment it is there. */
static void merge(const struct finished *parts, const char *output)
{
	char lock[PATH_MAX], draft[PATH_MAX];
	int to;

	if (!path_in(parts, MERGING_FILE, lock) || !path_in(parts, DRAFT_FILE, draft))
		return;
	to = open(lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (to < 0)
		return; /* another process was quicker */
	close(to);
	to = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (to >= 0 && copy_parts(parts, to) && close(to) == 0 && rename(draft, output) == 0) {
		remove_parts(parts, lock);
		return;
	}
	process_note("the parts could not be merged (%s): run 'tarry recover %s'", strerror(errno), output);
	unlink(draft);
	unlink(lock);
}

void merge_if_last(const char *output, uint64_t world, uint32_t size)
{
	struct finished parts = {.wanted = size};

	snprintf(parts.prefix, sizeof parts.prefix, "%016llx-", (unsigned long long)world);
	parts.names = calloc(size, sizeof *parts.names);
	if (parts.names && parts_folder(output, parts.folder) && list_finished(&parts))
		merge(&parts, output);
	free(parts.names);
}
