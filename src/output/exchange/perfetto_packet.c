#include "output/exchange/perfetto_exporter.h"

#include <string.h>

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

struct open_event event_begin(struct perfetto *p, enum event_type type, uint64_t track, int64_t ns)
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
