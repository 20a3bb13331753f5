#include "analysis/model/eager.h"
#include "analysis/model/figures.h"
#include "analysis/model/gaps.h"
#include "analysis/model/marks.h"
#include "analysis/model/propagated_delay.h"
#include "analysis/model/relations.h"
#include "calls/calls.h"
#include "output/timeline/timeline_parts.h"

#include <math.h>
#include <stdlib.h>

const char *const bin_kind_names[BIN_KINDS] = {"p2p",  "collective", "rma",     "io",        "other",
                                               "wait", "no_cpu",     "blocked", "unrecorded"};

/* Kind + 1; other classes are BIN_OTHER. */
static const uint8_t class_kinds[CALL_CLASSES] = {
	[CLASS_POINT_TO_POINT] = BIN_P2P + 1,
	[CLASS_PERSISTENT] = BIN_P2P + 1,
	[CLASS_PARTITIONED] = BIN_P2P + 1,
	[CLASS_PROBE] = BIN_P2P + 1,
	[CLASS_REQUEST] = BIN_P2P + 1,
	[CLASS_COLLECTIVE] = BIN_COLLECTIVE + 1,
	[CLASS_NEIGHBOURHOOD] = BIN_COLLECTIVE + 1,
	[CLASS_ONE_SIDED] = BIN_RMA + 1,
	[CLASS_EPOCH] = BIN_RMA + 1,
	[CLASS_WINDOW] = BIN_RMA + 1,
	[CLASS_FILE_DATA] = BIN_IO + 1,
	[CLASS_FILE] = BIN_IO + 1,
};

/* The same for calls of UPC and OpenSHMEM. */
static const uint8_t role_kinds[PGAS_VALUES] = {
	[PGAS_COLLECTIVE] = BIN_COLLECTIVE + 1,
	[PGAS_SYNC] = BIN_COLLECTIVE + 1,
	[PGAS_ACCESS] = BIN_RMA + 1,
	[PGAS_ATOMIC] = BIN_RMA + 1,
	[PGAS_LOCK] = BIN_RMA + 1,
	[PGAS_WAIT] = BIN_RMA + 1,
};

enum bin_kind bin_kind_of(const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);

	uint8_t kind = !info ? 0 : info->pgas ? role_kinds[info->pgas] : class_kinds[info->class];

	return kind ? kind - 1 : BIN_OTHER;
}

static unsigned kind_of(const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);

	if (info && info->class == CLASS_OPENMP)
		return teams_kind(call_id_of(info));
	return communicates(call)             ? bin_kind_of(call)
	       : mark_kind(call) == MARK_NONE ? KIND_COMPUTING
	                                      : KIND_MARK;
}

/* Asked for each event, so answers are cached. */
static unsigned known_kind(struct timeline *timeline, uint32_t process, const struct call *call)
{
	struct kinds_by_call *known = &timeline->kinds[process];
	uint8_t *kind = &array_extend(known, (size_t)call->id + 1)->items[call->id];

	if (!*kind)
		*kind = (uint8_t)(kind_of(call) + 1);
	return *kind - 1u;
}

static struct timeline_row *row_of(struct timeline *timeline, const struct occurrence *call)
{
	uint32_t process = call->semantics->process;
	const struct process *of = &timeline->options.session->reader->processes[process];

	return &timeline->rows[timeline->first_row[process] +
	                       (size_t)(find_stream(of, call->thread) - of->streams)];
}

/* As corrected_ns(), for many ticks that come about in order. */
static int64_t time_of_day(const struct timeline *timeline, struct clock_piece *pieces, uint32_t process,
                           uint64_t tick)
{
	struct shifts *shifts = &timeline->options.session->time->shifts[process];
	int64_t ns = clock_piece_ns(&pieces[process], tick);

	return shifts->count ? ns + shift_at(shifts, ns, true) : ns;
}

/* Since the start of the run, clamped to the run. */
int64_t time_at(const struct timeline *timeline, uint32_t process, uint64_t tick)
{
	int64_t ns = time_of_day(timeline, timeline->pieces, process, tick) - timeline->options.start_ns;

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

void count_in_bins(const struct timeline *timeline, const struct timeline_row *row, enum bin_kind kind,
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

/* The parts of a call with a CPU, and of its wait for a thread with a CPU. */
struct call_parts {
	double running, waiting;
};

static struct call_parts parts_of(const struct kept_call *call, const struct kept_delay *delay)
{
	double length = (double)(call->end - call->start), wait = (double)call->wait;

	if (!delay)
		return (struct call_parts){1, 1};
	return (struct call_parts){length > 0 ? fmax(0, 1 - delay->inside * ns_per_us / length) : 1,
	                           wait > 0 ? fmax(0, 1 - delay->other * ns_per_us / wait) : 1};
}

/* The position of the time without a CPU within the call is unknown. */
void add_call_to_bins(struct timeline *timeline, const struct timeline_row *row, enum bin_kind kind,
                      const struct kept_call *call, const struct kept_delay *delay)
{
	const struct time_span wait = {call->start, call->start + call->wait};
	const struct time_span inside = {call->start + call->wait, call->end};
	struct call_parts parts = parts_of(call, delay);
	double waited = parts.running * parts.waiting;

	count_in_bins(timeline, row, BIN_WAIT, wait, waited);
	count_in_bins(timeline, row, kind, inside, parts.running);
	if (delay) {
		count_in_bins(timeline, row, BIN_NO_CPU, wait, 1 - waited);
		count_in_bins(timeline, row, BIN_NO_CPU, inside, 1 - parts.running);
	}
	add_to_class(timeline, row, call->class, CLASS_WAIT, wait, waited);
	add_to_class(timeline, row, call->class, CLASS_INSIDE, inside, parts.running);
}

/* Calls without their own communicator, such as MPI_Wait, get that of the message that they received. */
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

/* When others may have waited for it. */
static uint64_t find_position(void *context, const struct occurrence *call, const struct event *event)
{
	const struct timeline *timeline = context;

	return (uint64_t)time_of_day(timeline, timeline->begun, call->semantics->process, event->start);
}

static void begin_call(void *context, struct occurrence *call, const struct event *event)
{
	struct timeline *timeline = context;
	struct timeline_row *row = row_of(timeline, call);

	(void)event;
	row->cause_delay = 0;
	row->waited_until = 0;
	row->comm = 0;
	row->group = 0;
}

/* The first kept call that does not begin before this time. */
static size_t find_kept(const struct timeline_row *row, int64_t start)
{
	size_t low = 0, high = row->calls.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (row->calls.items[middle].start < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A kept call waited until this time, longer than was known. */
static void lengthen_wait(struct timeline *timeline, struct timeline_row *row, size_t number,
                          const struct call *about, int64_t until)
{
	struct kept_call *call = &row->calls.items[number];
	const struct time_span waited = {call->start + call->wait, until};
	double running = parts_of(call, find_delay(row, number)).running;

	if (waited.to <= waited.from)
		return;
	call->wait = until - call->start;
	iterations_add_wait(timeline, row, about, call->end, waited.to - waited.from);
	count_in_bins(timeline, row, BIN_WAIT, waited, running);
	count_in_bins(timeline, row, kept_kind(timeline, row, number), waited, -running);
	add_to_class(timeline, row, call->class, CLASS_WAIT, waited, running);
	add_to_class(timeline, row, call->class, CLASS_INSIDE, waited, -running);
}

/* The thread now waited until this time for another one. */
static void wait_for(struct timeline *timeline, struct timeline_row *row, int64_t until, uint32_t process,
                     uint32_t thread, int64_t moment)
{
	const struct propagated_delays *delays = timeline->options.session->delays;

	if (until <= row->waited_until)
		return;
	row->waited_until = until;
	row->cause_delay = delays ? propagated_delay_at(delays, process, thread, moment) : 0;
}

/* A call that sends, or completes a send, waits until the receive is posted. If that became known only after the call, the call was kept. */
static void sent_message(void *context, const struct occurrence *call,
                         const struct completed_message *message)
{
	struct timeline *timeline = context;
	struct timeline_row *row = row_of(timeline, call);
	const struct occurrence *post = message->post;
	int64_t start = start_of(timeline, call), posted = start_of(timeline, post);
	size_t number;

	if (posted <= start || posted > end_of(timeline, call) ||
	    !send_may_wait(timeline->options.session->nodes, message->send->semantics,
	                   post->semantics->process))
		return;
	number = find_kept(row, start);
	if (number < row->calls.count && row->calls.items[number].start == start)
		lengthen_wait(timeline, row, number, call->semantics->call, posted);
	else
		wait_for(timeline, row, posted, post->semantics->process, post->thread,
		         posted + timeline->options.start_ns);
}

static void got_message(void *context, const struct occurrence *call, const struct completed_message *message)
{
	struct timeline *timeline = context;
	const struct call *send = message->send->semantics->call;
	struct timeline_row *row = row_of(timeline, call);
	int64_t sent = start_of(timeline, message->send);
	int64_t received = end_of(timeline, call);
	int64_t comm;

	wait_for(timeline, row, sent, message->send->semantics->process, message->send->thread,
	         sent + timeline->options.start_ns);
	if (call_field(send, FIELD_COMM, &comm))
		row->comm = (uint64_t)comm;
	if (message->is_probed)
		return;
	if ((timeline->keeps_all || timeline->messages.count < TIMELINE_SPAN_CALLS) &&
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
	if (end->cause != NO_PROCESS && end->cause != call->semantics->process)
		wait_for(timeline, row, end->cause_moment - timeline->options.start_ns, end->cause, 0,
		         end->cause_moment);
}

static uint32_t microseconds(double ns)
{
	return ns <= 0 ? 0 : ns / ns_per_us > UINT32_MAX ? UINT32_MAX : (uint32_t)(ns / ns_per_us);
}

/* The part of a wait that a thread without a CPU caused: the difference of both delays, as in findings. */
static uint32_t wait_for_cpu(const struct timeline *timeline, const struct timeline_row *row,
                             const struct occurrence *ended, int64_t start, int64_t wait)
{
	const struct propagated_delays *delays = timeline->options.session->delays;
	int64_t own;

	if (!delays || wait <= 0 || row->cause_delay <= 0)
		return 0;
	own = propagated_delay_at(delays, ended->semantics->process, ended->thread,
	                          start + timeline->options.start_ns);
	return microseconds(fmin((double)(row->cause_delay - own), (double)wait));
}

static uint32_t take_us(uint64_t *us)
{
	const uint32_t taken = (uint32_t)(*us < UINT32_MAX ? *us : UINT32_MAX);

	*us = 0;
	return taken;
}

/* Handles the thread's time before a call: not on a CPU, or not recorded. Returns the time that it was not on a CPU. */
static struct kept_delay pass_gap(struct timeline *timeline, struct timeline_row *row,
                                  const struct event *event, int64_t start)
{
	const struct kept_delay delay = {.before = take_us(&row->without_cpu),
	                                 .blocked = take_us(&row->blocked)};

	if (event->start >= timeline->lost[row->process] && !row->is_past_gap) {
		row->is_past_gap = true;
		if (row->call_ended >= 0 && start > row->call_ended)
			array_add(&row->states,
			          ((struct kept_state){row->call_ended, start, BIN_UNRECORDED}));
		return (struct kept_delay){0};
	}
	if (row->call_ended < 0)
		return (struct kept_delay){0};
	add_gap_to_bins(timeline, row, row->call_ended, start, &delay);
	return delay;
}

static void keep_call(struct timeline *timeline, struct timeline_row *row, struct kept_call kept,
                      struct kept_delay delay)
{
	if (!is_kept(timeline, kept.start, kept.end))
		return;
	delay.call = (uint32_t)row->calls.count;
	if (delay.before | delay.inside | delay.other | delay.blocked)
		array_add(&row->delays, delay);
	array_add(&row->calls, kept);
}

static void end_call(void *context, const struct occurrence *ended, const struct event *event)
{
	struct timeline *timeline = context;
	struct timeline_row *row = row_of(timeline, ended);
	const struct call *call = event->call;
	int64_t start = start_of(timeline, ended);
	int64_t end = end_of(timeline, ended);
	int64_t until = row->waited_until < start ? start : row->waited_until > end ? end : row->waited_until;
	unsigned kind = known_kind(timeline, ended->semantics->process, call);
	struct kept_call kept;
	struct kept_delay delay;

	if (kind == KIND_FORK || kind == KIND_JOIN)
		teams_mark(timeline, row, kind, start);
	if (kind == KIND_TEAM_WAIT)
		until = teams_wait(timeline, row, (struct time_span){start, end});
	row->first = row->first < 0 ? start : row->first;
	row->ended = end > row->ended ? end : row->ended;
	row->without_cpu += event->delay_before;
	row->blocked += event->blocked_before;
	if (kind == KIND_MARK)
		regions_mark(timeline, row, call, (struct time_span){start, end});
	if (kind >= KIND_COMPUTING) {
		row->without_cpu += event->delay_inside;
		return;
	}
	delay = pass_gap(timeline, row, event, start);
	delay.inside = kind == KIND_TEAM_WAIT ? 0 : event->delay_inside;
	delay.other = wait_for_cpu(timeline, row, ended, start, until - start);
	row->call_ended = end;
	kept = (struct kept_call){.start = start,
	                          .end = end,
	                          .wait = until - start,
	                          .call = call->id,
	                          .class = class_of(timeline, row, call, bin_of_kind(kind)),
	                          .group = row->group};
	add_call_to_bins(timeline, row, bin_of_kind(kind), &kept, &delay);
	iterations_add_wait(timeline, row, call, end, kept.wait);
	iterations_pass(timeline, row, call, end);
	keep_call(timeline, row, kept, delay);
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
	timeline->lost = memory_new(reader->process_count + 1, sizeof *timeline->lost);
	timeline->teams = memory_new(reader->process_count + 1, sizeof *timeline->teams);
	timeline->row_count = count;
	for (size_t i = 0; i < reader->process_count; i++) {
		timeline->lost[i] = lost_since(&reader->processes[i]);
		for (size_t j = 0; j < reader->processes[i].stream_count; j++)
			timeline->rows[timeline->first_row[i] + j] = (struct timeline_row){
				.process = (uint32_t)i,
				.thread = reader->processes[i].streams[j].number,
				.first = -1,
				.ended = -1,
				.call_ended = -1};
	}
}

struct timeline *timeline_new(const struct timeline_options *options)
{
	struct timeline *timeline = memory_new(1, sizeof *timeline);
	const struct row_sink sink = {.context = timeline,
	                              .in_ticks = true,
	                              .position = find_position,
	                              .begin = begin_call,
	                              .message = got_message,
	                              .sent = sent_message,
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
	timeline->begun = memory_new(count + 1, sizeof *timeline->begun);
	for (size_t i = 0; i < count; i++)
		timeline->pieces[i] = timeline->begun[i] = clock_piece_new(
			&clocks->lines[clocks->line_of[i]]);
	spans_init(timeline);
	add_rows(timeline);
	rows = timeline->row_count ? timeline->row_count : 1;
	bins = TIMELINE_BINS / BIN_KINDS / (rows < TIMELINE_ROWS ? rows : TIMELINE_ROWS);
	timeline->bin_count = bins < BINS_MIN ? BINS_MIN : bins > BINS_MAX ? BINS_MAX : (uint32_t)bins;
	timeline->bins = memory_new(rows * timeline->bin_count * BIN_KINDS, sizeof *timeline->bins);
	for (size_t i = 0; i < timeline->row_count; i++)
		timeline->rows[i].bins = timeline->bins + i * timeline->bin_count * BIN_KINDS;
	classes_init(&timeline->classes,
	             (timeline->row_count + rows_in_one(timeline) - 1) / rows_in_one(timeline),
	             timeline->bin_count);
	iterations_init(timeline);
	timeline->nodes = options->session->nodes;
	if (timeline->row_count <= TIMELINE_ROWS)
		timeline->comms = options->session->comms;
	relate(options->session, &sink, &counts);
	find_states(timeline);
	regions_end(timeline);
	add_states_to_bins(timeline);
	choose_spans(timeline);
	return timeline;
}

bool timeline_keeps_all(const struct timeline *timeline)
{
	return timeline->keeps_all;
}

void timeline_free(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->row_count; i++) {
		array_release(&timeline->rows[i].calls);
		array_release(&timeline->rows[i].delays);
		array_release(&timeline->rows[i].states);
	}
	regions_release(timeline);
	iterations_release(timeline);
	free(timeline->lost);
	free(timeline->teams);
	for (size_t i = 0; i < timeline->options.session->reader->process_count; i++)
		array_release(&timeline->kinds[i]);
	free(timeline->kinds);
	free(timeline->pieces);
	free(timeline->begun);
	array_release(&timeline->messages);
	map_release(&timeline->groups);
	classes_release(&timeline->classes);
	free(timeline->rows);
	free(timeline->first_row);
	free(timeline->bins);
	free(timeline->spans);
	free(timeline);
}
