#include "job/record/process.h"

#include "base/hash.h"
#include "base/notes.h"
#include "base/settings.h"
#include "job/record/file_summaries.h"
#include "job/record/other_threads.h"
#include "job/record/probes.h"
#include "job/record/timer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	PROCESS_CHUNK = PAGE_BYTES,
	OBJECTS_PER_BLOCK = 4096,
	BLOCKS = 4096,
	TEXTS = 16384,
	TEXT_SLOTS = 2 * TEXTS
};

struct recording_process process = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .rank = PROCESS_UNKNOWN};
bool process_is_multithreaded;

struct rank_state first_rank = {.rank = PROCESS_UNKNOWN};
static struct rank_state *only; /* the one that gets records; NULL: all */

static struct {
	uint64_t *objects[BLOCKS];
	int64_t object_count;
	char *texts[TEXTS];
	uint16_t text_slots[TEXT_SLOTS]; /* number + 1; 0: free */
	int64_t text_count;
} state;

static enum { NOT_STARTED, STARTED, OFF } condition;

/* A forked child shares its parent's file and memory, and would write into the parent's trace. */
static void after_fork(void)
{
	process.lock = (pthread_mutex_t)
		PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; /* a thread that held it does not exist in the child */
	process.locks = 0;
	probes_abandon();
	file_summaries_abandon();
	openmp_stop();
	streams_abandon();
	part_close();
	condition = OFF;
	free(process.output);
	process.output = NULL;
}

static bool open_process_chunk(struct rank_state *rank_state, size_t bytes)
{
	struct chunk_identity identity = {
		.world = rank_state->world,
		.process = rank_state->rank,
		.stream = STREAM_PROCESS,
		.sequence = rank_state_next_sequence(rank_state),
	};
	void *chunk = part_chunk(&bytes, &rank_state->place);

	if (!chunk)
		return false;
	encoder_open(&rank_state->encoder, chunk, bytes, &identity, timer_now());
	return true;
}

static bool start(void)
{
	if (!part_open(process.output, &first_rank.world))
		return false;
	if (open_process_chunk(&first_rank, PROCESS_CHUNK)) {
		/* Without this handler, a forked child would write into its parent's part. */
		errno = pthread_atfork(NULL, NULL, after_fork);
		if (!errno)
			return true;
	}
	part_discard();
	return false;
}

/* Reads the environment, because there was no memory for the trace's name. */
static void note_no_start(void)
{
	const char *output = setting_get(SETTING_OUTPUT);
	char sentence[400];

	if (!output || !*output)
		return;
	snprintf(sentence, sizeof sentence, "nothing is recorded: cannot write beside '%s': %s", output,
	         strerror(errno));
	note_write(output, sentence);
}

bool process_start(void)
{
	bool started;

	process_lock();
	if (condition == NOT_STARTED) {
		condition = OFF;
		const char *output = setting_get(SETTING_OUTPUT);
		const char *buffer = setting_get(SETTING_BUFFER);
		const char *run = setting_get(SETTING_RUN);
		process.output = output && *output ? strdup(output) : NULL;
		process.buffer_bytes = buffer ? strtoull(buffer, NULL, 10) : BUFFER_DEFAULT;
		if (process.buffer_bytes < BUFFER_MIN)
			process.buffer_bytes = BUFFER_MIN;
		process.run = run ? strtoull(run, NULL, 16) : 0;
		timer_start();
		process.start_tick = timer_now();
		selection_read();
		if (process.output && start()) {
			condition = STARTED;
			other_threads_begin();
		} else
			note_no_start();
	}
	started = condition == STARTED;
	process_unlock();
	return started;
}

void process_note(const char *format, ...)
{
	char sentence[400];
	int folder = part_folder();
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	if (process.output && folder >= 0)
		note_write_at(folder, sentence);
	else if (process.output)
		note_write(process.output, sentence);
}

void process_note_lack(void)
{
	static bool noted;

	if (!__atomic_exchange_n(&noted, true, __ATOMIC_RELAXED))
		process_note(
			"process %u ran out of memory while it recorded: its trace may lack communicators, "
			"windows, files, requests or their properties",
			process.rank);
}

void *process_table(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory)
		process_note_lack();
	return memory;
}

void *process_claim(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	if (__atomic_add_fetch(&process.used_bytes, bytes, __ATOMIC_RELAXED) > process.buffer_bytes) {
		process_give_back(memory, bytes);
		return NULL;
	}
	return memory;
}

void process_give_back(void *memory, size_t bytes)
{
	munmap(memory, bytes);
	__atomic_sub_fetch(&process.used_bytes, bytes, __ATOMIC_RELAXED);
}

uint32_t rank_state_next_sequence(struct rank_state *rank_state)
{
	return __atomic_fetch_add(&rank_state->sequence, 1, __ATOMIC_RELAXED);
}

static void release_chunk(struct encoder *encoder, const struct chunk_place *place)
{
	encoder_seal(encoder, false);
	part_release(encoder->chunk, place);
}

/* Makes room for `bytes`, and for the reason at the end of the chunk. */
static bool make_room(struct rank_state *rank_state, size_t bytes)
{
	struct encoder full = rank_state->encoder;
	struct chunk_place full_place = rank_state->place;
	size_t chunk_bytes = PROCESS_CHUNK;

	if (!full.chunk || rank_state->events_lost)
		return false;
	if (encoder_has_room(&full, bytes + CLOSING_ROOM))
		return true;
	while (chunk_bytes < bytes + CLOSING_ROOM + sizeof(struct chunk_header))
		chunk_bytes *= 2;
	if (!open_process_chunk(rank_state, chunk_bytes)) {
		rank_state->encoder = full;
		rank_state->place = full_place;
		char reason[128];
		snprintf(reason, sizeof reason, "cannot extend the trace: %s", strerror(errno));
		encode_record(&rank_state->encoder, RECORD_LOSS, &(struct event_loss){timer_now(), reason});
		process_note("process %u stopped recording its properties and communicators: %s",
		             rank_state->rank, reason);
		rank_state->events_lost = true;
		return false;
	}
	release_chunk(&full, &full_place);
	return true;
}

/* A program may create objects for days, and sums do not refer to them. */
static bool is_spared(enum record_kind kind)
{
	enum { OBJECTS_WITH_SUMS = 64 };
	static uint32_t written;

	return selection.sums && (kind == RECORD_COMM || kind == RECORD_OBJECT) &&
	       written++ >= OBJECTS_WITH_SUMS;
}

/* The caller holds the lock. */
static void write_locked(enum record_kind kind, const void *record)
{
	const size_t room = LONG_HEAD_MAX + record_room(kind, record);

	if (is_spared(kind))
		return;
	for (struct rank_state *rank_state = &first_rank; rank_state && condition == STARTED;
	     rank_state = rank_state->next)
		if ((!only || rank_state == only) && make_room(rank_state, room))
			encode_record(&rank_state->encoder, kind, record);
}

void process_write(enum record_kind kind, const void *record)
{
	process_lock();
	write_locked(kind, record);
	process_unlock();
}

void process_property(const char *key, const char *value)
{
	process_write(RECORD_PROPERTY, &(struct property){key, value});
}

int64_t object_add(uint64_t identity)
{
	int64_t number = state.object_count;
	uint64_t **block = &state.objects[number / OBJECTS_PER_BLOCK];

	if (number / OBJECTS_PER_BLOCK >= BLOCKS)
		return ABSENT;
	if (!*block)
		*block = process_table(OBJECTS_PER_BLOCK, sizeof **block);
	if (!*block)
		return ABSENT;
	(*block)[number % OBJECTS_PER_BLOCK] = identity;
	state.object_count++;
	return number;
}

uint64_t object_identity(int64_t number)
{
	return number < 0 ? 0 : state.objects[number / OBJECTS_PER_BLOCK][number % OBJECTS_PER_BLOCK];
}

static void add_text(const char *text, size_t length, uint16_t *slot)
{
	char *copy = strndup(text, length);

	if (!copy) {
		process_note_lack();
		return;
	}
	state.texts[state.text_count++] = copy;
	*slot = (uint16_t)state.text_count;
	if (state.text_count == TEXTS)
		process_note("process %u has more than %d different texts: the others are left out",
		             process.rank, TEXTS);
}

int64_t text_number_of(const char *text, size_t length)
{
	int64_t number = ABSENT;
	uint16_t *slot;

	process_lock();
	/* The slot of a text, or a free one. There are more slots than texts. */
	uint32_t at = hash_fold(hash_bytes(text, length)) % TEXT_SLOTS;
	for (; state.text_slots[at]; at = (at + 1) % TEXT_SLOTS) {
		const char *known = state.texts[state.text_slots[at] - 1];
		if (strncmp(known, text, length) == 0 && !known[length])
			break;
	}
	slot = &state.text_slots[at];
	if (!*slot && state.text_count < TEXTS)
		add_text(text, length, slot);
	if (*slot)
		number = *slot - 1;
	process_unlock();
	return number;
}

int64_t text_number(const char *text)
{
	return text_number_of(text, strnlen(text, 256));
}

const char *text_of(int64_t number)
{
	return number < 0 ? "" : state.texts[number];
}

void process_close(void)
{
	process_lock();
	for (struct rank_state *rank_state = &first_rank; rank_state && condition == STARTED;
	     rank_state = rank_state->next) {
		if (rank_state->encoder.chunk)
			release_chunk(&rank_state->encoder, &rank_state->place);
		rank_state->encoder.chunk = NULL;
	}
	condition = OFF;
	process_unlock();
}

/* The caller holds the lock. */
static void write_world(const struct rank_state *rank_state)
{
	write_locked(RECORD_WORLD,
	             &(struct world_record){rank_state->world, rank_state->rank, process.size, process.run});
}

void process_identify(uint64_t world, uint32_t rank, uint32_t size)
{
	process_lock();
	process.world = first_rank.world = world;
	process.rank = first_rank.rank = rank;
	process.size = size;
	process.identified = true;
	part_identify(world, rank,
	              size); /* first, because chunks that do not get the rank are identified by the table */
	if (first_rank.encoder.chunk)
		chunk_identify(first_rank.encoder.chunk, world, rank);
	write_world(&first_rank);
	process_unlock();
	streams_identify(world, rank);
}

struct rank_state *rank_state_add(uint32_t rank)
{
	struct rank_state *rank_state = condition == STARTED ? process_claim(sizeof *rank_state) : NULL;

	if (!rank_state)
		return NULL;
	rank_state->world = process.world;
	rank_state->rank = rank;
	if (!open_process_chunk(rank_state, PROCESS_CHUNK)) {
		process_give_back(rank_state, sizeof *rank_state);
		return NULL;
	}
	part_add_rank(rank_state->world, rank, process.size);
	rank_state->next = first_rank.next;
	first_rank.next = rank_state;
	process_write_only(rank_state);
	write_world(rank_state);
	process_write_only(NULL);
	return rank_state;
}

void process_write_only(struct rank_state *rank_state)
{
	only = rank_state;
}
