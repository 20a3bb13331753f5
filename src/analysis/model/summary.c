#include "analysis/model/summary.h"

#include "base/memory.h"
#include "base/paths.h"
#include "trace/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct summary_pass {
	struct summary *summary;
	struct reader *reader;
	struct symbols *source;
	const struct clocks *clocks;
	const struct figures *figures;
	struct interner functions, places, comms, hosts, programs, worlds;
	/* the current process */
	struct process *process;
	uint32_t process_index;
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

static void add_to_tally(struct tally *tally, const struct site_total *site)
{
	tally->calls += site->count;
	tally->inside_ns += site->inside_ns;
	tally->run_ns += site->run_ns;
	tally->is_local = site->is_local;
	tally->bytes += site_bytes(site);
}

/* If its place is unknown, it counts only for its function. */
static void add_place(struct summary_pass *pass, const struct site_total *site, size_t function)
{
	struct summary *summary = pass->summary;
	const struct process *process = &pass->reader->processes[site->process];
	struct location where = symbols_find_call(pass->source, process, site->call);
	struct text key = {0};
	struct tally *place;
	size_t named;

	location_describe(&where, &key);
	named = key.length;
	if (named) {
		text_add(&key, "\n%zu", function);
		place = find_tally(pass, &pass->places, &summary->places, &summary->place_count, key.bytes,
		                   key.length);
		if (!place->calls)
			place->name = arena_bytes_as_text(&summary->arena, key.bytes, named);
		place->function = function;
		add_to_tally(place, site);
	}
	text_release(&key);
}

/* The communicator in a field of the call; NULL: none, or unknown. */
static struct comm_summary *comm_of_field(struct summary_pass *pass, const struct call *call,
                                          enum field_key key)
{
	struct summary *summary = pass->summary;
	int64_t identity;
	size_t number;

	if (!call_field(call, key, &identity) || !identity)
		return NULL;
	number = intern(&pass->comms, &(uint64_t){(uint64_t)identity}, sizeof(uint64_t))->number;
	return number < summary->comm_count ? &summary->comms[number] : NULL;
}

/* Facts about communicators from the calls that created and named them. */
static void add_to_comms(struct summary_pass *pass, const struct site_total *site)
{
	struct comm_summary *made = comm_of_field(pass, site->call, FIELD_NEWCOMM);
	const char *name = call_text(site->call, FIELD_TEXT);
	struct comm_summary *named = name ? comm_of_field(pass, site->call, FIELD_COMM) : NULL;
	struct location where;

	if (named && !*named->name)
		named->name = name;
	if (!made || *made->made)
		return;
	where = symbols_find_call(pass->source, &pass->reader->processes[site->process], site->call);
	made->made = where.file ? arena_format(&pass->summary->arena, "%s at %s:%d",
	                                       site->call->outline->name, path_name(where.file), where.line)
	                        : arena_text(&pass->summary->arena, site->call->outline->name);
}

static void add_site(struct summary_pass *pass, const struct site_total *site)
{
	struct summary *summary = pass->summary;
	const char *name = site->call->outline->name;
	struct tally *function = find_tally(pass, &pass->functions, &summary->functions,
	                                    &summary->function_count, name, strlen(name));

	add_to_tally(function, site);
	if (site->call->outline->has_site)
		add_place(pass, site, (size_t)(function - summary->functions));
}

static void note_uncertainty(struct summary_pass *pass, uint64_t first, uint64_t last)
{
	double *most = &pass->summary->uncertainty_ns[pass->clocks->line_of[pass->process_index]];
	double here = clocks_uncertainty_within(pass->clocks, pass->process_index, first, last);

	*most = here < 0 || here > *most ? here : *most;
}

static void add_loss(struct summary_pass *pass, const struct stream *stream, const struct event_loss *loss)
{
	struct summary *summary = pass->summary;
	struct loss_summary entry = {
		.process = pass->process,
		.stream = stream,
		/* The start of the run is known only after everything was read: see finish(). */
		.ns = clocks_ns(pass->clocks, pass->process_index, loss->tick),
		.reason = loss->reason,
	};

	arena_add(&summary->arena, summary->losses, summary->loss_count, entry);
}

/* Ranks are in order, so a list grows at its end: "0-3,7". */
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
	if (list->last > list->first) /* replaces the end of the range */
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
	struct summary *summary;

	pass->process = process;
	pass->process_index = (uint32_t)(process - pass->reader->processes);
	if (intern(&pass->worlds, &process->world, sizeof process->world)->number == pass->summary->worlds)
		pass->summary->worlds++;
	summary = pass->summary;
	for (size_t i = 0; i < pass->process->comm_count; i++) {
		const struct comm *comm = &pass->process->comms[i];
		if (intern(&pass->comms, &comm->identity, sizeof comm->identity)->number !=
		    summary->comm_count)
			continue;
		arena_add(&summary->arena, summary->comms, summary->comm_count,
		          (struct comm_summary){comm->identity, comm->kind, comm->size, comm->remote_size,
		                                comm->name, ""});
	}
	for (size_t i = 0; i < process->stream_count; i++) {
		const struct run_spans *run = pass->figures->run;
		uint32_t first = run->processes[pass->process_index].first_thread;
		const struct thread_span *thread = &run->threads[first + i];
		pass->summary->threads++;
		if (thread->has_events)
			note_uncertainty(pass, thread->first_tick, thread->last_tick);
	}
	for (size_t i = 0; i < process->loss_count; i++)
		add_loss(pass, NULL, &process->losses[i]);
	for (size_t i = 0; i < process->stream_count; i++)
		for (size_t j = 0; j < process->streams[i].loss_count; j++)
			add_loss(pass, &process->streams[i], &process->streams[i].losses[j]);
}

static int by_time(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;

	if (x->inside_ns != y->inside_ns)
		return x->inside_ns < y->inside_ns ? 1 : -1;
	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void sort_by_time(struct tally *tallies, size_t count)
{
	if (count)
		qsort(tallies, count, sizeof *tallies, by_time);
}

static void finish(struct summary_pass *pass)
{
	struct summary *summary = pass->summary;
	int64_t first_ns = pass->figures->run->first_ns;
	size_t *moved;

	for (size_t i = 0; i < summary->loss_count; i++)
		summary->losses[i].seconds = 1e-9 * (double)(int64_t)((uint64_t)summary->losses[i].ns -
		                                                      (uint64_t)first_ns);
	if (pass->clocks->has_date && first_ns > 0)
		summary->start_ns = (uint64_t)first_ns;
	/* Places refer to functions by number, so the old numbers are kept while these move. */
	moved = memory_new(summary->function_count + 1, sizeof *moved);
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

struct summary *summarize(const struct analysis_session *session, const struct figures *figures,
                          struct symbols *source)
{
	struct summary *summary = memory_new(1, sizeof *summary);
	struct reader *reader = session->reader;
	const struct clocks *clocks = session->time->clocks;
	struct summary_pass pass = {
		.summary = summary, .reader = reader, .clocks = clocks, .figures = figures, .source = source};
	struct interner *tables[] = {&pass.functions, &pass.places,   &pass.comms,
	                             &pass.hosts,     &pass.programs, &pass.worlds};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		tables[i]->arena = &summary->arena;
	summary->paradigm = paradigm_of(reader);
	summary->crowding = most_crowded(reader, session->nodes);
	summary->uncertainty_ns = arena_array(&summary->arena, double, clocks->line_count + 1u);
	for (size_t i = 0; i < reader->process_count; i++)
		read_process(&pass, &reader->processes[i]);
	for (size_t i = 0; i < figures->site_count; i++) {
		add_site(&pass, &figures->sites[i]);
		add_to_comms(&pass, &figures->sites[i]);
	}
	share_properties(&pass);
	finish(&pass);
	return summary;
}

void summary_free(struct summary *summary)
{
	arena_release(&summary->arena);
	free(summary);
}
