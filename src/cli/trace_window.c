#include "cli/trace_window.h"

#include "base/units.h"
#include "calls/calls.h"
#include "calls/select.h"
#include "cli/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Words */

/* "1.5s", "200 ms"; without a unit, seconds. */
static enum status parse_time(const char *option, const char *text, int64_t *ns)
{
	char *end;
	double value = strtod(text, &end);
	const struct unit *unit = unit_by_name(*end ? end + strspn(end, " ") : "s");

	if (end == text || !isfinite(value) || value < 0 || !unit || unit->kind != UNIT_TIME)
		return fail("option '--%s': '%s' is not a time; write it like 1.5s, 200ms or 40us", option,
		            text);
	value *= unit->scale;
	*ns = value < (double)INT64_MAX ? (int64_t)value : INT64_MAX;
	return OK;
}

static enum status parse_ranks(const char *text, struct trace_window *window)
{
	const char *at = text;
	struct number_range range;

	while (next_range(&at, &range))
		array_add(&window->ranks, range);
	if (*at)
		return fail("option '--ranks': '%s' is not a list of ranks; write it like 0-3,8", text);
	return window->ranks.count ? OK : fail("option '--ranks': the list is empty");
}

enum status window_parse(const struct window_choice *choice, struct trace_window *window)
{
	*window = (struct trace_window){.choice = choice, .to_ns = INT64_MAX};
	if (choice->from)
		TRY(parse_time("from", choice->from, &window->from_ns));
	if (choice->to)
		TRY(parse_time("to", choice->to, &window->to_ns));
	if (window->to_ns < window->from_ns)
		return fail("no time is selected: '--to %s' is before '--from %s'", choice->to, choice->from);
	return choice->ranks ? parse_ranks(choice->ranks, window) : OK;
}

bool window_needs_time(const struct trace_window *window)
{
	return window->choice->from || window->choice->to;
}

/* Selection */

static bool wants_process(void *context, const struct process *process)
{
	const struct trace_window *window = context;

	for (size_t i = 0; i < window->ranks.count; i++)
		if (process->rank >= window->ranks.items[i].first &&
		    process->rank <= window->ranks.items[i].last)
			return true;
	return !window->ranks.count;
}

static bool is_chosen(const struct trace_window *window, const char *name)
{
	const struct call_info *info = call_find(name);
	size_t length = strlen(name);

	if (info)
		return window->chosen[info - all_calls];
	if (text_begins(name, "tarry_"))
		return window->chosen[SELECT_MARKS];
	/* Other names must be in the list literally. */
	for (const char *list = window->choice->calls; *list;
	     list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == length && strncmp(list, name, length) == 0)
			return true;
	return false;
}

static bool wants_call(struct trace_window *window, const struct outline *outline)
{
	size_t count = (size_t)outline->number + 1;
	bool *known = &array_extend(&window->known, count)->items[outline->number];
	bool *wanted = &array_extend(&window->wanted, count)->items[outline->number];

	if (!*known) {
		*wanted = is_chosen(window, outline->name);
		*known = true;
	}
	return *wanted;
}

/* Events that overlap the window are included. */
static bool wants_time(const struct trace_window *window, const struct process *process,
                       const struct event *event)
{
	uint32_t number = (uint32_t)(process - window->reader->processes);

	return corrected_ns(window->time, number, event->end) >= window->from_ns &&
	       corrected_ns(window->time, number, event->start) <= window->to_ns;
}

static bool wants_event(void *context, const struct process *process, const struct event *event)
{
	struct trace_window *window = context;

	return (!window->choice->calls || wants_call(window, event->call->outline)) &&
	       (!window_needs_time(window) || wants_time(window, process, event));
}

/* In this trace */

/* Functions outside MPI are recorded if rules need them; the trace lists them. */
static bool was_traced(const struct reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		for (size_t j = 0; j < process->property_count; j++)
			if (strcmp(process->properties[j].key, "traced") == 0 &&
			    strcmp(process->properties[j].value, name) == 0)
				return true;
	}
	return false;
}

static enum status choose_calls(struct trace_window *window, const struct reader *reader)
{
	const char *list = window->choice->calls;
	enum status status = list[strspn(list, ",")] ? OK : fail("option '--calls': the list is empty");

	for (struct text word = {0}; *list && status == OK; text_release(&word)) {
		size_t length = strcspn(list, ",");

		text_add_bytes(&word, list, length);
		if (length && select_calls(text_get(&word), window->chosen) &&
		    !was_traced(reader, text_get(&word)))
			status = call_list_unknown("calls", text_get(&word));
		list += length + (list[length] == ',');
	}
	return status;
}

static enum status check_ranks(struct trace_window *window, const struct reader *reader)
{
	for (size_t i = 0; i < reader->process_count; i++)
		if (wants_process(window, &reader->processes[i]))
			return OK;
	return fail("'%s' contains no process of ranks %s: see 'tarry info'", reader->path,
	            window->choice->ranks);
}

/* When the first process began. */
static int64_t start_of_run(struct reader *reader, const struct corrected_time *time)
{
	int64_t start = INT64_MAX;

	for (uint32_t i = 0; i < reader->process_count; i++) {
		for (size_t j = 0; j < reader->processes[i].stream_count; j++) {
			struct event_iter iter;
			struct event event;

			reader_events(reader, &reader->processes[i].streams[j], &iter);
			if (!reader_next(&iter, &event))
				continue;
			event_iter_release(&iter);
			if (corrected_ns(time, i, event.start) < start)
				start = corrected_ns(time, i, event.start);
		}
	}
	return start == INT64_MAX ? 0 : start;
}

static int64_t later(int64_t ns, int64_t by)
{
	int64_t sum;

	return __builtin_add_overflow(ns, by, &sum) ? INT64_MAX : sum;
}

int window_open(struct trace_window *window, struct reader *reader, const struct corrected_time *time)
{
	const struct window_choice *choice = window->choice;

	window->reader = reader;
	window->time = time;
	if (choice->calls && choose_calls(window, reader) != OK) {
		report_failure();
		return EXIT_USAGE;
	}
	if (choice->ranks && check_ranks(window, reader) != OK)
		return report_failure();
	if (window_needs_time(window)) {
		int64_t start = start_of_run(reader, time);
		window->from_ns = later(start, window->from_ns);
		window->to_ns = later(start, window->to_ns);
	}
	/* The reader was read through, so several threads may call this. */
	for (size_t i = 0; choice->calls && i < reader->process_count; i++)
		for (uint32_t j = 0; j < reader->processes[i].calls.count; j++)
			wants_call(window, reader->processes[i].calls.items[j]->outline);
	window->own_filter = (struct event_filter){wants_process, wants_event, window};
	if (choice->calls || choice->ranks || window_needs_time(window))
		window->filter = &window->own_filter;
	return EXIT_FINE;
}

void window_release(struct trace_window *window)
{
	array_release(&window->ranks);
	array_release(&window->known);
	array_release(&window->wanted);
}

/* How much it is */

enum { MUCH_MB = 200 };

/* True if a chunk has times in the window; each chunk has its start time. */
static bool overlaps(const struct trace_window *window, const struct process *process,
                     const struct stream *stream, size_t chunk)
{
	uint32_t number = (uint32_t)(process - window->reader->processes);
	const struct chunk *this = &stream->chunks[chunk];
	int64_t begin, end;

	if (!window_needs_time(window))
		return true;
	begin = corrected_ns(window->time, number, this->base_tick);
	end = chunk + 1 < stream->chunk_count ? corrected_ns(window->time, number, this[1].base_tick)
	                                      : INT64_MAX;
	return begin <= window->to_ns && end >= window->from_ns;
}

static double events_of(const struct trace_window *window, const struct process *process)
{
	double events = 0;

	for (size_t i = 0; i < process->stream_count; i++)
		for (size_t j = 0; j < process->streams[i].chunk_count; j++)
			if (overlaps(window, process, &process->streams[i], j))
				events += process->streams[i].chunks[j].events;
	return events;
}

void window_say_size(const struct trace_window *window, const struct reader *reader, double event_bytes)
{
	double bytes = 0;

	for (size_t i = 0; i < reader->process_count; i++)
		if (filter_wants_process(window->filter, &reader->processes[i]))
			bytes += event_bytes * events_of(window, &reader->processes[i]);
	if (bytes < MUCH_MB * 1e6)
		return;
	say("this writes %s %s; less with --from, --to, --ranks or --calls",
	    window->choice->calls ? "up to" : "about",
	    AS_SIZE(bytes < (double)UINT64_MAX ? (uint64_t)bytes : UINT64_MAX));
}

void call_list_offer_functions(struct nearest *nearest)
{
	for (size_t i = 0; i < RECORDABLE_CALLS; i++)
		nearest_offer(nearest, all_calls[i].name);
}

enum status call_list_unknown(const char *option, const char *word)
{
	struct nearest nearest = {.word = word};
	struct text classes = {0};
	enum status status;

	nearest_offer(&nearest, select_marks);
	for (size_t i = 0; i < CALL_GROUPS; i++)
		nearest_offer(&nearest, call_groups[i].name);
	for (size_t i = 0; i < RECORDABLE_CLASSES; i++)
		nearest_offer(&nearest, call_class_names[i]);
	call_list_offer_functions(&nearest);
	text_add(&classes, "%s", select_marks);
	for (size_t i = 0; i < CALL_GROUPS; i++)
		text_add(&classes, ", %s", call_groups[i].name);
	for (size_t i = 0; i < RECORDABLE_CLASSES; i++)
		text_add(&classes, ", %s", call_class_names[i]);
	if (nearest_found(&nearest))
		status = fail(
			"option '--%s': '%s' is not a function of MPI, UPC or OpenSHMEM, did you mean '%s'? Classes of functions are %s",
			option, word, nearest_found(&nearest), text_get(&classes));
	else
		status = fail(
			"option '--%s': '%s' is not a function of MPI, UPC or OpenSHMEM; classes of functions are %s",
			option, word, text_get(&classes));
	text_release(&classes);
	return status;
}

enum status call_list_check(const char *option, const char *list)
{
	bool chosen[SELECTABLE] = {false};
	const char *unknown = list ? select_calls(list, chosen) : NULL;
	struct text word = {0};
	enum status status;

	if (!unknown)
		return OK;
	if (!*unknown)
		return fail("option '--%s': '%s' names no function", option, list);
	text_add(&word, "%.*s", (int)strcspn(unknown, ","), unknown);
	status = call_list_unknown(option, text_get(&word));
	text_release(&word);
	return status;
}
