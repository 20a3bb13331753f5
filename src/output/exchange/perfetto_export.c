#include "analysis/model/figures.h"
#include "analysis/model/relations.h"
#include "base/bytes.h"
#include "base/utf8.h"
#include "output/exchange/perfetto_exporter.h"

#include <stdlib.h>
#include <string.h>

/* Protocol buffers */

/* The lowest three bits of a field's key. */
enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

static void add_varint(struct text *out, uint64_t value)
{
	uint8_t bytes[VARINT_MAX];

	text_add_bytes(out, (char *)bytes, (size_t)(put_varint(bytes, value) - bytes));
}

static void add_key(struct text *out, uint32_t field, enum wire_type type)
{
	add_varint(out, (uint64_t)field << 3 | type);
}

void proto_number(struct text *out, uint32_t field, uint64_t value)
{
	add_key(out, field, WIRE_VARINT);
	add_varint(out, value);
}

/* Eight bytes for any value. */
static void proto_fixed64(struct text *out, uint32_t field, uint64_t value)
{
	add_key(out, field, WIRE_FIXED64);
	text_add_bytes(out, (const char *)&value, sizeof value);
}

void proto_text(struct text *out, uint32_t field, const char *string)
{
	const char *end = string + strlen(string);
	size_t begun = proto_begin(out, field);

	while (string < end) {
		const char *at = string;
		if (utf8_next(&string, end) == UTF8_INVALID)
			text_add_bytes(out, UTF8_REPLACEMENT, strlen(UTF8_REPLACEMENT));
		else
			text_add_bytes(out, at, (size_t)(string - at));
	}
	proto_end(out, begun);
}

/* The length usually takes one byte; if it takes more, the bytes are moved. */
size_t proto_begin(struct text *out, uint32_t field)
{
	add_key(out, field, WIRE_BYTES);
	text_add_bytes(out, "", 1);
	return out->length;
}

void proto_end(struct text *out, size_t begun)
{
	size_t length = out->length - begun;
	uint8_t bytes[VARINT_MAX];
	size_t size = (size_t)(put_varint(bytes, length) - bytes);

	if (size > 1) {
		text_add_repeated(out, '\0', size - 1);
		memmove(out->bytes + begun + size - 1, out->bytes + begun, length);
	}
	memcpy(out->bytes + begun - 1, bytes, size);
}

/* Packets */

enum { OUR_SEQUENCE = 1, FLUSH_BYTES = 1 << 16 };

/* Numbers an entry of such a table, from 1; returns whether it is new. */
static bool number_entry(struct perfetto *p, struct interner *interner, const void *key, size_t size,
                         uint64_t *number)
{
	uint64_t known = interner->count;

	interner->arena = &p->arena;
	*number = intern(interner, key, size)->number + 1;
	return *number == known + 1;
}

static uint64_t number_text(struct perfetto *p, struct interner *interner, enum interned_table table,
                            const char *text)
{
	uint64_t number;
	size_t entry;

	if (!number_entry(p, interner, text, strlen(text), &number))
		return number;
	entry = proto_begin(&p->fresh, table);
	proto_number(&p->fresh, ENTRY_IID, number);
	proto_text(&p->fresh, ENTRY_TEXT, text);
	proto_end(&p->fresh, entry);
	return number;
}

uint64_t number_category(struct perfetto *p, const char *name)
{
	return number_text(p, &p->categories, INTERNED_CATEGORIES, name);
}

uint64_t number_event(struct perfetto *p, const char *name)
{
	return number_text(p, &p->events, INTERNED_EVENTS, name);
}

uint64_t number_location(struct perfetto *p, const struct location *where)
{
	scoped_text key = {0};
	uint64_t number;
	size_t entry;
	bool is_new;

	text_add(&key, "%s:%d:%s", where->file, where->line, where->function ? where->function : "");
	is_new = number_entry(p, &p->locations, text_get(&key), key.length, &number);
	if (!is_new)
		return number;
	entry = proto_begin(&p->fresh, INTERNED_LOCATIONS);
	proto_number(&p->fresh, ENTRY_IID, number);
	proto_text(&p->fresh, LOCATION_FILE, where->file);
	if (where->function)
		proto_text(&p->fresh, LOCATION_FUNCTION, where->function);
	proto_number(&p->fresh, LOCATION_LINE, (uint64_t)where->line);
	proto_end(&p->fresh, entry);
	return number;
}

uint64_t number_annotation(struct perfetto *p, const char *name)
{
	return number_text(p, &p->annotations, INTERNED_ANNOTATIONS, name);
}

void annotate_number(struct perfetto *p, struct text *out, const char *name, int64_t value)
{
	proto_number(out, ANNOTATION_NAME_IID, number_annotation(p, name));
	proto_number(out, ANNOTATION_SIGNED, (uint64_t)value);
}

void annotate_text(struct perfetto *p, struct text *out, const char *name, const char *value)
{
	proto_number(out, ANNOTATION_NAME_IID, number_annotation(p, name));
	proto_number(out, ANNOTATION_TEXT_IID, number_text(p, &p->texts, INTERNED_TEXTS, value));
}

size_t packet_begin(struct perfetto *p)
{
	size_t begun = proto_begin(&p->text, TRACE_PACKET);

	proto_number(&p->text, PACKET_SEQUENCE, OUR_SEQUENCE);
	proto_number(&p->text, PACKET_SEQUENCE_FLAGS,
	             p->begun ? SEQUENCE_NEEDS_STATE : SEQUENCE_STARTS | SEQUENCE_NEEDS_STATE);
	p->begun = true;
	return begun;
}

void packet_end(struct perfetto *p, size_t begun)
{
	if (p->fresh.length) {
		add_key(&p->text, PACKET_INTERNED_DATA, WIRE_BYTES);
		add_varint(&p->text, p->fresh.length);
		text_add_bytes(&p->text, p->fresh.bytes, p->fresh.length);
	}
	text_clear(&p->fresh);
	proto_end(&p->text, begun);
	if (p->text.length < FLUSH_BYTES)
		return;
	if (p->status == OK)
		p->status = export_write(&p->output, &p->text);
	text_clear(&p->text);
}

struct open_event event_begin(struct perfetto *p, enum perfetto_event_type type, uint64_t track, int64_t ns)
{
	struct open_event open = {.packet = packet_begin(p)};

	proto_number(&p->text, PACKET_TIMESTAMP, ns > 0 ? (uint64_t)ns : 0);
	open.event = proto_begin(&p->text, PACKET_TRACK_EVENT);
	proto_number(&p->text, EVENT_TYPE, type);
	proto_number(&p->text, EVENT_TRACK, track);
	return open;
}

void event_end(struct perfetto *p, struct open_event open)
{
	proto_end(&p->text, open.event);
	packet_end(p, open.packet);
}

static void event_name(struct perfetto *p, const char *category, const char *name)
{
	proto_number(&p->text, EVENT_CATEGORY_IID, number_category(p, category));
	proto_number(&p->text, EVENT_NAME_IID, number_event(p, name));
}

/* Our own, in addition to the classes of calls. */
static const char message_category[] = "message", recording_category[] = "recording";

int64_t time_of(const struct perfetto *p, const struct process_track *process, uint64_t tick)
{
	return corrected_ns(p->time, (uint32_t)(process - p->processes), tick);
}

static int64_t duration_of(const struct perfetto *p, const struct process_track *process, uint64_t ticks)
{
	double ns = (double)ticks * 1e9 *
	            clocks_seconds_per_tick(p->time->clocks, (uint32_t)(process - p->processes));

	return ns < 9e18 ? (int64_t)ns : INT64_MAX;
}

static struct process_track *track_of(const struct perfetto *p, const struct occurrence *call)
{
	return &p->processes[call->semantics->process];
}

static struct thread_track *thread_of(const struct perfetto *p, const struct occurrence *call)
{
	const struct process_track *process = track_of(p, call);

	return &process->threads[find_stream(process->process, call->thread) - process->process->streams];
}

static void annotate_event_number(struct perfetto *p, const char *name, int64_t value)
{
	size_t annotation = proto_begin(&p->text, EVENT_ANNOTATION);

	annotate_number(p, &p->text, name, value);
	proto_end(&p->text, annotation);
}

static void annotate_event_text(struct perfetto *p, const char *name, const char *value)
{
	size_t annotation = proto_begin(&p->text, EVENT_ANNOTATION);

	annotate_text(p, &p->text, name, value);
	proto_end(&p->text, annotation);
}

static bool sends_itself(const struct call_semantics *semantics)
{
	return semantics->does & CALL_SENDS && !(semantics->does & CALL_PREPARES);
}

static void write_begin(struct perfetto *p, struct occurrence *call, const struct event *event)
{
	struct process_track *process = track_of(p, call);
	struct thread_track *thread = thread_of(p, call);
	int64_t start = time_of(p, process, event->start);
	int64_t end = time_of(p, process, event->end);
	const struct text *fields = describe_call(p, process, event->call);
	struct open_event open;

	thread->call_track = choose_track(p, thread, start, end);
	open = event_begin(p, thread->call_track ? TYPE_BEGIN : TYPE_INSTANT,
	                   thread->call_track ? thread->call_track : thread->track, start);
	text_add_bytes(&p->text, fields->bytes, fields->length);
	if (event->polls) {
		annotate_event_number(p, "polls", (int64_t)event->polls);
		annotate_event_number(p, "busy_ns", duration_of(p, process, event->busy));
	}
	if (event->delay_before)
		annotate_event_number(p, "stolen_before_us", event->delay_before);
	if (event->delay_inside)
		annotate_event_number(p, "stolen_inside_us", event->delay_inside);
	if (event->blocked_before)
		annotate_event_number(p, "blocked_before_us", event->blocked_before);
	if (!thread->call_track)
		annotate_event_number(p, "duration_ns", (int64_t)((uint64_t)end - (uint64_t)start));
	if (call->position)
		proto_fixed64(&p->text, EVENT_FLOW, call->position);
	event_end(p, open);
}

static bool is_wanted(const struct perfetto *p, uint32_t process, const struct event *event)
{
	const struct process *of = &p->job->reader->processes[process];

	return filter_wants_process(p->job->filter, of) && filter_wants_event(p->job->filter, of, event);
}

static bool is_sender_wanted(const struct perfetto *p, const struct occurrence *send)
{
	struct event sent = {
		.start = (uint64_t)send->start, .end = (uint64_t)send->end, .call = send->semantics->call};

	return is_wanted(p, send->semantics->process, &sent);
}

/* The flow of the message that a call sends; 0: none. In the thread of the replay. */
static uint64_t find_flow(void *context, const struct occurrence *call, const struct event *event)
{
	struct perfetto *p = context;

	return sends_itself(call->semantics) && is_wanted(p, call->semantics->process, event) ? ++p->flows
	                                                                                      : 0;
}

static void begin_call(void *context, struct occurrence *call, const struct event *event)
{
	struct perfetto *p = context;
	struct process_track *process = track_of(p, call);
	struct thread_track *thread = thread_of(p, call);

	thread->call_track = 0;
	thread->is_left_out = !is_wanted(p, call->semantics->process, event);
	if (thread->is_left_out)
		return;
	thread->last_ns = process->last_ns = time_of(p, process, event->end);
	if (!write_user_event(p, process, thread, event))
		write_begin(p, call, event);
}

static void end_call(void *context, const struct occurrence *call, const struct event *event)
{
	struct perfetto *p = context;
	struct thread_track *thread = thread_of(p, call);

	if (thread->call_track)
		event_end(p, event_begin(p, TYPE_END, thread->call_track,
		                         time_of(p, track_of(p, call), event->end)));
}

/* Flows of messages that no call of their own sends are counted apart: the replay is ahead with the others. */
#define STARTED_FLOWS ((uint64_t)1 << 63)

/* A message of a persistent request is not sent by a call of its own: a moment is where it was started. Its flow. */
static uint64_t write_start_of_message(struct perfetto *p, const struct completed_message *message)
{
	struct open_event open = event_begin(
		p, TYPE_INSTANT, thread_of(p, message->send)->track,
		time_of(p, track_of(p, message->send), (uint64_t)message->send->start));

	event_name(p, message_category, "message started");
	annotate_event_text(p, "to", track_of(p, message->post)->label);
	proto_fixed64(&p->text, EVENT_FLOW, STARTED_FLOWS + ++p->started_flows);
	event_end(p, open);
	return STARTED_FLOWS + p->started_flows;
}

/* A flow goes from the slice that began first to the later one: for a receive that waited, it would go to the
 * send. So each message ends in a separate instant, at the end of the receive. */
static void receive(void *context, const struct occurrence *call, const struct completed_message *message)
{
	struct perfetto *p = context;
	const struct thread_track *thread = thread_of(p, call);
	const struct call_semantics *send = message->send->semantics;
	struct open_event open;
	uint64_t flow;

	if (message->is_probed || thread->is_left_out)
		return;
	flow = message->send->position;
	if (!flow && is_sender_wanted(p, message->send))
		flow = write_start_of_message(p, message);
	open = event_begin(p, TYPE_INSTANT, thread->call_track ? thread->call_track : thread->track,
	                   time_of(p, track_of(p, call), (uint64_t)call->end));
	event_name(p, message_category, "message received");
	annotate_event_text(p, "from", track_of(p, message->send)->label);
	annotate_event_number(p, "tag", send->kind->tag);
	annotate_event_number(p, "bytes", (int64_t)sent_bytes(send->call));
	if (flow)
		proto_fixed64(&p->text, EVENT_LAST_OF_FLOW, flow);
	event_end(p, open);
}

static void write_recording_mark(struct perfetto *p, uint64_t track, int64_t ns, const char *name,
                                 const char *reason)
{
	struct open_event open = event_begin(p, TYPE_INSTANT, track, ns);

	event_name(p, recording_category, name);
	if (reason)
		annotate_event_text(p, "reason", reason);
	event_end(p, open);
}

static void write_losses(struct perfetto *p, const struct process_track *process, uint64_t track,
                         const struct event_loss *losses, size_t count)
{
	for (size_t i = 0; i < count; i++)
		write_recording_mark(p, track, time_of(p, process, losses[i].tick), "recording ended",
		                     losses[i].reason);
}

/* Gaps between events, found by the replay. */
static void write_gaps(struct perfetto *p, const struct process_track *process)
{
	const struct process *of = process->process;

	write_losses(p, process, process->track, of->losses, of->loss_count);
	for (size_t i = 0; i < of->stream_count; i++) {
		const struct stream *stream = &of->streams[i];
		uint64_t track = process->threads[i].track;
		write_losses(p, process, track, stream->losses, stream->loss_count);
		for (size_t j = 0; j < stream->pause_count; j++)
			write_recording_mark(
				p, track, time_of(p, process, stream->pauses[j].tick),
				stream->pauses[j].resumes ? "recording resumed" : "recording paused", NULL);
	}
}

static void add_clock(struct text *out, uint64_t clock, uint64_t ns)
{
	size_t begun = proto_begin(out, SNAPSHOT_CLOCK);

	proto_number(out, CLOCK_ID, clock);
	proto_number(out, CLOCK_TIMESTAMP, ns);
	proto_end(out, begun);
}

static enum status write_packets(struct perfetto *p)
{
	const struct row_sink sink = {.context = p,
	                              .in_ticks = true,
	                              .position = find_flow,
	                              .begin = begin_call,
	                              .message = receive,
	                              .call = end_call};
	struct replay_counts counts;
	const struct process_track *first;
	int64_t ns;
	size_t packet, snapshot;

	p->time = p->job->session->time;
	write_tracks(p);
	/* The time of packets is the time of day, if the trace has it: this lets the UI show it. */
	first = &p->processes[0];
	if (p->time->clocks->has_date && first->process->clock_count &&
	    first->process->clocks[0].point_count) {
		ns = time_of(p, first, first->process->clocks[0].points[0].tick);
		packet = packet_begin(p);
		snapshot = proto_begin(&p->text, PACKET_CLOCK_SNAPSHOT);
		add_clock(&p->text, CLOCK_OF_PACKETS, (uint64_t)ns);
		add_clock(&p->text, CLOCK_OF_DAY, (uint64_t)ns);
		proto_end(&p->text, snapshot);
		packet_end(p, packet);
	}
	relate(p->job->session, &sink, &counts);
	for (size_t i = 0; i < p->job->reader->process_count; i++) {
		close_user_events(p, &p->processes[i]);
		if (filter_wants_process(p->job->filter, &p->job->reader->processes[i]))
			write_gaps(p, &p->processes[i]);
	}
	TRY(p->status);
	return export_write(&p->output, &p->text);
}

enum status perfetto_export(const struct export_job *job)
{
	struct perfetto p = {.job = job};
	enum status status;

	TRY(export_open(job, &p.output));
	status = export_close(&p.output, write_packets(&p));
	for (size_t i = 0; i < p.job->reader->process_count; i++) {
		for (size_t j = 0; j < p.processes[i].calls.count; j++)
			text_release(&p.processes[i].calls.items[j]);
		array_release(&p.processes[i].calls);
	}
	text_release(&p.text);
	text_release(&p.fresh);
	arena_release(&p.arena);
	return status;
}
