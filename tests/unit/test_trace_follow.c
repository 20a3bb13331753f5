/* Reads a part while it is written: the encoder acts as the process, on memory that is the file. */
#include "trace/follow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { CHUNK = 1 << 16, CHUNKS = 20, CALLS = 64, NO_LIMIT = 1 << 20, WORLD = 7, RANK = 3 };

struct written_part {
	FILE *file;
	uint8_t *memory;
	int fd;
	size_t used;
	struct encoder process, thread;
	uint32_t successors[CALLS];
	uint32_t sequence;
	struct followed_part *followed;
	/* Received by the sink */
	size_t chunks, events;
	char names[256];
};

static void take_chunk(void *context, struct followed_stream *stream)
{
	(void)stream;
	((struct written_part *)context)->chunks++;
}

static void take_event(void *context, struct followed_stream *stream, const struct event *event)
{
	struct written_part *w = context;
	size_t used = strlen(w->names);

	assert_ptr_equal(stream->own->calls.items[event->id], event->call);
	snprintf(w->names + used, sizeof w->names - used, "%s ", event->call->outline->name);
	w->events++;
}

static void look_at_most(struct written_part *w, size_t most)
{
	const struct follow_sink sink = {w, take_chunk, take_event};

	w->names[0] = 0;
	followed_part_note(w->followed, w->fd);
	follow_barrier();
	followed_part_read(w->followed, w->fd, &sink, most);
}

static void look(struct written_part *w)
{
	look_at_most(w, NO_LIMIT);
}

static void *next_chunk(struct written_part *w)
{
	void *chunk = w->memory + w->used;

	w->used += CHUNK;
	assert_int_equal(ftruncate(w->fd, (off_t)w->used), 0);
	return chunk;
}

static void open_chunk(struct written_part *w, struct encoder *e, uint32_t stream, uint64_t tick)
{
	struct chunk_identity identity = {0, PROCESS_UNKNOWN, stream, w->sequence++};

	encoder_open(e, next_chunk(w), CHUNK, &identity, tick);
}

static void begin(struct written_part *w)
{
	*w = (struct written_part){.file = tmpfile()};
	assert_non_null(w->file);
	w->fd = fileno(w->file);
	w->memory = mmap(NULL, CHUNKS * CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, 0);
	assert_true(w->memory != MAP_FAILED);
	w->thread.successor = w->successors;
	w->thread.call_limit = CALLS;
	w->followed = followed_part_new();
	look(w);
	assert_int_equal(w->followed->stream_count, 0);
	open_chunk(w, &w->process, STREAM_PROCESS, 0);
	open_chunk(w, &w->thread, 0, 100);
}

static void end(struct written_part *w)
{
	followed_part_free(w->followed);
	munmap(w->memory, CHUNKS * CHUNK);
	fclose(w->file);
}

static void tell_world(struct written_part *w)
{
	uint8_t body[64], *at = put_u64(body, WORLD);

	at = put_varint(at, RANK);
	at = put_varint(at, 8);
	at = put_u64(at, 1);
	chunk_identify(w->process.chunk, WORLD, RANK);
	encode_long(&w->process, RECORD_WORLD, body, (size_t)(at - body));
	chunk_identify(w->thread.chunk, WORLD, RANK);
}

static uint32_t define(struct written_part *w, const char *name, int64_t peer)
{
	struct field field = {FIELD_PEER, peer};

	return encode_call(&w->thread, encode_name(&w->thread, name), NO_SITE, &field, 1);
}

static void events_come_once(void **state)
{
	struct written_part w;
	uint32_t send, receive;

	(void)state;
	begin(&w);
	send = define(&w, "MPI_Send", 1);
	encode_event(&w.thread, send, 110, 120);
	look(&w);
	assert_string_equal(w.names, "MPI_Send ");
	look(&w);
	assert_string_equal(w.names, "");
	assert_int_equal(w.followed->streams[0]->last_end, 120);
	receive = define(&w, "MPI_Recv", 2);
	encode_event(&w.thread, receive, 130, 140);
	encode_event(&w.thread, send, 150, 160);
	encode_event(&w.thread, receive, 170, 180); /* predicted */
	look(&w);
	assert_string_equal(w.names, "MPI_Recv MPI_Send MPI_Recv ");
	assert_int_equal(w.chunks, 1);
	end(&w);
}

static void the_process_gets_its_rank(void **state)
{
	struct written_part w;

	(void)state;
	begin(&w);
	look(&w);
	assert_int_equal(w.followed->process_count, 1);
	assert_int_equal(w.followed->processes[0]->process->rank, PROCESS_UNKNOWN);
	tell_world(&w);
	look(&w);
	look(&w); /* nothing is read twice */
	assert_int_equal(w.followed->process_count, 1);
	assert_int_equal(w.followed->processes[0]->process->rank, RANK);
	assert_int_equal(w.followed->processes[0]->process->size, 8);
	assert_int_equal(w.followed->processes[0]->reader->damage_count, 0);
	end(&w);
}

static const char *name_of(const struct open_call *open)
{
	return open->call ? open->call->outline->name : "none";
}

static void the_open_call_is_seen(void **state)
{
	struct written_part w;
	const struct open_call *open;
	struct field field = {FIELD_PEER, 5};
	uint32_t send, name;
	int64_t peer = 0;

	(void)state;
	begin(&w);
	send = define(&w, "MPI_Send", 1);
	look(&w);
	open = &w.followed->streams[0]->open;
	assert_null(open->call);
	encode_open(&w.thread, send, 111);
	look(&w);
	assert_string_equal(name_of(open), "MPI_Send");
	assert_int_equal(open->start, 111);
	encode_event(&w.thread, send, 111, 120);
	look(&w);
	assert_null(open->call);

	/* A call described after the payload. The next record overwrites it. */
	name = encode_name(&w.thread, "MPI_Recv");
	encode_open_undefined(&w.thread, name, NO_SITE, &field, 1, 130);
	look(&w);
	assert_string_equal(name_of(open), "MPI_Recv");
	assert_true(open->call && call_field(open->call, FIELD_PEER, &peer));
	assert_int_equal(peer, 5);
	encode_event(&w.thread, define(&w, "MPI_Barrier", 6), 130, 140);
	look(&w);
	assert_null(open->call);
	assert_string_equal(w.names, "MPI_Barrier ");
	end(&w);
}

static void chunks_follow_each_other(void **state)
{
	struct written_part w;

	(void)state;
	begin(&w);
	encode_event(&w.thread, define(&w, "MPI_Send", 1), 110, 120);
	look(&w);
	encode_event(&w.thread, define(&w, "MPI_Recv", 1), 130, 140);
	encoder_seal(&w.thread, false);
	open_chunk(&w, &w.thread, 0, 140);
	encode_event(&w.thread, define(&w, "MPI_Barrier", 1), 150, 160);
	look(&w);
	assert_string_equal(w.names, "MPI_Recv MPI_Barrier ");
	assert_int_equal(w.chunks, 2);
	assert_int_equal(w.followed->streams[0]->skipped_bytes, 0);
	end(&w);
}

static void write_many(struct written_part *w, uint32_t call, size_t count)
{
	for (size_t i = 0; i < count; i++)
		encode_event(&w->thread, call, w->thread.last_end + 1, w->thread.last_end + 2);
}

/* If there is more than the limit, only the newest chunk is read. */
static void too_much_is_skipped(void **state)
{
	struct written_part w;

	(void)state;
	begin(&w);
	look(&w);
	write_many(&w, define(&w, "MPI_Send", 1), 20000);
	encoder_seal(&w.thread, false);
	open_chunk(&w, &w.thread, 0, w.thread.last_end);
	encode_event(&w.thread, define(&w, "MPI_Barrier", 1), 1000000, 1000001);
	look_at_most(&w, 1000);
	assert_in_range(w.events, 900, 1200);
	assert_true(w.followed->streams[0]->skipped_bytes > 18000);
	assert_false(w.followed->streams[0]->is_behind);
	assert_int_equal(w.followed->streams[0]->last_end, 1000001);
	/* Nothing is skipped inside a chunk: the next look continues. */
	w.events = 0;
	write_many(&w, 0, 2000);
	look_at_most(&w, 1000);
	assert_true(w.followed->streams[0]->is_behind);
	look_at_most(&w, 10000);
	assert_false(w.followed->streams[0]->is_behind);
	assert_int_equal(w.events, 2000);
	end(&w);
}

static void a_pause_is_seen(void **state)
{
	struct written_part w;

	(void)state;
	begin(&w);
	encode_event(&w.thread, define(&w, "MPI_Send", 1), 110, 120);
	encode_record(&w.thread, RECORD_PAUSE, &(struct pause){125, false, false});
	look(&w);
	assert_true(w.followed->streams[0]->is_interrupted);
	encode_record(&w.thread, RECORD_PAUSE, &(struct pause){135, true, false});
	look(&w);
	assert_false(w.followed->streams[0]->is_interrupted);
	end(&w);
}

/* A damaged chunk is skipped. */
static void damage_is_survived(void **state)
{
	struct written_part w;

	(void)state;
	begin(&w);
	encode_event(&w.thread, define(&w, "MPI_Send", 1), 110, 120);
	look(&w);
	encode_event(&w.thread, 50, 130, 140); /* of an undefined call */
	look(&w);
	look(&w);
	assert_true(w.followed->streams[0]->is_unreadable);
	assert_string_equal(w.names, "");
	encoder_seal(&w.thread, false);
	open_chunk(&w, &w.thread, 0, 140);
	encode_event(&w.thread, define(&w, "MPI_Barrier", 1), 150, 160);
	look(&w);
	assert_false(w.followed->streams[0]->is_unreadable);
	assert_string_equal(w.names, "MPI_Barrier ");
	end(&w);
}

/* A program may overwrite the header. */
static void an_overwritten_header_is_not_trusted(void **state)
{
	struct written_part w;

	(void)state;
	begin(&w);
	encode_event(&w.thread, define(&w, "MPI_Send", 1), 110, 120);
	look(&w);
	w.thread.chunk->capacity = UINT32_MAX;
	w.thread.chunk->length = UINT32_MAX - 1;
	w.thread.chunk->events = (uint32_t)OPEN_CALL_UNDEFINED;
	w.process.chunk->capacity = w.process.chunk->length = UINT32_MAX;
	look(&w);
	assert_true(w.followed->streams[0]->is_unreadable);
	assert_null(w.followed->streams[0]->open.call);
	end(&w);
}

enum { WRITTEN = 300000 };

/* Writes many calls. Each is opened first, by its number or by a description after the payload. */
static void write_all(struct written_part *w)
{
	const struct field field = {FIELD_PEER, 1};
	uint32_t calls[2] = {0}, name = 0;
	uint64_t tick = 1000;

	for (uint32_t i = 0; i < WRITTEN; i++, tick += 20) {
		if (!i || !encoder_has_room(&w->thread, 256)) {
			encoder_seal(&w->thread, false);
			open_chunk(w, &w->thread, 0, tick);
			name = encode_name(&w->thread, "MPI_Open");
			calls[0] = define(w, "MPI_Send", 1);
			calls[1] = define(w, "MPI_Recv", 2);
		}
		if (i % 3)
			encode_open(&w->thread, calls[i % 2], tick);
		else
			encode_open_undefined(&w->thread, name, NO_SITE, &field, 1, tick);
		if (i % 3001 == 0)
			usleep(20000); /* so that a slow reader catches up and sees it */
		encode_event(&w->thread, calls[i % 2], tick, tick + 10);
	}
	encoder_seal(&w->thread, false);
}

/* All read events are valid at any moment, and complete at the end. */
static void a_writer_is_never_misread(void **state)
{
	struct written_part w;
	pid_t child;
	int status = 0;
	size_t seen = 0;
	bool is_over = false;

	(void)state;
	begin(&w);
	child = fork();
	if (child == 0) {
		write_all(&w);
		_exit(0);
	}
	while (!is_over || w.followed->streams[0]->is_behind) {
		is_over = is_over || waitpid(child, &status, WNOHANG) == child;
		look(&w);
		const struct followed_stream *stream = w.followed->streams[0];
		assert_false(stream->is_unreadable);
		assert_int_equal(stream->skipped_bytes, 0);
		if (stream->open.call) {
			assert_memory_equal(stream->open.call->outline->name, "MPI_", 4);
			assert_int_equal(stream->open.start % 20, 0);
			seen++;
		}
	}
	assert_int_equal(status, 0);
	assert_int_equal(w.events, WRITTEN);
	assert_true(w.chunks > 10);
	assert_true(seen > 0);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_come_once),
		cmocka_unit_test(the_process_gets_its_rank),
		cmocka_unit_test(the_open_call_is_seen),
		cmocka_unit_test(chunks_follow_each_other),
		cmocka_unit_test(too_much_is_skipped),
		cmocka_unit_test(a_pause_is_seen),
		cmocka_unit_test(damage_is_survived),
		cmocka_unit_test(an_overwritten_header_is_not_trusted),
		cmocka_unit_test(a_writer_is_never_misread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
