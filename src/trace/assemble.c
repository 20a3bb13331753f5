/* memmem() */
#define _GNU_SOURCE

#include "base/memory.h"
#include "trace/assembler.h"

#include <stdlib.h>
#include <string.h>

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
		return (kind >= RECORD_NAME && kind <= RECORD_OPEN) || kind == RECORD_SKIPPED;
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
	{"tarry", NULL, take_heading},
	{"process", NULL, take_process},
	{"thread", need_process, take_thread},
	{"pause", need_thread, take_pause},
	{"resume", need_thread, take_resume},
	{"open", need_thread, take_open},
	{"skipped", need_thread, take_skipped},
	{"unknown", need_process, take_unknown},
	{0},
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
