/* Shared by the parts of the Perfetto export. All packets belong to one sequence, so that a text is written
 * only once: packets refer to texts by number, and the first one that uses a text contains it. Readers sort
 * packets by time, and keep the order of the file for equal times. */
#ifndef TARRY_OUTPUT_EXCHANGE_PERFETTO_EXPORTER_H
#define TARRY_OUTPUT_EXCHANGE_PERFETTO_EXPORTER_H

#include "analysis/model/session.h"
#include "base/array.h"
#include "base/text.h"
#include "output/exchange/export_output.h"
#include "trace/intern.h"

/* Writes protocol buffers: the fields of a message one after the other.
 *
 *	size_t packet = proto_begin(out, TRACE_PACKET);
 *	proto_number(out, PACKET_TIMESTAMP, ns);
 *	proto_text(out, TRACK_NAME, "rank 3");
 *	proto_end(out, packet); */

void proto_number(struct text *out, uint32_t field, uint64_t value);
/* Bytes that are not UTF-8 become U+FFFD: readers may reject invalid text. */
void proto_text(struct text *out, uint32_t field, const char *string);

/* A nested message. The last one begun must end first. */
size_t proto_begin(struct text *out, uint32_t field);
void proto_end(struct text *out, size_t begun);

/* Numbers of the fields that we write, from the public .proto files of Perfetto. */

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

/* BuiltinClock: the time of day, and the default clock of packets */
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

/* InternedData: the table, and in each entry of a table the number and the text */
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

/* Slices of a track are nested or consecutive. If calls of a thread overlap otherwise, for example with a
 * clock that went backwards, the later ones get a separate track next to it. */
enum { SLICE_TRACKS = 8, SLICE_MEMORY = 16 };

struct slice_track {
	uint64_t track;
	struct {
		int64_t start, end;
	} slices[SLICE_MEMORY]; /* the last slices */
	uint64_t slice_count;
};

struct thread_track {
	uint64_t track;
	int32_t pid, tid;
	struct slice_track slice_tracks[SLICE_TRACKS]; /* the first is the thread's own track */
	bool is_left_out;                              /* of the entered call */
	uint64_t call_track;                           /* of the entered call; 0: an instant, not a slice */
	ARRAY(const char *) regions;                   /* open ones, by name */
	int64_t last_ns;
};

struct process_track {
	struct process *process;
	uint64_t track;
	const char *label; /* "rank 3 on node1" */
	int32_t pid;
	struct thread_track *threads; /* by index of the stream */
	uint64_t phase_track;         /* 0: no phase yet */
	int64_t last_ns;
	ARRAY(struct text) calls; /* by id: the common data of all slices of the call */
};

struct perfetto {
	const struct export_job *job;
	struct output output;
	enum status status; /* of writing; after a failure nothing more is written */
	struct text text;
	struct text fresh; /* texts first used by the current packet */
	bool begun;        /* the sequence of packets has begun */
	struct arena arena;
	struct interner categories, events, annotations, texts, locations;
	const struct corrected_time *time;
	struct process_track *processes;
	uint64_t tracks;        /* numbered from 1 */
	uint64_t flows;         /* of calls that send; only the thread of the replay counts them */
	uint64_t started_flows; /* of other messages */
};

/* The corrected time, in ns since 1970. */
int64_t time_of(const struct perfetto *p, const struct process_track *process, uint64_t tick);

/* Numbers of texts; the next packet contains new ones. */
uint64_t number_category(struct perfetto *p, const char *name);
uint64_t number_event(struct perfetto *p, const char *name);
uint64_t number_annotation(struct perfetto *p, const char *name);
uint64_t number_location(struct perfetto *p, const struct location *where);

size_t packet_begin(struct perfetto *p);
void packet_end(struct perfetto *p, size_t begun);

/* An event on a track, open for more fields until event_end(). */
struct open_event {
	size_t packet, event;
};

struct open_event event_begin(struct perfetto *p, enum perfetto_event_type type, uint64_t track, int64_t ns);
void event_end(struct perfetto *p, struct open_event open);

void annotate_number(struct perfetto *p, struct text *out, const char *name, int64_t value);
void annotate_text(struct perfetto *p, struct text *out, const char *name, const char *value);

/* Defines all processes and threads. */
void write_tracks(struct perfetto *p);
/* The track of the thread on which the slice can be drawn; 0: none. */
uint64_t choose_track(struct perfetto *p, struct thread_track *thread, int64_t start, int64_t end);

/* Category, name, annotations and place of a call, as fields of an event. Valid as long as
 * the process's track. */
const struct text *describe_call(struct perfetto *p, struct process_track *process, const struct call *call);

/* Regions, phases and marks of the user's code. False: not one of these. */
bool write_user_event(struct perfetto *p, struct process_track *process, struct thread_track *thread,
                      const struct event *event);
/* Ends open regions and phases when a process has ended. */
void close_user_events(struct perfetto *p, struct process_track *process);

#endif
