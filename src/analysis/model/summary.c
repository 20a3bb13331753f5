#include "analysis/model/summary.h"

#include "base/array.h"
#include "base/memory.h"
#include "calls/calls.h"
#include "trace/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRESS_EVENTS = 1 << 16 };

/* What is known of a distinct call before any of its events. */
struct facts {
	size_t function;
	size_t place;
	uint64_t bytes;
	bool known;
	bool is_mark;
	bool is_start;
	bool is_message;
	bool is_access;
	bool has_place;
};

struct summary_pass {
	struct summary *summary;
	struct reader *reader;
	struct symbols *source;
	void (*progress)(double part);
	struct interner functions, places, comms, hosts, programs, worlds;
	/* of the process at hand */
	struct process *process;
	const struct clocks *clocks;
	uint32_t process_index;
	double seconds_per_tick;
	struct facts *facts; /* by the call's id */
	size_t facts_count;
	size_t chunks_done;
	int64_t first_ns, last_ns;
	bool has_times;
};

static struct tally *find_tally(struct summary_pass *pass, struct interner *names, struct tally **tallies,
                                size_t *count, const char *name, size_t size)
{
	const struct interned *item = intern(names, name, size);

	if (item->number == *count) {
		*tallies = arena_grown(&pass->summary->arena, *tallies, *count, sizeof **tallies);
		(*tallies)[*count] = (struct tally){.name = (const char *)item->bytes};
		++*count;
	}
	return &(*tallies)[item->number];
}

static bool is_mark(const char *name)
{
	return text_begins(name, "tarry_");
}

/* What the call hands over, or else what it brought; a request's groups may bring several times. */
static uint64_t bytes_of(const struct call *call)
{
	uint64_t received = 0;
	int64_t sent;

	if (call_field(call, FIELD_SENT, &sent))
		return sent > 0 ? (uint64_t)sent : 0;
	for (uint32_t i = 0; i < field_count(call); i++)
		if (field_key_at(call, i) == FIELD_RECEIVED && field_value_at(call, i) > 0)
			received += (uint64_t)field_value_at(call, i);
	return received;
}

/* A message leaves when something is sent to a real rank, not when it is only prepared. */
static bool is_message(const struct call *call)
{
	int64_t peer, sent, persistent;

	return call_field(call, FIELD_PEER, &peer) && peer >= 0 && call_field(call, FIELD_SENT, &sent) &&
	       !(call_field(call, FIELD_PERSISTENT, &persistent) && persistent);
}

/* An access of UPC that moves data between threads. */
static bool is_access(const struct summary_pass *pass, const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);
	int64_t comm, target, source;
	const struct comm *team;

	if (!info || info->class != CLASS_UPC_ACCESS || !call_field(call, FIELD_TARGET, &target))
		return false;
	team = call_field(call, FIELD_COMM, &comm) ? find_comm(pass->process, (uint64_t)comm) : NULL;
	if (!call_field(call, FIELD_SOURCE, &source))
		source = team ? (int64_t)team->rank : RANK_NULL;
	return source != target;
}

static void find_place(struct summary_pass *pass, const struct call *call, struct facts *facts)
{
	struct summary *summary = pass->summary;
	struct location where = symbols_find_call(pass->source, pass->process, call);
	struct text key = {0};
	struct tally *place;

	location_describe(&where, &key);
	if (key.length) {
		size_t named = key.length;
		/* The same line may call two functions: the name comes first, the function behind its end. */
		text_add_bytes(&key, "", 1);
		text_add(&key, "%zu", facts->function);
		place = find_tally(pass, &pass->places, &summary->places, &summary->place_count, key.bytes,
		                   key.length);
		place->function = facts->function;
		facts->place = (size_t)(place - summary->places);
		facts->has_place = named > 0;
	}
	text_release(&key);
}

static struct facts *find_facts(struct summary_pass *pass, const struct call *call)
{
	struct summary *summary = pass->summary;
	struct facts *facts;

	array_fit_zeroed(pass->facts, pass->facts_count, call->id + 1u);
	facts = &pass->facts[call->id];
	if (facts->known)
		return facts;
	facts->known = true;
	facts->is_mark = is_mark(call->outline->name);
	facts->is_start = marks_start(call);
	if (facts->is_mark || facts->is_start)
		return facts;
	facts->function = (size_t)(find_tally(pass, &pass->functions, &summary->functions,
	                                      &summary->function_count, call->outline->name,
	                                      strlen(call->outline->name)) -
	                           summary->functions);
	facts->bytes = bytes_of(call);
	facts->is_message = is_message(call);
	facts->is_access = is_access(pass, call);
	if (call->outline->has_site)
		find_place(pass, call, facts);
	return facts;
}

static void add_to_tally(struct tally *tally, uint64_t calls, double seconds, uint64_t bytes)
{
	tally->calls += calls;
	tally->seconds += seconds;
	tally->bytes += bytes;
}

static void add_event(struct summary_pass *pass, const struct event *event)
{
	struct summary *summary = pass->summary;
	const struct facts *facts = find_facts(pass, event->call);
	uint64_t calls = event->polls ? event->polls : 1;
	uint64_t ticks = event->polls ? event->busy : event->end - event->start;
	double seconds = (double)ticks * pass->seconds_per_tick;

	summary->events++;
	summary->tool_seconds += event->tool_before / 1e6;
	summary->stolen_seconds += ((double)event->stolen_before + event->stolen_inside) / 1e6;
	if (facts->is_start)
		return;
	if (facts->is_mark) {
		summary->marks++;
		return;
	}
	summary->calls += calls;
	add_to_tally(&summary->functions[facts->function], calls, seconds, facts->bytes);
	if (facts->has_place)
		add_to_tally(&summary->places[facts->place], calls, seconds, facts->bytes);
	if (facts->is_message) {
		summary->messages++;
		summary->message_bytes += facts->bytes;
	}
	if (facts->is_access) {
		summary->accesses++;
		summary->access_bytes += facts->bytes;
	}
}

static void note_uncertainty(struct summary_pass *pass, uint64_t first, uint64_t last)
{
	double *most = &pass->summary->uncertainty_ns[pass->clocks->line_of[pass->process_index]];
	double here = clocks_uncertainty_within(pass->clocks, pass->process_index, first, last);

	*most = here < 0 || here > *most ? here : *most;
}

static void widen(struct summary_pass *pass, uint64_t first, uint64_t last)
{
	int64_t first_ns = clocks_ns(pass->clocks, pass->process_index, first),
		last_ns = clocks_ns(pass->clocks, pass->process_index, last);

	if (!pass->has_times || first_ns < pass->first_ns)
		pass->first_ns = first_ns;
	if (!pass->has_times || last_ns > pass->last_ns)
		pass->last_ns = last_ns;
	pass->has_times = true;
}

static void read_stream(struct summary_pass *pass, struct stream *stream)
{
	struct event_iter iter;
	struct event event;
	uint64_t first = UINT64_MAX, last = 0;

	reader_events(pass->reader, stream, &iter);
	while (reader_next(&iter, &event)) {
		add_event(pass, &event);
		first = event.start < first ? event.start : first;
		last = event.end > last ? event.end : last;
		if (pass->progress && iter.events % PROGRESS_EVENTS == 0)
			pass->progress((double)(pass->chunks_done + iter.next_chunk) /
			               (double)pass->reader->chunk_count);
	}
	pass->chunks_done += stream->chunk_count;
	pass->summary->threads++;
	if (first > last)
		return;
	pass->summary->thread_seconds += (double)(last - first) * pass->seconds_per_tick;
	widen(pass, first, last);
	note_uncertainty(pass, first, last);
}

static void add_blind(struct summary_pass *pass, const struct stream *stream, const struct blind *blind)
{
	struct summary *summary = pass->summary;
	struct blind_summary entry = {
		.process = pass->process,
		.stream = stream,
		/* The start of the run is known only when everything is read: see finish(). */
		.ns = clocks_ns(pass->clocks, pass->process_index, blind->tick),
		.reason = blind->reason,
	};

	arena_add(&summary->arena, summary->blinds, summary->blind_count, entry);
}

static void add_comms(struct summary_pass *pass)
{
	struct summary *summary = pass->summary;

	for (size_t i = 0; i < pass->process->comm_count; i++) {
		const struct comm *comm = &pass->process->comms[i];
		if (intern(&pass->comms, &comm->identity, sizeof comm->identity)->number !=
		    summary->comm_count)
			continue;
		arena_add(&summary->arena, summary->comms, summary->comm_count,
		          (struct comm_summary){comm->identity, comm->kind, comm->size, comm->remote_size,
		                                comm->name});
	}
}

/* Ranks come in order, so that a list grows at its end: "0-3,7". */
struct rank_list {
	struct text text;
	uint32_t first, last;
};

static void add_rank(struct rank_list *list, uint32_t rank, bool begins)
{
	if (begins || rank != list->last + 1) {
		text_add(&list->text, begins ? "%u" : ",%u", rank);
		list->first = list->last = rank;
		return;
	}
	if (list->last > list->first) /* the end of a range is there: replace it */
		list->text.length = (size_t)(strrchr(text_get(&list->text), '-') - text_get(&list->text));
	text_add(&list->text, "-%u", rank);
	list->last = rank;
}

static void share(struct summary_pass *pass, struct interner *known, struct rank_list **lists,
                  struct sharing **sharings, size_t *count, const char *text)
{
	struct summary *summary = pass->summary;
	struct text key = {0};
	size_t number;
	bool begins;

	text_add(&key, "%llx %s", (unsigned long long)pass->process->world, text);
	number = intern(known, key.bytes, key.length)->number;
	text_release(&key);
	begins = number == *count;
	if (begins) {
		*sharings = arena_grown(&summary->arena, *sharings, *count, sizeof **sharings);
		*lists = arena_grown(&summary->arena, *lists, *count, sizeof **lists);
		(*sharings)[*count] = (struct sharing){.text = arena_text(&summary->arena, text),
		                                       .world = pass->process->world};
		(*lists)[*count] = (struct rank_list){0};
		++*count;
	}
	assert(*sharings && *lists);
	(*sharings)[number].count++;
	if (pass->process->rank == PROCESS_UNKNOWN)
		text_add(&(*lists)[number].text, begins ? "?" : ",?");
	else
		add_rank(&(*lists)[number], pass->process->rank, begins);
}

static void add_argument(struct text *out, const char *argument)
{
	if (out->length)
		text_add(out, " ");
	if (!*argument || argument[strcspn(argument, " \t\n\"\\")])
		text_add_quoted(out, argument);
	else
		text_add(out, "%s", argument);
}

static void describe_command(const struct process *process, struct text *out)
{
	for (size_t i = 0; i < process->property_count; i++)
		if (strcmp(process->properties[i].key, "arg") == 0)
			add_argument(out, process->properties[i].value);
	if (!out->length && process_property(process, "program"))
		text_add(out, "%s", process_property(process, "program"));
}

static void take_ranks(struct summary *summary, struct rank_list *lists, struct sharing *sharings,
                       size_t count)
{
	for (size_t i = 0; i < count; i++) {
		sharings[i].ranks = arena_text(&summary->arena, text_get(&lists[i].text));
		text_release(&lists[i].text);
	}
}

static void share_properties(struct summary_pass *pass)
{
	struct summary *summary = pass->summary;
	struct rank_list *hosts = NULL, *programs = NULL;

	for (size_t i = 0; i < pass->reader->process_count; i++) {
		struct text command = {0};
		const char *host;
		pass->process = &pass->reader->processes[i];
		host = process_property(pass->process, "host");
		describe_command(pass->process, &command);
		share(pass, &pass->hosts, &hosts, &summary->hosts, &summary->host_count, host ? host : "");
		share(pass, &pass->programs, &programs, &summary->programs, &summary->program_count,
		      text_get(&command));
		text_release(&command);
	}
	take_ranks(summary, hosts, summary->hosts, summary->host_count);
	take_ranks(summary, programs, summary->programs, summary->program_count);
}

static void read_process(struct summary_pass *pass, struct process *process)
{
	pass->process = process;
	pass->process_index = (uint32_t)(process - pass->reader->processes);
	pass->seconds_per_tick = clocks_seconds_per_tick(pass->clocks, pass->process_index);
	if (intern(&pass->worlds, &process->world, sizeof process->world)->number == pass->summary->worlds)
		pass->summary->worlds++;
	add_comms(pass);
	for (size_t i = 0; i < process->stream_count; i++)
		read_stream(pass, &process->streams[i]);
	for (size_t i = 0; i < process->blind_count; i++)
		add_blind(pass, NULL, &process->blinds[i]);
	for (size_t i = 0; i < process->stream_count; i++)
		for (size_t j = 0; j < process->streams[i].blind_count; j++)
			add_blind(pass, &process->streams[i], &process->streams[i].blinds[j]);
	free(pass->facts);
	pass->facts = NULL;
	pass->facts_count = 0;
}

static int by_time(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;

	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void sort_by_time(struct tally *tallies, size_t count)
{
	if (count)
		qsort(tallies, count, sizeof *tallies, by_time);
}

/* Places refer to functions by number, so the order is kept aside while these move. */
static void sort_tallies(struct summary *summary)
{
	size_t *moved = memory_new(summary->function_count + 1, sizeof *moved);

	for (size_t i = 0; i < summary->function_count; i++)
		summary->functions[i].function = i;
	sort_by_time(summary->functions, summary->function_count);
	for (size_t i = 0; i < summary->function_count; i++)
		moved[summary->functions[i].function] = i;
	for (size_t i = 0; i < summary->place_count; i++)
		summary->places[i].function = moved[summary->places[i].function];
	sort_by_time(summary->places, summary->place_count);
	free(moved);
}

static void find_crowd(struct summary_pass *pass)
{
	struct nodes *nodes = nodes_new(pass->reader);

	pass->summary->crowding = most_crowded(pass->reader, nodes);
	nodes_free(nodes);
}

static void finish(struct summary_pass *pass)
{
	struct summary *summary = pass->summary;

	for (size_t i = 0; i < summary->blind_count; i++)
		summary->blinds[i].seconds = 1e-9 * (double)(int64_t)((uint64_t)summary->blinds[i].ns -
		                                                      (uint64_t)pass->first_ns);
	if (pass->has_times) {
		summary->seconds = 1e-9 * (double)((uint64_t)pass->last_ns - (uint64_t)pass->first_ns);
		if (pass->clocks->has_date && pass->first_ns > 0)
			summary->start_ns = (uint64_t)pass->first_ns;
	}
	sort_tallies(summary);
	find_crowd(pass);
}

struct summary *summarize(struct reader *reader, const struct clocks *clocks, struct symbols *source,
                          void (*progress)(double part))
{
	struct summary *summary = memory_new(1, sizeof *summary);
	struct summary_pass pass = {.summary = summary,
	                            .reader = reader,
	                            .clocks = clocks,
	                            .source = source,
	                            .progress = progress};
	struct interner *tables[] = {&pass.functions, &pass.places,   &pass.comms,
	                             &pass.hosts,     &pass.programs, &pass.worlds};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		tables[i]->arena = &summary->arena;
	summary->paradigm = paradigm_of(reader);
	summary->uncertainty_ns = arena_array(&summary->arena, double, clocks->line_count + 1u);
	for (size_t i = 0; i < reader->process_count; i++)
		read_process(&pass, &reader->processes[i]);
	share_properties(&pass);
	finish(&pass);
	return summary;
}

void summary_free(struct summary *summary)
{
	arena_release(&summary->arena);
	free(summary);
}
