/* memmem() */
#define _GNU_SOURCE

#include "base/memory.h"
#include "trace/assembler.h"

#include <stdlib.h>
#include <string.h>

/* World and run of processes that do not name theirs. */
enum { DEFAULT_WORLD = 1, DEFAULT_RUN = 1 };

static enum status end_process(struct assembler *a)
{
	TRY(chunk_writer_end(&a->own));
	return chunk_writer_end(&a->events);
}

static enum status begin_process(struct assembler *a, uint64_t world, uint32_t rank, const char *at)
{
	uint64_t identity[2] = {world, rank};
	uint64_t known = a->processes.count;

	TRY(end_process(a));
	if (intern(&a->processes, identity, sizeof identity)->number != known)
		return lexer_fail(&a->lexer, at, "this process was described before");
	a->has_process = true;
	a->world = world;
	a->rank = rank;
	a->next_rank = rank + 1;
	a->sequence = 0;
	chunk_writer_begin(&a->own, world, rank, STREAM_PROCESS);
	return OK;
}

enum status add_own(struct assembler *a, enum record_kind kind)
{
	return chunk_writer_long(&a->own, kind, text_get(&a->body), a->body.length);
}

static enum status add_world(struct assembler *a, uint64_t size, uint64_t run)
{
	a->size = size;
	add_u64(&a->body, a->world);
	add_varint(&a->body, a->rank);
	add_varint(&a->body, size);
	add_u64(&a->body, run);
	return add_own(a, RECORD_WORLD);
}

static enum status take_process(struct assembler *a)
{
	const char *start = a->lexer.line;
	uint64_t world = DEFAULT_WORLD, rank = a->next_rank, size = a->unnamed, run = DEFAULT_RUN;
	bool has_world = false, has_size = false;
	const struct key keys[] = {
		{"world", KEY_HEX, &world, NULL, &has_world},
		{"rank", KEY_RANK, &rank, NULL, NULL},
		{"size", KEY_NUMBER, &size, NULL, &has_size},
		{"run", KEY_HEX, &run, NULL, NULL},
		{0},
	};

	TRY(take_keys(&a->lexer, keys, NULL));
	TRY(begin_process(a, world, (uint32_t)rank, start));
	a->size = 0;
	return has_size || !has_world ? add_world(a, size, run) : OK;
}

static enum status need_process(struct assembler *a)
{
	if (a->has_process)
		return OK;
	TRY(begin_process(a, DEFAULT_WORLD, 0, a->lexer.line));
	TRY(add_world(a, a->unnamed ? a->unnamed : 1, DEFAULT_RUN));
	text_clear(&a->body);
	return OK;
}

static enum status begin_thread(struct assembler *a, uint32_t number)
{
	if (a->events.begun && a->thread == number)
		return OK;
	TRY(chunk_writer_end(&a->events));
	a->thread = number;
	chunk_writer_begin(&a->events, a->world, a->rank, number);
	return OK;
}

static enum status need_thread(struct assembler *a)
{
	return a->events.begun ? OK : begin_thread(a, 0);
}

static enum status take_thread(struct assembler *a)
{
	uint64_t number, id = 0;
	bool has_id = false, is_main = false;
	const struct key keys[] = {
		{"tid", KEY_NUMBER, &id, NULL, &has_id},
		{"main", KEY_FLAG, &is_main, NULL, NULL},
		{0},
	};
	const char *start = lexer_place(&a->lexer);

	TRY(lexer_number(&a->lexer, &number));
	if (number >= STREAM_PROCESS)
		return lexer_fail(&a->lexer, start, "a thread's number is below %u", STREAM_PROCESS);
	TRY(take_keys(&a->lexer, keys, &a->string));
	TRY(begin_thread(a, (uint32_t)number));
	if (!has_id && !is_main && !a->string.length)
		return OK;
	return chunk_writer_thread(&a->events, id, is_main, text_get(&a->string));
}

static enum status add_here(struct assembler *a, enum record_kind kind)
{
	struct chunk_writer *writer = a->events.begun ? &a->events : &a->own;

	return chunk_writer_long(writer, kind, text_get(&a->body), a->body.length);
}

static enum status take_blind(struct assembler *a)
{
	uint64_t tick;

	TRY(lexer_number(&a->lexer, &tick));
	if (!lexer_at_end(&a->lexer))
		TRY(lexer_string(&a->lexer, &a->string));
	TRY(take_end(&a->lexer));
	add_varint(&a->body, tick);
	add_text(&a->body, &a->string);
	return add_here(a, RECORD_BLIND);
}

static enum status add_pause(struct assembler *a, bool resumes)
{
	uint64_t tick;

	TRY(lexer_number(&a->lexer, &tick));
	TRY(take_end(&a->lexer));
	TRY(need_thread(a));
	add_varint(&a->body, tick);
	add_varint(&a->body, resumes);
	return add_here(a, RECORD_PAUSE);
}

static enum status take_pause(struct assembler *a)
{
	return add_pause(a, false);
}

static enum status take_resume(struct assembler *a)
{
	return add_pause(a, true);
}

/* A kind that has a line of its own would be read as that, and may number things. */
static bool is_known_kind(const struct assembler *a, uint64_t kind)
{
	if (a->events.begun)
		return kind >= RECORD_NAME && kind <= RECORD_STOLEN;
	return kind == RECORD_BLIND || (kind >= RECORD_WORLD && kind <= RECORD_STAMP);
}

static enum status take_unknown(struct assembler *a)
{
	uint64_t kind = 0;
	const struct key keys[] = {
		{"kind", KEY_NUMBER, &kind, NULL, NULL},
		{"bytes", KEY_BYTES, &a->body, NULL, NULL},
		{0},
	};

	TRY(take_keys(&a->lexer, keys, NULL));
	if (kind > KIND_MASK)
		return lexer_fail(&a->lexer, a->lexer.line, "a kind is at most %d", KIND_MASK);
	if (is_known_kind(a, kind))
		return lexer_fail(&a->lexer, a->lexer.line, "kind %d is not unknown: use its own line",
		                  (int)kind);
	return add_here(a, (enum record_kind)kind);
}

static enum status take_heading(struct assembler *a)
{
	const char *start = lexer_place(&a->lexer);
	uint64_t version;

	if (!lexer_accept(&a->lexer, "trace"))
		return lexer_fail(&a->lexer, start, "the first line of a trace is 'tarry trace %d'",
		                  TRACE_VERSION);
	start = lexer_place(&a->lexer);
	TRY(lexer_number(&a->lexer, &version));
	if (version != TRACE_VERSION)
		return lexer_fail(&a->lexer, start,
		                  "the text is of version %llu, and this tarry knows version %d",
		                  (unsigned long long)version, TRACE_VERSION);
	return take_end(&a->lexer);
}

static const struct line_kind {
	const char *word;
	bool in_process; /* needs one: begins it if there is none */
	enum status (*take)(struct assembler *a);
} line_kinds[] = {
	{"tarry", false, take_heading},
	{"process", false, take_process},
	{"property", true, take_property},
	{"clock", true, take_clock},
	{"module", true, take_module},
	{"comm", true, take_comm},
	{"object", true, take_object},
	{"eager", true, take_eager},
	{"compare", true, take_compare},
	{"source", true, take_source},
	{"stamp", true, take_stamp},
	{"thread", true, take_thread},
	{"blind", true, take_blind},
	{"pause", true, take_pause},
	{"resume", true, take_resume},
	{"unknown", true, take_unknown},
	{NULL, false, NULL},
};

static enum status unknown_line(struct lexer *lexer)
{
	char word[64];
	struct nearest nearest = {.word = word};
	const char *start = lexer->at;
	const char *at;
	size_t size;

	TRY(lexer_word(lexer, &at, &size));
	snprintf(word, sizeof word, "%.*s", (int)size, at);
	for (const struct line_kind *kind = line_kinds; kind->word; kind++)
		nearest_offer(&nearest, kind->word);
	return lexer_fail(lexer, start, "no line begins with '%s'%s", word, did_you_mean(&nearest));
}

static enum status take_line(struct assembler *a)
{
	char first = lexer_peek(&a->lexer);

	if (first >= '0' && first <= '9') {
		TRY(need_process(a));
		TRY(need_thread(a));
		return take_event(a);
	}
	for (const struct line_kind *kind = line_kinds; kind->word; kind++) {
		if (!lexer_accept(&a->lexer, kind->word))
			continue;
		if (kind->in_process)
			TRY(need_process(a));
		return kind->take(a);
	}
	return unknown_line(&a->lexer);
}

static enum status take_lines(struct assembler *a)
{
	while (lexer_next_line(&a->lexer)) {
		text_clear(&a->body);
		text_clear(&a->string);
		TRY(take_line(a));
		arena_release(&a->scratch);
	}
	return OK;
}

static enum status end_lines(struct assembler *a)
{
	if (!a->has_process)
		return fail("%s: there is no process and no event in it", a->lexer.name);
	return end_process(a);
}

static uint64_t count_unnamed_processes(struct lexer lexer)
{
	uint64_t count = 0;

	while (lexer_next_line(&lexer))
		if (lexer_accept(&lexer, "process") &&
		    !memmem(lexer.at, (size_t)(lexer.end - lexer.at), "world=", strlen("world=")))
			count++;
	return count;
}

static void release(struct assembler *a)
{
	chunk_writer_release(&a->own);
	chunk_writer_release(&a->events);
	arena_release(&a->arena);
	arena_release(&a->scratch);
	text_release(&a->body);
	text_release(&a->string);
	free(a);
}

enum status assembler_open(const char *name, const char *output, size_t chunk_bytes,
                           struct assembler **assembler)
{
	struct assembler *a = memory_new(1, sizeof *a);

	a->lexer.name = name;
	a->processes.arena = &a->arena;
	if (output_open(&a->output, output) != OK) {
		free(a);
		return FAILED;
	}
	a->own = a->events = (struct chunk_writer){
		.out = a->output.file, .chunk_bytes = chunk_bytes, .sequence = &a->sequence};
	*assembler = a;
	return OK;
}

enum status assembler_add(struct assembler *a, const char *lines, size_t size)
{
	a->lexer.next = lines;
	a->lexer.text_end = lines + size;
	return take_lines(a);
}

void assembler_discard(struct assembler *a)
{
	output_discard(&a->output);
	release(a);
}

enum status assembler_commit(struct assembler *a)
{
	enum status status = end_lines(a);

	if (status != OK) {
		assembler_discard(a);
		return status;
	}
	status = output_commit(&a->output);
	release(a);
	return status;
}

enum status trace_assemble(const char *name, const char *text, size_t size, const char *output,
                           size_t chunk_bytes)
{
	struct assembler *a;

	TRY(assembler_open(name, output, chunk_bytes, &a));
	a->unnamed = count_unnamed_processes((struct lexer){.next = text, .text_end = text + size});
	if (assembler_add(a, text, size) != OK) {
		assembler_discard(a);
		return FAILED;
	}
	return assembler_commit(a);
}
