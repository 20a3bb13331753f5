#include "output/report/parts.h"

#include "base/hash.h"
#include "base/paths.h"
#include "base/utf8.h"

#include <string.h>

double share_of_run(const struct report *report, int64_t ns)
{
	double time = report->analysis->run_figures[RUN_TIME];

	return time > 0 ? (double)ns / time : 0;
}

const char *const impact_names[IMPACTS_END] = {
	[IMPACT_LOW] = "low",
	[IMPACT_MEDIUM] = "medium",
	[IMPACT_HIGH] = "high",
};

const char *const confidence_names[] = {
	[CONFIDENCE_CERTAIN] = "certain",
	[CONFIDENCE_LIKELY] = "likely",
	[CONFIDENCE_SUSPICION] = "suspicion",
};

/* Places */

void describe_place(const struct location *where, struct text *out)
{
	const char *function = function_of(where);

	if (where->file && function && !where->through) {
		text_add(out, "%s%s:%d (%s)", where->is_near ? "near " : "", path_name(where->file),
		         where->line, function);
		location_add_layer(where, out);
	} else {
		location_describe(where, out);
	}
}

void describe_in_short(const struct location *where, struct text *out)
{
	struct location bare = *where;

	bare.inside_layer = NULL;
	if (!where->file && where->function)
		text_add(out, "%s+0x%llx", where->function, (unsigned long long)where->function_offset);
	else
		describe_place(&bare, out);
}

void text_make_line(struct text *words)
{
	for (size_t i = 0; i < words->length; i++)
		if (words->bytes[i] == '\n')
			words->bytes[i] = ' ';
	text_strip_controls(words);
}

void add_clipped(struct text *out, const char *text, size_t most)
{
	if (text_width(text) <= most) {
		text_add(out, "%s", text);
	} else if (most) {
		text_add_bytes(out, text, utf8_bytes(text, most - 1));
		text_add(out, "~");
	}
}

/* The end of a name is more informative than its beginning. */
void add_elided(struct text *out, const char *text, size_t most)
{
	size_t width = text_width(text), head = most / 3;

	if (width <= most) {
		text_add(out, "%s", text);
	} else if (most) {
		text_add_bytes(out, text, utf8_bytes(text, head));
		text_add(out, "~%s", text + utf8_bytes(text, width - (most - 1 - head)));
	}
}

void text_elide_words(struct text *words, size_t most)
{
	struct text fitted = {0}, word = {0};
	const char *at = text_get(words);

	while (*at) {
		size_t length = strcspn(at, " ");
		text_clear(&word);
		text_add_bytes(&word, at, length);
		add_elided(&fitted, text_get(&word), most);
		at += length;
		if (*at)
			text_add_bytes(&fitted, at++, 1);
	}
	text_release(&word);
	text_release(words);
	*words = fitted;
}

void add_line_of(struct text *out, const struct call_place *place, size_t most)
{
	scoped_text line = {0};

	if (place->where.file)
		text_add(&line, "%s:%d", path_name(place->where.file), place->where.line);
	else if (place->where.function)
		describe_in_short(&place->where, &line);
	else
		text_add(&line, "%s", *place->text ? place->text : place->call);
	text_make_line(&line); /* here, where it is measured */
	add_elided(out, text_get(&line), most);
}

/* For a call that starts a persistent request: adds the call that created it. */
static void add_prepared(struct report *report, const struct process *process, const struct call *call,
                         struct text *text)
{
	const struct call *prepared = call_prepared(process, call);
	struct location where;

	if (!prepared)
		return;
	where = symbols_find_call(report->source, process, prepared);
	text_add(text, "%s%s", text->length ? ", " : "", prepared->outline->name);
	if (where.file)
		text_add(text, " %s:%d", path_name(where.file), where.line);
}

const char *place_text(struct report *report, const struct location *where)
{
	enum { KNOWN = sizeof report->place_texts / sizeof *report->place_texts };
	const uint64_t key[PLACE_WORDS] = {(uintptr_t)where->module,
	                                   where->offset,
	                                   (uintptr_t)where->function,
	                                   where->function_offset,
	                                   (uintptr_t)where->inlined,
	                                   (uintptr_t)where->file,
	                                   (uint64_t)(uint32_t)where->line << 1 | where->is_near,
	                                   (uintptr_t)where->through,
	                                   (uintptr_t)where->inside_layer,
	                                   (uintptr_t)where->caller};
	struct place_text *known = &report->place_texts[hash_fold(hash_bytes(key, sizeof key)) % KNOWN];
	scoped_text text = {0};

	if (known->text && memcmp(known->where, key, sizeof key) == 0)
		return known->text;
	describe_place(where, &text);
	memcpy(known->where, key, sizeof key);
	known->text = arena_text(&report->arena, text_get(&text));
	return known->text;
}

struct call_place call_place_of(struct report *report, const struct action *action)
{
	const struct process *process = &report->analysis->reader->processes[action->process];
	struct call_place place = {.call = action->call->outline->name};
	scoped_text text = {0};

	place.where = symbols_find_call(report->source, process, action->call);
	if (!call_prepared(process, action->call)) {
		place.text = place_text(report, &place.where);
		return place;
	}
	describe_place(&place.where, &text);
	add_prepared(report, process, action->call, &text);
	place.text = arena_text(&report->arena, text_get(&text));
	return place;
}

struct call_place finding_place_of(struct report *report, const struct action *action)
{
	struct call_place place = call_place_of(report, action);

	if (!place.where.file)
		symbols_warn_of(report->source, &report->analysis->reader->processes[action->process],
		                action->call);
	return place;
}

bool is_same_place(const struct call_place *a, const struct call_place *b)
{
	const char *file = a->where.file ? a->where.file : "";

	return strcmp(a->call, b->call) == 0 && strcmp(a->text, b->text) == 0 &&
	       strcmp(file, b->where.file ? b->where.file : "") == 0;
}

bool path_next(struct report *report, const struct action *action, struct caller_iter *callers)
{
	const struct process *process = &report->analysis->reader->processes[action->process];

	return symbols_next_caller(report->source, process, action->call, callers);
}

/* Outermost first; the trace has the innermost first. */
void path_describe(struct report *report, const struct action *action, struct text *out)
{
	struct caller_iter callers = {0};
	scoped_text whole = {0}, one = {0};

	while (path_next(report, action, &callers)) {
		describe_place(&callers.where, &one);
		if (whole.length)
			text_add(&one, " > %s", text_get(&whole));
		text_clear(&whole);
		text_add(&whole, "%s", text_get(&one));
		text_clear(&one);
	}
	text_add_bytes(out, text_get(&whole), whole.length);
}

void json_rank(struct json *json, const char *key, const struct process *process)
{
	if (process->rank == PROCESS_UNKNOWN)
		json_null(json, key);
	else
		json_number(json, key, process->rank);
}

/* Ranks */

/* A run of processes with consecutive ranks, from `first`. */
static size_t run_length(const struct reader *reader, const struct number_list *list, size_t first)
{
	size_t length = 1;

	while (first + length < list->count) {
		const struct process *last = &reader->processes[list->at[first + length - 1]];
		const struct process *next = &reader->processes[list->at[first + length]];
		if (next->world != last->world || next->rank == PROCESS_UNKNOWN ||
		    next->rank != last->rank + 1)
			break;
		length++;
	}
	return length;
}

static void add_run(const struct process *first, size_t length, struct text *out)
{
	if (first->rank == PROCESS_UNKNOWN)
		text_add(out, "?");
	else if (length == 1)
		text_add(out, "%u", first->rank);
	else
		text_add(out, "%u%c%zu", first->rank, length == 2 ? ',' : '-', first->rank + length - 1);
}

size_t add_rank_runs(const struct reader *reader, const struct number_list *list, size_t runs_shown,
                     struct text *out)
{
	size_t done = 0;

	for (size_t runs = 0; done < list->count && runs < runs_shown; runs++) {
		size_t length = run_length(reader, list, done);
		text_add(out, runs ? "," : "");
		add_run(&reader->processes[list->at[done]], length, out);
		done += length;
	}
	return list->count - done;
}

struct language report_language(const struct report *report)
{
	return (struct language){report->analysis->lang, report->paradigm};
}

const char *report_counted(struct report *report, uint64_t number, const char *one, const char *many)
{
	scoped_text text = {0};

	add_counted(&text, report_language(report), number, one, many);
	return arena_text(&report->arena, text_get(&text));
}

const char *report_filled(struct report *report, const char *words, const char *const *values)
{
	scoped_text text = {0};

	add_filled_phrase(&text, report_language(report), words, values);
	return arena_text(&report->arena, text_get(&text));
}
