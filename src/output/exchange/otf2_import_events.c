#include "output/exchange/otf2_import_events.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record that fails ends the import. */
static OTF2_CallbackCode go_on(const struct thread_reader *reader)
{
	return reader->im->status == OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

static struct string_item *own_string(struct thread_reader *reader, const OTF2_AttributeList *attributes,
                                      enum otf2_attribute which)
{
	OTF2_AttributeRef ref = reader->im->attributes[which];
	OTF2_StringRef text;

	if (ref == OTF2_UNDEFINED_ATTRIBUTE ||
	    OTF2_AttributeList_GetStringRef(attributes, ref, &text) != OTF2_SUCCESS ||
	    text == OTF2_UNDEFINED_STRING)
		return NULL;
	return item_get(&reader->im->contents.strings, text);
}

/* Each text is parsed once. NULL: there is none, or the import has failed. */
static const struct draft_event *own_call(struct thread_reader *reader, const OTF2_AttributeList *attributes)
{
	struct importer *im = reader->im;
	struct string_item *string = own_string(reader, attributes, OTF2_CALL);

	if (!string || im->status != OK)
		return NULL;
	if (!string->call) {
		struct draft_event *call = arena_new(&im->contents.arena, struct draft_event);
		im->status = assembler_parse_call(im->assembler, string->text ? string->text : "",
		                                  &im->contents.arena, call);
		string->call = call;
	}
	return im->status == OK ? string->call : NULL;
}

static uint64_t own_number(struct thread_reader *reader, const OTF2_AttributeList *attributes,
                           enum otf2_attribute which, uint64_t otherwise)
{
	OTF2_AttributeRef ref = reader->im->attributes[which];
	uint64_t number;

	if (ref == OTF2_UNDEFINED_ATTRIBUTE ||
	    OTF2_AttributeList_GetUint64(attributes, ref, &number) != OTF2_SUCCESS)
		return otherwise;
	return number;
}

static uint8_t own_part(struct thread_reader *reader, const OTF2_AttributeList *attributes)
{
	OTF2_AttributeRef ref = reader->im->attributes[OTF2_PART];
	uint8_t part = 0;

	if (ref != OTF2_UNDEFINED_ATTRIBUTE)
		OTF2_AttributeList_GetUint8(attributes, ref, &part);
	return part;
}

static uint64_t tick_of(struct thread_reader *reader, const OTF2_AttributeList *attributes, uint64_t time)
{
	uint64_t off = own_number(reader, attributes, OTF2_TICK, 0);

	if (!reader->own)
		return time;
	return otf2_line_tick(&reader->clock, time) + (uint64_t)unzigzag(off);
}

static void put_point(struct thread_reader *reader, const struct draft_event *call, uint64_t tick)
{
	struct draft_event event = *call;

	event.start = event.end = tick;
	put_event(reader->im, &event);
}

static void set_site(struct draft_event *event, const struct place_item *place)
{
	event->has_site = place->file != NULL;
	event->module = place->source;
	event->offset = place->line;
}

static void put_user(struct thread_reader *reader, const char *function, const struct open_region *open,
                     uint64_t time)
{
	struct draft_field region = {.key = FIELD_REGION, .text = open->region->name};
	struct draft_event event = {
		.start = time, .end = time, .name = function, .fields = &region, .field_count = 1};

	set_site(&event, &open->place);
	put_event(reader->im, &event);
}

/* The innermost region has the call: where the archive does not tell its line, that is its place. */
static void set_way(struct thread_reader *reader, struct open_region *open, struct draft_event *event)
{
	/* Regions of the program around a call. In which line one calls the next is not known. */
	reader->way.count = 0;
	for (size_t i = reader->depth; i-- > 0 && reader->way.count < PATH_DEPTH_MAX;) {
		const struct open_region *around = &reader->regions.items[i];
		if (around->region && !around->function && around->region->source)
			array_add(&reader->way, (struct draft_site){.module = around->region->source});
	}
	set_site(event, &open->place);
	if (!reader->way.count)
		return;
	if (!event->has_site) {
		event->has_site = true;
		event->module = reader->way.items[0].module;
	}
	if (reader->way.count > 1)
		array_add(&open->fields, (struct draft_field){.key = FIELD_PATH,
		                                              .sites = reader->way.items + 1,
		                                              .site_count = reader->way.count - 1});
}

struct open_region *open_region(struct thread_reader *reader, uint64_t time)
{
	struct open_region *open;
	struct draft_list fields, completions;

	open = &array_extend(&reader->regions, reader->depth + 1)->items[reader->depth];
	reader->depth++;
	fields = open->fields;
	completions = open->completions;
	fields.count = completions.count = 0;
	*open = (struct open_region){.start = time, .fields = fields, .completions = completions};
	return open;
}

void close_region(struct thread_reader *reader, uint64_t time)
{
	struct open_region *open = &reader->regions.items[--reader->depth];

	if (open->is_written)
		return;
	if (open->call || open->function) {
		struct draft_event event = {.name = open->function};

		if (open->call) {
			event = *open->call;
			event.polls = open->polls;
			event.busy = open->busy;
			event.stolen_before = open->stolen_before;
			event.stolen_inside = open->stolen_inside;
		} else {
			set_way(reader, open, &event);
			for (size_t i = 0; i < open->completions.count; i++)
				array_add(&open->fields, open->completions.items[i]);
			event.fields = open->fields.items;
			event.field_count = open->fields.count;
		}
		event.start = open->start;
		event.end = time < open->start ? open->start : time;
		reader->im->counts[NOTE_BACKWARDS] += time < open->start;
		put_event(reader->im, &event);
	} else
		put_user(reader, "tarry_region_end", open, time);
}

static void enter_own(struct thread_reader *reader, const OTF2_AttributeList *attributes,
                      const struct region_item *region, uint64_t time)
{
	uint8_t part = own_part(reader, attributes);
	struct open_region *open = open_region(reader, tick_of(reader, attributes, time));

	open->region = region;
	open->call = own_call(reader, attributes);
	open->polls = own_number(reader, attributes, OTF2_POLLS, 0);
	open->busy = own_number(reader, attributes, OTF2_BUSY, 0);
	open->stolen_before = own_number(reader, attributes, OTF2_STOLEN_BEFORE, 0);
	open->stolen_inside = own_number(reader, attributes, OTF2_STOLEN_INSIDE, 0);
	open->is_written = part != 0 || !open->call;
	if (part == PART_WHOLE && open->call)
		put_point(reader, open->call, open->start);
}

static void enter(struct thread_reader *reader, const OTF2_AttributeList *attributes,
                  const struct region_item *region, const struct place_item *place, uint64_t time)
{
	struct open_region *open;

	if (reader->own) {
		enter_own(reader, attributes, region, time);
		return;
	}
	open = open_region(reader, time);
	open->region = region;
	open->function = region->function;
	open->place = place ? *place : (struct place_item){0};
	if (!place && !region->function)
		open->place = region->place;
	if (!open->function)
		put_user(reader, "tarry_region_begin", open, time);
}

/* Makes the region the innermost. Some tools leave regions in another order than the reverse of entering them. */
static bool bring_up(struct thread_reader *reader, const struct region_item *region)
{
	size_t place = reader->depth;
	struct open_region open;

	while (place && reader->regions.items[place - 1].region->id != region->id)
		place--;
	if (!place) {
		reader->im->counts[NOTE_UNPAIRED]++;
		return false;
	}
	open = reader->regions.items[place - 1];
	memmove(&reader->regions.items[place - 1], &reader->regions.items[place],
	        (reader->depth - place) * sizeof open);
	reader->regions.items[reader->depth - 1] = open;
	return true;
}

static void leave(struct thread_reader *reader, const OTF2_AttributeList *attributes,
                  const struct region_item *region, uint64_t time)
{
	uint64_t tick = tick_of(reader, attributes, time);
	const struct draft_event *call = reader->own ? own_call(reader, attributes) : NULL;

	if (!bring_up(reader, region))
		return;
	if (region->is_barrier && !reader->own)
		put_team_barrier(reader, &reader->regions.items[reader->depth - 1], tick);
	close_region(reader, tick);
	if (call)
		put_point(reader, call, tick);
}

static const struct region_item *region_of(struct thread_reader *reader, OTF2_RegionRef ref)
{
	struct region_item *region = item_get(&reader->im->contents.regions, ref);

	if (!region->name)
		region->name = "unknown";
	return region;
}

/* An attribute of this type is the source line of the call, whatever its name. */
static const struct place_item *place_in(struct thread_reader *reader, const OTF2_AttributeList *attributes)
{
	uint32_t count = OTF2_AttributeList_GetNumberOfElements(attributes);

	for (uint32_t i = 0; i < count; i++) {
		OTF2_AttributeRef ref;
		OTF2_Type type;
		OTF2_AttributeValue value;
		const struct place_item *place;
		if (OTF2_AttributeList_GetAttributeByIndex(attributes, i, &ref, &type, &value) !=
		            OTF2_SUCCESS ||
		    type != OTF2_TYPE_SOURCE_CODE_LOCATION)
			continue;
		place = item_get(&reader->im->contents.places, value.sourceCodeLocationRef);
		return place->file ? place : NULL;
	}
	return NULL;
}

EVENT_CALLBACK(on_enter, OTF2_RegionRef region)
{
	struct thread_reader *reader = context;

	reader->last_time = time;
	enter(reader, attributes, region_of(reader, region), place_in(reader, attributes), time);
	return go_on(reader);
}

EVENT_CALLBACK(on_leave, OTF2_RegionRef region)
{
	struct thread_reader *reader = context;

	reader->last_time = time;
	leave(reader, attributes, region_of(reader, region), time);
	return go_on(reader);
}

EVENT_CALLBACK(on_context_enter, OTF2_CallingContextRef ref, UNUSED uint32_t distance)
{
	struct thread_reader *reader = context;
	const struct context_item *item = item_get(&reader->im->contents.contexts, ref);
	const struct place_item *place = item_get(&reader->im->contents.places, item->place);

	reader->last_time = time;
	if (item->defined)
		enter(reader, attributes, region_of(reader, item->region), place->file ? place : NULL, time);
	return go_on(reader);
}

EVENT_CALLBACK(on_context_leave, OTF2_CallingContextRef ref)
{
	struct thread_reader *reader = context;
	const struct context_item *item = item_get(&reader->im->contents.contexts, ref);

	reader->last_time = time;
	if (item->defined)
		leave(reader, attributes, region_of(reader, item->region), time);
	return go_on(reader);
}

static OTF2_CallbackCode take_own_record(struct thread_reader *reader, const OTF2_AttributeList *attributes,
                                         uint64_t time)
{
	if (reader->own) {
		const struct draft_event *call = own_call(reader, attributes);
		const struct string_item *line = own_string(reader, attributes, OTF2_LINE);

		/* Records of Tarry that are not calls. */
		if (call)
			put_point(reader, call, tick_of(reader, attributes, time));
		if (line)
			put_line(reader->im, line->text ? line->text : "");
	} else
		reader->im->counts[NOTE_OTHERS]++;
	return go_on(reader);
}

EVENT_CALLBACK(on_parameter, UNUSED OTF2_ParameterRef parameter, UNUSED OTF2_StringRef string)
{
	return take_own_record(context, attributes, time);
}

EVENT_CALLBACK(on_measurement, UNUSED OTF2_MeasurementMode mode)
{
	return take_own_record(context, attributes, time);
}

static enum status write_thread(struct thread_reader *reader)
{
	struct trace_writer *out = &reader->im->out;
	struct thread_info info = {.main = reader->number == 0, .name = reader->location->name};

	TRY(trace_writer_thread(out, reader->number));
	return trace_writer_thread_info(out, &info);
}

/* Records that have no counterpart in a trace are counted. */
/* IGNORED(Name, NOTE, parameters behind the common ones) */
#define IGNORED_RECORDS(IGNORED) \
	IGNORED(Metric, METRICS, OTF2_MetricRef a, uint8_t b, const OTF2_Type *c, const OTF2_MetricValue *d) \
	IGNORED(ParameterInt, OTHERS, OTF2_ParameterRef a, int64_t b) \
	IGNORED(ParameterUnsignedInt, OTHERS, OTF2_ParameterRef a, uint64_t b) \
	IGNORED(ThreadTaskCreate, THREADS, OTF2_CommRef a, uint32_t b, uint32_t c) \
	IGNORED(ThreadTaskSwitch, THREADS, OTF2_CommRef a, uint32_t b, uint32_t c) \
	IGNORED(ThreadTaskComplete, THREADS, OTF2_CommRef a, uint32_t b, uint32_t c) \
	IGNORED(CallingContextSample, SAMPLES, OTF2_CallingContextRef a, uint32_t b, \
	        OTF2_InterruptGeneratorRef c) \
	IGNORED(BufferFlush, OTHERS, OTF2_TimeStamp a) \
	IGNORED(RmaTryLock, OTHERS, OTF2_RmaWinRef a, uint32_t b, uint64_t c, OTF2_LockType d) \
	IGNORED(RmaWaitChange, OTHERS, OTF2_RmaWinRef a) \
	IGNORED(IoSeek, OTHERS, OTF2_IoHandleRef a, int64_t b, OTF2_IoSeekOption c, uint64_t d) \
	IGNORED(IoDuplicateHandle, OTHERS, OTF2_IoHandleRef a, OTF2_IoHandleRef b, OTF2_IoStatusFlag c) \
	IGNORED(IoDeleteFile, OTHERS, OTF2_IoParadigmRef a, OTF2_IoFileRef b)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define IGNORED(Name, NOTE, ...) \
	EVENT_CALLBACK(ignore_##Name, __VA_ARGS__) \
	{ \
		struct thread_reader *reader = context; \
\
		reader->im->counts[NOTE_##NOTE]++; \
		return OTF2_CALLBACK_SUCCESS; \
	}
IGNORED_RECORDS(IGNORED)
#undef IGNORED
#pragma GCC diagnostic pop

static void set_ignoring_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
#define IGNORED(Name, NOTE, ...) OTF2_EvtReaderCallbacks_Set##Name##Callback(callbacks, ignore_##Name);
	IGNORED_RECORDS(IGNORED)
#undef IGNORED
}

static OTF2_EvtReaderCallbacks *make_callbacks(void)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

	set_ignoring_callbacks(callbacks);
	set_call_callbacks(callbacks);
	set_team_callbacks(callbacks);
	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
	OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, on_context_enter);
	OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, on_context_leave);
	OTF2_EvtReaderCallbacks_SetParameterStringCallback(callbacks, on_parameter);
	OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, on_measurement);
	return callbacks;
}

static void read_events(struct thread_reader *reader)
{
	OTF2_Reader *archive = reader->im->reader;
	OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(archive, reader->location->id);
	OTF2_EvtReaderCallbacks *callbacks = make_callbacks();
	uint64_t count = 0;

	if (!events || OTF2_Reader_RegisterEvtCallbacks(archive, events, callbacks, reader) != OTF2_SUCCESS ||
	    (OTF2_Reader_ReadAllLocalEvents(archive, events, &count) != OTF2_SUCCESS &&
	     reader->im->status == OK))
		reader->im->counts[NOTE_UNREADABLE]++;
	if (events)
		OTF2_Reader_CloseEvtReader(archive, events);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
}

static bool read_clock(const char *text, struct otf2_line *line)
{
	return text && sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &line->tick, &line->time,
	                      &line->last_tick, &line->last_time) == 4;
}

static void put_location(struct importer *im, struct import_process *process,
                         struct import_requests *requests, const struct location_item *location,
                         uint32_t number)
{
	struct thread_reader reader = {
		.im = im, .process = process, .location = location, .number = number, .requests = requests};

	reader.own = im->own && location->own_thread && read_clock(location->own_clock, &reader.clock);
	reader.im->threads++;
	if (reader.own)
		put_line(reader.im, reader.location->own_thread);
	else
		reader.im->status = write_thread(&reader);
	read_events(&reader);
	im->counts[NOTE_UNFINISHED] += reader.depth;
	while (reader.depth)
		close_region(&reader, reader.last_time);
	for (size_t i = 0; i < reader.regions.count; i++) {
		array_release(&reader.regions.items[i].fields);
		array_release(&reader.regions.items[i].completions);
	}
	array_release(&reader.regions);
	array_release(&reader.way);
	array_release(&reader.teams);
}

static uint32_t count_threads(const struct importer *im, const struct import_process *process)
{
	uint32_t count = 0;

	for (size_t i = process->first_location; i != NO_LOCATION; i = im->next_location[i])
		count++;
	return count;
}

void put_threads(struct importer *im, struct import_process *process)
{
	struct definition_table *locations = &im->contents.locations;
	struct import_requests requests;
	uint32_t number = 0;

	import_requests_init(&requests, count_threads(im, process));
	for (size_t i = process->first_location; i != NO_LOCATION; i = im->next_location[i])
		if (!im->own)
			requests_scan(&requests, im->reader,
			              table_at(locations, struct location_item, i)->id);
	for (size_t i = process->first_location; i != NO_LOCATION && im->status == OK;
	     i = im->next_location[i]) {
		const struct location_item *location = table_at(locations, struct location_item, i);
		/* In an archive of Tarry a process without threads has a location too, so that groups can name it. */
		if (!im->own || location->own_thread)
			put_location(im, process, &requests, location, number++);
	}
	for (size_t i = 0; i < requests.begun.count && !im->own; i++)
		im->counts[NOTE_NO_COMPLETION] += !requests.begun.items[i].completed;
	import_requests_release(&requests);
}
