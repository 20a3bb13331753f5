#include "base/memory.h"
#include "exchange/otf2_exporter.h"
#include "exchange/otf2_nodes.h"

#include <stdlib.h>
#include <string.h>

/* Of a distinct call, as its events need it. */
struct call_refs {
	bool known;
	OTF2_RegionRef region;
	OTF2_StringRef text;
	OTF2_SourceCodeLocationRef place; /* OTF2_UNDEFINED_SOURCE_CODE_LOCATION */
	struct location where;
};

struct process_writer {
	struct exporter *ex;
	struct process *process;
	const struct otf2_line *clock;
	struct call_refs *refs; /* by the call's id */
	size_t ref_count;
};

struct stream_writer {
	struct process_writer *process;
	OTF2_EvtWriter *events;
	OTF2_AttributeList *attributes;
	uint64_t last_time;
};

static void make_refs(struct process_writer *writer, const struct call *call, struct call_refs *refs)
{
	struct exporter *ex = writer->ex;
	struct text text = {0};

	text_add_call(&text, writer->process, call);
	refs->known = true;
	refs->text = define_string(ex, text_get(&text) + 1);
	refs->region = define_function(ex, call->name);
	refs->place = OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
	if (call->has_site)
		refs->where = source_find(ex->job->source, find_module(writer->process, call->module),
		                          call->offset);
	if (refs->where.file)
		refs->place = define_place(ex, refs->where.file, refs->where.line);
	text_release(&text);
}

static const struct call_refs *refs_of(struct process_writer *writer, const struct call *call)
{
	size_t count = writer->ref_count ? writer->ref_count : 64;

	if (call->id >= writer->ref_count) {
		while (count <= call->id)
			count *= 2;
		writer->refs = memory_grow(writer->refs, count, sizeof *writer->refs);
		memset(writer->refs + writer->ref_count, 0,
		       (count - writer->ref_count) * sizeof *writer->refs);
		writer->ref_count = count;
	}
	if (!writer->refs[call->id].known)
		make_refs(writer, call, &writer->refs[call->id]);
	return &writer->refs[call->id];
}

/* Times of a location never go back; where they would, or where the tick does not follow from the time, the tick
 * goes along. */
static uint64_t time_of(struct stream_writer *writer, uint64_t tick)
{
	struct exporter *ex = writer->process->ex;
	uint64_t resolution = ex->times.resolution;
	uint64_t time = tick_to_time(writer->process->clock, resolution, tick);

	if (time < writer->last_time)
		time = writer->last_time;
	writer->last_time = time;
	if (time < ex->times.first)
		ex->times.first = time;
	if (time > ex->times.last)
		ex->times.last = time;
	if (time_to_tick(writer->process->clock, resolution, time) != tick)
		wrote(ex, OTF2_AttributeList_AddUint64(writer->attributes, OTF2_TICK, tick));
	return time;
}

static void enter(struct stream_writer *writer, const struct node *node)
{
	struct exporter *ex = writer->process->ex;
	const struct call_refs *refs;

	if (!node->event.call)
		return;
	refs = refs_of(writer->process, node->event.call);
	wrote(ex, OTF2_AttributeList_AddStringRef(writer->attributes, OTF2_CALL, refs->text));
	if (refs->place != OTF2_UNDEFINED_SOURCE_CODE_LOCATION)
		wrote(ex, OTF2_AttributeList_AddSourceCodeLocationRef(writer->attributes, OTF2_PLACE,
		                                                      refs->place));
	if (node->event.polls) {
		wrote(ex, OTF2_AttributeList_AddUint64(writer->attributes, OTF2_POLLS, node->event.polls));
		wrote(ex, OTF2_AttributeList_AddUint64(writer->attributes, OTF2_BUSY, node->event.busy));
	}
	uint64_t time = time_of(writer, node->event.start);
	wrote(ex, OTF2_EvtWriter_Enter(writer->events, writer->attributes, time, refs->region));
}

static void leave(struct stream_writer *writer, const struct node *node)
{
	struct exporter *ex = writer->process->ex;

	if (!node->event.call)
		return;
	uint64_t time = time_of(writer, node->event.end);
	wrote(ex, OTF2_EvtWriter_Leave(writer->events, writer->attributes, time,
	                               refs_of(writer->process, node->event.call)->region));
}

static void write_nodes(struct stream_writer *writer, const struct nodes *nodes)
{
	for (size_t i = 0; i < nodes->count; i++) {
		for (size_t j = nodes->entered[i]; j != NO_NODE; j = nodes->at[j].next_entered)
			enter(writer, &nodes->at[j]);
		leave(writer, &nodes->at[i]);
	}
}

static void export_stream(struct process_writer *process, size_t number, struct stream *stream)
{
	struct exporter *ex = process->ex;
	OTF2_LocationRef location = location_of(number, stream);
	OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(ex->archive, location);
	struct stream_writer writer = {.process = process};
	struct nodes nodes;
	uint64_t count = 0;

	nodes_load(&nodes, ex->reader, stream, &ex->arena);
	writer.events = OTF2_Archive_GetEvtWriter(ex->archive, location);
	writer.attributes = OTF2_AttributeList_New();
	write_nodes(&writer, &nodes);
	wrote(ex, OTF2_EvtWriter_GetNumberOfEvents(writer.events, &count));
	wrote(ex, OTF2_Archive_CloseEvtWriter(ex->archive, writer.events));
	wrote(ex, OTF2_Archive_CloseDefWriter(ex->archive, local));
	OTF2_AttributeList_Delete(writer.attributes);
	define_location(ex, number, stream, count);
	nodes_release(&nodes);
}

void export_process(struct exporter *ex, size_t number)
{
	struct process_writer writer = {
		.ex = ex, .process = &ex->reader->processes[number], .clock = &ex->times.lines[number]};

	for (size_t i = 0; i < writer.process->stream_count; i++)
		export_stream(&writer, number, &writer.process->streams[i]);
	free(writer.refs);
}
