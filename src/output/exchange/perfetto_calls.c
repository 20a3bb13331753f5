#include "analysis/model/processes.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "calls/calls.h"
#include "output/exchange/perfetto_exporter.h"
#include "trace/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Above all process numbers of Linux. */
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

/* Perfetto merges two processes with the same number. The actual numbers are unique only on one machine. */
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
		sort_u64(pids, reader->process_count);
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

/* A new track below a process or a thread; returns its number. */
static uint64_t write_track_below(struct perfetto *p, uint64_t parent, const char *name)
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

/* The first thread called the main one has the number of the process, by which Perfetto recognizes it. */
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
	scoped_text label = {0};

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

/* Slice `a` is already in the file. Readers keep the order of the file for packets with equal times, so `b`
 * must not end at the same time as `a` if its end would be taken for that of `a`. */
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

/* Regions, phases and marks of the user's code. A region is a slice from its begin to its end,
 * around the calls in it. A phase lasts until the next one, so phases are adjacent on a separate
 * track. A mark is an instant. */

struct user_call {
	struct perfetto *p;
	struct process_track *process;
	struct thread_track *thread;
	const struct call *call;
	const char *name; /* of the region, phase or mark */
	int64_t ns;
};

static void write_event(const struct user_call *event, enum perfetto_event_type type, uint64_t track)
{
	const struct text *fields = describe_call(event->p, event->process, event->call);
	struct open_event open = event_begin(event->p, type, track, event->ns);

	text_add_bytes(&event->p->text, fields->bytes, fields->length);
	event_end(event->p, open);
}

static void begin_region(const struct user_call *event)
{
	struct thread_track *thread = event->thread;

	write_event(event, TYPE_BEGIN, thread->track);
	array_add_in(&event->p->arena, &thread->regions, event->name);
}

static void close_region(struct perfetto *p, struct thread_track *thread, int64_t ns)
{
	event_end(p, event_begin(p, TYPE_END, thread->track, ns));
	thread->regions.count--;
}

/* Nested regions end too, because slices cannot overlap. A region that never began is an instant. */
static void end_region(const struct user_call *event)
{
	struct thread_track *thread = event->thread;
	size_t place = thread->regions.count;

	while (place && strcmp(thread->regions.items[place - 1], event->name) != 0)
		place--;
	if (!place)
		write_event(event, TYPE_INSTANT, thread->track);
	while (place && thread->regions.count >= place)
		close_region(event->p, thread, event->ns);
}

static void begin_phase(const struct user_call *event)
{
	struct process_track *process = event->process;

	if (process->phase_track)
		event_end(event->p, event_begin(event->p, TYPE_END, process->phase_track, event->ns));
	else
		process->phase_track = write_track_below(event->p, process->track, "phases");
	write_event(event, TYPE_BEGIN, process->phase_track);
}

static const struct user_call_kind {
	const char *call;
	const char *category;
	void (*write)(const struct user_call *event);
} user_kinds[] = {
	{"tarry_region_begin", "region", begin_region},
	{"tarry_region_end", "region end", end_region},
	{"tarry_phase", "phase", begin_phase},
	{"tarry_mark", "mark", NULL}, /* an instant */
};

static const struct user_call_kind *find_kind(const struct call *call)
{
	int64_t name;

	for (size_t i = 0; i < sizeof user_kinds / sizeof *user_kinds; i++)
		if (strcmp(call->outline->name, user_kinds[i].call) == 0 &&
		    call_field(call, FIELD_REGION, &name))
			return &user_kinds[i];
	return NULL;
}

bool write_user_event(struct perfetto *p, struct process_track *process, struct thread_track *thread,
                      const struct event *event)
{
	const struct user_call_kind *kind = find_kind(event->call);
	const struct user_call call = {p,
	                               process,
	                               thread,
	                               event->call,
	                               kind ? call_text(event->call, FIELD_REGION) : NULL,
	                               time_of(p, process, event->start)};

	if (kind && kind->write)
		kind->write(&call);
	else if (kind)
		write_event(&call, TYPE_INSTANT, thread->track);
	return kind;
}

void close_user_events(struct perfetto *p, struct process_track *process)
{
	for (size_t i = 0; i < process->process->stream_count; i++)
		while (process->threads[i].regions.count)
			close_region(p, &process->threads[i], process->threads[i].last_ns);
	if (process->phase_track)
		event_end(p, event_begin(p, TYPE_END, process->phase_track, process->last_ns));
}

/* Annotations of a slice */

struct describing {
	struct perfetto *p;
	const struct process *process;
	struct text *out;
};

/* The user's name of a communicator, window or file; NULL: none. */
static const char *name_of_identity(const struct process *process, uint64_t identity)
{
	const struct comm *comm = find_comm(process, identity);

	if (comm && *comm->name)
		return comm->name;
	for (size_t i = 0; i < process->object_count; i++)
		if (process->objects[i].identity == identity && *process->objects[i].name)
			return process->objects[i].name;
	return NULL;
}

static void annotate_value(const struct describing *d, const char *name, struct field field)
{
	enum field_form form = field_form(field.key);
	const char *given = form == FORM_identity ? name_of_identity(d->process, (uint64_t)field.value)
	                                          : NULL;
	scoped_text words = {0};

	if (form == FORM_identity && given)
		text_add(&words, "%s", given);
	else if (form == FORM_identity)
		text_add(&words, "0x%" PRIx64, (uint64_t)field.value);
	else if (form == FORM_rank && field.value < 0 && field.value >= RANK_ROOT)
		text_add(&words, "%s", special_rank_names[-1 - field.value]);
	else if (form == FORM_name)
		text_add(&words, "%s", field_text(field));
	else if (form == FORM_path)
		text_add_path(&words, d->process->paths[field.value]);
	else if (form == FORM_real)
		text_add_real(&words, field.value);
	else {
		annotate_number(d->p, d->out, name, field.value);
		return;
	}
	annotate_text(d->p, d->out, name, text_get(&words));
}

static void annotate_field(const struct describing *d, struct field field)
{
	const char *name = field_name(field.key);
	char number[32];

	snprintf(number, sizeof number, "field%" PRIu32, field.key);
	annotate_value(d, name ? name : number, field);
}

/* True if this field names the parameter whose value is the next field. */
static bool is_named_pair(const struct call *call, uint32_t at)
{
	return field_key_at(call, at) == FIELD_PARAM && at + 1 < field_count(call) &&
	       (field_key_at(call, at + 1) == FIELD_VALUE || field_key_at(call, at + 1) == FIELD_TEXT ||
	        field_key_at(call, at + 1) == FIELD_REAL);
}

/* A group of fields as a dictionary; moves `at` to its end. */
static void add_group(const struct describing *d, const struct call *call, uint32_t *at)
{
	size_t item = proto_begin(d->out, ANNOTATION_ITEM);

	do {
		size_t entry = proto_begin(d->out, ANNOTATION_ENTRY);
		annotate_field(d, field_at(call, *at));
		proto_end(d->out, entry);
		++*at;
	} while (*at < field_count(call) && field_form(field_key_at(call, *at)) != FORM_opens);
	proto_end(d->out, item);
}

/* Completed requests become an array under one name. */
static void add_groups(const struct describing *d, const struct call *call, uint32_t at)
{
	size_t annotation;

	if (at == field_count(call))
		return;
	annotation = proto_begin(d->out, EVENT_ANNOTATION);
	proto_number(d->out, ANNOTATION_NAME_IID, number_annotation(d->p, "completed"));
	while (at < field_count(call))
		add_group(d, call, &at);
	proto_end(d->out, annotation);
}

static void add_place(const struct describing *d, const struct call *call)
{
	struct location where;
	scoped_text text = {0};

	if (!call->outline->has_site)
		return;
	where = symbols_find_call(d->p->job->source, d->process, call);
	location_describe(&where, &text);
	if (text.length) {
		size_t annotation = proto_begin(d->out, EVENT_ANNOTATION);
		annotate_text(d->p, d->out, "called_at", text_get(&text));
		proto_end(d->out, annotation);
	}
	if (where.file)
		proto_number(d->out, EVENT_LOCATION_IID, number_location(d->p, &where));
}

static const char *class_of(const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);

	return info ? call_class_names[info->class] : "other";
}

const struct text *describe_call(struct perfetto *p, struct process_track *process, const struct call *call)
{
	struct text *fields = &array_extend(&process->calls, (size_t)call->id + 1)->items[call->id];

	if (!fields->length) {
		const struct describing d = {p, process->process, fields};
		const struct user_call_kind *user = find_kind(call);
		uint32_t groups, i;

		proto_number(fields, EVENT_CATEGORY_IID,
		             number_category(p, user ? user->category : class_of(call)));
		proto_number(fields, EVENT_NAME_IID,
		             number_event(p, user ? call_text(call, FIELD_REGION) : call->outline->name));
		/* Fields outside groups, up to the first group. */
		for (i = 0; i < field_count(call) && field_form(field_key_at(call, i)) != FORM_opens; i++) {
			size_t annotation = proto_begin(d.out, EVENT_ANNOTATION);
			if (is_named_pair(call, i)) {
				annotate_value(&d, field_text(field_at(call, i)), field_at(call, i + 1));
				i++;
			} else {
				annotate_field(&d, field_at(call, i));
			}
			proto_end(d.out, annotation);
		}
		groups = i;
		add_groups(&d, call, groups);
		add_place(&d, call);
	}
	return fields;
}
