/* Recovery of the parts of a killed job. The trace must contain all readable events of the parts.
 * Bit 0: the input is one part; otherwise it is two, cut in the middle at a multiple of 8.
 * Bit 1: the first part has a header with two processes before its chunks. */
#include "base/memory.h"
#include "fuzz.h"
#include "trace/merge.h"
#include "trace/reader.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ONE_PART = 1, OF_NODE = 2 };

const uint8_t fuzz_modes = 4;

static uint64_t count_events(struct reader *reader)
{
	uint64_t count = 0;
	struct event event;

	for (size_t i = 0; i < reader->process_count; i++) {
		struct process *process = &reader->processes[i];
		for (size_t j = 0; j < process->stream_count; j++) {
			struct event_iter iter;
			reader_events(reader, &process->streams[j], &iter);
			while (reader_next(&iter, &event))
				count++;
		}
	}
	reader_close(reader);
	return count;
}

static bool read_events(const char *path, uint64_t *count)
{
	struct reader *reader;

	if (reader_open(path, &reader) != OK)
		return false;
	*count = count_events(reader);
	return true;
}

static void recover(const char *folder, const char *trace)
{
	struct recover_report report = {0};
	uint64_t before = 0, after = 0;
	bool readable = read_events(folder, &before);

	if (trace_recover_from(folder, trace, &(struct recover_options){0}, &report) != OK)
		return;
	if (!readable || !read_events(trace, &after))
		give_up("parts that cannot be read were recovered, or the reverse");
	if (before != after)
		give_up("the recovered trace has other events than its parts");
	recover_report_release(&report);
	unlink(trace);
}

/* One of the processes has a rank; chunks of both may be from before MPI_Init. */
static void write_node_part(const char *path, const uint8_t *data, size_t size)
{
	uint8_t *bytes = memory_new(PART_PAGE + size, 1);
	struct part_header *header = (struct part_header *)bytes;

	part_join(header, 1, 1);
	part_join(header, 2, 1);
	part_set_rank(&header->processes[1], 5, 1, 2);
	memcpy(bytes + PART_PAGE, data, size);
	scratch_write(path, bytes, PART_PAGE + size);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *folder, *first, *second, *trace;
	size_t middle;

	if (!size)
		return 0;
	if (!folder) {
		folder = scratch_path("job.tarry.parts");
		first = scratch_path("job.tarry.parts/0.part");
		second = scratch_path("job.tarry.parts/1.part");
		trace = scratch_path("job.tarry");
	}
	middle = *data & ONE_PART ? size - 1 : (size - 1) / 2 & ~(size_t)7;
	mkdir(folder, 0777);
	if (*data & OF_NODE)
		write_node_part(first, data + 1, middle);
	else
		scratch_write(first, data + 1, middle);
	if (*data & ONE_PART)
		unlink(second);
	else
		scratch_write(second, data + 1 + middle, size - 1 - middle);
	recover(folder, trace);
	return 0;
}
