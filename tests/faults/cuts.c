/* Parts of a process, truncated at any byte: exactly the complete events before the cut are read, and `tarry recover`
 * keeps them all. A wrong byte damages only its own chunk.
 *
 *	cuts PART FOLDER     FOLDER is made, and removed at the end */
#include "base/memory.h"
#include "trace/merge.h"
#include "trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DENSE = 512, WINDOW = 16384, SPARSE = 251, RECOVER_EVERY = 101, DAMAGE_EVERY = 1021 };

static char folder[PATH_MAX - 64], parts[PATH_MAX], part_path[PATH_MAX], trace_path[PATH_MAX];
static size_t problems, cuts, recoveries, damages;

/* The part as it was, and where its events end. */
static struct {
	char *bytes;
	size_t size;
	size_t *ends;
	size_t *chunks; /* where each event's chunk begins */
	size_t events;
} whole;

#define COMPLAIN(...) (problems++ < 20 ? (void)printf(__VA_ARGS__) : (void)0)

static size_t count_before(size_t cut)
{
	size_t count = 0;

	for (size_t i = 0; i < whole.events; i++)
		count += whole.ends[i] <= cut;
	return count;
}

/* Calls `each` for every event that can be read. */
static size_t read_events(struct reader *reader, void (*each)(const struct event_iter *iter))
{
	struct event_iter iter;
	struct event event;
	size_t count = 0;

	for (size_t p = 0; p < reader->process_count; p++)
		for (size_t s = 0; s < reader->processes[p].stream_count; s++) {
			reader_events(reader, &reader->processes[p].streams[s], &iter);
			while (reader_next(&iter, &event)) {
				count++;
				if (each)
					each(&iter);
			}
		}
	return count;
}

static void remember(const struct event_iter *iter)
{
	const struct part *part = iter->chunk->part;

	whole.ends = memory_grow(whole.ends, whole.events + 1, sizeof *whole.ends);
	whole.chunks = memory_grow(whole.chunks, whole.events + 1, sizeof *whole.chunks);
	whole.ends[whole.events] = (size_t)(iter->chunk->payload - part->bytes) + event_iter_place(iter);
	whole.chunks[whole.events++] = (size_t)iter->chunk->offset;
}

static void write_part(size_t size)
{
	int fd = open(part_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, whole.bytes, size) != (ssize_t)size || close(fd) != 0) {
		perror(part_path);
		exit(1);
	}
}

static void recover_and_check(size_t cut, size_t expected)
{
	struct recover_report report;
	struct reader *reader;

	write_part(cut);
	unlink(trace_path);
	recoveries++;
	if (trace_recover_from(parts, trace_path, &(struct recover_options){0}, &report) != OK) {
		if (expected)
			COMPLAIN("cut at %zu: not recovered: %s\n", cut, trail_text());
		return;
	}
	if (report.events != expected)
		COMPLAIN("cut at %zu: %llu events recovered instead of %zu\n", cut,
		         (unsigned long long)report.events, expected);
	recover_report_release(&report);
	mkdir(parts, 0700); /* it went away with the parts */
	if (reader_open(trace_path, &reader) != OK) {
		COMPLAIN("cut at %zu: the recovered trace cannot be read: %s\n", cut, trail_text());
		return;
	}
	if (read_events(reader, NULL) != expected)
		COMPLAIN("cut at %zu: the recovered trace has not all events\n", cut);
	reader_close(reader);
}

static void check_cut(size_t cut)
{
	size_t expected = count_before(cut), found = 0;
	struct reader *reader;

	if (truncate(part_path, (off_t)cut) != 0)
		COMPLAIN("cannot cut: %s\n", strerror(errno));
	cuts++;
	if (reader_open_parts(parts, NULL, &reader) == OK) {
		found = read_events(reader, NULL);
		reader_close(reader);
	}
	if (found != expected)
		COMPLAIN("cut at %zu: %zu events instead of %zu\n", cut, found, expected);
	if (cuts % RECOVER_EVERY == 0) {
		recover_and_check(cut, expected);
		write_part(cut);
	}
}

/* Zeros have no events: there a few cuts are enough. */
static size_t next_cut(size_t cut)
{
	bool used = cut >= 2 && (whole.bytes[cut - 1] || whole.bytes[cut - 2]);

	return used && cut % WINDOW < DENSE ? cut - 1 : cut > SPARSE ? cut - SPARSE : cut - 1;
}

static void check_cuts(void)
{
	write_part(whole.size);
	for (size_t cut = whole.size; cut > 0; cut = next_cut(cut))
		check_cut(cut);
	check_cut(0);
}

static size_t chunk_of(const struct reader *reader, size_t byte)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < reader->chunk_count; i++)
		if (reader->chunks[i].offset <= byte &&
		    (found == SIZE_MAX || reader->chunks[i].offset > found))
			found = reader->chunks[i].offset;
	return found;
}

static void check_damage(size_t byte, size_t chunk)
{
	struct reader *reader;
	size_t others = 0, found;

	for (size_t i = 0; i < whole.events; i++)
		others += whole.chunks[i] != chunk;
	whole.bytes[byte] ^= 0x55;
	write_part(whole.size);
	whole.bytes[byte] ^= 0x55;
	damages++;
	if (reader_open_parts(parts, NULL, &reader) != OK) {
		COMPLAIN("byte %zu is wrong: nothing is read: %s\n", byte, trail_text());
		return;
	}
	found = read_events(reader, NULL);
	if (found < others)
		COMPLAIN("byte %zu is wrong: %zu events, but %zu are in other chunks\n", byte, found, others);
	if (found < whole.events && !reader->damage_count)
		COMPLAIN("byte %zu is wrong: %zu of %zu events, and no word of it\n", byte, found,
		         whole.events);
	reader_close(reader);
}

static void load(const char *path)
{
	struct reader *reader;
	struct stat about;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &about) != 0) {
		perror(path);
		exit(1);
	}
	whole.size = (size_t)about.st_size;
	whole.bytes = memory_new(1, whole.size);
	if (read(fd, whole.bytes, whole.size) != (ssize_t)whole.size || close(fd) != 0) {
		perror(path);
		exit(1);
	}
	write_part(whole.size);
	if (reader_open_parts(parts, NULL, &reader) != OK) {
		printf("%s\n", trail_text());
		exit(1);
	}
	read_events(reader, remember);
	for (size_t byte = 3; byte < whole.size; byte += DAMAGE_EVERY)
		check_damage(byte, chunk_of(reader, byte));
	reader_close(reader);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
	(void)about;
	(void)kind;
	(void)walk;
	return remove(path);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	snprintf(folder, sizeof folder, "%s", argv[2]);
	snprintf(parts, sizeof parts, "%s/x.tarry.parts", folder);
	snprintf(part_path, sizeof part_path, "%s/x.tarry.parts/1.part", folder);
	snprintf(trace_path, sizeof trace_path, "%s/recovered.tarry", folder);
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	if (mkdir(folder, 0700) != 0 || mkdir(parts, 0700) != 0) {
		perror(folder);
		return 1;
	}
	load(argv[1]);
	check_cuts();
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	printf("%zu events, %zu cuts, %zu recoveries, %zu wrong bytes: %zu problems\n", whole.events, cuts,
	       recoveries, damages, problems);
	return problems || whole.events < 1000 || cuts < 1000 || recoveries < 10;
}
