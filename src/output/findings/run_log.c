#include "output/findings/run_log.h"

#include "base/files.h"
#include "base/own_folder.h"
#include "base/paths.h"
#include "base/settings.h"
#include "base/text.h"
#include "base/user_files.h"
#include "check/checks/checks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOTE_BYTES_MAX = 1024, NOTES_MAX = 1000 };

/* Frames */

static void add_process(struct check_run *run, const struct check_member *member)
{
	uint32_t *number;

	if (member->rank == UINT32_MAX)
		return; /* it never reached MPI_Init */
	number = map_put(&run->process_of, map_key(member->world, member->rank));
	if (*number == MAP_NONE) {
		*number = (uint32_t)run->processes.count;
		array_add_in(&run->arena, &run->processes, *member);
	} else if (member->state >= run->processes.items[*number].state) {
		run->processes.items[*number] = *member;
	}
}

/* Findings of a run before sorting. */
struct timed_finding {
	struct check_finding *finding;
	uint64_t found_ns; /* 0: unknown */
	size_t number;     /* in the order of reading */
};

struct run_reader {
	struct check_run run;
	ARRAY(struct timed_finding) findings;
};

static bool take_frame(struct run_reader *reader, uint8_t kind, struct cursor *body)
{
	struct timed_finding timed = {.number = reader->findings.count};
	struct check_member member;

	switch (kind) {
	case MESSAGE_FINDING:
		timed.finding = finding_take(body);
		if (!timed.finding || !check_info(timed.finding->check)) {
			finding_free(timed.finding);
			return false;
		}
		if (cursor_left(body))
			timed.found_ns = take_varint(body);
		array_add(&reader->findings, timed);
		return true;
	case MESSAGE_MEMBER:
		if (!member_take(body, &member))
			return false;
		add_process(&reader->run, &member);
		return true;
	default:
		return kind == MESSAGE_END;
	}
}

static void read_frames(struct run_reader *reader, struct run_log *log, struct cursor *in)
{
	size_t left = cursor_left(in);
	enum message_kind kind;
	struct cursor body;

	for (; !log->has_end && frame_next(in, FRAME_BYTES_MAX, &kind, &body); left = cursor_left(in)) {
		if (!take_frame(reader, kind, &body))
			log->unread_bytes += left - cursor_left(in);
		log->has_end = kind == MESSAGE_END;
	}
	if (!log->has_end) /* where the next one begins is not known */
		log->unread_bytes += left;
}

/* Files */

/* By the analyser that writes it, while it lives. */
static bool is_locked(int fd)
{
	const bool locked = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;

	if (!locked)
		flock(fd, LOCK_UN);
	return locked;
}

static enum status read_log(struct run_reader *reader, const char *path)
{
	struct check_run *run = &reader->run;
	struct run_log log = {.name = arena_text(&run->arena, path_name(path))};
	scoped_text bytes = {0};
	int fd = open_regular(AT_FDCWD, path, O_RDONLY);
	struct cursor in;

	if (fd < 0)
		return fail("cannot open '%s': %s", path, file_error());
	log.is_alive = is_locked(fd); /* first: an analyser that ends meanwhile has written all */
	if (!text_add_rest(&bytes, fd, SIZE_MAX)) {
		int error = errno;
		close(fd);
		return fail("cannot read '%s': %s", path, strerror(error));
	}
	close(fd);
	in = (struct cursor){.at = (const uint8_t *)text_get(&bytes)};
	in.end = in.at + bytes.length;
	read_frames(reader, &log, &in);
	array_add_in(&run->arena, &run->logs, log);
	return OK;
}

static bool is_log(const char *name)
{
	return text_begins(name, CHECK_LOG_PREFIX) && text_ends(name, CHECK_LOG_SUFFIX);
}

static int log_filter(const struct dirent *entry)
{
	return is_log(entry->d_name);
}

/* Numbers are compared by value. */
static int by_name(const struct dirent **left, const struct dirent **right)
{
	return strverscmp((*left)->d_name, (*right)->d_name);
}

/* Processes that write the same note at the same time write it twice. */
static void add_note(struct check_run *run, const char *line)
{
	for (size_t i = 0; i < run->notes.count; i++)
		if (strcmp(run->notes.items[i], line) == 0)
			return;
	array_add_in(&run->arena, &run->notes, arena_text(&run->arena, line));
}

static enum status read_folder(struct run_reader *reader, const char *folder)
{
	struct check_run *run = &reader->run;
	struct dirent **names = NULL;
	int count = scandir(folder, &names, log_filter, by_name);
	enum status status = OK;

	if (count < 0)
		return fail("cannot open '%s': %s", folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		if (status == OK)
			status = read_log(reader,
			                  arena_format(&run->arena, "%s/%s", folder, names[i]->d_name));
		free(names[i]);
	}
	free(names);
	run->is_interrupted = access(arena_format(&run->arena, "%s/" CHECK_INTERRUPTED_FILE, folder), F_OK) ==
	                      0;
	if (status == OK) {
		FILE *notes = open_regular_stream(AT_FDCWD,
		                                  arena_format(&run->arena, "%s/" NOTES_FILE, folder));
		char line[NOTE_BYTES_MAX];

		while (notes && run->notes.count < NOTES_MAX && fgets(line, sizeof line, notes)) {
			line[strcspn(line, "\n")] = 0;
			if (*line)
				add_note(run, line);
		}
		if (notes)
			fclose(notes);
	}
	return status;
}

static int by_process(const void *left, const void *right)
{
	const struct check_member *a = left, *b = right;

	if (a->world != b->world)
		return a->world < b->world ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static int by_time(const void *left, const void *right)
{
	const struct timed_finding *a = left, *b = right;

	if (a->found_ns != b->found_ns)
		return a->found_ns < b->found_ns ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void put_in_order(struct run_reader *reader)
{
	struct check_run *run = &reader->run;

	if (reader->findings.count)
		qsort(reader->findings.items, reader->findings.count, sizeof *reader->findings.items,
		      by_time);
	for (size_t i = 0; i < reader->findings.count; i++)
		array_add_in(&run->arena, &run->findings, reader->findings.items[i].finding);
	array_release(&reader->findings);
	if (run->processes.count)
		qsort(run->processes.items, run->processes.count, sizeof *run->processes.items, by_process);
	for (uint32_t i = 0; i < run->processes.count; i++)
		*map_put(&run->process_of,
		         map_key(run->processes.items[i].world, run->processes.items[i].rank)) = i;
}

enum status check_run_read(const char *path, struct check_run *run)
{
	struct run_reader reader = {0};
	struct stat about;
	enum status status;

	if (stat(path, &about) != 0)
		return fail("cannot open '%s': %s", path, strerror(errno));
	status = S_ISDIR(about.st_mode) ? read_folder(&reader, path) : read_log(&reader, path);
	put_in_order(&reader);
	if (status != OK)
		check_run_release(&reader.run);
	else
		*run = reader.run;
	return status;
}

const struct check_member *check_run_process(const struct check_run *run, uint64_t world, uint32_t rank)
{
	const uint32_t *number = map_find(&run->process_of, map_key(world, rank));

	return number ? &run->processes.items[*number] : NULL;
}

void check_run_release(struct check_run *run)
{
	for (size_t i = 0; i < run->findings.count; i++)
		finding_free(run->findings.items[i]);
	map_release(&run->process_of);
	arena_release(&run->arena);
	*run = (struct check_run){0};
}

bool check_run_is_alive(int folder)
{
	DIR *listing = folder_list(folder);
	bool alive = false;

	for (struct dirent *entry; listing && !alive && (entry = readdir(listing));) {
		int fd = is_log(entry->d_name) ? open_regular(folder, entry->d_name, O_RDONLY | O_NOFOLLOW)
		                               : -1;

		alive = fd >= 0 && is_locked(fd);
		if (fd >= 0)
			close(fd);
	}
	if (listing)
		closedir(listing);
	return alive;
}
