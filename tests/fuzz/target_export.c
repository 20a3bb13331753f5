/* Replay of a trace, and the formats that are made of it in one go. Bit 0: a table, otherwise a trace for Perfetto. */
#include "analysis/model/session.h"
#include "base/memory.h"
#include "fuzz.h"
#include "output/exchange/exchange.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE = 1 };

const uint8_t fuzz_modes = 2;

static void export_trace(const char *path, bool table)
{
	struct export_job job = {.path = "/dev/null"};

	if (reader_open(path, &job.reader) != OK)
		return;
	job.source = symbols_new();
	job.session = session_new(job.reader);
	session_correct_time(job.session);
	if ((table ? csv_export : perfetto_export)(&job) != OK)
		give_up(trail_text());
	session_free(job.session);
	symbols_free(job.source);
	reader_close(job.reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *path;
	uint8_t *bytes;

	if (!size)
		return 0;
	if (!path)
		path = scratch_path("input.tarry");
	bytes = memory_new(1, size);
	memcpy(bytes, data + 1, size - 1);
	mend_checksums(bytes, size - 1);
	scratch_write(path, bytes, size - 1);
	export_trace(path, *data & TABLE);
	free(bytes);
	return 0;
}
