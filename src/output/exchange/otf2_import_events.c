#include "base/memory.h"
#include "output/exchange/otf2_importer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void import_requests_init(struct import_requests *requests, uint32_t threads)
{
	*requests = (struct import_requests){.threads = threads};
	requests->entries = (struct definition_table){.item_size = sizeof(struct request_entry)};
	requests->entries.ids.arena = &requests->arena;
	requests->lowest = memory_new(threads + 1, sizeof *requests->lowest);
}

static struct request_entry *entry_of(struct import_requests *requests, uint64_t id)
{
	return item_get(&requests->entries, id);
}

/* Threads are read one after the other, so their numbers must differ. */
static uint64_t take_number(struct import_requests *requests, uint32_t thread)
{
	size_t number = requests->lowest[thread] * requests->threads + thread;

	while (number < requests->used.count && requests->used.items[number])
		number += requests->threads;
	array_extend(&requests->used, number + 1)->items[number] = true;
	requests->lowest[thread] = number / requests->threads + 1;
	return number;
}

static void free_number(struct import_requests *requests, uint64_t number)
{
	uint32_t thread = (uint32_t)(number % requests->threads);

	requests->used.items[number] = false;
	if (number / requests->threads < requests->lowest[thread])
		requests->lowest[thread] = number / requests->threads;
}

const struct begun_request *request_begin(struct import_requests *requests, uint32_t thread, uint64_t id,
                                          uint64_t *number)
{
	static const struct begun_request nothing_known;
	struct request_entry *entry = entry_of(requests, id);

	/* The end of the previous one was not recorded. */
	if (entry->active)
		free_number(requests, entry->number);
	entry->active = true;
	entry->number = *number = take_number(requests, thread);
	return requests->next < requests->begun.count ? &requests->begun.items[requests->next++]
	                                              : &nothing_known;
}

const struct begun_request *request_peek(const struct import_requests *requests)
{
	return requests->next < requests->begun.count ? &requests->begun.items[requests->next] : NULL;
}

bool request_find(struct import_requests *requests, uint64_t id, uint64_t *number)
{
	const struct request_entry *entry = entry_of(requests, id);

	*number = entry->number;
	return entry->active;
}

bool request_end(struct import_requests *requests, uint64_t id, uint64_t *number)
{
	struct request_entry *entry = entry_of(requests, id);

	if (!request_find(requests, id, number))
		return false;
	entry->active = false;
	free_number(requests, entry->number);
	return true;
}

static void scan_begin(struct import_requests *requests, uint64_t id)
{
	struct request_entry *entry = entry_of(requests, id);

	array_add(&requests->begun, (struct begun_request){0});
	entry->begun = requests->begun.count;
}

static struct begun_request *scan_end(struct import_requests *requests, uint64_t id)
{
	static struct begun_request unknown;
	struct request_entry *entry = entry_of(requests, id);
	struct begun_request *begun = entry->begun ? &requests->begun.items[entry->begun - 1] : &unknown;

	entry->begun = 0;
	begun->completed = true;
	return begun;
}

EVENT_CALLBACK(scan_isend, UNUSED uint32_t peer, UNUSED OTF2_CommRef comm, UNUSED uint32_t tag,
               UNUSED uint64_t bytes, uint64_t id)
{
	scan_begin(context, id);
	return OTF2_CALLBACK_SUCCESS;
}

EVENT_CALLBACK(scan_request, uint64_t id)
{
	scan_begin(context, id);
	return OTF2_CALLBACK_SUCCESS;
}

EVENT_CALLBACK(scan_complete, uint64_t id)
{
	scan_end(context, id);
	return OTF2_CALLBACK_SUCCESS;
}

EVENT_CALLBACK(scan_irecv, UNUSED uint32_t peer, OTF2_CommRef comm, UNUSED uint32_t tag,
               UNUSED uint64_t bytes, uint64_t id)
{
	struct begun_request *begun = scan_end(context, id);

	begun->knows_comm = true;
	begun->comm = comm;
	return OTF2_CALLBACK_SUCCESS;
}

EVENT_CALLBACK(scan_collective, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,
               uint64_t received, uint64_t id)
{
	struct begun_request *begun = scan_end(context, id);

	*begun = (struct begun_request){true, true, comm, true, op, root, sent, received};
	return OTF2_CALLBACK_SUCCESS;
}

/* The first reading of a location. */
static void requests_scan(struct import_requests *requests, OTF2_Reader *reader, OTF2_LocationRef location)
{
	OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, location);
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
	uint64_t count;

	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, scan_isend);
	OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, scan_request);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, scan_request);
	OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, scan_complete);
	OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, scan_complete);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, scan_irecv);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, scan_collective);
	/* The second reading reports unreadable events. */
	if (events && OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, requests) == OTF2_SUCCESS)
		OTF2_Reader_ReadAllLocalEvents(reader, events, &count);
	if (events)
		OTF2_Reader_CloseEvtReader(reader, events);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
}

/* Teams of OpenMP threads: records of barriers, critical sections, locks and parallel regions become separate
 * calls (src/calls/omp.calls). The regions remain regions of the user. */

/* A completed call with this duration. Its place is the construct, which is the innermost region. */
static void put_team_call(struct thread_reader *reader, const char *function, uint64_t start, uint64_t end,
                          const struct draft_field *fields, size_t count)
{
	const struct open_region *around = reader->depth ? &reader->regions.items[reader->depth - 1] : NULL;
	const struct place_item place = around && around->region && around->region->is_openmp
	                                        ? around->region->place
	                                        : (struct place_item){0};
	struct open_region *open = open_region(reader, start);

	open->function = function;
	open->place = place;
	for (size_t i = 0; i < count; i++)
		array_add(&open->fields, fields[i]);
	close_region(reader, end);
}

static struct joined_team *innermost_team(struct thread_reader *reader)
{
	return reader->teams.count ? &reader->teams.items[reader->teams.count - 1] : NULL;
}

/* 1: not in a team. */
static int64_t threads_of_team(struct thread_reader *reader)
{
	const struct joined_team *team = innermost_team(reader);

	return team ? team->threads : 1;
}

/* A failing record ends the import. */
static OTF2_CallbackCode take(struct thread_reader *reader, uint64_t time)
{
	reader->last_time = time;
	return reader->im->status == OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

EVENT_CALLBACK(on_team_begin, OTF2_CommRef ref)
{
	struct thread_reader *reader = context;
	const struct comm_item *comm = item_get(&reader->im->contents.comms, ref);
	const struct group_item *group = item_get(&reader->im->contents.groups, comm->local);

	array_add(&reader->teams,
	          (struct joined_team){.comm = ref, .threads = group->count ? group->count : 1});
	return take(reader, time);
}

EVENT_CALLBACK(on_team_end, UNUSED OTF2_CommRef ref)
{
	struct thread_reader *reader = context;

	if (reader->teams.count)
		reader->teams.count--;
	return take(reader, time);
}

/* Nested parallel regions are not counted: their teams are different. */
EVENT_CALLBACK(on_fork, OTF2_Paradigm paradigm, uint32_t threads)
{
	struct thread_reader *reader = context;
	const struct draft_field count = {.key = FIELD_COUNT, .value = threads};

	if (!reader->forks++ && paradigm == OTF2_PARADIGM_OPENMP)
		put_team_call(reader, "omp_fork", time, time, &count, 1);
	return take(reader, time);
}

EVENT_CALLBACK(on_join, OTF2_Paradigm paradigm)
{
	struct thread_reader *reader = context;

	if (reader->forks && !--reader->forks && paradigm == OTF2_PARADIGM_OPENMP)
		put_team_call(reader, "omp_join", time, time, NULL, 0);
	return take(reader, time);
}

/* Other processes have locks of the same number. */
static struct draft_field lock_field(const struct thread_reader *reader, uint32_t lock)
{
	return (struct draft_field){.key = FIELD_MUTEX,
	                            .value = (int64_t)(((uint64_t)reader->process->rank + 1) << 32 | lock)};
}

/* The thread has waited since it entered the innermost region: the critical construct, or the
 * function that takes a lock. */
EVENT_CALLBACK(on_acquire, OTF2_Paradigm paradigm, uint32_t lock, UNUSED uint32_t order)
{
	struct thread_reader *reader = context;
	const struct open_region *around = reader->depth ? &reader->regions.items[reader->depth - 1] : NULL;
	bool is_known = around && around->region && around->region->is_openmp && around->start <= time;
	const struct draft_field fields[] = {lock_field(reader, lock),
	                                     {.key = FIELD_COUNT, .value = threads_of_team(reader)}};

	if (paradigm == OTF2_PARADIGM_OPENMP)
		put_team_call(reader, is_known && around->region->is_critical ? "omp_critical" : "omp_lock",
		              is_known ? around->start : time, time, fields, 2);
	return take(reader, time);
}

EVENT_CALLBACK(on_release, OTF2_Paradigm paradigm, uint32_t lock, UNUSED uint32_t order)
{
	struct thread_reader *reader = context;
	const struct draft_field mutex = lock_field(reader, lock);

	if (paradigm == OTF2_PARADIGM_OPENMP)
		put_team_call(reader, "omp_unlock", time, time, &mutex, 1);
	return take(reader, time);
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

/* Each text is parsed once. NULL: none, or the import has failed. */
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

/* The innermost region contains the call: without a line in the archive, it is the place of the call. */
static void set_way(struct thread_reader *reader, struct open_region *open, struct draft_event *event)
{
	/* Regions of the program around a call. The lines at which they call each other are unknown. */
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

	/* The analyser does not see that the array grows. NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
	open = &array_extend(&reader->regions, reader->depth + 1)->items[reader->depth];
	reader->depth++;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
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
			event.delay_before = open->delay_before;
			event.delay_inside = open->delay_inside;
			event.blocked_before = open->blocked_before;
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
	open->delay_before = own_number(reader, attributes, OTF2_DELAY_BEFORE, 0);
	open->delay_inside = own_number(reader, attributes, OTF2_DELAY_INSIDE, 0);
	open->blocked_before = own_number(reader, attributes, OTF2_BLOCKED_BEFORE, 0);
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

/* Makes the region the innermost. Some tools leave regions in another order than the reverse of entering. */
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
	if (region->is_barrier && !reader->own) {
		const struct open_region *open = &reader->regions.items[reader->depth - 1];
		const struct joined_team *team = innermost_team(reader);
		const struct draft_field fields[] = {{.key = FIELD_TAG, .value = team ? team->comm : 0},
		                                     {.key = FIELD_COUNT, .value = team ? team->threads : 1}};

		/* The barrier has ended, but its region is not left yet. */
		if (team && tick >= open->start)
			put_team_call(reader, "omp_barrier", open->start, tick, fields, 2);
	}
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

	enter(reader, attributes, region_of(reader, region), place_in(reader, attributes), time);
	return take(reader, time);
}

EVENT_CALLBACK(on_leave, OTF2_RegionRef region)
{
	struct thread_reader *reader = context;

	leave(reader, attributes, region_of(reader, region), time);
	return take(reader, time);
}

EVENT_CALLBACK(on_context_enter, OTF2_CallingContextRef ref, UNUSED uint32_t distance)
{
	struct thread_reader *reader = context;
	const struct context_item *item = item_get(&reader->im->contents.contexts, ref);
	const struct place_item *place = item_get(&reader->im->contents.places, item->place);

	if (item->defined)
		enter(reader, attributes, region_of(reader, item->region), place->file ? place : NULL, time);
	return take(reader, time);
}

EVENT_CALLBACK(on_context_leave, OTF2_CallingContextRef ref)
{
	struct thread_reader *reader = context;
	const struct context_item *item = item_get(&reader->im->contents.contexts, ref);

	if (item->defined)
		leave(reader, attributes, region_of(reader, item->region), time);
	return take(reader, time);
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
	return take(reader, reader->last_time);
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

/* Records without a counterpart in a trace are counted. */
/* IGNORED(Name, NOTE, parameters after the common ones) */
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
	OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team_begin);
	OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team_end);
	OTF2_EvtReaderCallbacks_SetThreadForkCallback(callbacks, on_fork);
	OTF2_EvtReaderCallbacks_SetThreadJoinCallback(callbacks, on_join);
	OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(callbacks, on_acquire);
	OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(callbacks, on_release);
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
		/* In an archive of Tarry a process without threads has a location too, so that
		 * groups can refer to it. */
		if (!im->own || location->own_thread)
			put_location(im, process, &requests, location, number++);
	}
	for (size_t i = 0; i < requests.begun.count && !im->own; i++)
		im->counts[NOTE_NO_COMPLETION] += !requests.begun.items[i].completed;
	arena_release(&requests.arena);
	array_release(&requests.begun);
	array_release(&requests.used);
	free(requests.lowest);
}
