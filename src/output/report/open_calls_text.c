#include "output/report/open_calls_text.h"

#include "base/array.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/sort.h"
#include "base/units.h"
#include "output/report/parts.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* In 2001. Earlier times have no date: they count from the first tick. */
#define DATE_NS_MIN 1000000000000000000

enum { GROUPS_SHOWN = 4, RANKS_SHOWN = 8 };

static const char *say(const struct open_calls_view *view, const char *words)
{
	return language_phrase((struct language){view->lang, paradigm_of(view->reader)}, words);
}

/* Processes in the same call at the same line, with or without ranks. */
struct open_group {
	enum end_state state;
	const char *function, *place;
	ARRAY(uint32_t) processes;
};

struct open_groups {
	struct arena arena;
	struct interner keys;
	ARRAY(struct open_group) list;
};

static uint32_t rank_of(const struct open_calls_view *view, uint32_t process)
{
	return view->reader->processes[process].rank;
}

static bool has_rank(const struct open_calls_view *view, uint32_t process)
{
	return rank_of(view, process) != PROCESS_UNKNOWN;
}

/* "x.c:8", "app+0x40", or nothing. */
static const char *place_of_call(const struct open_calls_view *view, const struct process_end *end,
                                 struct arena *arena)
{
	const struct location where = symbols_find_call(view->source, &view->reader->processes[end->process],
	                                                end->call);

	if (where.file)
		return arena_format(arena, "%s:%d", path_name(where.file), where.line);
	return where.module ? arena_format(arena, "%s+0x%" PRIx64, where.module, where.offset) : "";
}

/* "rank 3", "ranks 0-2,7": processes are in ascending order. Before the end of MPI_Init they have no ranks. */
static void name_ranks(const struct open_calls_view *view, const uint32_t *processes, size_t count,
                       struct text *out)
{
	if (!has_rank(view, processes[0])) {
		text_add(out, "%s",
		         say(view, count == 1 ? "a process without a rank" : "processes without ranks"));
		return;
	}
	text_add(out, "%s", say(view, count == 1 ? "rank " : "ranks "));
	for (size_t i = 0, shown = 0, last; i < count; i = last + 1, shown++) {
		for (last = i; last + 1 < count &&
		               rank_of(view, processes[last + 1]) == rank_of(view, processes[last]) + 1;)
			last++;
		if (shown == RANKS_SHOWN) {
			text_add(out, ", ...");
			return;
		}
		text_add(out, "%s%" PRIu32, i ? "," : "", rank_of(view, processes[i]));
		if (last > i)
			text_add(out, "%s%" PRIu32, last > i + 1 ? "-" : ",", rank_of(view, processes[last]));
	}
}

/* Ticks cannot be converted to time before the clock of the process is known. */
static bool has_clock(const struct open_calls_view *view, const struct process_end *end)
{
	return view->reader->processes[end->process].clock_count;
}

static void add_at(const struct open_calls_view *view, const char *place, struct text *out)
{
	if (*place)
		text_add(out, "%s%s", say(view, "call| at "), place);
}

static const char *state_phrase(enum end_state state, bool many)
{
	if (state == END_BY_ABORT)
		return many ? "many| called " : " called ";
	if (state == END_POLLING)
		return many ? " were polling with " : " was polling with ";
	if (state == END_OUTSIDE)
		return many ? " have made no call after " : " has made no call after ";
	return many ? " have been in " : " has been in ";
}

/* " has been in MPI_Ssend to rank 1", or, if the call names no partner, " has been waiting for rank 1 in MPI_Barrier". */
static void add_call(const struct open_calls_view *view, const struct open_group *group, bool many,
                     struct text *out)
{
	const struct process_end *first = &view->open->ends[group->processes.items[0]];
	bool is_inside = group->state == END_IN_CALL;

	if (is_inside && first->needs.count && !call_field(first->call, FIELD_PEER, &(int64_t){0})) {
		text_add(out, "%s", say(view, many ? " have been waiting for " : " has been waiting for "));
		name_ranks(view, first->needs.items, first->needs.count, out);
		text_add(out, "%s%s", say(view, "call| in "), group->function);
		return;
	}
	text_add(out, "%s%s", say(view, state_phrase(group->state, many)), group->function);
	if (is_inside) {
		int64_t peer;
		bool receives;

		/* " to rank 1": the partner that the call itself names. */
		if (first->info && call_field(first->call, FIELD_PEER, &peer)) {
			receives = call_has(first->info, KIND_source) && !call_has(first->info, KIND_dest);
			if (first->peer !=
			    NO_PROCESS) /* the communicator may have other ranks than the world */
				peer = rank_of(view, first->peer);
			if (peer >= 0)
				text_add(out, "%s%" PRId64, say(view, receives ? " from rank " : " to rank "),
				         peer);
			else if (peer == RANK_ANY && receives)
				text_add(out, "%s", say(view, " from any rank"));
		}
	}
}

/* All members of a collective call are in one sentence. For calls that name a partner, the first one is an
 * example. */
static void add_group(const struct open_calls_view *view, const struct open_group *group, struct text *out)
{
	const struct process_end *first = &view->open->ends[group->processes.items[0]];
	bool at_once = (first->info && first->info->collective) || group->state != END_IN_CALL;
	size_t named = at_once ? group->processes.count : 1;

	name_ranks(view, group->processes.items, named, out);
	add_call(view, group, named > 1, out);
	add_at(view, group->place, out);
	if (group->state != END_BY_ABORT) {
		const int64_t since_ns = first->since_ns;
		time_t seconds = (time_t)(since_ns / 1000000000);
		struct tm date;
		char clock[32];

		if (has_clock(view, first)) {
			if (view->open->is_over) {
				text_add(out, "%s", say(view, " for "));
				text_add_seconds_in(out, locale_of(view->lang),
				                    (double)(view->open->until_ns - since_ns) * 1e-9);
			} else if (since_ns > DATE_NS_MIN && gmtime_r(&seconds, &date) &&
			           strftime(clock, sizeof clock, "%H:%M:%S UTC", &date)) {
				text_add(out, "%s%s", say(view, " since "), clock);
			}
		}
	}
	if (named < group->processes.count) {
		text_add(out, ", ");
		name_ranks(view, group->processes.items + 1, group->processes.count - 1, out);
		text_add(out, "%s", say(view, " likewise"));
	}
	text_add(out, "\n");
}

static void add_ring(const struct open_calls_view *view, struct text *out)
{
	const struct open_calls *open = view->open;

	text_add(out, "%s%s", say(view, "deadlock: "), say(view, "ranks "));
	for (uint32_t i = 0; i < open->ring_count && i < RANKS_SHOWN; i++)
		text_add(out, "%" PRIu32 " -> ", rank_of(view, open->ring[i]));
	text_add(out, "%s%" PRIu32 "%s\n", open->ring_count > RANKS_SHOWN ? "... -> " : "",
	         rank_of(view, open->ring[0]), say(view, " wait for each other"));
}

/* Members of one communicator that are in different collective calls. */
static void add_misfit(const struct open_calls_view *view, const struct process_end *end,
                       const struct open_groups *groups, struct text *out)
{
	bool is_first = true;

	text_add(out, "%s", say(view, "mismatched collective calls: "));
	for (size_t i = 0; i < groups->list.count; i++) {
		const struct open_group *group = &groups->list.items[i];
		const struct process_end *one = &view->open->ends[group->processes.items[0]];
		if (one->needs.misfit == NO_PROCESS || one->comm != end->comm)
			continue;
		text_add(out, "%s", is_first ? "" : ", ");
		name_ranks(view, group->processes.items, group->processes.count, out);
		text_add(out, "%s%s", say(view, group->processes.count > 1 ? " are in " : " is in "),
		         group->function);
		add_at(view, group->place, out);
		is_first = false;
	}
	text_add(out, "%s\n", say(view, " on the same communicator"));
}

/* The first reason why it will not end by itself. */
static void add_verdict(const struct open_calls_view *view, const struct open_groups *groups,
                        struct text *out)
{
	const struct open_calls *open = view->open;

	for (uint32_t i = 0; i < open->process_count; i++)
		if (open->ends[i].is_stuck && open->ends[i].needs.misfit != NO_PROCESS) {
			add_misfit(view, &open->ends[i], groups, out);
			return;
		}
	if (open->ring_count) {
		add_ring(view, out);
		return;
	}
	for (uint32_t i = 0; i < open->process_count; i++)
		if (open->ends[i].is_stuck) {
			const struct process_end *end = &open->ends[i];
			name_ranks(view, &i, 1, out);
			text_add(out, "%s", say(view, " can never continue: it waits for "));
			name_ranks(view, end->needs.items, end->needs.count, out);
			text_add(out, "\n");
			return;
		}
}

void open_calls_text(const struct open_calls_view *view, const char *before, struct text *out)
{
	struct open_groups groups = {0};
	scoped_text lines = {0};
	static const enum end_state order[] = {END_BY_ABORT, END_IN_CALL, END_POLLING, END_OUTSIDE};

	if (!view->open || !view->open->open_count)
		return;
	for (size_t state = 0; state < sizeof order / sizeof *order; state++)
		for (uint32_t i = 0; i < view->open->process_count; i++)
			if (view->open->ends[i].state == order[state]) {
				const struct process_end *end = &view->open->ends[i];
				const char *place = place_of_call(view, end, &groups.arena);
				const char *key = arena_format(&groups.arena, "%d %d %s %s", end->state,
				                               has_rank(view, end->process),
				                               end->call->outline->name, place);
				size_t number;

				groups.keys.arena = &groups.arena;
				number = intern(&groups.keys, key, strlen(key))->number;
				if (number == groups.list.count)
					array_add(&groups.list,
					          ((struct open_group){
							  end->state, end->call->outline->name, place, {0}}));
				array_add(&groups.list.items[number].processes, end->process);
			}
	for (size_t i = 0; i < groups.list.count && i < GROUPS_SHOWN; i++)
		add_group(view, &groups.list.items[i], &lines);
	ARRAY(uint32_t) rest = {0};

	for (size_t i = GROUPS_SHOWN; i < groups.list.count; i++)
		for (size_t j = 0; j < groups.list.items[i].processes.count; j++)
			array_add(&rest, groups.list.items[i].processes.items[j]);
	if (rest.count) {
		sort_u32(rest.items, rest.count);
		name_ranks(view, rest.items, rest.count, &lines);
		text_add(&lines, "%s\n", say(view, " are elsewhere: see 'tarry info'"));
	}
	array_release(&rest);
	add_verdict(view, &groups, &lines);
	text_strip_controls(&lines);
	text_add(out, "%s%s", before, text_get(&lines));
	for (size_t i = 0; i < groups.list.count; i++)
		array_release(&groups.list.items[i].processes);
	array_release(&groups.list);
	arena_release(&groups.arena);
}

static void add_open_json(const struct open_calls_view *view, const struct process_end *end,
                          struct json *json)
{
	static const char *const states[] = {[END_IN_CALL] = "in_call", [END_POLLING] = "polling"};
	const struct location where = symbols_find_call(view->source, &view->reader->processes[end->process],
	                                                end->call);

	json_open(json, NULL, '{');
	json_rank(json, "rank", &view->reader->processes[end->process]);
	json_number(json, "thread", end->thread);
	json_text(json, "state", states[end->state]);
	json_text(json, "call", end->call->outline->name);
	if (where.file) {
		json_text(json, "file", where.file);
		json_number(json, "line", where.line);
	}
	if (view->open->is_over && has_clock(view, end))
		json_seconds(json, "seconds", view->open->until_ns - end->since_ns);
	json_open(json, "waits_for", '[');
	for (uint32_t i = 0; i < end->needs.count; i++)
		json_rank(json, NULL, &view->reader->processes[end->needs.items[i]]);
	json_close(json, ']');
	json_bool(json, "stuck", end->is_stuck);
	json_close(json, '}');
}

void open_calls_json(const struct open_calls_view *view, struct json *json)
{
	const struct open_calls *open = view->open;

	json_open(json, "open_calls", '[');
	for (uint32_t i = 0; open && i < open->process_count; i++)
		if (open->ends[i].state == END_IN_CALL || open->ends[i].state == END_POLLING)
			add_open_json(view, &open->ends[i], json);
	json_close(json, ']');
	if (!open || !open->ring_count) {
		json_null(json, "deadlock");
		return;
	}
	json_open(json, "deadlock", '[');
	for (uint32_t i = 0; i < open->ring_count; i++)
		json_number(json, NULL, rank_of(view, open->ring[i]));
	json_close(json, ']');
}
