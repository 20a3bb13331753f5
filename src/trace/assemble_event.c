#include "trace/assembler.h"

#include <string.h>

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
