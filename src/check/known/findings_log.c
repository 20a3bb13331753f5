#include "check/known/findings_log.h"

#include "base/array.h"
#include "base/files.h"
#include "base/map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

struct logged_finding {
	off_t offset; /* of its frame; -1: not written */
	uint32_t size;
	uint64_t repeated; /* since it was written last */
};

struct findings_log {
	int file;
	off_t size;
	bool is_full;
	void (*note)(const char *sentence);
	struct map numbers;  /* identity and hash of the ranks, to items */
	struct map variants; /* identity: how many of them */
	ARRAY(struct logged_finding) items;
	ARRAY(uint32_t) repeated;
	struct message_writer kept; /* frames that could not be written */
};

struct findings_log *findings_log_open(int folder, const char *name, void (*note)(const char *sentence))
{
	struct findings_log *log;
	int file = private_file_create(folder, name, 0600);

	if (file < 0)
		return NULL;
	flock(file, LOCK_EX | LOCK_NB);
	log = memory_new(1, sizeof *log);
	log->file = file;
	log->note = note;
	return log;
}

/* All or nothing: a partial write is undone. */
static bool append_bytes(struct findings_log *log, const void *bytes, size_t size)
{
	if (pwrite_fully(log->file, bytes, size, log->size)) {
		log->size += (off_t)size;
		return true;
	}
	if (!log->is_full) {
		char sentence[256];
		snprintf(sentence, sizeof sentence, "findings cannot be written: %s; make room on the disk",
		         strerror(errno));
		log->note(sentence);
	}
	log->is_full = true;
	if (ftruncate(log->file, log->size) != 0)
		errno = EIO;
	return false;
}

static void write_kept(struct findings_log *log)
{
	if (log->kept.size && append_bytes(log, log->kept.bytes, log->kept.size))
		writer_release(&log->kept);
}

/* Its position in the file; -1: it is kept in memory, or lost. */
static off_t append_frame(struct findings_log *log, const struct message_writer *frame)
{
	off_t offset;

	if (frame->failed)
		return -1;
	write_kept(log);
	offset = log->size;
	if (!log->kept.size && append_bytes(log, frame->bytes, frame->size))
		return offset;
	if (log->kept.size + frame->size <= FINDINGS_KEPT)
		put_raw(&log->kept, frame->bytes, frame->size);
	return -1;
}

/* The time of the finding follows it, so that several logs can be merged in order. */
static off_t append_finding(struct findings_log *log, const struct check_finding *finding, uint32_t *size)
{
	struct message_writer body = {0}, frame = {0};
	struct timespec now = {0};
	off_t offset;

	clock_gettime(CLOCK_REALTIME, &now);
	finding_put(&body, finding);
	put_number(&body, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
	frame_put(&frame, MESSAGE_FINDING, &body);
	offset = append_frame(log, &frame);
	*size = (uint32_t)frame.size;
	writer_release(&body);
	writer_release(&frame);
	return offset;
}

uint32_t findings_log_add(struct findings_log *log, const struct check_finding *finding)
{
	uint64_t identity = finding_identity(finding);
	uint32_t *variants = map_put(&log->variants, map_key(identity, 0)), *number;
	struct logged_finding logged = {0};
	uint64_t ranks = finding->call_count;

	for (uint32_t i = 0; i < finding->call_count; i++)
		ranks = hash_word(hash_word(ranks, finding->calls[i].world), finding->calls[i].rank);
	*variants = *variants == MAP_NONE ? 0 : *variants;
	number = map_put(&log->numbers, map_key(identity, *variants < FINDING_VARIANTS ? ranks : UINT64_MAX));
	if (*number != MAP_NONE) {
		struct logged_finding *item = &log->items.items[*number];
		if (!item->repeated)
			array_add(&log->repeated, *number);
		item->repeated += finding->times;
		return *number;
	}
	++*variants;
	*number = (uint32_t)log->items.count;
	logged.offset = append_finding(log, finding, &logged.size);
	array_add(&log->items, logged);
	return (uint32_t)log->items.count - 1;
}

void findings_log_frame(struct findings_log *log, enum message_kind kind, const struct message_writer *body)
{
	struct message_writer frame = {0};

	frame_put(&frame, kind, body);
	append_frame(log, &frame);
	writer_release(&frame);
}

void findings_log_repeat(struct findings_log *log, uint32_t number)
{
	struct logged_finding *item = &log->items.items[number];

	if (!item->repeated++)
		array_add(&log->repeated, number);
}

/* Reads it back, so that its texts need not stay in memory. */
static void write_repeated(struct findings_log *log, struct logged_finding *item)
{
	struct check_finding *finding;
	uint8_t *bytes = memory_new(1, item->size);
	struct cursor in = {.at = bytes + FRAME_HEADER_BYTES, .end = bytes + item->size};
	uint32_t size;

	finding = pread_fully(log->file, bytes, item->size, item->offset) ? finding_take(&in) : NULL;
	if (finding) {
		finding->times = item->repeated;
		append_finding(log, finding, &size);
	}
	finding_free(finding);
	free(bytes);
}

void findings_log_flush(struct findings_log *log)
{
	for (size_t i = 0; i < log->repeated.count; i++) {
		struct logged_finding *item = &log->items.items[log->repeated.items[i]];
		if (item->offset >= 0)
			write_repeated(log, item);
		item->repeated = 0;
	}
	log->repeated.count = 0;
	write_kept(log);
}

void findings_log_end(struct findings_log *log)
{
	struct message_writer frame = {0};

	findings_log_flush(log);
	frame_put(&frame, MESSAGE_END, NULL);
	append_frame(log, &frame);
	writer_release(&frame);
	if (log->kept.size)
		log->note("some findings could not be written");
	close(log->file);
	map_release(&log->numbers);
	map_release(&log->variants);
	array_release(&log->items);
	array_release(&log->repeated);
	writer_release(&log->kept);
	free(log);
}
