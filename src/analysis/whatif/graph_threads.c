#include "analysis/whatif/graph_threads.h"

#include "base/memory.h"

#include <stdlib.h>

void graph_threads_init(struct graph_threads *threads, const struct reader *reader)
{
	*threads = (struct graph_threads){
		.reader = reader, .first = memory_new(reader->process_count + 1, sizeof *threads->first)};
	for (size_t i = 0; i < reader->process_count; i++) {
		threads->first[i] = threads->count;
		threads->count += (uint32_t)reader->processes[i].stream_count;
	}
	threads->first[reader->process_count] = threads->count;
}

void graph_threads_release(struct graph_threads *threads)
{
	free(threads->first);
}

uint32_t graph_thread_find(const struct graph_threads *threads, const struct occurrence *call)
{
	const struct process *process = &threads->reader->processes[call->semantics->process];
	const uint32_t first = threads->first[call->semantics->process];
	const struct stream *stream = find_stream(process, call->thread);

	return stream ? first + (uint32_t)(stream - process->streams) : first;
}
