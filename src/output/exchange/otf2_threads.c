#include "base/memory.h"
#include "output/exchange/otf2_thread.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLBACK(name, ...) \
	static OTF2_CallbackCode name(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, \
	                              void *context, OTF2_AttributeList *attributes, __VA_ARGS__)

/* A line that fails ends the import. */
static OTF2_CallbackCode go_on(const struct thread_reader *reader)
{
	return reader->im->status == OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

static const char *own_text(struct thread_reader *reader, const OTF2_AttributeList *attributes,
                            enum otf2_attribute which)
{
	OTF2_AttributeRef ref = reader->im->attributes[which];
	OTF2_StringRef text;

	if (ref == OTF2_UNDEFINED_ATTRIBUTE ||
	    OTF2_AttributeList_GetStringRef(attributes, ref, &text) != OTF2_SUCCESS)
		return NULL;
	return string_of(&reader->im->contents, text);
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

static void put_point(struct thread_reader *reader, const char *call, uint64_t tick)
{
	text_add(&reader->im->line, "%" PRIu64 " %" PRIu64 " %s", tick, tick, call);
	reader->im->events++;
	put_line(reader->im);
}

static void add_site(struct thread_reader *reader, const struct place_item *place)
{
	if (place->file)
		text_add(&reader->im->line, " site=%" PRIu64 "+0x%" PRIx32,
		         source_number(reader->im, place->file), place->line);
}

static void put_user(struct thread_reader *reader, const char *what, const struct open_region *open,
                     uint64_t time)
{
	struct text *line = &reader->im->line;

	text_add(line, "%" PRIu64 " %" PRIu64 " tarry_region_%s", time, time, what);
	add_site(reader, &open->place);
	text_add(line, " region=");
	text_add_quoted(line, open->region->name);
	reader->im->events++;
	put_line(reader->im);
}

static void put_call(struct thread_reader *reader, const struct open_region *open, uint64_t end)
{
	struct text *line = &reader->im->line;

	if (end < open->start) {
		reader->im->counts[NOTE_BACKWARDS]++;
		end = open->start;
	}
	text_add(line, "%" PRIu64 " %" PRIu64 " ", open->start, end);
	if (open->call) {
		text_add(line, "%s", open->call);
		if (open->polls)
			text_add(line, " polls=%" PRIu64 " busy=%" PRIu64, open->polls, open->busy);
		if (open->stolen_before | open->stolen_inside)
			text_add(line, " stolen_before=%" PRIu64 " stolen_inside=%" PRIu64,
			         open->stolen_before, open->stolen_inside);
	} else {
		text_add_word(line, open->function);
		add_site(reader, &open->place);
		text_add_bytes(line, text_get(&open->fields), open->fields.length);
		text_add_bytes(line, text_get(&open->groups), open->groups.length);
	}
	reader->im->events++;
	put_line(reader->im);
}

struct open_region *open_region(struct thread_reader *reader, uint64_t time)
{
	struct open_region *open;

	if (reader->depth == reader->room) {
		reader->room = reader->room ? reader->room * 2 : 64;
		reader->regions = memory_grow(reader->regions, reader->room, sizeof *open);
	}
	open = &reader->regions[reader->depth++];
	*open = (struct open_region){.start = time};
	return open;
}

void close_region(struct thread_reader *reader, uint64_t time)
{
	struct open_region *open = &reader->regions[--reader->depth];

	if (!open->is_told && (open->call || open->function))
		put_call(reader, open, time);
	else if (!open->is_told)
		put_user(reader, "end", open, time);
	text_release(&open->fields);
	text_release(&open->groups);
}

static void enter_own(struct thread_reader *reader, const OTF2_AttributeList *attributes,
                      const struct region_item *region, uint64_t time)
{
	uint8_t part = own_part(reader, attributes);
	struct open_region *open = open_region(reader, tick_of(reader, attributes, time));

	open->region = region;
	open->call = own_text(reader, attributes, OTF2_CALL);
	open->polls = own_number(reader, attributes, OTF2_POLLS, 0);
	open->busy = own_number(reader, attributes, OTF2_BUSY, 0);
	open->stolen_before = own_number(reader, attributes, OTF2_STOLEN_BEFORE, 0);
	open->stolen_inside = own_number(reader, attributes, OTF2_STOLEN_INSIDE, 0);
	open->is_told = part != 0 || !open->call;
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
		put_user(reader, "begin", open, time);
}

/* Makes the region the innermost. Not all tools leave regions in the reverse order of entering them. */
static bool bring_up(struct thread_reader *reader, const struct region_item *region)
{
	size_t place = reader->depth;
	struct open_region open;

	while (place && reader->regions[place - 1].region->id != region->id)
		place--;
	if (!place) {
		reader->im->counts[NOTE_UNPAIRED]++;
		return false;
	}
	open = reader->regions[place - 1];
	memmove(&reader->regions[place - 1], &reader->regions[place], (reader->depth - place) * sizeof open);
	reader->regions[reader->depth - 1] = open;
	return true;
}

static void leave(struct thread_reader *reader, const OTF2_AttributeList *attributes,
                  const struct region_item *region, uint64_t time)
{
	uint64_t tick = tick_of(reader, attributes, time);
	const char *call = reader->own ? own_text(reader, attributes, OTF2_CALL) : NULL;

	if (!bring_up(reader, region))
		return;
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

/* Attributes of that type are where a call was made, whatever they are called. */
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

CALLBACK(on_enter, OTF2_RegionRef region)
{
	struct thread_reader *reader = context;

	(void)location, (void)position;
	reader->last_time = time;
	enter(reader, attributes, region_of(reader, region), place_in(reader, attributes), time);
	return go_on(reader);
}

CALLBACK(on_leave, OTF2_RegionRef region)
{
	struct thread_reader *reader = context;

	(void)location, (void)position;
	reader->last_time = time;
	leave(reader, attributes, region_of(reader, region), time);
	return go_on(reader);
}

CALLBACK(on_context_enter, OTF2_CallingContextRef ref, uint32_t distance)
{
	struct thread_reader *reader = context;
	const struct context_item *item = item_get(&reader->im->contents.contexts, ref);
	const struct place_item *place = item_get(&reader->im->contents.places, item->place);

	(void)location, (void)position, (void)distance;
	reader->last_time = time;
	if (item->defined)
		enter(reader, attributes, region_of(reader, item->region), place->file ? place : NULL, time);
	return go_on(reader);
}

CALLBACK(on_context_leave, OTF2_CallingContextRef ref)
{
	struct thread_reader *reader = context;
	const struct context_item *item = item_get(&reader->im->contents.contexts, ref);

	(void)location, (void)position;
	reader->last_time = time;
	if (item->defined)
		leave(reader, attributes, region_of(reader, item->region), time);
	return go_on(reader);
}

/* Records of Tarry's own, which are no calls. */
static void put_own(struct thread_reader *reader, const OTF2_AttributeList *attributes, uint64_t time)
{
	const char *call = own_text(reader, attributes, OTF2_CALL),
		   *line = own_text(reader, attributes, OTF2_LINE);

	if (call)
		put_point(reader, call, tick_of(reader, attributes, time));
	if (line) {
		text_add(&reader->im->line, "%s", line);
		put_line(reader->im);
	}
}

CALLBACK(on_parameter, OTF2_ParameterRef parameter, OTF2_StringRef string)
{
	struct thread_reader *reader = context;

	(void)location, (void)position, (void)parameter, (void)string;
	if (reader->own)
		put_own(reader, attributes, time);
	else
		reader->im->counts[NOTE_OTHERS]++;
	return go_on(reader);
}

CALLBACK(on_measurement, OTF2_MeasurementMode mode)
{
	struct thread_reader *reader = context;

	(void)location, (void)position, (void)mode;
	if (reader->own)
		put_own(reader, attributes, time);
	else
		reader->im->counts[NOTE_OTHERS]++;
	return go_on(reader);
}

static void put_thread(struct thread_reader *reader)
{
	struct text *line = &reader->im->line;

	if (reader->own) {
		text_add(line, "%s", reader->location->own_thread);
	} else {
		text_add(line, "thread %u tid=0%s ", reader->number, reader->number ? "" : " main");
		text_add_quoted(line, reader->location->name);
	}
	reader->im->threads++;
	put_line(reader->im);
}

static OTF2_EvtReaderCallbacks *make_callbacks(void)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

	set_passed_over_callbacks(callbacks);
	set_call_callbacks(callbacks);
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

static void put_location(struct importer *im, struct import_process *process, struct request_book *book,
                         const struct location_item *location, uint32_t number)
{
	struct thread_reader reader = {
		.im = im, .process = process, .location = location, .number = number, .book = book};

	reader.own = im->own && location->own_thread && read_clock(location->own_clock, &reader.clock);
	put_thread(&reader);
	read_events(&reader);
	im->counts[NOTE_UNFINISHED] += reader.depth;
	while (reader.depth)
		close_region(&reader, reader.last_time);
	free(reader.regions);
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
	struct table *locations = &im->contents.locations;
	struct request_book book;
	uint32_t number = 0;

	book_init(&book, count_threads(im, process));
	for (size_t i = process->first_location; i != NO_LOCATION; i = im->next_location[i])
		if (!im->own)
			book_foresee(&book, im->reader, table_at(locations, struct location_item, i)->id);
	for (size_t i = process->first_location; i != NO_LOCATION && im->status == OK;
	     i = im->next_location[i]) {
		const struct location_item *location = table_at(locations, struct location_item, i);
		/* Tarry's archives have a location for a process without threads, so that groups can name it. */
		if (!im->own || location->own_thread)
			put_location(im, process, &book, location, number++);
	}
	for (size_t i = 0; i < book.begun_count && !im->own; i++)
		im->counts[NOTE_NO_COMPLETION] += !book.begun[i].completed;
	book_release(&book);
}
