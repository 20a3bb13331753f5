#include "base/bytes.h"
#include "base/utf8.h"
#include "output/exchange/perfetto_exporter.h"

#include <string.h>

/* Protocol buffers */

/* The lowest three bits of a field's key. */
enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

static void add_varint(struct text *out, uint64_t value)
{
	uint8_t bytes[VARINT_MAX];

	text_add_bytes(out, (char *)bytes, (size_t)(put_varint(bytes, value) - bytes));
}

static void add_key(struct text *out, uint32_t field, enum wire_type type)
{
	add_varint(out, (uint64_t)field << 3 | type);
}

void proto_number(struct text *out, uint32_t field, uint64_t value)
{
	add_key(out, field, WIRE_VARINT);
	add_varint(out, value);
}

void proto_fixed64(struct text *out, uint32_t field, uint64_t value)
{
	add_key(out, field, WIRE_FIXED64);
	text_add_bytes(out, (const char *)&value, sizeof value);
}

void proto_bytes(struct text *out, uint32_t field, const void *bytes, size_t size)
{
	add_key(out, field, WIRE_BYTES);
	add_varint(out, size);
	text_add_bytes(out, bytes, size);
}

void proto_text(struct text *out, uint32_t field, const char *string)
{
	const char *end = string + strlen(string);
	size_t begun = proto_begin(out, field);

	while (string < end) {
		const char *at = string;
		if (utf8_next(&string, end) == UTF8_INVALID)
			text_add_bytes(out, UTF8_REPLACEMENT, strlen(UTF8_REPLACEMENT));
		else
			text_add_bytes(out, at, (size_t)(string - at));
	}
	proto_end(out, begun);
}

/* The length is expected to take one byte, and makes room for itself if it takes more. */
size_t proto_begin(struct text *out, uint32_t field)
{
	add_key(out, field, WIRE_BYTES);
	text_add_bytes(out, "", 1);
	return out->length;
}

void proto_end(struct text *out, size_t begun)
{
	size_t length = out->length - begun;
	uint8_t bytes[VARINT_MAX];
	size_t size = (size_t)(put_varint(bytes, length) - bytes);

	if (size > 1) {
		text_add_repeated(out, '\0', size - 1);
		memmove(out->bytes + begun + size - 1, out->bytes + begun, length);
	}
	memcpy(out->bytes + begun - 1, bytes, size);
}

/* Packets */

enum { OUR_SEQUENCE = 1, FLUSH_BYTES = 1 << 16 };

/* The number of an entry of such a table, from 1; whether it is new. */
static bool number_entry(struct perfetto *p, struct interner *interner, const void *key, size_t size,
                         uint64_t *number)
{
	uint64_t known = interner->count;

	interner->arena = &p->arena;
	*number = intern(interner, key, size)->number + 1;
	return *number == known + 1;
}

static uint64_t number_text(struct perfetto *p, struct interner *interner, enum interned_table table,
                            const char *text)
{
	uint64_t number;
	size_t entry;

	if (!number_entry(p, interner, text, strlen(text), &number))
		return number;
	entry = proto_begin(&p->fresh, table);
	proto_number(&p->fresh, ENTRY_IID, number);
	proto_text(&p->fresh, ENTRY_TEXT, text);
	proto_end(&p->fresh, entry);
	return number;
}

uint64_t number_category(struct perfetto *p, const char *name)
{
	return number_text(p, &p->categories, INTERNED_CATEGORIES, name);
}

uint64_t number_event(struct perfetto *p, const char *name)
{
	return number_text(p, &p->events, INTERNED_EVENTS, name);
}

uint64_t number_location(struct perfetto *p, const struct location *where)
{
	struct text key = {0};
	uint64_t number;
	size_t entry;
	bool is_new;

	text_add(&key, "%s:%d:%s", where->file, where->line, where->function ? where->function : "");
	is_new = number_entry(p, &p->locations, text_get(&key), key.length, &number);
	text_release(&key);
	if (!is_new)
		return number;
	entry = proto_begin(&p->fresh, INTERNED_LOCATIONS);
	proto_number(&p->fresh, ENTRY_IID, number);
	proto_text(&p->fresh, LOCATION_FILE, where->file);
	if (where->function)
		proto_text(&p->fresh, LOCATION_FUNCTION, where->function);
	proto_number(&p->fresh, LOCATION_LINE, (uint64_t)where->line);
	proto_end(&p->fresh, entry);
	return number;
}

uint64_t number_annotation(struct perfetto *p, const char *name)
{
	return number_text(p, &p->annotations, INTERNED_ANNOTATIONS, name);
}

void annotate_number(struct perfetto *p, struct text *out, const char *name, int64_t value)
{
	proto_number(out, ANNOTATION_NAME_IID, number_annotation(p, name));
	proto_number(out, ANNOTATION_SIGNED, (uint64_t)value);
}

void annotate_text(struct perfetto *p, struct text *out, const char *name, const char *value)
{
	proto_number(out, ANNOTATION_NAME_IID, number_annotation(p, name));
	proto_number(out, ANNOTATION_TEXT_IID, number_text(p, &p->texts, INTERNED_TEXTS, value));
}

size_t packet_begin(struct perfetto *p)
{
	size_t begun = proto_begin(&p->text, TRACE_PACKET);

	proto_number(&p->text, PACKET_SEQUENCE, OUR_SEQUENCE);
	proto_number(&p->text, PACKET_SEQUENCE_FLAGS,
	             p->begun ? SEQUENCE_NEEDS_STATE : SEQUENCE_STARTS | SEQUENCE_NEEDS_STATE);
	p->begun = true;
	return begun;
}

void packet_end(struct perfetto *p, size_t begun)
{
	if (p->fresh.length)
		proto_bytes(&p->text, PACKET_INTERNED_DATA, p->fresh.bytes, p->fresh.length);
	text_clear(&p->fresh);
	proto_end(&p->text, begun);
	if (p->text.length < FLUSH_BYTES)
		return;
	if (p->status == OK)
		p->status = export_write(&p->output, &p->text);
	text_clear(&p->text);
}

struct open_event event_begin(struct perfetto *p, enum perfetto_event_type type, uint64_t track, int64_t ns)
{
	struct open_event open = {.packet = packet_begin(p)};

	proto_number(&p->text, PACKET_TIMESTAMP, ns > 0 ? (uint64_t)ns : 0);
	open.event = proto_begin(&p->text, PACKET_TRACK_EVENT);
	proto_number(&p->text, EVENT_TYPE, type);
	proto_number(&p->text, EVENT_TRACK, track);
	return open;
}

void event_end(struct perfetto *p, struct open_event open)
{
	proto_end(&p->text, open.event);
	packet_end(p, open.packet);
}

void event_name(struct perfetto *p, const char *category, const char *name)
{
	proto_number(&p->text, EVENT_CATEGORY_IID, number_category(p, category));
	proto_number(&p->text, EVENT_NAME_IID, number_event(p, name));
}
