#include "analysis/rules/source.h"

#include "base/user_files.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void find_lines(struct arena *arena, struct rule_source *source)
{
	const char *end = source->text + source->size, *at;
	uint32_t count = 1;

	for (at = source->text; (at = memchr(at, '\n', (size_t)(end - at))); at++)
		count++;
	source->lines = arena_array(arena, uint32_t, count);
	source->mark = arena_new(arena, struct column_mark);
	source->line_count = 1;
	for (at = source->text; (at = memchr(at, '\n', (size_t)(end - at))); at++)
		source->lines[source->line_count++] = (uint32_t)(at - source->text) + 1;
}

struct rule_source *source_of_text(struct arena *arena, const char *name, const char *text, size_t size)
{
	struct rule_source *source = arena_new(arena, struct rule_source);

	*source = (struct rule_source){.path = name, .size = (uint32_t)size};
	source->text = arena_bytes_as_text(arena, text, size);
	find_lines(arena, source);
	return source;
}

static enum status read_all(struct arena *arena, int fd, const char *path, struct rule_source **source)
{
	size_t size, length = 0;
	ssize_t got = 1;
	char *bytes;
	struct stat stat;

	if (fstat(fd, &stat) != 0)
		return fail("cannot read '%s': %s", path, strerror(errno));
	if (S_ISDIR(stat.st_mode))
		return fail("'%s' is a folder: name a rule file in it", path);
	if (stat.st_size > SOURCE_MAX_BYTES)
		return fail("'%s' is too large for a rule file: at most %d MiB are read", path,
		            SOURCE_MAX_BYTES >> 20);
	size = S_ISREG(stat.st_mode) ? (size_t)stat.st_size : SOURCE_MAX_BYTES;
	bytes = arena_alloc(arena, size + 1, 1);
	while (length < size && got) {
		got = read(fd, bytes + length, size - length);
		if (got < 0 && errno != EINTR)
			return fail("cannot read '%s': %s", path, strerror(errno));
		length += got > 0 ? (size_t)got : 0;
	}
	*source = arena_new(arena, struct rule_source);
	**source = (struct rule_source){
		.path = arena_text(arena, path), .text = bytes, .size = (uint32_t)length};
	find_lines(arena, *source);
	return OK;
}

enum status source_read(struct arena *arena, const char *path, struct rule_source **source)
{
	int fd = open_user_file(path, O_RDONLY);
	enum status status;

	if (fd < 0)
		return fail("cannot open '%s': %s", path, file_error());
	status = read_all(arena, fd, path, source);
	close(fd);
	return status;
}

const char *source_flaw(const struct rule_source *source, struct source_range *where)
{
	const uint64_t ones = UINT64_MAX / 0xff, tops = ones << 7;
	uint64_t word;

	for (uint32_t at = 0; at < source->size;) {
		const char *next = source->text + at;
		uint32_t code;

		/* Whole words of ASCII without zero bytes: a byte minus one has its top bit set only if
		 * it was zero or had it. */
		if (source->size - at >= sizeof word) {
			memcpy(&word, next, sizeof word);
			if (!((word | (word - ones)) & tops)) {
				at += (uint32_t)sizeof word;
				continue;
			}
		}
		code = utf8_next(&next, source->text + source->size);
		*where = (struct source_range){source, at, at + 1};
		if (code == UTF8_INVALID)
			return "this is not UTF-8: save the file in that encoding";
		if (!code)
			return "there is a zero byte here: this is not a string";
		at = (uint32_t)(next - source->text);
	}
	return NULL;
}

struct origin origin_of(struct source_range place)
{
	const struct rule_source *source = place.source;
	uint32_t byte = place.begin < source->size ? place.begin : source->size;
	uint32_t low = 0, high = source->line_count;
	struct column_mark *mark = source->mark;

	/* The last line that begins at or before the byte: usually that of the last query. */
	if (mark->line && source->lines[mark->line - 1] <= byte &&
	    (mark->line == high || byte < source->lines[mark->line])) {
		low = mark->line - 1;
		high = mark->line;
	}
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (source->lines[middle] <= byte)
			low = middle;
		else
			high = middle;
	}
	if (mark->line != low + 1)
		*mark = (struct column_mark){.line = low + 1, .byte = source->lines[low], .column = 1};
	if (byte >= mark->byte)
		mark->column += (uint32_t)utf8_count(source->text + mark->byte, byte - mark->byte);
	else
		mark->column -= (uint32_t)utf8_count(source->text + byte, mark->byte - byte);
	mark->byte = byte;
	return (struct origin){source->path, mark->line, mark->column};
}

const char *source_line(const struct rule_source *source, uint32_t line, size_t *length)
{
	uint32_t begin = source->lines[line - 1];
	uint32_t end = line < source->line_count ? source->lines[line] - 1 : source->size;

	if (end > begin && source->text[end - 1] == '\r')
		end--;
	*length = end - begin;
	return source->text + begin;
}
