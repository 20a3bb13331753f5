#include "job/record/stream_define.h"

#include "job/mpi/places.h"
#include "job/mpi/sites.h"
#include "job/record/arguments.h"
#include "job/record/probes.h"
#include "job/record/process.h"

#include <string.h>
#include <sys/mman.h>

_Static_assert(CHUNK_NAMES <= sizeof((struct recording_stream *)0)->names / sizeof(uint32_t),
               "each name has a place");

static bool is_text(uint32_t field)
{
	return field == FIELD_REGION || field == FIELD_PORT || field == FIELD_PROGRAM || field == FIELD_TEXT;
}

static uint32_t name_once(struct recording_stream *s, uint32_t number, const char *name)
{
	if (!s->names[number])
		s->names[number] = encode_name(&s->encoder, name) + 1;
	return s->names[number] - 1;
}

static uint32_t name_argument(struct recording_stream *s, uint32_t number)
{
	uint32_t *known = &s->arguments->names[number];

	if (!*known)
		*known = encode_name(&s->encoder, argument_name(number)) + 1;
	return *known - 1;
}

/* Module and offset of a place, or of a return address. */
static void locate(int64_t site, uint64_t *module, uint64_t *offset)
{
	if (site < 0) {
		struct path_node place = place_get(place_of_word(site));
		*module = place.module;
		*offset = place.offset;
	} else {
		site_locate((uint64_t)site, module, offset);
	}
}

/* The number of the path to a place. Defines the path's outer part first. */
static uint32_t name_path(struct recording_stream *s, uint32_t number)
{
	uint32_t chain[PATH_DEPTH_MAX], depth = 0, caller = 0;
	struct path_node place;

	for (; number != NO_PLACE && depth < PATH_DEPTH_MAX; number = place_get(number).caller) {
		struct known_site *known = &s->paths[number & (SITE_ENTRIES - 1)];
		if (known->address == place_word(number)) {
			caller = known->number + 1;
			break;
		}
		chain[depth++] = number;
	}
	while (depth-- > 0) {
		place = place_get(chain[depth]);
		caller = encode_path(&s->encoder, caller, place.module, place.offset) + 1;
		s->paths[chain[depth] & (SITE_ENTRIES - 1)] = (struct known_site){place_word(chain[depth]),
		                                                                  caller - 1};
	}
	return caller - 1;
}

/* Many calls come from few places. A place is defined again only if another one has replaced its entry. */
static uint32_t name_site(struct recording_stream *s, int64_t address)
{
	const uint64_t hash = address < 0 ? place_of_word(address) : (uint64_t)address >> 2;
	struct known_site *known = &s->sites[hash & (SITE_ENTRIES - 1)];
	uint64_t module, offset;

	if (known->address != address || !address) {
		locate(address, &module, &offset);
		*known = (struct known_site){address, encode_site(&s->encoder, module, offset)};
	}
	return known->number;
}

static int64_t translate(struct recording_stream *s, uint32_t field, int64_t value)
{
	switch (field) {
	case FIELD_COMM:
	case FIELD_NEWCOMM:
	case FIELD_WIN:
	case FIELD_FILE:
		return (int64_t)object_identity(value);
	case FIELD_REGION:
	case FIELD_PORT:
	case FIELD_PROGRAM:
	case FIELD_TEXT:
		return encode_name(&s->encoder, text_of(value));
	default:
		return value;
	}
}

uint32_t describe_rest(const int64_t *key, struct field *fields, size_t *count)
{
	uint32_t field = key[0] & 0xff;

	if (field == FIELD_PARAM) {
		const uint32_t number = (uint32_t)(key[0] >> 8);
		fields[(*count)++] = (struct field){FIELD_PARAM, number};
		fields[(*count)++] = (struct field){argument_has_text(number) ? FIELD_TEXT : FIELD_VALUE,
		                                    key[1]};
		return 2;
	}
	if (field != FIELD_DONE) {
		fields[(*count)++] = (struct field){field, key[1]};
		return 2;
	}
	fields[(*count)++] = (struct field){FIELD_DONE, key[0] >> 8 & UINT32_MAX};
	if (!(key[0] >> 40))
		return 1;
	fields[(*count)++] = (struct field){FIELD_SOURCE, key[1] >> 32};
	fields[(*count)++] = (struct field){FIELD_SOURCE_TAG, (int32_t)key[1]};
	fields[(*count)++] = (struct field){FIELD_RECEIVED, key[2]};
	return 3;
}

/* The maximum number of fields of a key. */
static size_t fields_max(uint32_t words)
{
	return 2 * (size_t)words;
}

/* Converts those fields after the key's values that are names in the trace: arguments and their texts. */
static void name_arguments(struct recording_stream *s, struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (fields[i].key == FIELD_PARAM)
			fields[i].value = name_argument(s, (uint32_t)fields[i].value);
		else if (fields[i].key == FIELD_TEXT)
			fields[i].value = encode_name(&s->encoder, text_of(fields[i].value));
	}
}

/* Converts the key to the fields of a CALL record. */
static size_t describe(struct recording_stream *s, const int64_t *key, uint32_t words, struct field *fields)
{
	const struct shape *shape = shape_of((uint32_t)key[KEY_WHAT]);
	int64_t result = key[KEY_WHAT] >> 32;
	size_t count = 0;
	uint32_t at = KEY_VALUES;

	for (const uint8_t *field = shape->fields; *field && at < words; field++, at++)
		if (key[at] != ABSENT)
			fields[count++] = (struct field){*field, translate(s, *field, key[at])};
	while (at < words) {
		const size_t before = count;
		at += describe_rest(key + at, fields, &count);
		if (UNLIKELY(s->arguments))
			name_arguments(s, fields + before, count - before);
	}
	if (shape->persistent)
		fields[count++] = (struct field){FIELD_PERSISTENT, 1};
	if (result)
		fields[count++] = (struct field){FIELD_RESULT, result};
	return count;
}

/* The value of a parameter, of the kind that the rule declares. */
static struct field value_field(struct recording_stream *s, uint32_t kind, int64_t value)
{
	switch (kind) {
	case PROBE_REAL:
		return (struct field){FIELD_REAL, value};
	case PROBE_TEXT:
		return (struct field){FIELD_TEXT, encode_name(&s->encoder, text_of(value))};
	default:
		return (struct field){FIELD_VALUE, value};
	}
}

/* For a function that a rule traces: each parameter with its name. */
static size_t describe_traced(struct recording_stream *s, const int64_t *key, struct field *fields)
{
	const struct probe *probe = probe_of((uint32_t)key[KEY_WHAT]);
	size_t count = 0;

	for (uint32_t i = 0; i < probe->parameter_count; i++) {
		const struct probe_parameter *parameter = &probe->parameters[i];
		if (key[KEY_VALUES + i] == ABSENT)
			continue;
		fields[count++] = (struct field){
			FIELD_PARAM, name_once(s, PROBE_NAMES + probe->first_name + i, parameter->name)};
		fields[count++] = value_field(s, parameter->kind, key[KEY_VALUES + i]);
	}
	return count;
}

/* Room for the function's name, a site, up to two names of fields, and the call. */
size_t stream_define_room(const int64_t *key, uint32_t words)
{
	size_t depth = (key[KEY_SITE] >= 0  ? 0
	                : host_path_depth() ? host_path_depth()
	                                    : FAR_CALLERS),
	       path = depth * (LONG_HEAD_MAX + 3 * VARINT_MAX);

	return NEXT_ROOM + call_room(fields_max(words)) + 4 * LONG_HEAD_MAX + 2 * VARINT_MAX +
	       shape_text_bytes(key, words) + path;
}

/* Collects the content of a CALL record, and defines its names and sites. */
static size_t gather(struct recording_stream *s, const int64_t *key, uint32_t words, uint32_t *name,
                     uint32_t *site, struct field *fields)
{
	uint32_t id = (uint32_t)key[KEY_WHAT];
	size_t count;

	*name = name_once(s, id, shape_name(id));
	*site = key[KEY_SITE] ? name_site(s, key[KEY_SITE]) : NO_SITE; /* skipped calls have no site */
	count = id < SHAPES ? describe(s, key, words, fields) : describe_traced(s, key, fields);
	if (key[KEY_SITE] < 0 && place_get(place_of_word(key[KEY_SITE])).caller != NO_PLACE)
		fields[count++] = (struct field){
			FIELD_PATH, name_path(s, place_get(place_of_word(key[KEY_SITE])).caller)};
	return count;
}

void stream_describe_open(struct recording_stream *s, const int64_t *key, uint32_t words, uint64_t *start)
{
	struct field fields[2 * OPEN_WORDS];
	uint32_t name, site;
	size_t count = gather(s, key, words, &name, &site, fields);

	s->draft.begin = NULL; /* it is overwritten below */
	*start = timer_now();
	encode_open_undefined(&s->encoder, name, site, fields, count, *start);
}

uint32_t stream_define(struct recording_stream *s, const int64_t *key, uint32_t words)
{
	struct field few[64], *fields = few;
	uint32_t call, name, site;
	size_t count;

	if (fields_max(words) > sizeof few / sizeof *few) {
		size_t bytes = fields_max(words) * sizeof *fields;
		fields = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (fields == MAP_FAILED) {
			stream_lose_events(s, "no memory to describe a call");
			return NO_CALL;
		}
	}
	count = gather(s, key, words, &name, &site, fields);
	call = encode_call(&s->encoder, name, site, fields, count);
	if (fields != few)
		munmap(fields, fields_max(words) * sizeof *fields);
	return call;
}

bool stream_tries_near(struct recording_stream *s)
{
	s->near = near_callers_new();
	s->has_tried_near = true;
	return s->near;
}

static const struct shape user_shapes[SHAPES - ALL_CALLS] = {
	{"tarry_region_begin", {FIELD_REGION}, false},
	{"tarry_region_end", {FIELD_REGION}, false},
	{"tarry_phase", {FIELD_REGION}, false},
	{"tarry_mark", {FIELD_REGION}, false},
};

const struct shape *shape_of(uint32_t id)
{
	return id < ALL_CALLS ? &call_shapes[id] : &user_shapes[id - ALL_CALLS];
}

const char *shape_name(uint32_t id)
{
	return id < SHAPES ? shape_of(id)->name : probe_of(id)->function;
}

static size_t traced_text_bytes(const int64_t *key)
{
	const struct probe *probe = probe_of((uint32_t)key[KEY_WHAT]);
	size_t bytes = strlen(probe->function);

	for (uint32_t i = 0; i < probe->parameter_count; i++) {
		const struct probe_parameter *parameter = &probe->parameters[i];
		bytes += LONG_HEAD_MAX + strlen(parameter->name);
		if (parameter->kind == PROBE_TEXT && key[KEY_VALUES + i] != ABSENT)
			bytes += LONG_HEAD_MAX + strlen(text_of(key[KEY_VALUES + i]));
	}
	return bytes;
}

/* The size of the texts of arguments from word `at` on. */
static size_t argument_text_bytes(const int64_t *key, uint32_t at, uint32_t words)
{
	size_t bytes = 0;

	while (at < words) {
		struct field fields[FIELDS_OF_REST];
		size_t count = 0;
		at += describe_rest(key + at, fields, &count);
		if (fields[0].key != FIELD_PARAM)
			continue;
		bytes += LONG_HEAD_MAX + strlen(argument_name((uint32_t)fields[0].value));
		if (fields[1].key == FIELD_TEXT)
			bytes += LONG_HEAD_MAX + strlen(text_of(fields[1].value));
	}
	return bytes;
}

size_t shape_text_bytes(const int64_t *key, uint32_t words)
{
	if ((uint32_t)key[KEY_WHAT] >= SHAPES)
		return traced_text_bytes(key);

	const struct shape *shape = shape_of((uint32_t)key[KEY_WHAT]);
	size_t bytes = strlen(shape->name);
	uint32_t at = KEY_VALUES;

	for (const uint8_t *field = shape->fields; *field && at < words; field++, at++)
		if (is_text(*field) && key[at] != ABSENT)
			bytes += LONG_HEAD_MAX + strlen(text_of(key[at]));
	return bytes + argument_text_bytes(key, at, words);
}
