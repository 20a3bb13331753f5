/* memmem() */
#define _GNU_SOURCE

#include "base/memory.h"
#include "trace/lexer.h"
#include "trace/text.h"

#include <stdlib.h>
#include <string.h>

struct assembler {
	struct lexer lexer;
	struct trace_writer *out;
	uint64_t world_size; /* of the current process; 0: not given */
	uint64_t unnamed;    /* number of processes without a world in the text */
	uint32_t next_rank;
	/* Of the current line. */
	struct text string;
	struct arena *arena;
	struct arena scratch;
};

static enum status take_string(struct assembler *a, const char **string)
{
	text_clear(&a->string);
	TRY(lexer_string(&a->lexer, &a->string));
	*string = arena_text(a->arena, text_get(&a->string));
	return OK;
}

/* "tick=5 ns=1000" up to the end of the line. */
static enum status take_points(struct assembler *a, struct clock *clock)
{
	struct clock_point point;
	const struct text_key tick_key[] = {{"tick", KEY_NUMBER, &point.tick, NULL, NULL}, {0}};
	const struct text_key ns_key[] = {{"ns", KEY_NUMBER, &point.ns, NULL, NULL}, {0}};

	while (!lexer_at_end(&a->lexer)) {
		TRY(take_key(&a->lexer, tick_key, NULL));
		TRY(take_key(&a->lexer, ns_key, NULL));
		arena_add(a->arena, clock->points, clock->point_count, point);
	}
	return OK;
}

/* A member without a key. The last string of a line may be missing. */
static enum status take_member(struct assembler *a, const struct record_member *member,
                               union any_record *record)
{
	void *value = (char *)record + member->offset;

	switch (member->form) {
	case MEMBER_STRING:
	case MEMBER_REST:
		*(const char **)value = "";
		return !member[1].form && lexer_at_end(&a->lexer) ? OK : take_string(a, value);
	case MEMBER_POINTS:
		return take_points(a, &record->clock);
	default:
		return member->names ? lexer_choice(&a->lexer, member->names, value)
		                     : lexer_number(&a->lexer, value);
	}
}

/* Keys in any order, among them a string. */
static enum status take_keyed(struct assembler *a, const struct record_member *member,
                              union any_record *record, struct text_key *keys)
{
	const char **string = NULL;

	for (struct text_key *key = keys; member->form; member++) {
		void *value = (char *)record + member->offset;
		if (member->form == MEMBER_REST) {
			string = value;
			continue;
		}
		key->name = member->key;
		key->kind = member->form == MEMBER_BYTES   ? KEY_BYTES
		            : member->form >= MEMBER_GROUP ? KEY_GROUP
		            : member->names                ? KEY_CHOICE
		                                           : KEY_NUMBER;
		key->names = member->names;
		key++->target = value;
	}
	text_clear(&a->string);
	TRY(take_keys(&a->lexer, keys, a->arena, string ? &a->string : NULL));
	if (string)
		*string = arena_text(a->arena, text_get(&a->string));
	return OK;
}

/* Listed members give the size. */
static enum status check_group(const struct lexer *lexer, const struct group *group, uint64_t *size,
                               uint64_t default_size)
{
	const uint64_t members = group_members(group);

	if (group->run_count && *size != UINT64_MAX && *size != members)
		return lexer_fail(lexer, lexer->line, "a group of %llu has %llu members",
		                  (unsigned long long)*size, (unsigned long long)members);
	if (*size == UINT64_MAX)
		*size = group->run_count ? members : default_size;
	return OK;
}

static enum status take_record_line(struct assembler *a, enum record_kind kind)
{
	enum { KEYS_MAX = 16 };
	struct text_key keys[KEYS_MAX] = {0};
	const struct record_member *member = record_layouts[kind].members;
	union any_record record = {0};

	if (kind == RECORD_COMM)
		record.comm = (struct comm){
			.rank = a->out->rank, .size = UINT64_MAX, .remote_size = UINT64_MAX};
	for (; member->form && !member->key; member++)
		TRY(take_member(a, member, &record));
	if (member->form)
		TRY(take_keyed(a, member, &record, keys));
	TRY(take_end(&a->lexer));
	if (kind == RECORD_COMM) {
		if (record.comm.remote.run_count && record.comm.kind != COMM_INTER)
			return lexer_fail(&a->lexer, a->lexer.line,
			                  "only a communicator of kind 'inter' has others");
		TRY(check_group(&a->lexer, &record.comm.local, &record.comm.size, a->world_size));
		TRY(check_group(&a->lexer, &record.comm.remote, &record.comm.remote_size, 0));
	}
	return kind == RECORD_LOSS || kind == RECORD_OVERHEAD ? trace_writer_mark(a->out, kind, &record)
	                                                      : trace_writer_record(a->out, kind, &record);
}

static enum status take_rank(struct lexer *lexer, int64_t *rank)
{
	for (int64_t i = 0; special_rank_names[i]; i++) {
		if (lexer_accept(lexer, special_rank_names[i])) {
			*rank = -1 - i;
			return OK;
		}
	}
	return lexer_integer(lexer, rank);
}

static enum status take_place(struct lexer *lexer, uint64_t *module, uint64_t *offset)
{
	const char *at = lexer->at;

	TRY(lexer_number(lexer, module));
	if (*module > UINT32_MAX)
		return lexer_fail(lexer, at, "a module's number is below 2^32");
	if (!lexer_accept_mark(lexer, '+'))
		return lexer_fail(lexer, lexer->at, "a site is written MODULE+OFFSET, such as 1+0x4f0");
	return lexer_number(lexer, offset);
}

static enum status take_path(struct assembler *a, struct draft_field *field)
{
	struct draft_site sites[PATH_DEPTH_MAX], *kept;
	size_t count = 0;

	do {
		if (count == PATH_DEPTH_MAX)
			return lexer_fail(&a->lexer, a->lexer.at, "a path has at most %d sites",
			                  PATH_DEPTH_MAX);
		TRY(take_place(&a->lexer, &sites[count].module, &sites[count].offset));
		count++;
	} while (lexer_accept_mark(&a->lexer, ','));
	kept = arena_array(a->arena, struct draft_site, count);
	memcpy(kept, sites, count * sizeof *kept);
	field->sites = kept;
	field->site_count = count;
	return OK;
}

static enum status take_field_value(struct assembler *a, struct draft_field *field)
{
	uint64_t bits;

	switch (field_form(field->key)) {
	case FORM_rank:
		return take_rank(&a->lexer, &field->value);
	case FORM_identity:
		TRY(lexer_number(&a->lexer, &bits));
		field->value = (int64_t)bits;
		return OK;
	case FORM_name:
		text_clear(&a->string);
		TRY(lexer_string(&a->lexer, &a->string));
		field->text = arena_text(a->arena, text_get(&a->string));
		return OK;
	case FORM_path:
		return take_path(a, field);
	case FORM_real:
		return lexer_real(&a->lexer, &field->value);
	case FORM_integer:
	case FORM_opens:
		break;
	}
	return lexer_integer(&a->lexer, &field->value);
}

static enum status unknown_field(const struct lexer *lexer, const char *at, size_t size)
{
	char word[64];
	struct nearest nearest = {.word = word};

	snprintf(word, sizeof word, "%.*s", (int)size, at);
	for (uint32_t key = 0; key < FIELD_KEYS; key++)
		if (field_name(key))
			nearest_offer(&nearest, field_name(key));
	return lexer_fail(lexer, at, "unknown field '%s'%s", word, did_you_mean(&nearest));
}

/* A field's name, or "field99" for an unknown field. */
static enum status find_key(struct lexer *lexer, const char *at, size_t size, uint32_t *key)
{
	static const char prefix[] = "field";
	struct lexer digits = *lexer;
	uint64_t number;

	for (uint32_t i = 0; i < FIELD_KEYS; i++) {
		const char *name = field_name(i);
		if (name && strlen(name) == size && memcmp(name, at, size) == 0) {
			*key = i;
			return OK;
		}
	}
	if (size < sizeof prefix || memcmp(at, prefix, sizeof prefix - 1) != 0)
		return unknown_field(lexer, at, size);
	digits.at = at + sizeof prefix - 1;
	digits.end = at + size;
	if (lexer_number(&digits, &number) != OK || digits.at != digits.end || number > UINT32_MAX)
		return unknown_field(lexer, at, size);
	*key = (uint32_t)number;
	return OK;
}

struct draft_fields {
	struct draft_field *at;
	size_t count, room;
};

static bool is_word(const char *at, size_t size, const char *word)
{
	return strlen(word) == size && memcmp(at, word, size) == 0;
}

static enum status take_event_key(struct assembler *a, struct draft_event *event, struct draft_fields *fields)
{
	struct draft_field *field;
	const char *word;
	size_t size;

	TRY(lexer_key(&a->lexer, &word, &size));
	if (is_word(word, size, "site")) {
		event->has_site = true;
		return take_place(&a->lexer, &event->module, &event->offset);
	}
	if (is_word(word, size, "polls"))
		return lexer_number(&a->lexer, &event->polls);
	if (is_word(word, size, "busy"))
		return lexer_number(&a->lexer, &event->busy);
	/* stolen_*: the old names. */
	if (is_word(word, size, "delay_before") || is_word(word, size, "stolen_before"))
		return lexer_number(&a->lexer, &event->delay_before);
	if (is_word(word, size, "delay_inside") || is_word(word, size, "stolen_inside"))
		return lexer_number(&a->lexer, &event->delay_inside);
	if (is_word(word, size, "blocked_before"))
		return lexer_number(&a->lexer, &event->blocked_before);
	if (fields->count == fields->room) {
		size_t room = fields->room ? fields->room * 2 : 16;
		struct draft_field *larger = arena_array(a->arena, struct draft_field, room);
		if (fields->count)
			memcpy(larger, fields->at, fields->count * sizeof *larger);
		fields->at = larger;
		fields->room = room;
	}
	field = &fields->at[fields->count++];
	TRY(find_key(&a->lexer, word, size, &field->key));
	return take_field_value(a, field);
}

/* Which only events have. */
static bool has_times_inside(const struct draft_event *event)
{
	return event->polls | event->busy | event->delay_before | event->delay_inside | event->blocked_before;
}

/* The rest of an event's line after its times. */
static enum status take_call(struct assembler *a, struct draft_event *event)
{
	struct draft_fields fields = {0};

	text_clear(&a->string);
	TRY(lexer_string(&a->lexer, &a->string));
	event->name = arena_text(a->arena, text_get(&a->string));
	while (!lexer_at_end(&a->lexer))
		TRY(take_event_key(a, event, &fields));
	if (event->delay_before > UINT32_MAX || event->delay_inside > UINT32_MAX ||
	    event->blocked_before > UINT32_MAX)
		return lexer_fail(&a->lexer, a->lexer.line,
		                  "time without a CPU is in microseconds, and below 2^32 of them");
	event->fields = fields.at;
	event->field_count = fields.count;
	return OK;
}

static enum status take_event(struct assembler *a)
{
	struct draft_event event = {0};
	const char *start = a->lexer.at;

	TRY(lexer_number(&a->lexer, &event.start));
	TRY(lexer_number(&a->lexer, &event.end));
	if (event.end < event.start)
		return lexer_fail(&a->lexer, start, "the event ends before it starts");
	TRY(take_call(a, &event));
	return trace_writer_event(a->out, &event);
}

static enum status take_open(struct assembler *a)
{
	struct draft_event event = {0};
	const char *start = a->lexer.at;

	TRY(lexer_number(&a->lexer, &event.start));
	TRY(take_call(a, &event));
	if (has_times_inside(&event))
		return lexer_fail(&a->lexer, start, "an open call has no polls and no scheduling delay");
	return trace_writer_open_call(a->out, &event);
}

static enum status take_skipped(struct assembler *a)
{
	struct draft_event event = {0};
	const char *start;
	uint64_t count;

	TRY(lexer_number(&a->lexer, &event.start));
	start = lexer_place(&a->lexer);
	TRY(lexer_number(&a->lexer, &count));
	if (!count)
		return lexer_fail(&a->lexer, start, "the number of skipped calls is at least 1");
	TRY(take_call(a, &event));
	if (has_times_inside(&event))
		return lexer_fail(&a->lexer, a->lexer.line,
		                  "skipped calls have no polls and no scheduling delay");
	return trace_writer_skipped(a->out, &event, count);
}

static enum status take_summed(struct assembler *a)
{
	struct draft_event event = {0};
	struct call_sums sums;
	uint64_t *const numbers[] = {&sums.count,   &sums.inside, &sums.shortest,
	                             &sums.longest, &sums.sent,   &sums.received};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		TRY(lexer_number(&a->lexer, numbers[i]));
	TRY(take_call(a, &event));
	if (has_times_inside(&event))
		return lexer_fail(&a->lexer, a->lexer.line, "sums have no polls and no scheduling delay");
	return trace_writer_summed(a->out, &event, &sums);
}

enum status assembler_parse_call(struct assembler *a, const char *text, struct arena *arena,
                                 struct draft_event *event)
{
	*event = (struct draft_event){0};
	a->arena = arena;
	a->lexer.next = text;
	a->lexer.text_end = text + strlen(text);
	if (!lexer_next_line(&a->lexer))
		return fail("%s: a call has no text", a->lexer.name);
	return take_call(a, event);
}

/* World and run of processes without these keys. */
enum { DEFAULT_WORLD = 1, DEFAULT_RUN = 1 };

static enum status begin_process(struct assembler *a, uint64_t world, uint32_t rank)
{
	TRY_BECAUSE(trace_writer_process(a->out, world, rank), "%s:%u:1", a->lexer.name, a->lexer.number);
	a->next_rank = rank + 1;
	a->world_size = 0;
	return OK;
}

static enum status add_world(struct assembler *a, uint64_t size, uint64_t run)
{
	a->world_size = size;
	return trace_writer_world(a->out, size, run);
}

static enum status take_process(struct assembler *a)
{
	uint64_t world = DEFAULT_WORLD, rank = a->next_rank, size = a->unnamed, run = DEFAULT_RUN;
	bool has_world = false, has_size = false;
	const struct text_key keys[] = {
		{"world", KEY_HEX, &world, NULL, &has_world},
		{"rank", KEY_RANK, &rank, NULL, NULL},
		{"size", KEY_NUMBER, &size, NULL, &has_size},
		{"run", KEY_HEX, &run, NULL, NULL},
		{0},
	};

	TRY(take_keys(&a->lexer, keys, NULL, NULL));
	TRY(begin_process(a, world, (uint32_t)rank));
	return has_size || !has_world ? add_world(a, size, run) : OK;
}

static enum status need_process(struct assembler *a)
{
	if (a->out->has_process)
		return OK;
	TRY(begin_process(a, DEFAULT_WORLD, 0));
	return add_world(a, a->unnamed ? a->unnamed : 1, DEFAULT_RUN);
}

static enum status need_thread(struct assembler *a)
{
	TRY(need_process(a));
	return trace_writer_in_thread(a->out) ? OK : trace_writer_thread(a->out, 0);
}

static enum status take_thread(struct assembler *a)
{
	struct thread_info info = {0};
	uint64_t number;
	bool has_id = false;
	const struct text_key keys[] = {
		{"tid", KEY_NUMBER, &info.id, NULL, &has_id},
		{"main", KEY_FLAG, &info.main, NULL, NULL},
		{0},
	};
	const char *start = lexer_place(&a->lexer);

	TRY(lexer_number(&a->lexer, &number));
	if (number >= STREAM_PROCESS)
		return lexer_fail(&a->lexer, start, "a thread's number is below %u", STREAM_PROCESS);
	TRY(take_keys(&a->lexer, keys, NULL, &a->string));
	TRY(trace_writer_thread(a->out, (uint32_t)number));
	if (!has_id && !info.main && !a->string.length)
		return OK;
	info.name = text_get(&a->string);
	return trace_writer_thread_info(a->out, &info);
}

static enum status add_pause(struct assembler *a, bool resumes)
{
	struct pause pause = {.resumes = resumes};

	TRY(lexer_number(&a->lexer, &pause.tick));
	pause.is_counted = lexer_accept(&a->lexer, "counted");
	TRY(take_end(&a->lexer));
	return trace_writer_mark(a->out, RECORD_PAUSE, &pause);
}

static enum status take_pause(struct assembler *a)
{
	return add_pause(a, false);
}

static enum status take_resume(struct assembler *a)
{
	return add_pause(a, true);
}

/* The kind has a line of its own here. */
static bool is_known_kind(const struct assembler *a, uint64_t kind)
{
	if (trace_writer_in_thread(a->out))
		return (kind >= RECORD_NAME && kind <= RECORD_OPEN) || kind == RECORD_SKIPPED ||
		       kind == RECORD_SUMMED;
	return kind == RECORD_LOSS || (kind >= RECORD_WORLD && kind <= RECORD_STAMP);
}

static enum status take_unknown(struct assembler *a)
{
	uint64_t kind = 0;
	struct record_list bytes = {"", 0};
	const struct text_key keys[] = {
		{"kind", KEY_NUMBER, &kind, NULL, NULL},
		{"bytes", KEY_BYTES, &bytes, NULL, NULL},
		{0},
	};

	TRY(take_keys(&a->lexer, keys, a->arena, NULL));
	if (kind > KIND_MASK)
		return lexer_fail(&a->lexer, a->lexer.line, "a kind is at most %d", KIND_MASK);
	if (is_known_kind(a, kind))
		return lexer_fail(&a->lexer, a->lexer.line, "kind %d is not unknown: use its own line",
		                  (int)kind);
	return trace_writer_bytes(a->out, (enum record_kind)kind, bytes.items, bytes.count);
}

static enum status take_heading(struct assembler *a)
{
	const char *start = lexer_place(&a->lexer);
	uint64_t version;

	if (!lexer_accept(&a->lexer, "trace"))
		return lexer_fail(&a->lexer, start, "the first line of a trace is 'tarry trace %d'",
		                  TRACE_TEXT_VERSION);
	start = lexer_place(&a->lexer);
	TRY(lexer_number(&a->lexer, &version));
	if (version != TRACE_TEXT_VERSION)
		return lexer_fail(&a->lexer, start,
		                  "the text has version %llu, but this tarry reads version %d",
		                  (unsigned long long)version, TRACE_TEXT_VERSION);
	return take_end(&a->lexer);
}

static const struct line_kind {
	const char *word;
	enum status (*need)(
		struct assembler *a); /* begins a process or thread if none has begun; may be NULL */
	enum status (*take)(struct assembler *a);
} line_kinds[] = {
	{"tarry", NULL, take_heading},           {"process", NULL, take_process},
	{"thread", need_process, take_thread},   {"pause", need_thread, take_pause},
	{"resume", need_thread, take_resume},    {"open", need_thread, take_open},
	{"skipped", need_thread, take_skipped},  {"summed", need_thread, take_summed},
	{"unknown", need_process, take_unknown}, {0},
};

/* The record with the next word as the first of its line; 0: none. */
static enum record_kind accept_record(struct lexer *lexer)
{
	for (int kind = 1; kind <= KIND_MASK; kind++)
		if (record_layouts[kind].word && lexer_accept(lexer, record_layouts[kind].word))
			return kind;
	return 0;
}

static enum status take_line(struct assembler *a)
{
	char first = lexer_peek(&a->lexer);
	enum record_kind record;

	if (first >= '0' && first <= '9') {
		TRY(need_thread(a));
		return take_event(a);
	}
	for (const struct line_kind *kind = line_kinds; kind->word; kind++) {
		if (!lexer_accept(&a->lexer, kind->word))
			continue;
		if (kind->need)
			TRY(kind->need(a));
		return kind->take(a);
	}
	record = accept_record(&a->lexer);
	if (record) {
		TRY(record == RECORD_OVERHEAD ? need_thread(a) : need_process(a));
		return take_record_line(a, record);
	}
	char word[64];
	struct nearest nearest = {.word = word};
	const char *start = a->lexer.at;
	const char *at;
	size_t size;
	TRY(lexer_word(&a->lexer, &at, &size));
	snprintf(word, sizeof word, "%.*s", (int)size, at);
	for (const struct line_kind *kind = line_kinds; kind->word; kind++)
		nearest_offer(&nearest, kind->word);
	for (int kind = 0; kind <= KIND_MASK; kind++)
		if (record_layouts[kind].word)
			nearest_offer(&nearest, record_layouts[kind].word);
	return lexer_fail(&a->lexer, start, "no line begins with '%s'%s", word, did_you_mean(&nearest));
}

struct assembler *assembler_new(const char *name, struct trace_writer *out)
{
	struct assembler *a = memory_new(1, sizeof *a);

	a->lexer.name = name;
	a->out = out;
	return a;
}

void assembler_free(struct assembler *a)
{
	arena_release(&a->scratch);
	text_release(&a->string);
	free(a);
}

enum status assembler_add(struct assembler *a, const char *lines, size_t size)
{
	a->lexer.next = lines;
	a->lexer.text_end = lines + size;
	a->arena = &a->scratch;
	while (lexer_next_line(&a->lexer)) {
		text_clear(&a->string);
		TRY(take_line(a));
		arena_release(&a->scratch);
	}
	return OK;
}

enum status trace_assemble(const char *name, const char *text, size_t size, const char *output,
                           size_t chunk_bytes)
{
	struct trace_writer out;
	struct assembler *a;
	enum status status;
	struct lexer lexer = {.next = text, .text_end = text + size};

	TRY(trace_writer_open(&out, output, chunk_bytes));
	a = assembler_new(name, &out);
	while (lexer_next_line(&lexer))
		if (lexer_accept(&lexer, "process") &&
		    !memmem(lexer.at, (size_t)(lexer.end - lexer.at), "world=", strlen("world=")))
			a->unnamed++;
	status = assembler_add(a, text, size);
	assembler_free(a);
	if (status == OK && !out.has_process)
		status = fail("%s: it has no process and no event", name);
	if (status == OK)
		return trace_writer_commit(&out);
	trace_writer_discard(&out);
	return status;
}
