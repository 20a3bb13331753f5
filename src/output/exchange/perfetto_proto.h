/* Protocol buffers, as far as writing them goes: fields of a message one behind the other.
 *
 *	size_t packet = proto_begin(out, TRACE_PACKET);
 *	proto_number(out, PACKET_TIMESTAMP, ns);
 *	proto_text(out, TRACK_NAME, "rank 3");
 *	proto_end(out, packet); */
#ifndef TARRY_OUTPUT_EXCHANGE_PERFETTO_PROTO_H
#define TARRY_OUTPUT_EXCHANGE_PERFETTO_PROTO_H

#include "base/text.h"

void proto_number(struct text *out, uint32_t field, uint64_t value);
/* Eight bytes, whatever the value. */
void proto_fixed64(struct text *out, uint32_t field, uint64_t value);
void proto_bytes(struct text *out, uint32_t field, const void *bytes, size_t size);
/* Bytes that are not UTF-8 become U+FFFD: readers may refuse a text that has them. */
void proto_text(struct text *out, uint32_t field, const char *string);

/* A message in a message. What is begun last ends first. */
size_t proto_begin(struct text *out, uint32_t field);
void proto_end(struct text *out, size_t begun);

/* Numbers of the fields that we write, as the public .proto files of Perfetto give them. */

enum { TRACE_PACKET = 1 };

/* TracePacket */
enum {
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10, /* trusted_packet_sequence_id */
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_TRACK_DESCRIPTOR = 60,
};

/* sequence_flags */
enum { SEQUENCE_STARTS = 1, SEQUENCE_NEEDS_STATE = 2 };

/* ClockSnapshot, ClockSnapshot.Clock */
enum { SNAPSHOT_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIMESTAMP = 2 };

/* BuiltinClock: the time of day, and the one that packets are taken to use */
enum { CLOCK_OF_DAY = 1, CLOCK_OF_PACKETS = 6 };

/* TrackDescriptor */
enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
};

/* ProcessDescriptor */
enum { PROCESS_PID = 1, PROCESS_CMDLINE = 2, PROCESS_SORT_INDEX = 3, PROCESS_NAME = 6 };

/* ThreadDescriptor */
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_SORT_INDEX = 3, THREAD_NAME = 5 };

/* TrackEvent */
enum {
	EVENT_CATEGORY_IID = 3,
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_LOCATION_IID = 34,
	EVENT_FLOW = 47,
	EVENT_LAST_OF_FLOW = 48,
};

/* TrackEvent.Type */
enum perfetto_event_type { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3 };

/* DebugAnnotation */
enum {
	ANNOTATION_NAME_IID = 1,
	ANNOTATION_UNSIGNED = 3,
	ANNOTATION_SIGNED = 4,
	ANNOTATION_ENTRY = 11, /* of a dictionary */
	ANNOTATION_ITEM = 12,  /* of an array */
	ANNOTATION_TEXT_IID = 17,
};

/* InternedData: which table, and in each entry of a table the number and the text */
enum interned_table {
	INTERNED_CATEGORIES = 1,
	INTERNED_EVENTS = 2,
	INTERNED_ANNOTATIONS = 3,
	INTERNED_LOCATIONS = 4,
	INTERNED_TEXTS = 29,
};
enum { ENTRY_IID = 1, ENTRY_TEXT = 2 };

/* SourceLocation, an entry of INTERNED_LOCATIONS */
enum { LOCATION_FILE = 2, LOCATION_FUNCTION = 3, LOCATION_LINE = 4 };

#endif
