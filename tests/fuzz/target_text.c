/* The assembler of traces. The dump of accepted text must assemble to the same dump again. Bit 0: small
 * chunks, so that there are many. */
#include "fuzz.h"
#include "trace/text.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_CHUNKS = 1 };

const uint8_t fuzz_modes = 2;

static char *dump_trace(const char *path, size_t *size)
{
	const char *text_path = scratch_path("dump.txt");
	FILE *file = fopen(text_path, "we");
	struct reader *reader;
	char *text;

	if (!file || reader_open(path, &reader) != OK)
		give_up("an assembled trace cannot be opened");
	if (trace_dump(reader, &(struct dump_options){0}, file) != OK)
		give_up("an assembled trace cannot be dumped");
	if (reader->damage_count)
		give_up(reader->damage[0].text);
	reader_close(reader);
	fclose(file);
	text = scratch_read(text_path, size);
	free((char *)text_path);
	return text;
}

static void check_again(const char *path, const char *text, size_t size, size_t chunk)
{
	char *again;
	size_t length;

	if (trace_assemble("dump", text, size, path, chunk) != OK)
		give_up(trail_text());
	again = dump_trace(path, &length);
	if (length != size || memcmp(again, text, size) != 0)
		give_up("a dump that was assembled again is not the same");
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *path;
	size_t chunk, length;
	char *text;

	if (!size)
		return 0;
	if (!path)
		path = scratch_path("output.tarry");
	chunk = *data & SMALL_CHUNKS ? CHUNK_SMALLEST : CHUNK_DEFAULT;
	if (trace_assemble("input", (const char *)data + 1, size - 1, path, chunk) != OK)
		return 0;
	text = dump_trace(path, &length);
	check_again(path, text, length, chunk);
	free(text);
	return 0;
}
