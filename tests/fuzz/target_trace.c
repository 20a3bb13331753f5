/* The reader of traces, and all its output. Bit 0: checksums are corrected, so that the damage
 * reaches the decoders. */
#include "analysis/model/data_flow.h"
#include "analysis/model/logical_clock.h"
#include "analysis/model/summary.h"
#include "base/memory.h"
#include "fuzz.h"
#include "trace/text.h"

#include <stdlib.h>
#include <string.h>

enum { MEND = 1, SMALL_WINDOW = 40 };

const uint8_t fuzz_modes = 2;

static void read_trace(const char *path, FILE *nowhere)
{
	struct reader *reader;
	struct symbols *source;
	struct analysis_session *session;
	struct figures *figures;

	if (reader_open(path, &reader) != OK)
		return;
	/* The second pass, which reads as if there were many streams, must report the same as the first. */
	for (int pass = 0; pass < 2; pass++) {
		reader->window = pass ? SMALL_WINDOW : 0;
		if (trace_dump(reader, &(struct dump_options){0}, nowhere) != OK)
			give_up("a trace that was opened cannot be dumped");
	}
	source = symbols_new();
	session = session_new(reader);
	session_correct_time(session);
	figures = figures_new(session);
	summary_free(summarize(session, figures, source));
	data_flow_free(data_flow_new(reader, figures));
	figures_free(figures);
	session_free(session);
	symbols_free(source);
	reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *path;
	static FILE *nowhere;
	uint8_t *bytes;

	if (!size)
		return 0;
	if (!path) {
		path = scratch_path("input.tarry");
		nowhere = fopen("/dev/null", "we");
	}
	bytes = memory_new(1, size);
	memcpy(bytes, data + 1, size - 1);
	if (*data & MEND)
		mend_checksums(bytes, size - 1);
	scratch_write(path, bytes, size - 1);
	read_trace(path, nowhere);
	free(bytes);
	return 0;
}
