/* Regions are slices from their beginning to their end, around the calls that were made in them. A phase lasts until
 * the next one, so phases lie side by side on a track of their own. A mark is a moment. */
#include "output/exchange/perfetto_exporter.h"
#include "trace/grow.h"

#include <string.h>

struct user_event {
	struct perfetto *p;
	struct process_track *process;
	struct thread_track *thread;
	const struct call *call;
	const char *name; /* of the region, phase or mark */
	int64_t ns;
};

static void write_event(const struct user_event *event, enum event_type type, uint64_t track)
{
	const struct text *fields = describe_call(event->p, event->process, event->call);
	struct open_event open = event_begin(event->p, type, track, event->ns);

	text_add_bytes(&event->p->text, fields->bytes, fields->length);
	event_end(event->p, open);
}

static void begin_region(const struct user_event *event)
{
	struct thread_track *thread = event->thread;

	write_event(event, TYPE_BEGIN, thread->track);
	thread->regions = arena_grown(&event->p->arena, thread->regions, thread->region_count,
	                              sizeof *thread->regions);
	thread->regions[thread->region_count++] = event->name;
}

static void close_region(struct perfetto *p, struct thread_track *thread, int64_t ns)
{
	event_end(p, event_begin(p, TYPE_END, thread->track, ns));
	thread->region_count--;
}

/* Those that lie in it end with it, as slices cannot overlap; one that never began is a moment. */
static void end_region(const struct user_event *event)
{
	struct thread_track *thread = event->thread;
	size_t place = thread->region_count;

	while (place && strcmp(thread->regions[place - 1], event->name) != 0)
		place--;
	if (!place)
		write_event(event, TYPE_INSTANT, thread->track);
	while (place && thread->region_count >= place)
		close_region(event->p, thread, event->ns);
}

static void close_phase(struct perfetto *p, const struct process_track *process, int64_t ns)
{
	event_end(p, event_begin(p, TYPE_END, process->phase_track, ns));
}

static void begin_phase(const struct user_event *event)
{
	struct process_track *process = event->process;

	if (process->phase_track)
		close_phase(event->p, process, event->ns);
	else
		process->phase_track = write_track_below(event->p, process->track, "phases");
	write_event(event, TYPE_BEGIN, process->phase_track);
}

static void write_mark(const struct user_event *event)
{
	write_event(event, TYPE_INSTANT, event->thread->track);
}

static const struct user_kind {
	const char *call;
	const char *category;
	void (*write)(const struct user_event *event);
} user_kinds[] = {
	{"tarry_region_begin", "region", begin_region},
	{"tarry_region_end", "region end", end_region},
	{"tarry_phase", "phase", begin_phase},
	{"tarry_mark", "mark", write_mark},
};

static const struct user_kind *find_kind(const struct call *call)
{
	int64_t name;

	for (size_t i = 0; i < sizeof user_kinds / sizeof *user_kinds; i++)
		if (strcmp(call->outline->name, user_kinds[i].call) == 0 &&
		    call_field(call, FIELD_REGION, &name))
			return &user_kinds[i];
	return NULL;
}

const char *user_category(const struct call *call)
{
	const struct user_kind *kind = find_kind(call);

	return kind ? kind->category : NULL;
}

bool write_user_event(struct perfetto *p, struct process_track *process, struct thread_track *thread,
                      const struct event *event)
{
	const struct user_kind *kind = find_kind(event->call);

	if (kind)
		kind->write(&(struct user_event){p, process, thread, event->call,
		                                 call_text(event->call, FIELD_REGION),
		                                 time_of(p, process, event->start)});
	return kind;
}

void close_user_events(struct perfetto *p, struct process_track *process)
{
	for (size_t i = 0; i < process->process->stream_count; i++)
		while (process->threads[i].region_count)
			close_region(p, &process->threads[i], process->threads[i].last_ns);
	if (process->phase_track)
		close_phase(p, process, process->last_ns);
}
