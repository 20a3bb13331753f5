#include "trace/records.h"

#include "base/bytes.h"

#include <string.h>

const char *const comm_kind_names[] = {"intra", "inter", "cart", "graph", "dist_graph", "upc", "shmem", NULL};
static const char *const object_kinds[] = {"none", "win", "file", NULL};
const char *const access_directions[] = {"read", "write", NULL};
const char *const access_interfaces[] = {"system", "stream", "mpi", NULL};

#define MEMBER(FORM, type, member, ...) \
	{ \
		.form = MEMBER_##FORM, .offset = offsetof(struct type, member), ##__VA_ARGS__ \
	}

static const struct record_member world_members[] = {
	MEMBER(FIXED, world_record, world),
	MEMBER(NUMBER, world_record, rank),
	MEMBER(NUMBER, world_record, size),
	MEMBER(FIXED, world_record, run),
	{0},
};

static const struct record_member property_members[] = {
	MEMBER(STRING, property, key, .is_word = true),
	MEMBER(REST, property, value),
	{0},
};

static const struct record_member clock_members[] = {
	MEMBER(REST, clock, name, .is_word = true),
	MEMBER(NUMBER, clock, ticks_per_second),
	MEMBER(POINTS, clock, points),
	{0},
};

static const struct record_member module_members[] = {
	MEMBER(NUMBER, module, number),
	MEMBER(NUMBER, module, base, .key = "base", .is_hex = true),
	MEMBER(NUMBER, module, size, .key = "size", .is_hex = true),
	MEMBER(BYTES, module, build_id, .key = "build-id"),
	MEMBER(REST, module, path),
	{0},
};

static const struct record_member source_members[] = {
	MEMBER(NUMBER, module, number),
	MEMBER(REST, module, path),
	MEMBER(STRING, module, function),
	{0},
};

static const struct record_member stamp_members[] = {
	MEMBER(NUMBER, stamp, module),
	MEMBER(NUMBER, stamp, bytes, .key = "size"),
	MEMBER(NUMBER, stamp, changed_ns, .key = "ns"),
	{0},
};

static const struct record_member comm_members[] = {
	MEMBER(FIXED, comm, identity, .is_hex = true),
	MEMBER(FIXED, comm, parent, .key = "parent", .is_hex = true),
	MEMBER(NUMBER, comm, kind, .key = "kind", .names = comm_kind_names),
	MEMBER(NUMBER, comm, rank, .key = "rank"),
	MEMBER(NUMBER, comm, size, .key = "size"),
	MEMBER(NUMBER, comm, remote_size, .key = "remote"),
	MEMBER(GROUP, comm, local, .key = "members"),
	MEMBER(OTHERS, comm, remote, .key = "others"),
	MEMBER(REST, comm, name),
	{0},
};

static const struct record_member object_members[] = {
	MEMBER(NUMBER, object, kind, .names = object_kinds),
	MEMBER(FIXED, object, identity, .is_hex = true),
	MEMBER(FIXED, object, comm, .key = "comm", .is_hex = true),
	MEMBER(NUMBER, object, size, .key = "size"),
	MEMBER(NUMBER, object, unit, .key = "unit"),
	MEMBER(REST, object, name),
	{0},
};

static const struct record_member eager_members[] = {
	MEMBER(NUMBER, eager, bytes),
	MEMBER(REST, eager, distance, .is_word = true),
	{0},
};

static const struct record_member comparison_members[] = {
	MEMBER(NUMBER, clock_comparison, tick, .key = "tick"),
	MEMBER(NUMBER, clock_comparison, other, .key = "other"),
	MEMBER(NUMBER, clock_comparison, other_rate, .key = "rate"),
	MEMBER(NUMBER, clock_comparison, uncertainty_ns, .key = "uncertainty"),
	MEMBER(REST, clock_comparison, clock),
	{0},
};

static const struct record_member loss_members[] = {
	MEMBER(NUMBER, event_loss, tick),
	MEMBER(REST, event_loss, reason),
	{0},
};

static const struct record_member pause_members[] = {
	MEMBER(NUMBER, pause, tick),
	MEMBER(FLAG, pause, resumes),
	MEMBER(MARK, pause, is_counted),
	{0},
};

static const struct record_member overhead_members[] = {
	MEMBER(NUMBER, overhead, tick),
	MEMBER(NUMBER, overhead, ns),
	MEMBER(REST, overhead, cause, .is_word = true),
	{0},
};

static const struct record_member file_members[] = {
	MEMBER(NUMBER, file_record, number),
	MEMBER(NUMBER, file_record, opens, .key = "opens"),
	MEMBER(NUMBER, file_record, seeks, .key = "seeks"),
	MEMBER(NUMBER, file_record, stats, .key = "stats"),
	MEMBER(NUMBER, file_record, syncs, .key = "syncs"),
	MEMBER(NUMBER, file_record, maps, .key = "maps"),
	MEMBER(NUMBER, file_record, mapped_bytes, .key = "mapped"),
	MEMBER(NUMBER, file_record, inside, .key = "inside"),
	MEMBER(NUMBER, file_record, first, .key = "first"),
	MEMBER(NUMBER, file_record, last, .key = "last"),
	MEMBER(NUMBER, file_record, begin, .key = "begin"),
	MEMBER(NUMBER, file_record, end, .key = "end"),
	MEMBER(NUMBER, file_record, module, .key = "module"),
	MEMBER(NUMBER, file_record, offset, .key = "offset", .is_hex = true),
	MEMBER(REST, file_record, path),
	{0},
};

static const struct record_member access_members[] = {
	MEMBER(NUMBER, access_record, file),
	MEMBER(NUMBER, access_record, direction, .names = access_directions),
	MEMBER(NUMBER, access_record, interface, .names = access_interfaces),
	MEMBER(NUMBER, access_record, size_class, .key = "class"),
	MEMBER(NUMBER, access_record, calls, .key = "calls"),
	MEMBER(NUMBER, access_record, bytes, .key = "bytes"),
	MEMBER(NUMBER, access_record, inside, .key = "inside"),
	MEMBER(NUMBER, access_record, consecutive, .key = "consecutive"),
	MEMBER(NUMBER, access_record, strided, .key = "strided"),
	{0},
};

static const struct record_member thread_members[] = {
	MEMBER(NUMBER, thread_info, id),
	MEMBER(FLAG, thread_info, main),
	MEMBER(REST, thread_info, name),
	{0},
};

const struct record_layout record_layouts[KIND_MASK + 1] = {
	[RECORD_WORLD] = {NULL, world_members, sizeof(struct world_record)},
	[RECORD_PROPERTY] = {"property", property_members, sizeof(struct property)},
	[RECORD_CLOCK] = {"clock", clock_members, sizeof(struct clock)},
	[RECORD_MODULE] = {"module", module_members, sizeof(struct module)},
	[RECORD_SOURCE] = {"source", source_members, sizeof(struct module)},
	[RECORD_STAMP] = {"stamp", stamp_members, sizeof(struct stamp)},
	[RECORD_COMM] = {"comm", comm_members, sizeof(struct comm)},
	[RECORD_OBJECT] = {"object", object_members, sizeof(struct object)},
	[RECORD_EAGER] = {"eager", eager_members, sizeof(struct eager)},
	[RECORD_COMPARE] = {"compare", comparison_members, sizeof(struct clock_comparison)},
	[RECORD_LOSS] = {"loss", loss_members, sizeof(struct event_loss)},
	[RECORD_PAUSE] = {NULL, pause_members, sizeof(struct pause)},
	[RECORD_OVERHEAD] = {"overhead", overhead_members, sizeof(struct overhead)},
	[RECORD_FILE] = {"file", file_members, sizeof(struct file_record)},
	[RECORD_ACCESS] = {"access", access_members, sizeof(struct access_record)},
	[RECORD_THREAD] = {NULL, thread_members, sizeof(struct thread_info)},
};

static bool is_missing(const struct record_member *member, const void *record)
{
	return (member->form == MEMBER_MARK && !*(const bool *)record_member_at(record, member)) ||
	       (member->form == MEMBER_OTHERS && ((const struct comm *)record)->kind != COMM_INTER);
}

static size_t member_room(const struct record_member *member, const void *at)
{
	switch (member->form) {
	case MEMBER_STRING:
	case MEMBER_REST:
		return VARINT_MAX + strlen(*(const char *const *)at);
	case MEMBER_BYTES:
		return VARINT_MAX + record_list(at).count;
	case MEMBER_POINTS:
		return VARINT_MAX + record_list(at).count * 2 * VARINT_MAX;
	case MEMBER_GROUP:
	case MEMBER_OTHERS:
		return VARINT_MAX + record_list(at).count * (sizeof(uint64_t) + 3 * VARINT_MAX);
	default:
		return VARINT_MAX;
	}
}

size_t record_room(enum record_kind kind, const void *record)
{
	size_t room = 0;

	for (const struct record_member *member = record_layouts[kind].members; member->form; member++)
		room += member_room(member, record_member_at(record, member));
	return room;
}

static uint8_t *put_list(uint8_t *at, enum member_form form, struct record_list list)
{
	at = put_varint(at, list.count);
	if (form == MEMBER_BYTES)
		return list.count ? put_bytes(at, list.items, list.count) : at;
	for (size_t i = 0; i < list.count; i++) {
		if (form == MEMBER_POINTS) {
			const struct clock_point *point = (const struct clock_point *)list.items + i;
			at = put_varint(put_varint(at, point->tick), point->ns);
		} else {
			const struct rank_run *run = (const struct rank_run *)list.items + i;
			at = put_varint(put_u64(at, run->world), run->first);
			at = put_varint(put_signed(at, run->stride), run->count);
		}
	}
	return at;
}

static uint8_t *put_member(uint8_t *at, enum member_form form, const void *value)
{
	switch (form) {
	case MEMBER_NUMBER:
		return put_varint(at, *(const uint64_t *)value);
	case MEMBER_FIXED:
		return put_u64(at, *(const uint64_t *)value);
	case MEMBER_FLAG:
	case MEMBER_MARK:
		return put_varint(at, *(const bool *)value);
	case MEMBER_STRING:
		at = put_varint(at, strlen(*(const char *const *)value));
		/* fall through */
	case MEMBER_REST:
		return put_bytes(at, *(const char *const *)value, strlen(*(const char *const *)value));
	default:
		return put_list(at, form, record_list(value));
	}
}

uint8_t *record_put(uint8_t *at, enum record_kind kind, const void *record)
{
	const struct record_member *member = record_layouts[kind].members, *rest = NULL;

	for (; member->form; member++)
		if (member->form == MEMBER_REST)
			rest = member;
		else if (!is_missing(member, record))
			at = put_member(at, member->form, record_member_at(record, member));
	return rest ? put_member(at, MEMBER_REST, record_member_at(record, rest)) : at;
}
