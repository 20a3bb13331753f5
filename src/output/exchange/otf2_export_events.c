#include "base/memory.h"
#include "calls/calls.h"
#include "output/exchange/otf2_exporter.h"

#include <stdlib.h>
#include <string.h>

/* Events of the user's code, without a duration. */
enum user_kind { USER_NONE, USER_BEGIN, USER_END, USER_PHASE, USER_MARK };

/* References for the events of a distinct call. */
struct call_refs {
	bool known;
	const struct call_info *info;
	enum user_kind user;
	const char *user_text;
	OTF2_RegionRef region;
	OTF2_StringRef text;
	OTF2_SourceCodeLocationRef place; /* OTF2_UNDEFINED_SOURCE_CODE_LOCATION */
	struct location where;
};

struct process_writer {
	struct exporter *ex;
	struct process *process;
	size_t number;
	struct otf2_line clock;
	ARRAY(struct call_refs) refs; /* by the call's id */
	struct arena arena;
};

/* An entered region that was not left. */
struct entered_region {
	OTF2_RegionRef region;
	enum user_kind user; /* USER_NONE for a call */
	const char *text;
};

struct stream_writer {
	struct process_writer *process;
	struct record_writer records;
	OTF2_AttributeList *attributes;
	uint64_t last_time;
	ARRAY(struct entered_region) entered;
};

/* A record with the attributes that were collected for it. */
#define WITH_ATTRIBUTES(writer, Kind, ...) \
	wrote((writer)->process->ex, \
	      OTF2_EvtWriter_##Kind((writer)->records.events, (writer)->attributes, __VA_ARGS__))

static enum user_kind user_kind_of(const char *name)
{
	static const char *const names[] = {[USER_BEGIN] = "tarry_region_begin",
	                                    [USER_END] = "tarry_region_end",
	                                    [USER_PHASE] = "tarry_phase",
	                                    [USER_MARK] = "tarry_mark"};

	for (int i = USER_BEGIN; i <= USER_MARK; i++)
		if (strcmp(names[i], name) == 0)
			return (enum user_kind)i;
	return USER_NONE;
}

static void make_refs(struct process_writer *writer, const struct call *call, struct call_refs *refs)
{
	struct exporter *ex = writer->ex;
	scoped_text text = {0};

	text_add_call(&text, writer->process, call);
	*refs = (struct call_refs){.known = true, .info = call_find(call->outline->name)};
	refs->text = define_string(ex, text_get(&text) + 1);
	refs->region = define_function(ex, call->outline->name);
	refs->place = OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
	refs->user_text = call_text(call, FIELD_REGION);
	refs->user = refs->user_text ? user_kind_of(call->outline->name) : USER_NONE;
	if (call->outline->has_site)
		refs->where = symbols_find_call(ex->job->source, writer->process, call);
	if (refs->where.file)
		refs->place = define_place(ex, refs->where.file, refs->where.line);
}

static const struct call_refs *refs_of(struct process_writer *writer, const struct call *call)
{
	struct call_refs *refs = &array_extend(&writer->refs, (size_t)call->id + 1)->items[call->id];

	if (!refs->known)
		make_refs(writer, call, refs);
	return refs;
}

/* Times of a location never decrease; if they would, or if the tick does not follow from the time, the
 * difference is added as an attribute. */
static uint64_t time_of(struct stream_writer *writer, uint64_t tick)
{
	struct exporter *ex = writer->process->ex;
	uint64_t time = otf2_time(&ex->times, writer->process->number, tick);
	uint64_t off;

	if (time < writer->last_time)
		time = writer->last_time;
	writer->last_time = writer->records.time = time;
	if (time < ex->times.first)
		ex->times.first = time;
	if (time > ex->times.last)
		ex->times.last = time;
	off = tick - otf2_line_tick(&writer->process->clock, time);
	if (off)
		wrote(ex, OTF2_AttributeList_AddUint64(writer->attributes, OTF2_TICK, zigzag((int64_t)off)));
	return time;
}

static void add_call(struct stream_writer *writer, const struct call_refs *refs)
{
	struct exporter *ex = writer->process->ex;

	wrote(ex, OTF2_AttributeList_AddStringRef(writer->attributes, OTF2_CALL, refs->text));
	if (refs->place != OTF2_UNDEFINED_SOURCE_CODE_LOCATION)
		wrote(ex, OTF2_AttributeList_AddSourceCodeLocationRef(writer->attributes, OTF2_PLACE,
		                                                      refs->place));
}

static void add_part(struct stream_writer *writer, uint8_t part)
{
	wrote(writer->process->ex, OTF2_AttributeList_AddUint8(writer->attributes, OTF2_PART, part));
}

static void push(struct stream_writer *writer, struct entered_region frame, uint64_t time)
{
	array_add(&writer->entered, frame);
	WITH_ATTRIBUTES(writer, Enter, time, frame.region);
}

static void pop(struct stream_writer *writer, uint64_t time)
{
	WITH_ATTRIBUTES(writer, Leave, time, writer->entered.items[--writer->entered.count].region);
}

/* Leaves regions that the program did not end, or not in order. */
static void pop_to(struct stream_writer *writer, size_t depth)
{
	while (writer->entered.count > depth) {
		add_part(writer, PART_NONE);
		pop(writer, writer->last_time);
	}
}

/* The depth of the region; 0: not begun inside the current call. */
static size_t find_region(const struct stream_writer *writer, const char *text)
{
	for (size_t i = writer->entered.count; i && writer->entered.items[i - 1].user != USER_NONE; i--)
		if (writer->entered.items[i - 1].user == USER_BEGIN &&
		    strcmp(writer->entered.items[i - 1].text, text) == 0)
			return i;
	return 0;
}

static void end_region(struct stream_writer *writer, const struct call_refs *refs, uint64_t tick)
{
	struct entered_region frame = {
		define_user_region(writer->process->ex, refs->user_text, false, &refs->where), USER_BEGIN,
		refs->user_text};
	size_t depth = find_region(writer, refs->user_text);

	if (depth) {
		pop_to(writer, depth);
	} else {
		add_part(writer, PART_NONE);
		push(writer, frame, writer->last_time);
	}
	add_call(writer, refs);
	add_part(writer, PART_WHOLE);
	pop(writer, time_of(writer, tick));
}

static void write_user(struct stream_writer *writer, const struct call_refs *refs, uint64_t tick)
{
	if (refs->user == USER_MARK) {
		struct exporter *ex = writer->process->ex;
		uint64_t time = time_of(writer, tick);

		add_call(writer, refs);
		WITH_ATTRIBUTES(writer, ParameterString, time, PARAMETER_MARK,
		                define_string(ex, refs->user_text));
	} else if (refs->user == USER_END)
		end_region(writer, refs, tick);
	else {
		struct entered_region frame = {define_user_region(writer->process->ex, refs->user_text,
		                                                  refs->user == USER_PHASE, &refs->where),
		                               refs->user, refs->user_text};

		if (refs->user == USER_PHASE && writer->entered.count &&
		    writer->entered.items[writer->entered.count - 1].user == USER_PHASE)
			pop_to(writer, writer->entered.count - 1);
		add_call(writer, refs);
		add_part(writer, PART_WHOLE);
		push(writer, frame, time_of(writer, tick));
	}
}

static void write_line(struct stream_writer *writer, const struct nested_call *node)
{
	struct exporter *ex = writer->process->ex;
	uint64_t time = time_of(writer, node->event.end);
	OTF2_StringRef line = define_string(ex, node->line);

	wrote(ex, OTF2_AttributeList_AddStringRef(writer->attributes, OTF2_LINE, line));
	if (node->kind == RECORD_LOSS)
		WITH_ATTRIBUTES(writer, MeasurementOnOff, time, OTF2_MEASUREMENT_OFF);
	else
		WITH_ATTRIBUTES(writer, ParameterString, time, PARAMETER_RECORD, line);
}

/* True if the event is written as one record, not as an enter and a leave. */
static bool is_point(const struct call_refs *refs, const struct event *event)
{
	return refs->user != USER_NONE && event->start == event->end && !event->polls &&
	       !(event->delay_before | event->delay_inside | event->blocked_before);
}

static void enter(struct stream_writer *writer, const struct nested_call *node)
{
	struct exporter *ex = writer->process->ex;
	const struct call_refs *refs;

	if (!node->event.call || node->is_left_out)
		return;
	refs = refs_of(writer->process, node->event.call);
	if (is_point(refs, &node->event))
		return;
	add_call(writer, refs);
	if (node->event.polls) {
		wrote(ex, OTF2_AttributeList_AddUint64(writer->attributes, OTF2_POLLS, node->event.polls));
		wrote(ex, OTF2_AttributeList_AddUint64(writer->attributes, OTF2_BUSY, node->event.busy));
	}
	if (node->event.delay_before | node->event.delay_inside) {
		wrote(ex, OTF2_AttributeList_AddUint64(writer->attributes, OTF2_DELAY_BEFORE,
		                                       node->event.delay_before));
		wrote(ex, OTF2_AttributeList_AddUint64(writer->attributes, OTF2_DELAY_INSIDE,
		                                       node->event.delay_inside));
	}
	if (node->event.blocked_before)
		wrote(ex, OTF2_AttributeList_AddUint64(writer->attributes, OTF2_BLOCKED_BEFORE,
		                                       node->event.blocked_before));
	uint64_t time = time_of(writer, node->event.start);
	push(writer, (struct entered_region){refs->region, USER_NONE, NULL}, time);
	records_at_start(&writer->records, node, refs->info);
}

static size_t call_depth(const struct stream_writer *writer)
{
	size_t depth = writer->entered.count;

	while (depth && writer->entered.items[depth - 1].user != USER_NONE)
		depth--;
	return depth;
}

static void leave(struct stream_writer *writer, const struct nested_call *node)
{
	const struct call_refs *refs;

	if (!node->event.call) {
		write_line(writer, node);
		return;
	}
	if (node->is_left_out)
		return;
	refs = refs_of(writer->process, node->event.call);
	if (is_point(refs, &node->event)) {
		write_user(writer, refs, node->event.start);
		return;
	}
	pop_to(writer, call_depth(writer));
	uint64_t time = time_of(writer, node->event.end);
	records_at_end(&writer->records, node, refs->info);
	pop(writer, time);
}

/* One region contains everything of the thread: without it, tools that follow the critical path ignore
 * computation between calls. */
static void enter_program(struct stream_writer *writer, const struct nested_calls *nodes)
{
	const struct process_writer *process = writer->process;
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < nodes->count; i++)
		if (!nodes->items[i].is_left_out && nodes->items[i].event.start < first)
			first = nodes->items[i].event.start;
	if (first == UINT64_MAX)
		return;
	add_part(writer, PART_NONE);
	push(writer, (struct entered_region){define_program(process->ex, process->process), USER_NONE, NULL},
	     otf2_time(&process->ex->times, process->number, first));
}

static void export_stream(struct process_writer *process, size_t number, const struct stream *stream,
                          const struct nested_calls *nodes)
{
	struct exporter *ex = process->ex;
	OTF2_LocationRef location = location_of(number, stream);
	OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(ex->archive, location);
	struct stream_writer writer = {.process = process, .records = {.ex = ex, .process = number}};
	uint64_t count = 0;

	writer.records.events = OTF2_Archive_GetEvtWriter(ex->archive, location);
	writer.attributes = OTF2_AttributeList_New();
	enter_program(&writer, nodes);
	for (size_t i = 0; i < nodes->count; i++) {
		for (size_t j = nodes->entered[i]; j != NO_NODE; j = nodes->items[j].next_entered)
			enter(&writer, &nodes->items[j]);
		leave(&writer, &nodes->items[i]);
	}
	pop_to(&writer, 0);
	wrote(ex, OTF2_EvtWriter_GetNumberOfEvents(writer.records.events, &count));
	wrote(ex, OTF2_Archive_CloseEvtWriter(ex->archive, writer.records.events));
	wrote(ex, OTF2_Archive_CloseDefWriter(ex->archive, local));
	OTF2_AttributeList_Delete(writer.attributes);
	array_release(&writer.entered);
	define_location(ex, number, stream, count, &process->clock);
}

/* Only their records are omitted: other calls complete requests that they began. */
static void leave_out(const struct event_filter *filter, const struct process *process,
                      struct nested_calls *nodes)
{
	bool is_wanted = filter_wants_process(filter, process);

	for (size_t i = 0; i < nodes->count; i++) {
		const struct event *event = &nodes->items[i].event;
		nodes->items[i].is_left_out = event->call &&
		                              !(is_wanted && filter_wants_event(filter, process, event));
	}
}

/* From the first to the last moment of all threads. */
static struct otf2_line clock_of(const struct exporter *ex, size_t number, const struct nested_calls *streams,
                                 size_t count)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < streams[i].count; j++) {
			const struct event *event = &streams[i].items[j].event;
			first = event->start < first ? event->start : first;
			last = event->end > last ? event->end : last;
		}
	}
	return otf2_line_between(&ex->times, number, first < last ? first : last, last);
}

void export_process(struct exporter *ex, size_t number)
{
	struct process_writer writer = {
		.ex = ex, .process = &ex->reader->processes[number], .number = number};
	size_t count = writer.process->stream_count;
	struct nested_calls *nodes = memory_new(count + 1, sizeof *nodes);

	for (size_t i = 0; i < count; i++) {
		nested_calls_load(&nodes[i], ex->reader, &writer.process->streams[i], &writer.arena);
		leave_out(ex->job->filter, writer.process, &nodes[i]);
	}
	writer.clock = clock_of(ex, number, nodes, count);
	resolve_requests(nodes, count, &writer.arena);
	for (size_t i = 0; i < count; i++) {
		export_stream(&writer, number, &writer.process->streams[i], &nodes[i]);
		nested_calls_release(&nodes[i]);
	}
	free(nodes);
	array_release(&writer.refs);
	arena_release(&writer.arena);
}
