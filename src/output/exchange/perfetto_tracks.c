#include "analysis/model/processes.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/exchange/perfetto_exporter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Above all numbers that Linux gives to processes. */
enum { INVENTED_PIDS = 1 << 22 };

static uint64_t own_pid(const struct process *process)
{
	const char *text = process_property(process, "pid");
	int64_t pid;

	return text && parse_integer(text, &pid) == OK && pid > 0 && pid < INVENTED_PIDS ? (uint64_t)pid : 0;
}

static const char *node_of(const struct process *process)
{
	const char *node = process_property(process, "node");

	return node ? node : "";
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Perfetto takes two processes with the same number for one. Their own numbers are unique on one machine only. */
static bool can_use_own_pids(const struct reader *reader)
{
	uint64_t *pids = memory_new(reader->process_count + 1, sizeof *pids);
	bool are_unique = true;

	for (size_t i = 0; i < reader->process_count && are_unique; i++) {
		pids[i] = own_pid(&reader->processes[i]);
		are_unique = pids[i] &&
		             strcmp(node_of(&reader->processes[i]), node_of(&reader->processes[0])) == 0;
	}
	if (are_unique)
		qsort(pids, reader->process_count, sizeof *pids, by_value);
	for (size_t i = 1; i < reader->process_count && are_unique; i++)
		are_unique = pids[i] != pids[i - 1];
	free(pids);
	return are_unique;
}

static bool has_many_worlds(const struct reader *reader)
{
	for (size_t i = 1; i < reader->process_count; i++)
		if (reader->processes[i].world != reader->processes[0].world)
			return true;
	return false;
}

static void write_process(struct perfetto *p, const struct process_track *track, size_t index)
{
	size_t packet = packet_begin(p), descriptor, process;

	descriptor = proto_begin(&p->text, PACKET_TRACK_DESCRIPTOR);
	proto_number(&p->text, TRACK_UUID, track->track);
	process = proto_begin(&p->text, TRACK_PROCESS);
	proto_number(&p->text, PROCESS_PID, (uint64_t)track->pid);
	for (size_t i = 0; i < track->process->property_count; i++)
		if (strcmp(track->process->properties[i].key, "arg") == 0)
			proto_text(&p->text, PROCESS_CMDLINE, track->process->properties[i].value);
	proto_number(&p->text, PROCESS_SORT_INDEX, index);
	proto_text(&p->text, PROCESS_NAME, track->label);
	proto_end(&p->text, process);
	proto_end(&p->text, descriptor);
	packet_end(p, packet);
}

static void write_thread(struct perfetto *p, const struct process_track *process,
                         const struct thread_track *track, const struct stream *stream)
{
	size_t packet = packet_begin(p), descriptor, thread;

	descriptor = proto_begin(&p->text, PACKET_TRACK_DESCRIPTOR);
	proto_number(&p->text, TRACK_UUID, track->track);
	proto_number(&p->text, TRACK_PARENT, process->track);
	thread = proto_begin(&p->text, TRACK_THREAD);
	proto_number(&p->text, THREAD_PID, (uint64_t)track->pid);
	proto_number(&p->text, THREAD_TID, (uint64_t)track->tid);
	proto_number(&p->text, THREAD_SORT_INDEX, stream->number);
	if (stream->thread.known && *stream->thread.name)
		proto_text(&p->text, THREAD_NAME, stream->thread.name);
	proto_end(&p->text, thread);
	proto_end(&p->text, descriptor);
	packet_end(p, packet);
}

uint64_t write_track_below(struct perfetto *p, uint64_t parent, const char *name)
{
	size_t packet = packet_begin(p), descriptor;

	descriptor = proto_begin(&p->text, PACKET_TRACK_DESCRIPTOR);
	proto_number(&p->text, TRACK_UUID, ++p->tracks);
	proto_number(&p->text, TRACK_PARENT, parent);
	proto_text(&p->text, TRACK_NAME, name);
	proto_end(&p->text, descriptor);
	packet_end(p, packet);
	return p->tracks;
}

/* The first thread that is said to be the main one has the number of the process, by which Perfetto knows it. */
static void number_threads(struct perfetto *p, struct process_track *track, bool own)
{
	const struct process *process = track->process;
	bool has_main = false;

	track->threads = arena_array(&p->arena, struct thread_track, process->stream_count);
	for (size_t i = 0; i < process->stream_count; i++) {
		struct thread_track *thread = &track->threads[i];
		const struct thread_info *info = &process->streams[i].thread;
		thread->pid = track->pid;
		thread->track = thread->slice_tracks[0].track = ++p->tracks;
		if (info->known && info->main && !has_main)
			thread->tid = track->pid;
		else if (own && info->known && info->id > 0 && info->id < INVENTED_PIDS)
			thread->tid = (int32_t)info->id;
		else
			thread->tid = (int32_t)(INVENTED_PIDS + p->tracks);
		has_main |= thread->tid == track->pid;
	}
}

static void add_process(struct perfetto *p, size_t index, bool own)
{
	struct process *process = &p->job->reader->processes[index];
	struct process_track *track = &p->processes[index];
	const char *host;
	struct text label = {0};

	track->process = process;
	host = process_property(process, "host");
	if (has_many_worlds(p->job->reader))
		text_add(&label, "world %" PRIx64 ", ", process->world);
	if (process->rank == PROCESS_UNKNOWN)
		text_add(&label, "unknown rank");
	else
		text_add(&label, "%s %" PRIu32, is_upc_thread(process) ? "UPC thread" : "rank",
		         process->rank);
	if (host && *host)
		text_add(&label, " on %s", host);
	track->label = arena_text(&p->arena, text_get(&label));
	text_release(&label);
	track->track = ++p->tracks;
	track->pid = own ? (int32_t)own_pid(process) : (int32_t)(INVENTED_PIDS + p->tracks);
	number_threads(p, track, own);
	if (!filter_wants_process(p->job->filter, process))
		return;
	write_process(p, track, index);
	for (size_t i = 0; i < process->stream_count; i++)
		write_thread(p, track, &track->threads[i], &process->streams[i]);
}

void write_tracks(struct perfetto *p)
{
	struct reader *reader = p->job->reader;
	bool own = can_use_own_pids(reader);

	p->processes = arena_array(&p->arena, struct process_track, reader->process_count);
	for (size_t i = 0; i < reader->process_count; i++)
		add_process(p, i, own);
}

/* Slice `a` is in the file already. Readers keep the order of the file for packets of one time, so `b` must not end at
 * the same time as `a` where its end would be taken for that of `a`. */
static bool can_be_nested(int64_t a_start, int64_t a_end, int64_t b_start, int64_t b_end)
{
	bool after = b_start >= a_end, before = b_end < a_start;
	bool inside = b_start >= a_start && b_end < a_end;
	bool around = b_start < a_start && b_end >= a_end;

	return after || before || inside || around;
}

static bool takes_slice(const struct slice_track *track, int64_t start, int64_t end)
{
	uint64_t count = track->slice_count < SLICE_MEMORY ? track->slice_count : SLICE_MEMORY;

	for (uint64_t i = 0; i < count; i++)
		if (!can_be_nested(track->slices[i].start, track->slices[i].end, start, end))
			return false;
	return true;
}

static void add_slice(struct slice_track *track, int64_t start, int64_t end)
{
	uint64_t place = track->slice_count++ % SLICE_MEMORY;

	track->slices[place].start = start;
	track->slices[place].end = end;
}

uint64_t choose_track(struct perfetto *p, struct thread_track *thread, int64_t start, int64_t end)
{
	for (size_t i = 0; i < SLICE_TRACKS; i++) {
		struct slice_track *track = &thread->slice_tracks[i];
		if (!takes_slice(track, start, end))
			continue;
		if (!track->track)
			track->track = write_track_below(p, thread->track, "overlapping calls");
		add_slice(track, start, end);
		return track->track;
	}
	return 0;
}
