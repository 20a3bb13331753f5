#include "trace/assembler.h"

#include <string.h>

/* What the lexer read of a string, to keep. */
static const char *kept_string(struct assembler *a)
{
	return arena_text(a->arena, text_get(&a->string));
}

static enum status take_string(struct assembler *a, const char **string)
{
	text_clear(&a->string);
	TRY(lexer_string(&a->lexer, &a->string));
	*string = kept_string(a);
	return OK;
}

/* A string that may be missing, and then the end of the line. */
static enum status take_last_string(struct assembler *a, const char **string)
{
	*string = "";
	if (!lexer_at_end(&a->lexer))
		TRY(take_string(a, string));
	return take_end(&a->lexer);
}

/* Keys in any order, among them a string. */
static enum status take_keys_and_string(struct assembler *a, const struct text_key *keys, const char **string)
{
	text_clear(&a->string);
	TRY(take_keys(&a->lexer, keys, a->arena, &a->string));
	*string = kept_string(a);
	return OK;
}

enum status take_property(struct assembler *a)
{
	struct property property;

	TRY(take_string(a, &property.key));
	TRY(take_last_string(a, &property.value));
	return trace_writer_property(a->out, property.key, property.value);
}

enum status take_clock(struct assembler *a)
{
	struct clock clock = {0};
	struct clock_point point;
	const struct text_key tick_key[] = {{"tick", KEY_NUMBER, &point.tick, NULL, NULL}, {0}};
	const struct text_key ns_key[] = {{"ns", KEY_NUMBER, &point.ns, NULL, NULL}, {0}};

	TRY(take_string(a, &clock.name));
	TRY(lexer_number(&a->lexer, &clock.ticks_per_second));
	while (!lexer_at_end(&a->lexer)) {
		TRY(take_key(&a->lexer, tick_key, NULL));
		TRY(take_key(&a->lexer, ns_key, NULL));
		arena_add(a->arena, clock.points, clock.point_count, point);
	}
	return trace_writer_clock(a->out, &clock);
}

enum status take_module(struct assembler *a)
{
	struct module module = {0};
	struct text build_id = {0};
	const struct text_key keys[] = {
		{"base", KEY_NUMBER, &module.base, NULL, NULL},
		{"size", KEY_NUMBER, &module.size, NULL, NULL},
		{"build-id", KEY_BYTES, &build_id, NULL, NULL},
		{0},
	};
	enum status status;

	TRY(lexer_number(&a->lexer, &module.number));
	status = take_keys_and_string(a, keys, &module.path);
	if (status == OK) {
		module.build_id = (const uint8_t *)text_get(&build_id);
		module.build_id_size = build_id.length;
		status = trace_writer_module(a->out, &module);
	}
	text_release(&build_id);
	return status;
}

enum status take_source(struct assembler *a)
{
	struct module module = {0};

	TRY(lexer_number(&a->lexer, &module.number));
	TRY(take_string(a, &module.path));
	TRY(take_last_string(a, &module.function));
	return trace_writer_module(a->out, &module);
}

enum status take_stamp(struct assembler *a)
{
	struct stamp stamp = {0};
	const struct text_key keys[] = {
		{"size", KEY_NUMBER, &stamp.bytes, NULL, NULL},
		{"ns", KEY_NUMBER, &stamp.changed_ns, NULL, NULL},
		{0},
	};

	TRY(lexer_number(&a->lexer, &stamp.module));
	TRY(take_keys(&a->lexer, keys, NULL, NULL));
	return trace_writer_stamp(a->out, &stamp);
}

/* Where members are given, they say how many there are. */
static enum status check_group(const struct lexer *lexer, const struct group *group, bool has_size,
                               uint64_t *size)
{
	uint64_t members = 0;

	for (size_t i = 0; i < group->run_count; i++)
		members += group->runs[i].count;
	if (group->run_count && has_size && *size != members)
		return lexer_fail(lexer, lexer->line, "a group of %llu has %llu members",
		                  (unsigned long long)*size, (unsigned long long)members);
	if (group->run_count)
		*size = members;
	return OK;
}

enum status take_comm(struct assembler *a)
{
	struct comm comm = {.rank = a->out->rank, .size = a->world_size};
	bool has_size = false, has_remote = false;
	const struct text_key keys[] = {
		{"parent", KEY_NUMBER, &comm.parent, NULL, NULL},
		{"kind", KEY_CHOICE, &comm.kind, comm_kind_names, NULL},
		{"rank", KEY_NUMBER, &comm.rank, NULL, NULL},
		{"size", KEY_NUMBER, &comm.size, NULL, &has_size},
		{"remote", KEY_NUMBER, &comm.remote_size, NULL, &has_remote},
		{"members", KEY_GROUP, &comm.local, NULL, NULL},
		{"others", KEY_GROUP, &comm.remote, NULL, NULL},
		{0},
	};

	TRY(lexer_number(&a->lexer, &comm.identity));
	TRY(take_keys_and_string(a, keys, &comm.name));
	if (comm.remote.run_count && comm.kind != COMM_INTER)
		return lexer_fail(&a->lexer, a->lexer.line, "only a communicator of kind 'inter' has others");
	TRY(check_group(&a->lexer, &comm.local, has_size, &comm.size));
	TRY(check_group(&a->lexer, &comm.remote, has_remote, &comm.remote_size));
	return trace_writer_comm(a->out, &comm);
}

enum status take_object(struct assembler *a)
{
	struct object object = {0};
	const struct text_key keys[] = {
		{"comm", KEY_NUMBER, &object.comm, NULL, NULL},
		{"size", KEY_NUMBER, &object.size, NULL, NULL},
		{"unit", KEY_NUMBER, &object.unit, NULL, NULL},
		{0},
	};

	TRY(lexer_choice(&a->lexer, object_kind_names, &object.kind));
	TRY(lexer_number(&a->lexer, &object.identity));
	TRY(take_keys_and_string(a, keys, &object.name));
	return trace_writer_object(a->out, &object);
}

enum status take_eager(struct assembler *a)
{
	struct eager eager;

	TRY(lexer_number(&a->lexer, &eager.bytes));
	TRY(take_last_string(a, &eager.distance));
	return trace_writer_eager(a->out, &eager);
}

enum status take_compare(struct assembler *a)
{
	struct clock_comparison comparison = {0};
	const struct text_key keys[] = {
		{"tick", KEY_NUMBER, &comparison.tick, NULL, NULL},
		{"other", KEY_NUMBER, &comparison.other, NULL, NULL},
		{"rate", KEY_NUMBER, &comparison.other_rate, NULL, NULL},
		{"uncertainty", KEY_NUMBER, &comparison.uncertainty_ns, NULL, NULL},
		{0},
	};

	TRY(take_keys_and_string(a, keys, &comparison.clock));
	return trace_writer_comparison(a->out, &comparison);
}

/* Events */

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

/* A field's name, or "field99" for one that has none. */
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

static enum status take_site(struct lexer *lexer, struct draft_event *event)
{
	event->has_site = true;
	return take_place(lexer, &event->module, &event->offset);
}

struct draft_fields {
	struct draft_field *at;
	size_t count, room;
};

static struct draft_field *add_field(struct assembler *a, struct draft_fields *fields)
{
	if (fields->count == fields->room) {
		size_t room = fields->room ? fields->room * 2 : 16;
		struct draft_field *larger = arena_array(a->arena, struct draft_field, room);
		if (fields->count)
			memcpy(larger, fields->at, fields->count * sizeof *larger);
		fields->at = larger;
		fields->room = room;
	}
	return &fields->at[fields->count++];
}

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
	if (is_word(word, size, "site"))
		return take_site(&a->lexer, event);
	if (is_word(word, size, "polls"))
		return lexer_number(&a->lexer, &event->polls);
	if (is_word(word, size, "busy"))
		return lexer_number(&a->lexer, &event->busy);
	if (is_word(word, size, "stolen_before"))
		return lexer_number(&a->lexer, &event->stolen_before);
	if (is_word(word, size, "stolen_inside"))
		return lexer_number(&a->lexer, &event->stolen_inside);
	field = add_field(a, fields);
	TRY(find_key(&a->lexer, word, size, &field->key));
	return take_field_value(a, field);
}

/* What follows an event's times. */
static enum status take_call(struct assembler *a, struct draft_event *event)
{
	struct draft_fields fields = {0};

	text_clear(&a->string);
	TRY(lexer_string(&a->lexer, &a->string));
	event->name = arena_text(a->arena, text_get(&a->string));
	while (!lexer_at_end(&a->lexer))
		TRY(take_event_key(a, event, &fields));
	if (event->stolen_before > UINT32_MAX || event->stolen_inside > UINT32_MAX)
		return lexer_fail(&a->lexer, a->lexer.line,
		                  "stolen time is in microseconds, and below 2^32 of them");
	event->fields = fields.at;
	event->field_count = fields.count;
	return OK;
}

enum status take_event(struct assembler *a)
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

enum status take_open(struct assembler *a)
{
	struct draft_event event = {0};
	const char *start = a->lexer.at;

	TRY(lexer_number(&a->lexer, &event.start));
	TRY(take_call(a, &event));
	if (event.polls | event.busy | event.stolen_before | event.stolen_inside)
		return lexer_fail(&a->lexer, start, "an open call has no polls and no stolen time");
	return trace_writer_open_call(a->out, &event);
}

enum status take_skipped(struct assembler *a)
{
	struct draft_event event = {0};
	const char *start;
	uint64_t count;

	TRY(lexer_number(&a->lexer, &event.start));
	start = lexer_place(&a->lexer);
	TRY(lexer_number(&a->lexer, &count));
	if (!count)
		return lexer_fail(&a->lexer, start, "skipped calls are at least one");
	TRY(take_call(a, &event));
	if (event.polls | event.busy | event.stolen_before | event.stolen_inside)
		return lexer_fail(&a->lexer, a->lexer.line, "skipped calls have no polls and no stolen time");
	return trace_writer_skipped(a->out, &event, count);
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
