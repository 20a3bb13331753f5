#include "job/record/merge.h"

#include "base/backup.h"
#include "base/files.h"
#include "base/in_job.h"
#include "base/own_folder.h"
#include "base/settings.h"
#include "base/shell.h"
#include "base/sort.h"
#include "job/mpi/helper_process.h"
#include "job/record/part.h"
#include "job/record/process.h"
#include "trace/chunk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PREFIX_SIZE = 17, ATTEMPTS = 1000 };
/* Sizes in bytes: of one note, of all kept notes, and of their chunk. */
enum { NOTE_MAX = 512, NOTES_MAX = 1 << 14, NOTES_CHUNK = 1 << 15 };

/* The parts with the finished ranks of a world. */
struct finished {
	int folder;
	uint64_t world;
	char prefix[PREFIX_SIZE + 1]; /* the world, as file names contain it */
	char (*names)[NAME_MAX + 1];
	uint32_t count, wanted;     /* parts, and ranks of the world */
	struct part_header *header; /* of the part that was opened last */
};

/* Opens a part and reads its header; -1: it is not a closed part. */
static int open_part(const struct finished *parts, const char *name, int flags)
{
	size_t length = strlen(name), suffix = strlen(PART_SUFFIX);
	int fd;

	errno = EINVAL;
	if (length <= suffix || strcmp(name + length - suffix, PART_SUFFIX) != 0)
		return -1;
	fd = open_regular(parts->folder, name, flags | O_NOFOLLOW);
	if (fd < 0)
		return -1;
	if (!pread_fully(fd, parts->header, sizeof *parts->header, 0) || !part_is_closed(parts->header))
		return close_and_refuse(fd, EINVAL);
	return fd;
}

/* The rank at this index of the table, if it is finished and of this world. */
static const struct part_entry *rank_at(const struct finished *parts, uint32_t number)
{
	const struct part_entry *entry = part_entry_at(parts->header, number);

	return entry && entry->rank != PROCESS_UNKNOWN && entry->world == parts->world &&
	                       entry->state == PART_FINISHED
	               ? entry
	               : NULL;
}

static uint32_t count_ranks(const struct finished *parts)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < part_entry_count(parts->header); i++)
		count += rank_at(parts, i) != NULL;
	return count;
}

static bool list_finished(struct finished *parts)
{
	DIR *folder = folder_list(parts->folder);
	struct dirent *entry;
	uint32_t ranks = 0;

	if (!folder)
		return false;
	parts->count = 0;
	while ((entry = readdir(folder)) && parts->count < parts->wanted) {
		int part = open_part(parts, entry->d_name, O_RDONLY);
		uint32_t found = part < 0 ? 0 : count_ranks(parts);
		if (part >= 0)
			close(part);
		if (found)
			memcpy(parts->names[parts->count++], entry->d_name, strlen(entry->d_name) + 1);
		ranks += found;
	}
	closedir(folder);
	return ranks == parts->wanted;
}

/* Skips pages that were reserved but never written: they are zero. */
static bool copy_part(const struct finished *parts, const struct chunk_copier *copier)
{
	off_t offset = PART_PAGE, size = lseek(copier->from, 0, SEEK_END);
	struct chunk_header header;
	char first;

	if (size < 0)
		return false;
	while (offset + (off_t)sizeof header <= size) {
		if (!pread_fully(copier->from, &first, 1, offset))
			return false;
		if (!first) {
			offset += PART_PAGE;
			continue;
		}
		if (!chunk_read_header(copier->from, offset, &header))
			return false;
		part_resolve(parts->header, &header.world, &header.process);
		if (header.world == parts->world && !chunk_copy(copier, offset, &header, false))
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
		copier.from = open_part(parts, parts->names[i], O_RDONLY);
		copied = copier.from >= 0 && copy_part(parts, &copier);
		error = errno;
		if (copier.from >= 0)
			close(copier.from);
	}
	free(copier.buffer);
	errno = error;
	return copied;
}

/* True if the part has chunks that are not in a trace yet. */
static bool is_needed(const struct finished *parts)
{
	for (uint32_t i = 0; i < part_entry_count(parts->header); i++) {
		const struct part_entry *entry = part_entry_at(parts->header, i);
		if (!entry || (entry->state == PART_LEFT && entry->rank != PROCESS_UNKNOWN) ||
		    entry->state == PART_FINISHED)
			return true;
	}
	return false;
}

/* A part may also contain another world, such as that of a program which this one started. */
static void remove_part(const struct finished *parts, const char *name)
{
	int part = open_part(parts, name, O_RDWR);

	if (part < 0)
		return;
	for (uint32_t i = 0; i < part_entry_count(parts->header); i++)
		if (rank_at(parts, i))
			parts->header->processes[i].state = PART_MERGED;
	if (!is_needed(parts))
		unlinkat(parts->folder, name, 0);
	else if (!pwrite_fully(part, parts->header, sizeof *parts->header, 0))
		errno = 0; /* `tarry recover` finds the copies */
	close(part);
}

static void remove_parts(const struct finished *parts)
{
	struct dirent *entry;

	for (uint32_t i = 0; i < parts->count && !setting_get(SETTING_KEEP_PARTS); i++)
		remove_part(parts, parts->names[i]);
	/* Only files of this world: another world in the same folder may still need its own. */
	DIR *folder = folder_list(parts->folder);
	const char *meeting = MEETING_PREFIX;
	while (folder && (entry = readdir(folder)))
		if (strncmp(entry->d_name, meeting, strlen(meeting)) == 0 &&
		    strstr(entry->d_name, parts->prefix))
			unlinkat(parts->folder, entry->d_name, 0);
	if (folder)
		closedir(folder);
}

/* Meanwhile, new notes are written to a new file with the usual name. */
static void name_taken_notes(const struct finished *parts, char name[64])
{
	snprintf(name, 64, NOTES_FILE "-%s", parts->prefix);
}

/* Writes the notes as properties of this process, whose own chunks are complete. */
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

/* Without `tarry run`, no command shows the notes, so they are added to the trace. A file next to it would grow with each run. */
static bool add_notes(const struct finished *parts, int to)
{
	uint8_t *memory = calloc(1, NOTES_CHUNK + NOTES_MAX + 1);
	char *notes = (char *)memory + NOTES_CHUNK, name[64];
	bool added = true;
	int from;

	name_taken_notes(parts, name);
	if (memory && process.world == parts->world &&
	    renameat(parts->folder, NOTES_FILE, parts->folder, name) == 0) {
		from = open_uncounted(parts->folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0);
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

/* Runs `tarry recover` to write the draft. There, ranks share their tables, which needs memory that the program may not have. The command inherits
 * the open folder, because another folder may have its name by now. False: the command is not installed, or it failed. */
static bool write_shared_draft(const struct finished *parts, const char *draft)
{
	char program[PATH_MAX], folder[32], path[sizeof folder + 64], world[sizeof parts->prefix];
	char command[] = "recover", of_world[] = "--world", to[] = "--output";
	char *const arguments[] = {program, command, of_world, world, to, path, folder, NULL};
	struct child_signal held;
	int status = -1;
	pid_t pid;

	snprintf(world, sizeof world, "%.*s", PREFIX_SIZE - 1, parts->prefix);
	snprintf(folder, sizeof folder, "/proc/self/fd/%d", IN_JOB_SOCKET);
	snprintf(path, sizeof path, "%s/%s", folder, draft);
	if (!helper_find("tarry", program))
		return false;
	hold_child_signal(&held);
	if (helper_start(&pid, arguments, parts->folder) == 0)
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	release_child_signal(&held);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Opens that draft to append the notes; -1: there is none. */
static int open_shared_draft(const struct finished *parts, const char *draft)
{
	return write_shared_draft(parts, draft)
	               ? open_regular(parts->folder, draft, O_WRONLY | O_APPEND | O_NOFOLLOW)
	               : -1;
}

/* The draft's name includes the world, because two worlds may merge in one folder at the same time. */
static bool write_draft(const struct finished *parts, const char *draft)
{
	int to = open_shared_draft(parts, draft), error;
	bool is_copied = to >= 0, written;

	if (!is_copied) {
		to = private_file_replace(parts->folder, draft, USER_FILE_MODE);
		is_copied = to >= 0 && copy_parts(parts, to);
	}
	written = is_copied && add_notes(parts, to);

	error = errno;
	if (to >= 0 && close(to) != 0 && written) {
		error = errno;
		written = false;
	}
	errno = error;
	return written;
}

/* Gives the draft the trace's name. An existing file is renamed. link() never replaces a file, not even one that another job has just created.
 * If the file system has no links, the draft is renamed. */
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

/* Several processes may find all parts complete. The first one merges them; nothing is left for the others. */
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

/* The first child of a node to arrive creates a mark. True: the other child has arrived before. */
static bool find_mark(const struct finished *parts, uint32_t level, uint32_t node)
{
	char name[80];
	int mark;

	snprintf(name, sizeof name, MEETING_PREFIX "end-%s%u-%u", parts->prefix, level, node);
	mark = private_file_create(parts->folder, name, 0600);
	if (mark >= 0)
		close(mark);
	return mark < 0;
}

/* Ranks form a binary tree. The first part to arrive at a node creates a mark and stops there. The second finds the mark and continues. The
 * part that passes the root is the last one. This needs only exclusive creation of files, so it also works on network file systems. Nodes
 * whose ranks are all in one part need no mark. After an error or a lost reply, the part continues, because the list of finished ranks
 * decides in the end. `nodes`: those at which this part has arrived, in ascending order. */
static bool all_arrived(const struct finished *parts, uint32_t *nodes, uint32_t count)
{
	for (uint32_t level = 1; level <= 32 && (uint64_t)1 << (level - 1) < parts->wanted; level++) {
		uint32_t kept = 0;
		for (uint32_t i = 0; i < count; i++) {
			uint32_t node = nodes[i] / 2;
			bool has_both = i + 1 < count && nodes[i + 1] == (nodes[i] ^ 1);
			/* The other child has no ranks. */
			bool has_one = (uint64_t)(nodes[i] ^ 1) << (level - 1) >= parts->wanted;
			i += has_both;
			if (has_both || has_one || find_mark(parts, level, node))
				nodes[kept++] = node;
		}
		count = kept;
	}
	return count;
}

/* Whether this part, with its finished ranks, is the last one of the world. */
static bool is_last(const struct finished *parts, const char *part)
{
	uint32_t *ranks = process_table(PART_PROCESSES, sizeof *ranks), count = 0;
	int fd = ranks ? open_part(parts, part, O_RDONLY) : -1;
	bool last;

	for (uint32_t i = 0; fd >= 0 && i < part_entry_count(parts->header); i++)
		if (rank_at(parts, i))
			ranks[count++] = rank_at(parts, i)->rank;
	if (fd >= 0)
		close(fd);
	sort_u32(ranks, count);
	last = all_arrived(parts, ranks, count);
	free(ranks);
	return last;
}

static void merge_world(struct finished *parts, const char *part, const char *output)
{
	snprintf(parts->prefix, sizeof parts->prefix, "%016llx-", (unsigned long long)parts->world);
	if (!is_last(parts, part))
		return;
	parts->names = process_table(parts->wanted, sizeof *parts->names);
	if (parts->names && list_finished(parts))
		merge_once(parts, output);
	free(parts->names);
}

struct finished_world {
	uint64_t world;
	uint32_t size;
};

static uint32_t list_worlds(const struct part_header *header, struct finished_world *worlds)
{
	uint32_t count = 0, known;

	for (uint32_t i = 0; i < part_entry_count(header); i++) {
		const struct part_entry *entry = part_entry_at(header, i);
		if (!entry || entry->state != PART_FINISHED)
			continue;
		for (known = 0; known < count && worlds[known].world != entry->world;)
			known++;
		if (known == count)
			worlds[count++] = (struct finished_world){entry->world, entry->size};
	}
	return count;
}

/* The world that joined first is merged last, so that the program's own trace gets the name, not the trace of a program which it
 * started. */
void merge_if_last(const char *output, int folder, const char *part)
{
	struct finished parts = {.folder = folder, .header = process_table(1, sizeof *parts.header)};
	struct finished_world *worlds = process_table(PART_PROCESSES, sizeof *worlds);
	int fd = parts.header && worlds ? open_part(&parts, part, O_RDONLY) : -1;
	uint32_t count = fd < 0 ? 0 : list_worlds(parts.header, worlds);

	if (fd >= 0)
		close(fd);
	while (count-- > 0) {
		parts.world = worlds[count].world;
		parts.wanted = worlds[count].size;
		merge_world(&parts, part, output);
	}
	free(worlds);
	free(parts.header);
}
