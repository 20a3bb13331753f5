#include "analysis/model/figures.h"
#include "analysis/model/relations.h"
#include "calls/calls.h"
#include "output/timeline/timeline_parts.h"

#include <stdlib.h>

const char *const bin_kind_names[BIN_KINDS] = {"p2p", "collective", "rma", "io", "other", "wait"};

/* One above the kind; classes that are not here are BIN_OTHER. */
static const uint8_t class_kinds[CALL_CLASSES] = {
	[CLASS_POINT_TO_POINT] = BIN_P2P + 1,
	[CLASS_PERSISTENT] = BIN_P2P + 1,
	[CLASS_PARTITIONED] = BIN_P2P + 1,
	[CLASS_PROBE] = BIN_P2P + 1,
	[CLASS_REQUEST] = BIN_P2P + 1,
	[CLASS_COLLECTIVE] = BIN_COLLECTIVE + 1,
	[CLASS_NEIGHBOURHOOD] = BIN_COLLECTIVE + 1,
	[CLASS_UPC_COLLECTIVE] = BIN_COLLECTIVE + 1,
	[CLASS_UPC_SYNC] = BIN_COLLECTIVE + 1,
	[CLASS_ONE_SIDED] = BIN_RMA + 1,
	[CLASS_EPOCH] = BIN_RMA + 1,
	[CLASS_WINDOW] = BIN_RMA + 1,
	[CLASS_UPC_ACCESS] = BIN_RMA + 1,
	[CLASS_UPC_ATOMIC] = BIN_RMA + 1,
	[CLASS_UPC_LOCK] = BIN_RMA + 1,
	[CLASS_FILE_DATA] = BIN_IO + 1,
	[CLASS_FILE] = BIN_IO + 1,
};

enum bin_kind bin_kind_of(const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);

	return info && class_kinds[info->class] ? class_kinds[info->class] - 1 : BIN_OTHER;
}

/* BIN_KINDS: it is computing. Asked for each event, so answers are kept. */
static enum bin_kind known_kind(struct timeline *timeline, uint32_t process, const struct call *call)
{
	struct kinds_by_call *known = &timeline->kinds[process];
	uint8_t *kind = &array_extend(known, (size_t)call->id + 1)->items[call->id];

	if (!*kind)
		*kind = (uint8_t)((communicates(call) ? bin_kind_of(call) : BIN_KINDS) + 1);
	return *kind - 1;
}

static struct timeline_row *row_of(struct timeline *timeline, const struct occurrence *call)
{
	uint32_t process = call->semantics->process;
	const struct process *of = &timeline->options.session->reader->processes[process];

	return &timeline->rows[timeline->first_row[process] +
	                       (size_t)(find_stream(of, call->thread) - of->streams)];
}

/* As corrected_ns(), for many ticks that come about in order. */
static int64_t time_of_day(const struct timeline *timeline, uint32_t process, uint64_t tick)
{
	struct shifts *shifts = &timeline->options.session->time->shifts[process];
	int64_t ns = clock_piece_ns(&timeline->pieces[process], tick);

	return shifts->count ? ns + shift_at(shifts, ns, true) : ns;
}

/* Since the start of the run; what lies outside is at its edge. */
static int64_t time_at(const struct timeline *timeline, uint32_t process, uint64_t tick)
{
	int64_t ns = time_of_day(timeline, process, tick) - timeline->options.start_ns;

	return ns < 0 ? 0 : ns > timeline->options.length_ns ? timeline->options.length_ns : ns;
}

static int64_t start_of(const struct timeline *timeline, const struct occurrence *call)
{
	return time_at(timeline, call->semantics->process, (uint64_t)call->start);
}

static int64_t end_of(const struct timeline *timeline, const struct occurrence *call)
{
	return time_at(timeline, call->semantics->process, (uint64_t)call->end);
}

/* Bins */

/* `times` of this time: -1 takes away what was added. */
static void count_in_bins(const struct timeline *timeline, const struct timeline_row *row, enum bin_kind kind,
                          struct time_span time, double times)
{
	double width = (double)(timeline->shown.to - timeline->shown.from) / timeline->bin_count;
	double start = (double)(time.from - timeline->shown.from);
	double end = (double)(time.to - timeline->shown.from);
	uint32_t last;

	if (start < 0)
		start = 0;
	if (end > width * timeline->bin_count)
		end = width * timeline->bin_count;
	if (end <= start)
		return;
	last = (uint32_t)(end / width);
	for (uint32_t bin = (uint32_t)(start / width); bin <= last && bin < timeline->bin_count; bin++) {
		double begin = bin * width > start ? bin * width : start;
		double stop = (bin + 1) * width < end ? (bin + 1) * width : end;
		if (stop > begin)
			row->bins[(size_t)bin * BIN_KINDS + kind] += (float)((stop - begin) * times);
	}
}

static void add_to_bins(const struct timeline *timeline, const struct timeline_row *row, enum bin_kind kind,
                        int64_t from, int64_t to)
{
	count_in_bins(timeline, row, kind, (struct time_span){from, to}, 1);
}

/* Places among the bins of classes. */
static void add_to_class(struct timeline *timeline, const struct timeline_row *row, uint32_t class,
                         enum class_time time, struct time_span span, double times)
{
	struct timeline_classes *classes = &timeline->classes;
	double width = (double)(timeline->shown.to - timeline->shown.from) / classes->bins;
	size_t number = (size_t)(row - timeline->rows) / rows_in_one(timeline);

	if (span.to > span.from)
		classes_add(classes, class, number, time,
		            (struct class_stretch){(double)(span.from - timeline->shown.from) / width,
		                                   (double)(span.to - timeline->shown.from) / width, times});
}

void add_call_to_bins(struct timeline *timeline, const struct timeline_row *row, enum bin_kind kind,
                      const struct kept_call *call)
{
	int64_t until = call->start + call->wait;

	add_to_bins(timeline, row, BIN_WAIT, call->start, until);
	add_to_bins(timeline, row, kind, until, call->end);
	add_to_class(timeline, row, call->class, CLASS_WAIT, (struct time_span){call->start, until}, 1);
	add_to_class(timeline, row, call->class, CLASS_INSIDE, (struct time_span){until, call->end}, 1);
}

/* Calls that have no communicator of their own, as MPI_Wait, belong to that of the message that they received. */
static uint32_t class_of(struct timeline *timeline, const struct timeline_row *row, const struct call *call,
                         enum bin_kind kind)
{
	int64_t identity;

	return class_number(&timeline->classes,
	                    &(struct timeline_class){.name = call->outline->name,
	                                             .kind = kind,
	                                             .comm = call_field(call, FIELD_COMM, &identity)
	                                                             ? (uint64_t)identity
	                                                             : row->comm,
	                                             .process = row->process});
}

/* Single calls */

/* The span that a call lies in or overlaps first; NULL: none that is still kept. */
static struct kept_span *span_at(const struct timeline *timeline, int64_t start, int64_t end)
{
	size_t low = 0, high = timeline->span_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (timeline->spans[middle].time.to >= start)
			high = middle;
		else
			low = middle + 1;
	}
	for (; low < timeline->span_count && timeline->spans[low].time.from <= end; low++)
		if (!timeline->spans[low].is_given_up)
			return &timeline->spans[low];
	return NULL;
}

/* Whether a call may be kept that ends then. */
static bool may_be_kept(const struct timeline *timeline, int64_t end)
{
	return timeline->keeps_all || span_at(timeline, end, end);
}

static bool is_kept(struct timeline *timeline, int64_t start, int64_t end)
{
	struct kept_span *span;

	if (timeline->keeps_all)
		return true;
	span = span_at(timeline, start, end);
	if (span && ++span->calls > TIMELINE_CALLS)
		span->is_given_up = true;
	return span && !span->is_given_up;
}

static void begin_call(void *context, struct occurrence *call, const struct event *event)
{
	struct timeline *timeline = context;
	struct timeline_row *row = row_of(timeline, call);

	call->position = (uint64_t)time_of_day(timeline, call->semantics->process, event->start);
	row->waited_until = 0;
	row->comm = 0;
	row->group = 0;
}

/* The sender waited in its call if that ended only after the receive was posted. Its call was kept when it ended. */
static void note_late_receiver(struct timeline *timeline, const struct completed_message *message)
{
	struct timeline_row *row = row_of(timeline, message->send);
	int64_t start = start_of(timeline, message->send);
	int64_t end = end_of(timeline, message->send);
	int64_t posted = start_of(timeline, message->post);
	size_t low = 0, high = row->calls.count;

	if (posted <= start || posted > end)
		return;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (row->calls.items[middle].start < start)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < row->calls.count && row->calls.items[low].start == start && !row->calls.items[low].wait) {
		row->calls.items[low].wait = posted - start;
		add_to_bins(timeline, row, BIN_WAIT, start, posted);
		add_to_class(timeline, row, row->calls.items[low].class, CLASS_WAIT,
		             (struct time_span){start, posted}, 1);
		add_to_class(timeline, row, row->calls.items[low].class, CLASS_INSIDE,
		             (struct time_span){start, posted}, -1);
		count_in_bins(timeline, row, kept_kind(timeline, row, low), (struct time_span){start, posted},
		              -1);
	}
}

static void got_message(void *context, const struct occurrence *call, const struct completed_message *message)
{
	struct timeline *timeline = context;
	const struct call *send = message->send->semantics->call;
	struct timeline_row *row = row_of(timeline, call);
	int64_t sent = start_of(timeline, message->send);
	int64_t received = end_of(timeline, call);
	int64_t comm;

	row->waited_until = sent > row->waited_until ? sent : row->waited_until;
	if (call_field(send, FIELD_COMM, &comm))
		row->comm = (uint64_t)comm;
	if (message->is_probed)
		return;
	note_late_receiver(timeline, message);
	if ((timeline->keeps_all || timeline->messages.count < TIMELINE_CALLS) &&
	    may_be_kept(timeline, received))
		array_add(&timeline->messages,
		          ((struct kept_message){(uint32_t)(row_of(timeline, message->send) - timeline->rows),
		                                 (uint32_t)(row - timeline->rows), sent, received,
		                                 sent_bytes(send), send->id}));
}

static void left_collective(void *context, const struct occurrence *call, const struct collective_end *end)
{
	struct timeline *timeline = context;
	struct timeline_row *row = row_of(timeline, call);

	if (may_be_kept(timeline, end_of(timeline, call))) {
		uint32_t *group = map_put(&timeline->groups, map_key(end->order + 1u, end->sequence));

		if (*group == MAP_NONE)
			*group = (uint32_t)timeline->groups.count;
		row->group = *group;
	}
	if (end->cause != NO_PROCESS && end->cause != call->semantics->process &&
	    end->cause_moment - timeline->options.start_ns > row->waited_until)
		row->waited_until = end->cause_moment - timeline->options.start_ns;
}

static void end_call(void *context, const struct occurrence *ended, const struct event *event)
{
	struct timeline *timeline = context;
	struct timeline_row *row = row_of(timeline, ended);
	const struct call *call = event->call;
	int64_t start = start_of(timeline, ended);
	int64_t end = end_of(timeline, ended);
	int64_t until = row->waited_until < start ? start : row->waited_until > end ? end : row->waited_until;
	enum bin_kind kind = known_kind(timeline, ended->semantics->process, call);
	struct kept_call kept;

	if (kind == BIN_KINDS)
		return;
	kept = (struct kept_call){.start = start,
	                          .end = end,
	                          .wait = until - start,
	                          .call = call->id,
	                          .class = class_of(timeline, row, call, kind),
	                          .group = row->group};
	add_call_to_bins(timeline, row, kind, &kept);
	if (is_kept(timeline, start, end))
		array_add(&row->calls, kept);
}

/* Spans in the order of time, those that overlap made one, which is as much wanted as the more wanted of them. */

static int by_time(const void *left, const void *right)
{
	const struct kept_span *a = left, *b = right;

	return (a->time.from > b->time.from) - (a->time.from < b->time.from);
}

static void take_spans(struct timeline *timeline)
{
	const struct timeline_options *options = &timeline->options;
	struct kept_span *spans = memory_new(options->span_count + 1, sizeof *spans);
	size_t count = 0;

	for (size_t i = 0; i < options->span_count; i++)
		spans[i] = (struct kept_span){.time = options->spans[i], .wanted = i};
	qsort(spans, options->span_count, sizeof *spans, by_time);
	for (size_t i = 0; i < options->span_count; i++) {
		struct kept_span *last = count ? &spans[count - 1] : NULL;
		if (!last || spans[i].time.from > last->time.to) {
			spans[count++] = spans[i];
			continue;
		}
		last->time.to = last->time.to > spans[i].time.to ? last->time.to : spans[i].time.to;
		last->wanted = last->wanted < spans[i].wanted ? last->wanted : spans[i].wanted;
	}
	timeline->spans = spans;
	timeline->span_count = count;
}

static int by_wanted(const void *left, const void *right)
{
	const struct kept_span *const *a = left, *const *b = right;

	return ((*a)->wanted > (*b)->wanted) - ((*a)->wanted < (*b)->wanted);
}

/* The most wanted first, as long as there is room. */
static void choose_spans(struct timeline *timeline)
{
	struct kept_span **order = memory_new(timeline->span_count + 1, sizeof *order);
	size_t calls = 0;

	for (size_t i = 0; i < timeline->span_count; i++)
		order[i] = &timeline->spans[i];
	qsort(order, timeline->span_count, sizeof *order, by_wanted);
	for (size_t i = 0; i < timeline->span_count; i++) {
		/* If all calls are kept, windows are requested later. */
		if (timeline->keeps_all || calls + order[i]->calls > TIMELINE_CALLS)
			order[i]->is_given_up = true;
		if (!order[i]->is_given_up)
			calls += order[i]->calls;
	}
	free(order);
}

static void add_rows(struct timeline *timeline)
{
	const struct reader *reader = timeline->options.session->reader;
	size_t count = 0;

	timeline->first_row = memory_new(reader->process_count + 1, sizeof *timeline->first_row);
	for (size_t i = 0; i < reader->process_count; i++) {
		timeline->first_row[i] = (uint32_t)count;
		count += reader->processes[i].stream_count;
	}
	timeline->rows = memory_new(count + 1, sizeof *timeline->rows);
	timeline->row_count = count;
	for (size_t i = 0; i < reader->process_count; i++)
		for (size_t j = 0; j < reader->processes[i].stream_count; j++)
			timeline->rows[timeline->first_row[i] + j] = (struct timeline_row){
				.process = (uint32_t)i, .thread = reader->processes[i].streams[j].number};
}

struct timeline *timeline_new(const struct timeline_options *options)
{
	struct timeline *timeline = memory_new(1, sizeof *timeline);
	const struct row_sink sink = {.context = timeline,
	                              .in_ticks = true,
	                              .begin = begin_call,
	                              .message = got_message,
	                              .collective = left_collective,
	                              .call = end_call};
	struct replay_counts counts;
	const struct clocks *clocks;
	size_t count, rows, bins;

	timeline->options = *options;
	if (timeline->options.length_ns < 1)
		timeline->options.length_ns = 1;
	timeline->keeps_all = options->embeds_all ||
	                      (options->events &&
	                       options->events <=
	                               (options->calls_most ? options->calls_most : TIMELINE_CALLS));
	timeline->shown = (struct time_span){0, timeline->options.length_ns};
	timeline->kinds = memory_new(options->session->reader->process_count + 1, sizeof *timeline->kinds);
	clocks = timeline->options.session->time->clocks;
	count = timeline->options.session->reader->process_count;
	timeline->pieces = memory_new(count + 1, sizeof *timeline->pieces);
	for (size_t i = 0; i < count; i++)
		timeline->pieces[i] = clock_piece_new(&clocks->lines[clocks->line_of[i]]);
	take_spans(timeline);
	add_rows(timeline);
	rows = timeline->row_count ? timeline->row_count : 1;
	bins = TIMELINE_BINS / BIN_KINDS / (rows < TIMELINE_ROWS ? rows : TIMELINE_ROWS);
	timeline->bin_count = bins < BINS_LEAST ? BINS_LEAST : bins > BINS_MOST ? BINS_MOST : (uint32_t)bins;
	timeline->bins = memory_new(rows * timeline->bin_count * BIN_KINDS, sizeof *timeline->bins);
	for (size_t i = 0; i < timeline->row_count; i++)
		timeline->rows[i].bins = timeline->bins + i * timeline->bin_count * BIN_KINDS;
	classes_init(&timeline->classes,
	             (timeline->row_count + rows_in_one(timeline) - 1) / rows_in_one(timeline),
	             timeline->bin_count);
	timeline->nodes = options->session->nodes;
	if (timeline->row_count <= TIMELINE_ROWS)
		timeline->comms = options->session->comms;
	relate(options->session, &sink, &counts);
	choose_spans(timeline);
	return timeline;
}

bool timeline_keeps_all(const struct timeline *timeline)
{
	return timeline->keeps_all;
}

void timeline_free(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->row_count; i++)
		array_release(&timeline->rows[i].calls);
	for (size_t i = 0; i < timeline->options.session->reader->process_count; i++)
		array_release(&timeline->kinds[i]);
	free(timeline->kinds);
	free(timeline->pieces);
	array_release(&timeline->messages);
	map_release(&timeline->groups);
	classes_release(&timeline->classes);
	free(timeline->rows);
	free(timeline->first_row);
	free(timeline->bins);
	free(timeline->spans);
	free(timeline);
}
