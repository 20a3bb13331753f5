#include "trace/process.h"

#include "trace/scan.h"

#include <string.h>

/* Everything up to the end of the record or a zero byte. */
static const char *take_text(struct reader *reader, struct cursor *body)
{
	const uint8_t *at = body->at;

	body->at = body->end;
	return reader_text(reader, at, strnlen((const char *)at, (size_t)(body->end - at)));
}

static const char *take_text_of(struct reader *reader, struct cursor *body, uint64_t size)
{
	struct cursor text = {.at = take_bytes(body, size)};

	if (!text.at)
		return "";
	text.end = body->at;
	return take_text(reader, &text);
}

void take_loss_body(struct reader *reader, struct cursor *body, struct event_loss *loss)
{
	loss->tick = take_varint(body);
	loss->reason = take_text(reader, body);
}

void take_overhead_body(struct reader *reader, struct cursor *body, struct overhead *overhead)
{
	overhead->tick = take_varint(body);
	overhead->ns = take_varint(body);
	overhead->cause = take_text(reader, body);
}

void take_thread_body(struct reader *reader, struct cursor *body, struct thread_info *thread)
{
	thread->id = take_varint(body);
	thread->main = take_varint(body) == 1;
	thread->name = take_text(reader, body);
	thread->known = !body->bad;
}

/* Each reads one record into a new element of the process's array; what is wrong with it beyond being too
 * short is returned, NULL if nothing is. */

#define ADD(process, items, count, ...) \
	arena_add(&(process)->arena, (process)->items, (process)->count, __VA_ARGS__)

static const char *take_world(struct process *process, struct cursor *body)
{
	uint64_t world = take_u64(body);
	uint64_t rank = take_varint(body);
	uint64_t size = take_varint(body);
	uint64_t run = take_u64(body);

	if (body->bad)
		return NULL;
	if (world != process->world || rank != process->rank)
		return "the WORLD record is of another process than the chunk";
	if (process->has_size)
		return "there is a second WORLD record";
	process->size = size;
	process->run = run;
	process->has_size = true;
	return NULL;
}

static const char *take_property(struct process *process, struct cursor *body)
{
	struct property property;

	property.key = take_text_of(process->reader, body, take_varint(body));
	property.value = take_text(process->reader, body);
	if (!body->bad)
		ADD(process, properties, property_count, property);
	return NULL;
}

static const char *take_clock(struct process *process, struct cursor *body)
{
	struct clock clock = {.ticks_per_second = take_varint(body)};
	uint64_t count = take_varint(body);

	if (count > cursor_left(body) / 2)
		return "a clock has more points than bytes";
	clock.points = arena_array(&process->arena, struct clock_point, count);
	for (; clock.point_count < count; clock.point_count++) {
		clock.points[clock.point_count].tick = take_varint(body);
		clock.points[clock.point_count].ns = take_varint(body);
	}
	clock.name = take_text(process->reader, body);
	if (!body->bad)
		ADD(process, clocks, clock_count, clock);
	return NULL;
}

static const char *take_module(struct process *process, struct cursor *body)
{
	struct module module = {.number = take_varint(body)};

	module.base = take_varint(body);
	module.size = take_varint(body);
	module.build_id_size = take_varint(body);
	module.build_id = take_bytes(body, module.build_id_size);
	module.path = take_text(process->reader, body);
	if (!body->bad)
		ADD(process, modules, module_count, module);
	return NULL;
}

static const char *take_source(struct process *process, struct cursor *body)
{
	struct module module = {.number = take_varint(body)};

	module.function = take_text_of(process->reader, body, take_varint(body));
	module.path = take_text(process->reader, body);
	if (!body->bad)
		ADD(process, modules, module_count, module);
	return NULL;
}

static const char *take_stamp(struct process *process, struct cursor *body)
{
	struct stamp stamp = {.module = take_varint(body)};

	stamp.bytes = take_varint(body);
	stamp.changed_ns = take_varint(body);
	if (body->bad)
		return NULL;
	ADD(process, stamps, stamp_count, stamp);
	for (size_t i = 0; i < process->module_count; i++) {
		struct module *module = &process->modules[i];
		if (module->number == stamp.module) {
			module->has_stamp = true;
			module->stamp = stamp;
		}
	}
	return NULL;
}

bool run_is_possible(uint64_t first, int64_t stride, uint64_t count)
{
	int64_t last, span;

	if (first > INT32_MAX || count > INT32_MAX || count == 0)
		return false;
	if (__builtin_mul_overflow(stride, (int64_t)count - 1, &span) ||
	    __builtin_add_overflow((int64_t)first, span, &last))
		return false;
	return last >= 0 && last <= INT32_MAX;
}

static const char *take_group(struct process *process, struct cursor *body, uint64_t size,
                              struct group *group)
{
	enum { RUN_BYTES = 8 + 3 };
	uint64_t count = take_varint(body);
	uint64_t members = 0;

	if (count > cursor_left(body) / RUN_BYTES)
		return "a communicator has more runs of members than bytes";
	group->runs = arena_array(&process->arena, struct rank_run, count);
	for (; group->run_count < count; group->run_count++) {
		struct rank_run *run = &group->runs[group->run_count];
		uint64_t first, of_run;
		run->world = take_u64(body);
		first = take_varint(body);
		run->stride = take_signed(body);
		of_run = take_varint(body);
		if (!run_is_possible(first, run->stride, of_run))
			return "a communicator has a run of impossible ranks";
		run->first = (uint32_t)first;
		run->count = (uint32_t)of_run;
		members += of_run;
	}
	return count && members != size ? "a communicator's members are not as many as its size" : NULL;
}

static const char *take_comm(struct process *process, struct cursor *body)
{
	struct comm comm = {.identity = take_u64(body)};
	const char *problem;

	comm.parent = take_u64(body);
	comm.kind = take_varint(body);
	comm.rank = take_varint(body);
	comm.size = take_varint(body);
	comm.remote_size = take_varint(body);
	problem = take_group(process, body, comm.size, &comm.local);
	if (!problem && comm.kind == COMM_INTER)
		problem = take_group(process, body, comm.remote_size, &comm.remote);
	comm.name = take_text(process->reader, body);
	if (!problem && !body->bad) {
		uint32_t *number = map_put(&process->comm_numbers, map_key(comm.identity, 0));
		if (*number == MAP_NONE)
			*number = (uint32_t)process->comm_count;
		ADD(process, comms, comm_count, comm);
	}
	return problem;
}

static const char *take_object(struct process *process, struct cursor *body)
{
	struct object object = {.kind = take_varint(body)};

	object.identity = take_u64(body);
	object.comm = take_u64(body);
	object.size = take_varint(body);
	object.unit = take_varint(body);
	object.name = take_text(process->reader, body);
	if (!body->bad)
		ADD(process, objects, object_count, object);
	return NULL;
}

static const char *take_eager(struct process *process, struct cursor *body)
{
	struct eager eager = {.bytes = take_varint(body)};

	eager.distance = take_text(process->reader, body);
	if (!body->bad)
		ADD(process, eagers, eager_count, eager);
	return NULL;
}

static const char *take_comparison(struct process *process, struct cursor *body)
{
	struct clock_comparison comparison = {.tick = take_varint(body)};

	comparison.other = take_varint(body);
	comparison.other_rate = take_varint(body);
	comparison.uncertainty_ns = take_varint(body);
	comparison.clock = take_text(process->reader, body);
	if (!body->bad)
		ADD(process, comparisons, comparison_count, comparison);
	return NULL;
}

static const char *take_process_loss(struct process *process, struct cursor *body)
{
	struct event_loss loss;

	take_loss_body(process->reader, body, &loss);
	if (!body->bad)
		ADD(process, losses, loss_count, loss);
	return NULL;
}

static const char *(*const takers[KIND_MASK + 1])(struct process *process, struct cursor *body) = {
	[RECORD_LOSS] = take_process_loss, [RECORD_WORLD] = take_world,   [RECORD_PROPERTY] = take_property,
	[RECORD_CLOCK] = take_clock,       [RECORD_MODULE] = take_module, [RECORD_COMM] = take_comm,
	[RECORD_OBJECT] = take_object,     [RECORD_EAGER] = take_eager,   [RECORD_COMPARE] = take_comparison,
	[RECORD_SOURCE] = take_source,     [RECORD_STAMP] = take_stamp,
};

static const char *take_record(struct process *process, uint8_t number, struct cursor body)
{
	const char *problem = takers[number] ? takers[number](process, &body) : NULL;

	return !problem && body.bad ? "a record is too short" : problem;
}

/* The next record; false at the end and on damage, with `problem` set. */
static bool next_long(struct cursor *payload, uint8_t *kind, struct cursor *body, const char **problem)
{
	uint64_t size;

	if (!cursor_left(payload))
		return false;
	if (*payload->at < HEAD_LONG) {
		*problem = "an event is in a chunk of no thread";
		return false;
	}
	*kind = *payload->at++ & KIND_MASK;
	size = take_varint(payload);
	body->at = take_bytes(payload, size);
	body->end = payload->at;
	body->bad = false;
	if (!body->at)
		*problem = "a record reaches beyond the payload's end";
	return body->at;
}

static void read_chunk(struct reader *reader, struct process *process, struct chunk *chunk)
{
	/* What was understood before is not read again: the chunk may have grown (follow.h). */
	struct cursor payload = {chunk->payload + chunk->noted, chunk->payload + chunk->length, false};
	const uint8_t *at = payload.at;
	struct cursor body;
	const char *problem = NULL;
	uint8_t kind = 0;

	part_touch(reader, chunk->part);
	for (; next_long(&payload, &kind, &body, &problem); at = payload.at)
		if ((problem = take_record(process, kind, body)))
			break;
	chunk->noted = (uint32_t)(at - chunk->payload);
	if (problem) {
		size_t rest = chunk->length - chunk->noted;
		note_damage(reader, chunk->part, chunk->offset, rest, "%s: %s; %zu bytes skipped",
		            name_chunk(reader, chunk), problem, rest);
	}
}

void read_process(struct reader *reader, struct process *process)
{
	for (size_t i = 0; i < process->chunk_count; i++)
		read_chunk(reader, process, &process->chunks[i]);
}

/* Modules and sources are in one array. */
static uint32_t *count_of(struct record_iter *iter, uint8_t kind)
{
	return &iter->counts[kind == RECORD_SOURCE ? RECORD_MODULE : kind];
}

bool process_next_record(const struct process *process, struct record_iter *iter,
                         struct process_record *record)
{
	for (; iter->chunk < process->chunk_count; iter->chunk++, iter->place = 0) {
		const struct chunk *chunk = &process->chunks[iter->chunk];
		struct cursor payload = {chunk->payload + iter->place, chunk->payload + chunk->noted, false};
		struct cursor body;
		const char *problem;
		uint8_t kind = 0;
		if (!next_long(&payload, &kind, &body, &problem))
			continue;
		iter->place = (uint32_t)(payload.at - chunk->payload);
		*record = (struct process_record){.kind = kind,
		                                  .understood = takers[kind],
		                                  .index = (*count_of(iter, kind))++,
		                                  .body = body.at,
		                                  .size = (uint32_t)cursor_left(&body)};
		return true;
	}
	return false;
}

void read_thread(struct stream *stream)
{
	const struct chunk *chunk = stream->chunks;
	struct cursor payload = {chunk->payload, chunk->payload + chunk->length, false};
	struct cursor body;
	const char *problem;
	uint8_t kind;

	part_touch(stream->process->reader, chunk->part);
	stream->thread.name = "";
	while (next_long(&payload, &kind, &body, &problem)) {
		if (kind == RECORD_THREAD) {
			take_thread_body(stream->process->reader, &body, &stream->thread);
			return;
		}
	}
}

const char *process_property(const struct process *process, const char *key)
{
	for (size_t i = 0; i < process->property_count; i++)
		if (strcmp(process->properties[i].key, key) == 0)
			return process->properties[i].value;
	return NULL;
}

const struct module *find_module(const struct process *process, uint64_t number)
{
	for (size_t i = 0; i < process->module_count; i++)
		if (process->modules[i].number == number)
			return &process->modules[i];
	return NULL;
}

const struct comm *find_comm(const struct process *process, uint64_t identity)
{
	const uint32_t *number = map_find(&process->comm_numbers, map_key(identity, 0));

	return number ? &process->comms[*number] : NULL;
}

/* They ascend, and are numbered from 0 as a rule. */
struct stream *find_stream(const struct process *process, uint32_t number)
{
	size_t low = 0, high = process->stream_count;

	if (number < high && process->streams[number].number == number)
		return &process->streams[number];
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (process->streams[middle].number == number)
			return &process->streams[middle];
		if (process->streams[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
