
#include "base/memory.h"
#include "trace/call_copy.h"
#include "trace/process.h"
#include "trace/text.h"

#include <stdlib.h>
#include <string.h>

/* Fields that differ between processes of the same program. */
static const bool field_is_own[FIELD_KEYS] = {
	[FIELD_PEER] = true,   [FIELD_RECV_PEER] = true, [FIELD_SOURCE] = true,   [FIELD_TARGET] = true,
	[FIELD_MEMBER] = true, [FIELD_SENT] = true,      [FIELD_RECEIVED] = true, [FIELD_ROOM] = true,
	[FIELD_DISP] = true,   [FIELD_OFFSET] = true,    [FIELD_VALUE] = true,    [FIELD_PATH] = true,
};

void *definition_room(void *items, uint32_t count, uint32_t *room, uint32_t known, size_t size)
{
	if (count < *room)
		return items;
	*room = *room ? *room + *room / 4 + 1 : known ? known : 16;
	return memory_grow(items, *room, size);
}

/* A definition that did not occur during the first reading. */
static bool has_changed(struct event_iter *iter)
{
	return chunk_give_up(iter, "it changed while it was read");
}

/* All calls that the chunk defines are known, and nothing else needs its names, sites and paths. */
static bool knows_calls(const struct event_iter *iter)
{
	return iter->chunk->call_ids;
}

bool take_name(struct event_iter *iter, struct cursor *body)
{
	const char *name;

	if (knows_calls(iter))
		return true;
	name = reader_text(iter->reader, body->at, strnlen((const char *)body->at, cursor_left(body)));
	if (!name)
		return has_changed(iter);
	iter->names = definition_room(iter->names, iter->name_count, &iter->name_room,
	                              iter->stream->name_count, sizeof *iter->names);
	iter->names[iter->name_count++] = name;
	return true;
}

bool take_site(struct event_iter *iter, struct cursor *body)
{
	uint64_t module = take_varint(body);
	uint64_t offset = take_varint(body);
	uint32_t site;

	if (knows_calls(iter))
		return true;
	if (module > UINT32_MAX)
		return chunk_give_up(iter, "site %u is in the impossible module %llu", iter->site_count,
		                     (unsigned long long)module);
	site = reader_intern_site(iter->reader, offset, (uint32_t)module);
	if (site == NO_SITE)
		return has_changed(iter);
	iter->sites = definition_room(iter->sites, iter->site_count, &iter->site_room,
	                              iter->stream->site_count, sizeof *iter->sites);
	iter->sites[iter->site_count++] = site;
	return true;
}

bool take_path(struct event_iter *iter, struct cursor *body)
{
	uint64_t caller = take_varint(body);
	uint64_t module = take_varint(body);
	uint64_t offset = take_varint(body);
	const struct path *path;

	if (knows_calls(iter))
		return true;
	if (caller > iter->path_count)
		return chunk_give_up(iter, "path %u goes on from path %llu, but only %u are defined",
		                     iter->path_count, (unsigned long long)caller - 1, iter->path_count);
	if (caller && iter->paths[caller - 1]->depth >= PATH_DEPTH_MAX)
		return chunk_give_up(iter, "path %u has more than %d sites", iter->path_count,
		                     PATH_DEPTH_MAX);
	if (body->bad)
		return true;
	path = process_intern_path(iter->stream->process, caller ? iter->paths[caller - 1] : NULL, module,
	                           offset);
	if (!path)
		return has_changed(iter);
	iter->paths = definition_room(iter->paths, iter->path_count, &iter->path_room, 0,
	                              sizeof *iter->paths);
	iter->paths[iter->path_count++] = path;
	return true;
}

static bool take_field(struct event_iter *iter, struct cursor *body, struct field *field)
{
	uint64_t key = take_varint(body);

	field->key = (uint32_t)key;
	field->value = take_signed(body);
	if (body->bad)
		return chunk_give_up(iter, "call %u is cut inside a field", iter->call_count);
	if (key > UINT32_MAX)
		return chunk_give_up(iter, "call %u has a field with the impossible key %llu",
		                     iter->call_count, (unsigned long long)key);
	if (iter->chunk->shape && key > FIELD_RELATIVE && key < FIELD_RELATIVE + FIELD_KEYS) {
		field->key -= FIELD_RELATIVE;
		field->value = (int64_t)((uint64_t)field->value + iter->stream->process->rank);
	}
	if (field_form(field->key) == FORM_path) {
		if ((uint64_t)field->value >= iter->path_count)
			return chunk_give_up(iter, "call %u refers to path %lld, but only %u are defined",
			                     iter->call_count, (long long)field->value, iter->path_count);
		field->value = (int64_t)iter->paths[field->value]->id;
	} else if (field_form(field->key) == FORM_name) {
		if ((uint64_t)field->value >= iter->name_count)
			return chunk_give_up(iter, "call %u refers to name %lld, but only %u are defined",
			                     iter->call_count, (long long)field->value, iter->name_count);
		field->value = (int64_t)(uintptr_t)iter->names[field->value];
	}
	return true;
}

enum { USUAL = 32 }; /* fields of a call */

struct call_draft {
	struct outline *outline;
	struct call *call;
};

#define DRAFT_WORDS(fields) \
	((sizeof(struct outline) + sizeof(struct call) + \
	  (fields) * (sizeof(struct outline_field) + sizeof(int32_t)) + 7) / \
	 8)

static struct call_draft draft_in(uint64_t *room, size_t fields)
{
	struct outline *outline = (struct outline *)room;

	return (struct call_draft){outline, (struct call *)&outline->fields[fields]};
}

static void define_call(struct event_iter *iter, uint32_t id)
{
	iter->calls = definition_room(iter->calls, iter->call_count, &iter->call_room,
	                              iter->stream->call_count, sizeof *iter->calls);
	iter->calls[iter->call_count++] = (struct defined){id, NO_CALL};
}

/* As an earlier reading did. */
static bool define_known(struct event_iter *iter)
{
	const struct chunk *chunk = iter->chunk;
	bool is_known = iter->call_count < chunk->call_id_count;

	if (is_known)
		define_call(iter, chunk->call_ids[iter->call_count]);
	return is_known;
}

static void follow_last(struct event_iter *iter)
{
	if (iter->last != NO_CALL)
		iter->calls[iter->last].successor = iter->call_count - 1;
}

/* Stores the fields that differ between processes in the call, and all other fields in the outline. Returns the number of the former. */
static uint32_t divide_fields(struct call_draft draft, uint32_t fields)
{
	uint32_t own = 0;

	for (uint32_t i = 0; i < fields; i++) {
		struct outline_field *field = &draft.outline->fields[i];
		field->is_own = field->key < FIELD_KEYS && field_is_own[field->key] &&
		                field->value == (int32_t)field->value;
		if (!field->is_own)
			continue;
		draft.call->own[own] = (int32_t)field->value;
		field->value = own++;
	}
	draft.outline->field_count = fields & INT32_MAX;
	return own;
}

static bool add_drafted(struct event_iter *iter, struct call_draft draft, uint32_t fields, uint32_t site)
{
	uint32_t own = divide_fields(draft, fields);
	const struct call *call = process_intern_call(iter->stream->process, draft.outline, site, draft.call,
	                                              own);

	if (!call)
		return has_changed(iter);
	define_call(iter, call->id);
	return true;
}

static bool make_call(struct event_iter *iter, struct cursor *body, struct call_draft draft, uint64_t name,
                      uint64_t site)
{
	uint32_t fields = 0;

	*draft.outline = (struct outline){.name = iter->names[name]};
	while (cursor_left(body)) {
		struct field field;
		if (!take_field(iter, body, &field))
			return false;
		draft.outline->fields[fields++] = (struct outline_field){.key = field.key,
		                                                         .value = field.value};
	}
	return add_drafted(iter, draft, fields, site ? iter->sites[site - 1] : NO_SITE);
}

bool take_call(struct event_iter *iter, struct cursor *body)
{
	enum { FIELD_BYTES = 2 };
	uint64_t name = take_varint(body);
	uint64_t site = take_varint(body);
	size_t most = cursor_left(body) / FIELD_BYTES + 1;
	uint64_t usual[DRAFT_WORDS(USUAL)], *room = most <= USUAL ? usual : NULL;
	bool is_made;

	if (define_known(iter))
		return true;
	if (body->bad)
		return chunk_give_up(iter, "call %u is cut short", iter->call_count);
	if (name >= iter->name_count)
		return chunk_give_up(iter, "call %u refers to name %llu, but only %u are defined",
		                     iter->call_count, (unsigned long long)name, iter->name_count);
	if (site > iter->site_count)
		return chunk_give_up(iter, "call %u names site %llu, but only %u are defined",
		                     iter->call_count, (unsigned long long)site - 1, iter->site_count);
	if (!room)
		room = memory_new(DRAFT_WORDS(most), sizeof *room);
	is_made = make_call(iter, body, draft_in(room, most), name, site);
	if (room != usual)
		free(room);
	return is_made;
}

static bool take_difference(struct event_iter *iter, struct cursor *body, struct outline *outline,
                            uint32_t fields)
{
	uint64_t position = take_varint(body);
	uint64_t difference = (uint64_t)take_signed(body);
	struct outline_field *field;

	if (body->bad)
		return chunk_give_up(iter, "call %u is cut inside a field", iter->call_count);
	if (position >= fields)
		return chunk_give_up(iter, "call %u differs in field %llu, but there are only %u",
		                     iter->call_count, (unsigned long long)position, fields);
	field = &outline->fields[position];
	if (field_form(field->key) == FORM_path || field_form(field->key) == FORM_name)
		return chunk_give_up(iter, "call %u differs in a name or a path", iter->call_count);
	field->value = (int64_t)((uint64_t)field->value + difference);
	return true;
}

static bool make_like(struct event_iter *iter, struct cursor *body, struct call_draft draft,
                      const struct call *base)
{
	const struct outline *outline = base->outline;
	uint32_t fields = outline->field_count;

	*draft.outline = (struct outline){.name = outline->name,
	                                  .offset = outline->offset,
	                                  .module = outline->module,
	                                  .has_site = outline->has_site};
	for (uint32_t i = 0; i < fields; i++)
		draft.outline->fields[i] = (struct outline_field){.key = field_key_at(base, i),
		                                                  .value = field_value_at(base, i)};
	while (cursor_left(body))
		if (!take_difference(iter, body, draft.outline, fields))
			return false;
	if (!add_drafted(iter, draft, fields, NO_SITE))
		return false;
	follow_last(iter);
	return true;
}

bool take_like(struct event_iter *iter, struct cursor *body)
{
	uint64_t back = take_varint(body), usual[DRAFT_WORDS(USUAL)], *room = usual;
	const struct call *base;
	bool is_made;

	if (define_known(iter)) {
		follow_last(iter);
		return true;
	}
	if (body->bad)
		return true;
	if (back >= iter->call_count)
		return chunk_give_up(iter, "call %u refers to a call %llu before it", iter->call_count,
		                     (unsigned long long)back + 1);
	base = iter->stream->process->calls.items[iter->calls[iter->call_count - 1 - back].id];
	if (base->outline->field_count > USUAL)
		room = memory_new(DRAFT_WORDS((size_t)base->outline->field_count), sizeof *room);
	is_made = make_like(iter, body, draft_in(room, base->outline->field_count), base);
	if (room != usual)
		free(room);
	return is_made;
}

void chunk_keep_calls(struct event_iter *iter)
{
	struct chunk *chunk = iter->chunk;
	uint32_t *ids;

	/* A later reading must stop where this one did. */
	if (!chunk->sealed || iter->follows || iter->damaged || chunk->call_ids || !iter->call_count)
		return;
	ids = arena_array(&iter->stream->process->arena, uint32_t, iter->call_count);
	for (uint32_t i = 0; i < iter->call_count; i++)
		ids[i] = iter->calls[i].id;
	chunk->call_ids = ids;
	chunk->call_id_count = iter->call_count;
}

/* Copies */

/* The rest of the outline and the values of its fields follow if it is not known yet, otherwise the own values. */
struct packed_call {
	uint32_t id;
	uint32_t outline; /* one above its number; 0: not known yet */
};

struct packed_outline {
	uint64_t offset;
	uint32_t module, has_site, fields;
};

/* Paths have other numbers in each process. */
static bool has_path(const struct outline *outline)
{
	for (uint32_t i = 0; i < outline->field_count; i++)
		if (field_form(outline->fields[i].key) == FORM_path)
			return true;
	return false;
}

static void pack_path(const struct path *path, struct text *out)
{
	PACK(out, path->depth);
	for (; path; path = path->caller) {
		struct site site = {path->offset, (uint32_t)path->module};
		PACK(out, site);
	}
}

static void pack_in_full(const struct process *process, const struct call *call, struct text *out)
{
	const struct outline *outline = call->outline;
	struct packed_outline head = {outline->offset, outline->module, outline->has_site,
	                              outline->field_count};

	PACK(out, head);
	pack_text(out, outline->name);
	for (uint32_t i = 0; i < outline->field_count; i++) {
		struct field field = field_at(call, i);
		PACK(out, field);
		if (field_form(field.key) == FORM_name)
			pack_text(out, field_text(field));
		else if (field_form(field.key) == FORM_path)
			pack_path(process->paths[field.value], out);
	}
}

void call_pack(struct call_packer *packer, const struct process *process, const struct call *call,
               struct text *out)
{
	uint32_t *number = packer && !has_path(call->outline)
	                           ? map_put(&packer->numbers, map_key((uintptr_t)call->outline, 0))
	                           : NULL;
	struct packed_call head = {call->id, number && *number != MAP_NONE ? *number + 1 : 0};

	PACK(out, head);
	if (head.outline) {
		text_add_bytes(out, (const char *)call->own, call->size - sizeof call->outline);
		return;
	}
	if (number)
		*number = packer->count++;
	pack_in_full(process, call, out);
}

void call_packer_release(struct call_packer *packer)
{
	map_release(&packer->numbers);
}

/* The sites are listed from the innermost on, but a path is identified by its caller. */
static int64_t unpack_path(struct process *process, struct cursor *in)
{
	const struct path *path = NULL;
	ARRAY(struct site) sites = {0};
	uint64_t depth = 0;
	struct site site;

	(void)UNPACK(in, &depth);
	while (depth-- > 0 && UNPACK(in, &site))
		array_add(&sites, site);
	while (sites.count > 0) {
		site = sites.items[--sites.count];
		path = process_intern_path(process, path, site.module, site.offset);
	}
	array_release(&sites);
	return path ? (int64_t)path->id : 0;
}

static const struct call *unpack_in_full(struct process *process, uint32_t id, struct cursor *in)
{
	struct packed_outline head = {0};
	const struct call *call = NULL;
	struct call_draft draft;
	const char *name;
	uint64_t usual[DRAFT_WORDS(USUAL)], *room = usual;

	if (!UNPACK(in, &head))
		return NULL;
	if (head.fields > USUAL)
		room = memory_new(DRAFT_WORDS((size_t)head.fields), sizeof *room);
	draft = draft_in(room, head.fields);
	name = unpack_text(in);
	*draft.outline = (struct outline){.name = reader_text(process->reader, name, strlen(name)),
	                                  .offset = head.offset,
	                                  .module = head.module,
	                                  .has_site = head.has_site & 1};
	for (uint32_t i = 0; i < head.fields; i++) {
		struct field field = {0};
		(void)UNPACK(in, &field);
		if (field_form(field.key) == FORM_name) {
			const char *text = unpack_text(in);
			field.value = (int64_t)(uintptr_t)reader_text(process->reader, text, strlen(text));
		} else if (field_form(field.key) == FORM_path) {
			field.value = unpack_path(process, in);
		}
		draft.outline->fields[i] = (struct outline_field){.key = field.key, .value = field.value};
	}
	if (!in->bad) {
		uint32_t own = divide_fields(draft, head.fields);
		call = process_define_call(process, draft.outline, id, draft.call, own);
	}
	if (room != usual)
		free(room);
	return call;
}

static const struct call *unpack_known(struct process *process, const struct known_outline *known,
                                       uint32_t id, struct cursor *in)
{
	const uint8_t *own = take_bytes(in, known->own * sizeof(int32_t));
	const struct call *call;
	struct call_draft draft;
	uint64_t usual[DRAFT_WORDS(USUAL)], *room = usual;

	if (!own)
		return NULL;
	if (known->own > USUAL)
		room = memory_new(DRAFT_WORDS((size_t)known->own), sizeof *room);
	draft = draft_in(room, known->own);
	draft.call->outline = known->outline;
	memcpy(draft.call->own, own, known->own * sizeof *draft.call->own);
	call = process_define_call(process, NULL, id, draft.call, known->own);
	if (room != usual)
		free(room);
	return call;
}

const struct call *call_unpack(struct call_unpacker *unpacker, struct process *process, struct cursor *in)
{
	struct packed_call head;
	const struct call *call;

	if (!UNPACK(in, &head) || (head.outline && (!unpacker || head.outline > unpacker->known.count)))
		return NULL;
	if (head.outline)
		return unpack_known(process, &unpacker->known.items[head.outline - 1], head.id, in);
	call = unpack_in_full(process, head.id, in);
	if (call && unpacker && !has_path(call->outline)) {
		struct known_outline known = {.outline = call->outline};
		for (uint32_t i = 0; i < call->outline->field_count; i++)
			known.own += call->outline->fields[i].is_own;
		array_add(&unpacker->known, known);
	}
	return call;
}

void call_unpacker_release(struct call_unpacker *unpacker)
{
	array_release(&unpacker->known);
}
