#include "trace/text.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum field_form form;
} fields[FIELD_KEYS] = {
#define FIELD(number, NAME, text, form) [number] = {text, FORM_##form},
	TRACE_FIELDS(FIELD)
#undef FIELD
};

const char *const special_rank_names[] = {"any", "null", "root", NULL};

const char *field_name(uint32_t key)
{
	return key < FIELD_KEYS ? fields[key].name : NULL;
}

enum field_form field_form(uint32_t key)
{
	return key < FIELD_KEYS ? fields[key].form : FORM_integer;
}

static void add_escaped(struct text *text, unsigned char letter)
{
	if (letter == '"' || letter == '\\')
		text_add(text, "\\%c", letter);
	else if (letter == '\n')
		text_add(text, "\\n");
	else if (letter == '\t')
		text_add(text, "\\t");
	else
		text_add(text, "\\x%02x", letter);
}

static bool is_plain(uint32_t code)
{
	return code != UTF8_INVALID && !utf8_is_control(code) && code != '"' && code != '\\';
}

void text_add_quoted(struct text *text, const char *string)
{
	const char *end = string + strlen(string);

	text_add_bytes(text, "\"", 1);
	while (string < end) {
		const char *begin = string;
		if (is_plain(utf8_next(&string, end)))
			text_add_bytes(text, begin, (size_t)(string - begin));
		else
			for (; begin < string; begin++)
				add_escaped(text, (unsigned char)*begin);
	}
	text_add_bytes(text, "\"", 1);
}

static bool is_word(const char *string)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

	return *string && (unsigned char)(*string - '0') > 9 && !string[strspn(string, letters)];
}

void text_add_word(struct text *text, const char *string)
{
	if (is_word(string))
		text_add_bytes(text, string, strlen(string));
	else
		text_add_quoted(text, string);
}

/* As few digits as identify the number. */
void text_add_real(struct text *text, int64_t bits)
{
	enum { DIGITS_USUAL = 15, DIGITS_ENOUGH = 17 };
	char shown[40];
	double number;

	memcpy(&number, &bits, sizeof number);
	if (!isfinite(number)) {
		text_add(text, "0x%" PRIx64, (uint64_t)bits);
		return;
	}
	for (int digits = DIGITS_USUAL; digits <= DIGITS_ENOUGH; digits++) {
		snprintf(shown, sizeof shown, "%.*g", digits, number);
		if (strtod(shown, NULL) == number)
			break;
	}
	text_add(text, "%s", shown);
}

static void add_kind(struct text *text, const char *const *names, uint64_t kind)
{
	for (uint64_t i = 0; names[i]; i++) {
		if (i == kind) {
			text_add(text, "%s", names[i]);
			return;
		}
	}
	text_add(text, "%" PRIu64, kind);
}

static void add_hex(struct text *text, const uint8_t *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < size; i++) {
		char pair[2] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
		text_add_bytes(text, pair, sizeof pair);
	}
}

static void add_unknown(struct text *text, uint8_t kind, const uint8_t *body, size_t size)
{
	text_add(text, "unknown kind=%u bytes=", kind);
	add_hex(text, body, size);
	text_add(text, "\n");
}

static void add_group(struct text *text, const struct rank_run *runs, size_t count)
{
	for (const struct rank_run *run = runs; run < runs + count; run++) {
		text_add(text, "%s%" PRIx64 ":%" PRIu32, run > runs ? "," : "", run->world, run->first);
		if (run->stride != 1)
			text_add(text, "/%" PRId64 "*%" PRIu32, run->stride, run->count);
		else if (run->count > 1)
			text_add(text, "-%" PRIu32, run->first + run->count - 1);
	}
}

static void add_number(struct text *text, const struct record_member *member, uint64_t number)
{
	if (member->names)
		add_kind(text, member->names, number);
	else
		text_add(text, member->is_hex ? "0x%" PRIx64 : "%" PRIu64, number);
}

static void add_member(struct text *text, const struct record_member *member, const void *value)
{
	const struct record_list list = member->form >= MEMBER_BYTES ? record_list(value)
	                                                             : (struct record_list){0};
	const struct clock_point *points = list.items;

	if (member->form >= MEMBER_BYTES && !list.count)
		return;
	text_add(text, " ");
	if (member->key)
		text_add(text, "%s=", member->key);
	switch (member->form) {
	case MEMBER_STRING:
	case MEMBER_REST:
		(member->is_word ? text_add_word : text_add_quoted)(text, *(const char *const *)value);
		break;
	case MEMBER_BYTES:
		add_hex(text, list.items, list.count);
		break;
	case MEMBER_POINTS:
		for (size_t i = 0; i < list.count; i++)
			text_add(text, "%stick=%" PRIu64 " ns=%" PRIu64, i ? " " : "", points[i].tick,
			         points[i].ns);
		break;
	case MEMBER_GROUP:
	case MEMBER_OTHERS:
		add_group(text, list.items, list.count);
		break;
	default:
		add_number(text, member, *(const uint64_t *)value);
	}
}

static void add_record(struct text *text, uint8_t kind, const void *record)
{
	text_add(text, "%s", record_layouts[kind].word);
	for (const struct record_member *member = record_layouts[kind].members; member->form; member++)
		add_member(text, member, record_member_at(record, member));
	text_add(text, "\n");
}

void text_add_thread(struct text *text, uint32_t number, const struct thread_info *thread)
{
	text_add(text, "thread %" PRIu32, number);
	if (thread->known) {
		text_add(text, " tid=%" PRIu64 "%s ", thread->id, thread->main ? " main" : "");
		text_add_quoted(text, thread->name);
	}
	text_add(text, "\n");
}

void text_add_record(struct text *text, const struct process *process, const struct process_record *record)
{
	if (!record->understood)
		add_unknown(text, record->kind, record->body, record->size);
	else if (record->kind != RECORD_WORLD)
		add_record(text, record->kind, process_record_at(process, record->kind, record->index));
}

void text_add_process(struct text *text, const struct process *process)
{
	text_add(text, "process world=%" PRIx64, process->world);
	if (process->rank == PROCESS_UNKNOWN)
		text_add(text, " rank=unknown");
	else
		text_add(text, " rank=%" PRIu32, process->rank);
	if (process->has_size)
		text_add(text, " size=%" PRIu64 " run=%" PRIx64, process->size, process->run);
	text_add(text, "\n");
}

void text_add_path(struct text *text, const struct path *path)
{
	for (const char *comma = ""; path; path = path->caller, comma = ",")
		text_add(text, "%s%" PRIu64 "+0x%" PRIx64, comma, path->module, path->offset);
}

void text_add_field(struct text *text, const struct process *process, struct field field)
{
	const char *name = field_name(field.key);

	if (name)
		text_add(text, " %s=", name);
	else
		text_add(text, " field%" PRIu32 "=", field.key);
	switch (field_form(field.key)) {
	case FORM_rank:
		if (field.value < 0 && field.value >= RANK_ROOT)
			text_add(text, "%s", special_rank_names[-1 - field.value]);
		else
			text_add(text, "%" PRId64, field.value);
		break;
	case FORM_identity:
		text_add(text, "0x%" PRIx64, (uint64_t)field.value);
		break;
	case FORM_name:
		text_add_quoted(text, field_text(field));
		break;
	case FORM_path:
		text_add_path(text, process->paths[field.value]);
		break;
	case FORM_real:
		text_add_real(text, field.value);
		break;
	case FORM_integer:
	case FORM_opens:
		text_add(text, "%" PRId64, field.value);
		break;
	}
}

void text_add_fields(struct text *text, const struct process *process, const struct call *call)
{
	for (uint32_t i = 0; i < field_count(call); i++)
		text_add_field(text, process, field_at(call, i));
}

static void add_function(struct text *text, const struct call *call)
{
	text_add(text, " ");
	text_add_word(text, call->outline->name);
	if (call->outline->has_site)
		text_add(text, " site=%" PRIu32 "+0x%" PRIx64, call->outline->module, call->outline->offset);
}

void text_add_call(struct text *text, const struct process *process, const struct call *call)
{
	add_function(text, call);
	text_add_fields(text, process, call);
}

void text_add_open(struct text *text, const struct process *process, const struct open_call *open)
{
	text_add(text, "open %" PRIu64, open->start);
	add_function(text, open->call);
	for (uint32_t i = 0; i < field_count(open->call); i++)
		if (open_call_knows(field_key_at(open->call, i)))
			text_add_field(text, process, field_at(open->call, i));
}

static void add_summed(struct text *text, const struct process *process, const struct summed_calls *summed)
{
	const struct call_sums *sums = &summed->sums;

	text_add(text, "summed %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
	         sums->count, sums->inside, sums->shortest, sums->longest, sums->sent, sums->received);
	text_add_call(text, process, summed->call);
	text_add(text, "\n");
}

static bool same_thread(const struct thread_info *a, const struct thread_info *b)
{
	return a->known == b->known && a->id == b->id && a->main == b->main && strcmp(a->name, b->name) == 0;
}

void text_add_item(struct text *text, const struct stream *stream, const struct item *item,
                   struct thread_info *thread)
{
	const struct pause *pause = &item->record.pause;

	switch (item->kind) {
	case RECORD_LOSS:
	case RECORD_OVERHEAD:
		add_record(text, item->kind, &item->record);
		break;
	case RECORD_PAUSE:
		text_add(text, "%s %" PRIu64 "%s\n", pause->resumes ? "resume" : "pause", pause->tick,
		         pause->is_counted ? " counted" : "");
		break;
	case RECORD_OPEN:
		text_add_open(text, stream->process, &item->open);
		text_add(text, "\n");
		break;
	case RECORD_SKIPPED:
		text_add(text, "skipped %" PRIu64 " %" PRIu64, item->skipped.tick, item->skipped.count);
		text_add_call(text, stream->process, item->skipped.call);
		text_add(text, "\n");
		break;
	case RECORD_SUMMED:
		add_summed(text, stream->process, &item->summed);
		break;
	case RECORD_THREAD:
		if (!same_thread(thread, &item->record.thread))
			text_add_thread(text, stream->number, &item->record.thread);
		*thread = item->record.thread;
		break;
	default:
		add_unknown(text, item->kind, item->body, item->size);
	}
}
