#include "trace_file.h"

#include "base/memory.h"
#include "trace/trace_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	WORLD = 1,
	WORLD_COMM = 0xc0,
	SOURCE_FILE = 1,
	EAGER_BYTES = 65536,
	SMALL_BYTES = 1024,
	LARGE_BYTES = 1 << 20
};
enum { CALL_LIMIT = 64, FIELD_LIMIT = 40, DEFINITIONS_ROOM = 8192 };

/* The order of an exchange and the size of its messages; each has its own call sites. */
enum variant { VARIANT_SMALL, VARIANT_LARGE, VARIANT_SENDS_FIRST, VARIANTS };

/* A distinct call of the current process. */
struct draft {
	const char *name;
	uint64_t line;
	struct field fields[FIELD_LIMIT];
	size_t field_count;
	uint32_t name_number; /* if it is defined */
	uint32_t number;      /* in the current chunk; NO_CALL: not defined yet */
};

struct writer {
	const struct workload *load;
	struct truth *truth;
	struct trace_writer trace; /* of records; events are encoded here */
	uint32_t rank;
	struct encoder encoder;
	uint8_t *chunk;
	uint64_t chunk_events;
	struct draft drafts[CALL_LIMIT];
	uint32_t draft_count;
	enum status status;
	/* The process's calls. */
	struct draft *send[2], *receive[2]; /* of the ring, by size (0: small, 1: large) */
	struct draft *isend[VARIANTS][DIRECTIONS], *irecv[VARIANTS][DIRECTIONS], *waitall[VARIANTS];
	struct draft *allreduce, *barrier, *bcast[ROOTS], *reduce[ROOTS];
};

/* Chunks of events */

static void open_chunk(struct writer *writer, uint64_t tick)
{
	struct chunk_identity identity = {WORLD, writer->rank, 0, writer->trace.sequence++};
	static const uint8_t thread[] = {1, 1, 'm', 'a', 'i', 'n'};

	memset(writer->chunk, 0, sizeof(struct chunk_header));
	encoder_open(&writer->encoder, writer->chunk, CHUNK_DEFAULT, &identity, tick);
	encode_long(&writer->encoder, RECORD_THREAD, thread, sizeof thread);
	for (uint32_t i = 0; i < writer->draft_count; i++)
		writer->drafts[i].number = NO_CALL;
}

static void close_chunk(struct writer *writer)
{
	size_t bytes;

	if (!writer->encoder.chunk)
		return;
	/* The padding to a multiple of 8 would otherwise show remains of the previous chunk. */
	memset(writer->encoder.payload + writer->encoder.chunk->length, 0, CHUNK_ALIGNMENT);
	encoder_seal(&writer->encoder, true);
	bytes = sizeof(struct chunk_header) + writer->encoder.chunk->capacity;
	if (fwrite(writer->chunk, 1, bytes, writer->trace.output.file) != bytes && writer->status == OK)
		writer->status = fail("cannot write the trace: %s", strerror(errno));
	writer->encoder.chunk = NULL;
}

/* Names are defined once per chunk, as in the recorder. */
static uint32_t name_number(struct writer *writer, const char *name)
{
	for (uint32_t i = 0; i < writer->draft_count; i++)
		if (writer->drafts[i].number != NO_CALL && strcmp(writer->drafts[i].name, name) == 0)
			return writer->drafts[i].name_number;
	return encode_name(&writer->encoder, name);
}

static void define(struct writer *writer, struct draft *draft)
{
	uint32_t site = encode_site(&writer->encoder, SOURCE_FILE, draft->line);

	draft->name_number = name_number(writer, draft->name);
	draft->number = encode_call(&writer->encoder, draft->name_number, site, draft->fields,
	                            draft->field_count);
}

static void write_event(struct writer *writer, struct draft *draft, struct span span)
{
	size_t room = EVENT_ROOM + CHUNK_ALIGNMENT + (draft->number == NO_CALL ? DEFINITIONS_ROOM : 0);

	if (!writer->encoder.chunk || !encoder_has_room(&writer->encoder, room)) {
		uint64_t tick = writer->encoder.chunk ? writer->encoder.last_end : span.start;
		close_chunk(writer);
		open_chunk(writer, tick);
	}
	if (draft->number == NO_CALL)
		define(writer, draft);
	encode_event(&writer->encoder, draft->number, span.start, span.end);
	writer->truth->calls++;
}

/* Distinct calls */

static struct draft *new_draft(struct writer *writer, const char *name, uint64_t line)
{
	struct draft *draft = &writer->drafts[writer->draft_count++];

	*draft = (struct draft){.name = name, .line = line, .number = NO_CALL};
	return draft;
}

static void add_field(struct draft *draft, enum field_key key, int64_t value)
{
	draft->fields[draft->field_count++] = (struct field){key, value};
}

static struct draft *message_draft(struct writer *writer, const char *name, uint64_t line, uint32_t peer,
                                   uint32_t tag)
{
	struct draft *draft = new_draft(writer, name, line);

	add_field(draft, FIELD_COMM, WORLD_COMM);
	add_field(draft, FIELD_PEER, peer);
	add_field(draft, FIELD_TAG, tag);
	return draft;
}

static void add_ring_drafts(struct writer *writer)
{
	uint32_t ranks = writer->load->ranks, next = (writer->rank + 1) % ranks;
	uint32_t before = (writer->rank + ranks - 1) % ranks;

	for (uint32_t large = 0; large < 2; large++) {
		writer->send[large] = message_draft(writer, "MPI_Send", 20 + 10 * large, next, large);
		add_field(writer->send[large], FIELD_SENT, large ? LARGE_BYTES : SMALL_BYTES);
		writer->receive[large] = message_draft(writer, "MPI_Recv", 21 + 10 * large, before, large);
		add_field(writer->receive[large], FIELD_RECEIVED, large ? LARGE_BYTES : SMALL_BYTES);
	}
}

static int64_t variant_bytes(enum variant variant)
{
	return variant == VARIANT_SMALL ? SMALL_BYTES : LARGE_BYTES;
}

static uint32_t request_of(enum variant variant, uint32_t direction, bool is_send)
{
	bool is_first = is_send == (variant == VARIANT_SENDS_FIRST);

	return direction + (is_first ? 0 : DIRECTIONS);
}

static void add_wait_draft(struct writer *writer, enum variant variant)
{
	struct draft *draft = new_draft(writer, "MPI_Waitall", 50 + 10 * (uint64_t)variant);

	add_field(draft, FIELD_COUNT, (int64_t)2 * DIRECTIONS);
	for (uint32_t request = 0; request < 2 * DIRECTIONS; request++) {
		uint32_t d = request % DIRECTIONS;
		add_field(draft, FIELD_DONE, request);
		if (request != request_of(variant, d, false))
			continue;
		add_field(draft, FIELD_SOURCE, halo_neighbour(writer->load, writer->rank, d));
		add_field(draft, FIELD_SOURCE_TAG, opposite(d));
		add_field(draft, FIELD_RECEIVED, variant_bytes(variant));
	}
	writer->waitall[variant] = draft;
}

static void add_halo_drafts(struct writer *writer, enum variant variant)
{
	uint64_t line = 45 + 10 * (uint64_t)variant;

	for (uint32_t d = 0; d < DIRECTIONS; d++) {
		uint32_t peer = halo_neighbour(writer->load, writer->rank, d);
		struct draft *receive = message_draft(writer, "MPI_Irecv", line, peer, opposite(d));
		struct draft *send = message_draft(writer, "MPI_Isend", line + 2, peer, d);
		add_field(receive, FIELD_ROOM, variant_bytes(variant));
		add_field(receive, FIELD_REQUEST, request_of(variant, d, false));
		add_field(send, FIELD_SENT, variant_bytes(variant));
		add_field(send, FIELD_REQUEST, request_of(variant, d, true));
		writer->irecv[variant][d] = receive;
		writer->isend[variant][d] = send;
	}
	add_wait_draft(writer, variant);
}

static struct draft *meeting_draft(struct writer *writer, const char *name, uint64_t line, bool sends,
                                   bool receives)
{
	struct draft *draft = new_draft(writer, name, line);

	add_field(draft, FIELD_COMM, WORLD_COMM);
	if (sends)
		add_field(draft, FIELD_SENT, 8);
	if (receives)
		add_field(draft, FIELD_RECEIVED, 8);
	return draft;
}

static void add_meeting_drafts(struct writer *writer)
{
	writer->allreduce = meeting_draft(writer, "MPI_Allreduce", 80, true, true);
	writer->barrier = meeting_draft(writer, "MPI_Barrier", 82, false, false);
	for (uint32_t i = 0; i < ROOTS; i++) {
		uint32_t root = meeting_root(writer->load, i);
		bool is_root = root == writer->rank;
		writer->bcast[i] = meeting_draft(writer, "MPI_Bcast", 84, is_root, !is_root);
		add_field(writer->bcast[i], FIELD_ROOT, root);
		writer->reduce[i] = meeting_draft(writer, "MPI_Reduce", 86, true, is_root);
		add_field(writer->reduce[i], FIELD_ROOT, root);
	}
}

static void add_drafts(struct writer *writer)
{
	writer->draft_count = 0;
	if (writer->load->kind == WORKLOAD_RING) {
		add_ring_drafts(writer);
		return;
	}
	for (enum variant variant = 0; variant < VARIANTS; variant++)
		add_halo_drafts(writer, variant);
	if (writer->load->kind == WORKLOAD_MIXED)
		add_meeting_drafts(writer);
}

/* Iterations */

static void write_pass(struct writer *writer, uint64_t iteration)
{
	struct pass pass = ring_pass(writer->load, writer->rank, iteration);
	int64_t late_sender = (int64_t)pass.sender_start - (int64_t)pass.receive.start;

	if (!pass.receives_first)
		write_event(writer, writer->send[pass.is_large], pass.send);
	write_event(writer, writer->receive[pass.is_large], pass.receive);
	if (pass.receives_first)
		write_event(writer, writer->send[pass.is_large], pass.send);
	count_wait(writer->truth->waits, LATE_SENDER, late_sender);
	if (pass.posted < pass.send.end)
		count_wait(writer->truth->waits, LATE_RECEIVER,
		           (int64_t)pass.posted - (int64_t)pass.send.start);
}

static void write_meeting(struct writer *writer, uint64_t iteration, const struct exchange *exchange)
{
	struct meeting_part part = meeting_part(writer->load, writer->rank, iteration, exchange);
	struct draft *const drafts[] = {
		[MEETING_ALLREDUCE] = writer->allreduce,
		[MEETING_BARRIER] = writer->barrier,
		[MEETING_BCAST] = writer->bcast[part.root_number],
		[MEETING_REDUCE] = writer->reduce[part.root_number],
	};

	write_event(writer, drafts[part.kind], part.call);
	count_wait(writer->truth->waits, part.waits, part.wait_ns);
}

static void write_exchange(struct writer *writer, uint64_t iteration)
{
	struct exchange exchange = halo_exchange(writer->load, writer->rank, iteration);
	enum variant variant = exchange.sends_first ? VARIANT_SENDS_FIRST
	                       : exchange.is_large  ? VARIANT_LARGE
	                                            : VARIANT_SMALL;

	for (uint32_t d = 0; d < DIRECTIONS && exchange.sends_first; d++)
		write_event(writer, writer->isend[variant][d], exchange.sends[d]);
	for (uint32_t d = 0; d < DIRECTIONS; d++)
		write_event(writer, writer->irecv[variant][d], exchange.receives[d]);
	for (uint32_t d = 0; d < DIRECTIONS && !exchange.sends_first; d++)
		write_event(writer, writer->isend[variant][d], exchange.sends[d]);
	write_event(writer, writer->waitall[variant], exchange.wait);
	count_wait(writer->truth->waits, LATE_SENDER, exchange.late_sender);
	count_wait(writer->truth->waits, LATE_RECEIVER, exchange.late_receiver);
	if (meeting_kind_at(writer->load, iteration) != MEETING_NONE)
		write_meeting(writer, iteration, &exchange);
}

/* Records of the process */

static enum status write_comm(struct writer *writer)
{
	struct rank_run all = {.world = WORLD, .stride = 1, .count = writer->load->ranks};
	struct comm comm = {.identity = WORLD_COMM,
	                    .kind = COMM_INTRA,
	                    .rank = writer->rank,
	                    .size = writer->load->ranks,
	                    .local = {&all, writer->rank == 0},
	                    .name = "MPI_COMM_WORLD"};

	return trace_writer_record(&writer->trace, RECORD_COMM, &comm);
}

static enum status write_records(struct writer *writer)
{
	struct trace_writer *trace = &writer->trace;
	struct clock_point start = {0, 1700000000000000000};

	TRY(trace_writer_process(trace, WORLD, writer->rank));
	TRY(trace_writer_world(trace, writer->load->ranks, WORLD));
	TRY(trace_writer_property(trace, "node", "one"));
	TRY(trace_writer_property(trace, "clock", "one for all"));
	TRY(trace_writer_record(trace, RECORD_CLOCK, &(struct clock){"tsc", 1000000000, &start, 1}));
	TRY(trace_writer_record(
		trace, RECORD_SOURCE,
		&(struct module){.number = SOURCE_FILE, .path = "generated.c", .function = "iterate"}));
	TRY(trace_writer_record(trace, RECORD_EAGER, &(struct eager){EAGER_BYTES, "node"}));
	TRY(write_comm(writer));
	return chunk_writer_end(&trace->records);
}

static enum status write_process(struct writer *writer, uint32_t rank)
{
	writer->rank = rank;
	TRY(write_records(writer));
	add_drafts(writer);
	for (uint64_t i = 0; i < writer->load->iterations && writer->status == OK; i++) {
		if (writer->load->kind == WORKLOAD_RING)
			write_pass(writer, i);
		else
			write_exchange(writer, i);
	}
	close_chunk(writer);
	return writer->status;
}

static enum status write_processes(struct writer *writer)
{
	for (uint32_t rank = 0; rank < writer->load->ranks; rank++)
		TRY(write_process(writer, rank));
	return OK;
}

enum status write_trace(const struct workload *load, const char *path, struct truth *truth)
{
	struct writer *writer = memory_new(1, sizeof *writer);
	uint32_t successor[CALL_LIMIT];
	enum status status = trace_writer_open(&writer->trace, path, CHUNK_SMALLEST);

	*truth = (struct truth){0};
	writer->load = load;
	writer->truth = truth;
	writer->encoder.successor = successor;
	writer->encoder.call_limit = CALL_LIMIT;
	writer->chunk = memory_new(1, CHUNK_DEFAULT);
	if (status == OK) {
		status = write_processes(writer);
		if (status == OK)
			status = trace_writer_commit(&writer->trace);
		else
			trace_writer_discard(&writer->trace);
	}
	free(writer->chunk);
	free(writer);
	return status;
}
