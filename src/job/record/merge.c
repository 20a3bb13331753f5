#include "job/record/merge.h"

#include "base/backup.h"
#include "base/files.h"
#include "base/own_folder.h"
#include "base/settings.h"
#include "base/shell.h"
#include "job/record/part.h"
#include "job/record/process.h"
#include "trace/chunk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PREFIX_SIZE = 17, ATTEMPTS = 1000 };
/* Bytes of one note, of all kept notes, and of their chunk. */
enum { NOTE_MAX = 512, NOTES_MAX = 1 << 14, NOTES_CHUNK = 1 << 15 };

/* Finished parts of the world. Their names begin with its number. */
struct finished {
	int folder;
	char prefix[PREFIX_SIZE + 1];
	char (*names)[NAME_MAX + 1];
	uint32_t count, wanted;
};

/* The owner of a part, from its name. */
struct part_owner {
	uint64_t world;
	uint32_t rank;
	uint32_t ranks; /* in the part */
};

static struct part_owner owner_of(const char *name)
{
	char *rest;
	struct part_owner owner = {strtoull(name, &rest, 16), PROCESS_UNKNOWN, 1};

	if (*rest == '-')
		owner.rank = (uint32_t)strtoul(rest + 1, &rest, 10);
	if (*rest == '+')
		owner.ranks += (uint32_t)strtoul(rest + 1, NULL, 10);
	return owner;
}

static bool is_finished(const struct finished *parts, const char *name)
{
	size_t length = strlen(name), suffix = strlen(DONE_SUFFIX);

	return length > suffix && strcmp(name + length - suffix, DONE_SUFFIX) == 0 &&
	       strncmp(name, parts->prefix, PREFIX_SIZE) == 0;
}

static bool list_finished(struct finished *parts)
{
	DIR *folder = folder_list(parts->folder);
	struct dirent *entry;
	uint32_t ranks = 0;

	if (!folder)
		return false;
	parts->count = 0;
	while ((entry = readdir(folder))) {
		if (!is_finished(parts, entry->d_name) || parts->count == parts->wanted)
			continue;
		memcpy(parts->names[parts->count++], entry->d_name, strlen(entry->d_name) + 1);
		ranks += owner_of(entry->d_name).ranks;
	}
	closedir(folder);
	return ranks == parts->wanted;
}

/* A chunk that was reserved but never written has zeros. */
static bool copy_part(const struct chunk_copier *copier, const struct part_owner *owner)
{
	off_t offset = 0, size = lseek(copier->from, 0, SEEK_END);
	struct chunk_header header;
	char first;

	errno = EIO;
	if (size <= 0)
		return false;
	while (offset + (off_t)sizeof header <= size) {
		if (!pread_fully(copier->from, &first, 1, offset))
			return false;
		if (!first) {
			offset += PAGE_BYTES;
			continue;
		}
		if (!chunk_read_header(copier->from, offset, &header))
			return false;
		if (header.process == PROCESS_UNKNOWN) { /* sealed before MPI_Init */
			header.world = owner->world;
			header.process = owner->rank;
		}
		if (!chunk_copy(copier, offset, &header, false))
			return false;
		offset += (off_t)sizeof header + header.capacity;
	}
	return true;
}

static bool copy_parts(const struct finished *parts, int to)
{
	struct chunk_copier copier = {.to = to, .buffer = malloc(CHUNK_COPY_BUFFER)};
	bool copied = copier.buffer != NULL;
	int error = errno;

	for (uint32_t i = 0; i < parts->count && copied; i++) {
		struct part_owner owner = owner_of(parts->names[i]);
		copier.from = openat(parts->folder, parts->names[i], O_RDONLY | O_CLOEXEC);
		copied = copier.from >= 0 && copy_part(&copier, &owner);
		error = errno;
		if (copier.from >= 0)
			close(copier.from);
	}
	free(copier.buffer);
	errno = error;
	return copied;
}

static void remove_parts(const struct finished *parts)
{
	struct dirent *entry;

	for (uint32_t i = 0; i < parts->count && !setting_get(SETTING_KEEP_PARTS); i++)
		unlinkat(parts->folder, parts->names[i], 0);
	/* Only those of this world: another one in the same folder may still need its own. */
	DIR *folder = folder_list(parts->folder);
	const char *meeting = MEETING_PREFIX;
	while (folder && (entry = readdir(folder)))
		if (strncmp(entry->d_name, meeting, strlen(meeting)) == 0 &&
		    strstr(entry->d_name, parts->prefix))
			unlinkat(parts->folder, entry->d_name, 0);
	if (folder)
		closedir(folder);
}

/* New notes are written to another file with the usual name meanwhile. */
static void name_taken_notes(const struct finished *parts, char name[64])
{
	snprintf(name, 64, NOTES_FILE "-%s", parts->prefix);
}

/* Writes the notes as properties of this process, which has ended its own chunks. */
static bool write_notes(int to, const char *notes, uint8_t *memory)
{
	struct chunk_identity identity = {process.world, process.rank, STREAM_PROCESS,
	                                  rank_state_next_sequence(&first_rank)};
	struct encoder encoder = {0};

	encoder_open(&encoder, memory, NOTES_CHUNK, &identity, 0);
	while (*notes) {
		size_t size = strcspn(notes, "\n");
		char line[NOTE_MAX + 1];
		const struct property property = {"note", line};
		snprintf(line, sizeof line, "%.*s", (int)(size < NOTE_MAX ? size : NOTE_MAX), notes);
		if (size &&
		    encoder_has_room(&encoder, LONG_HEAD_MAX + record_room(RECORD_PROPERTY, &property)))
			encode_record(&encoder, RECORD_PROPERTY, &property);
		notes += size + (notes[size] == '\n');
	}
	encoder_seal(&encoder, true);
	return write_fully(to, memory, sizeof *encoder.chunk + encoder.chunk->capacity);
}

/* Without `tarry run` no command shows the notes, so they are added to the trace. A file beside it would grow with each run. */
static bool add_notes(const struct finished *parts, int to)
{
	uint8_t *memory = calloc(1, NOTES_CHUNK + NOTES_MAX + 1);
	char *notes = (char *)memory + NOTES_CHUNK, name[64];
	bool added = true;
	int from;

	name_taken_notes(parts, name);
	if (memory && renameat(parts->folder, NOTES_FILE, parts->folder, name) == 0) {
		from = openat(parts->folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		added = from >= 0 && read(from, notes, NOTES_MAX) >= 0 && write_notes(to, notes, memory);
		if (from >= 0)
			close(from);
	}
	free(memory);
	return added;
}

static void end_notes(const struct finished *parts, bool are_in_trace)
{
	char name[64];

	name_taken_notes(parts, name);
	if (are_in_trace || linkat(parts->folder, name, parts->folder, NOTES_FILE, 0) == 0)
		unlinkat(parts->folder, name, 0);
}

/* The draft's name includes the world, because two worlds may merge in one folder at the same time. */
static bool write_draft(const struct finished *parts, const char *draft)
{
	int to = private_file_replace(parts->folder, draft, USER_FILE_MODE), error;
	bool written = to >= 0 && copy_parts(parts, to) && add_notes(parts, to);

	error = errno;
	if (to >= 0 && close(to) != 0 && written) {
		error = errno;
		written = false;
	}
	errno = error;
	return written;
}

/* Gives the draft the trace's name. An existing file is renamed. link() never replaces a file, not even one that another job has just put
 * there. Without links the draft is renamed. */
static bool publish(const struct finished *parts, const char *draft, const char *output)
{
	char backup[PATH_MAX];

	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		if (linkat(parts->folder, draft, AT_FDCWD, output, 0) == 0) {
			unlinkat(parts->folder, draft, 0);
			return true;
		}
		if (errno != EEXIST)
			return renameat(parts->folder, draft, AT_FDCWD, output) == 0;
		if (!backup_trace(output, false, backup))
			return false;
	}
	errno = EEXIST;
	return false;
}

static void note_recovery(const char *output)
{
	int error = errno;
	char quoted[PATH_MAX];

	process_note("the parts could not be merged (%s): run: tarry recover %s", strerror(error),
	             shell_quote(output, quoted, sizeof quoted));
}

/* The caller holds the lock. */
static void merge(const struct finished *parts, const char *output)
{
	char draft[64];
	int error;

	snprintf(draft, sizeof draft, DRAFT_PREFIX "-%s", parts->prefix);
	if (write_draft(parts, draft) && publish(parts, draft, output)) {
		end_notes(parts, true);
		remove_parts(parts);
		return;
	}
	error = errno;
	end_notes(parts, false);
	errno = error;
	note_recovery(output);
	unlinkat(parts->folder, draft, 0);
}

/* Several processes may see all parts. The first one merges, and the others find nothing left to do. */
static void merge_once(struct finished *parts, const char *output)
{
	char lock[64], path[PATH_MAX];
	int taken;

	snprintf(lock, sizeof lock, MERGING_PREFIX "-%s", parts->prefix);
	taken = private_file_create(parts->folder, lock, 0600);
	if (taken < 0) {
		if (errno != EEXIST && errno != ENOENT)
			note_recovery(output);
		return;
	}
	close(taken);
	if (list_finished(parts))
		merge(parts, output);
	unlinkat(parts->folder, lock, 0);
	if (snprintf(path, sizeof path, "%s" PARTS_SUFFIX, output) < PATH_MAX)
		rmdir(path); /* fails if it has notes, or parts of another world */
}

/* Ranks form a binary tree. The first to arrive at a node creates a mark and stops. The second finds the mark and continues. The rank that
 * passes the root is the last. This needs only exclusive creation of files, so it also works on network file systems, and the job makes
 * fewer marks than it has ranks. After an error or a lost reply the rank continues, because the list of finished parts decides. */
static bool all_arrived(const struct finished *parts, uint32_t rank)
{
	char name[80];

	for (uint32_t level = 1; level <= 32 && (uint64_t)1 << (level - 1) < parts->wanted; level++) {
		uint64_t node = (uint64_t)rank >> level, right = (2 * node + 1) << (level - 1);
		int mark;
		if (right >= parts->wanted) /* the other side is empty */
			continue;
		snprintf(name, sizeof name, MEETING_PREFIX "end-%s%u-%llu", parts->prefix, level,
		         (unsigned long long)node);
		mark = private_file_create(parts->folder, name, 0600);
		if (mark >= 0) {
			close(mark);
			return false;
		}
	}
	return true;
}

static bool is_last(const struct finished *parts)
{
	bool last = false;

	for (const struct rank_state *rank_state = &first_rank; rank_state; rank_state = rank_state->next)
		last |= all_arrived(parts, rank_state->rank);
	return last;
}

void merge_if_last(const char *output, int folder, uint64_t world, uint32_t size)
{
	struct finished parts = {.folder = folder, .wanted = size};

	snprintf(parts.prefix, sizeof parts.prefix, "%016llx-", (unsigned long long)world);
	if (!is_last(&parts))
		return;
	parts.names = process_table(size, sizeof *parts.names);
	if (parts.names && list_finished(&parts))
		merge_once(&parts, output);
	free(parts.names);
}
