/* The export of an archive. Internal to otf2_export*.c.
 *
 * Definitions are numbered when first referred to. They are written in the order of Score-P's archives, on
 * which Scalasca relies: processes and locations first, then regions, groups, communicators, windows, and the
 * rest. The definition of a location contains its number of events, so all definitions after locations are
 * kept until all events are written. The first write error is also kept, and reported at the end. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_EXPORTER_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_EXPORTER_H

#include "analysis/model/session.h"
#include "base/array.h"
#include "output/exchange/exchange.h"
#include "output/exchange/otf2_common.h"
#include "trace/reader.h"
#include "trace/text.h"

#include <otf2/otf2.h>

/* The events of a thread, and their nesting.
 *
 * A trace has calls in the order of their ends: a nested call precedes the outer one. As enter and leave
 * records, the outer one is first. So a thread is kept in memory as nodes in the trace's order, and each
 * knows after how many others it is entered:
 *
 *	for (size_t i = 0; i < calls.count; i++) {
 *		for (size_t j = calls.entered[i]; j != NO_NODE; j = calls.items[j].next_entered)
 *			enter(&calls.items[j]);
 *		leave(&calls.items[i]);
 *	}
 *
 * gives every call its enter and leave, properly nested, whatever the times.
 *
 * In a trace a request has the lowest free number, and one thread may complete a request of another. In an
 * archive every operation has a unique number. So resolve_requests() visits all threads of a process in time
 * order, and notes for each event which operations it begins, tests and completes. */

#define NO_NODE SIZE_MAX

struct nested_call {
	struct event event;                  /* without a call: a record of the thread */
	const char *line;                    /* the record as text */
	uint8_t kind;                        /* of the record */
	struct event_operations *operations; /* NULL: none */
	size_t next_entered;
	bool is_left_out; /* from the output */
};

struct nested_calls {
	struct nested_call *items;
	size_t count, room;
	size_t *entered; /* the first and outermost node that is entered before an item is left */
};

void nested_calls_load(struct nested_calls *nodes, struct reader *reader, struct stream *stream,
                       struct arena *arena);
void nested_calls_release(struct nested_calls *nodes);

/* Begun once; a persistent request has several consecutive operations. */
struct request_operation {
	uint64_t id;
	uint64_t receive_id;     /* of its receive; different if it also sends */
	const struct call *call; /* that created the request; for a matched message, that found it */
	const struct call_info *info;
};

/* One-sided accesses completed by another call. */
struct rma_access {
	uint64_t id;
	uint64_t win;
	int64_t target;
};

/* The operations of an event: one for each field `request` or `done`, in order; NULL: unknown in the trace.
 * Accesses are those that the event completes. */
struct event_operations {
	struct request_operation **at;
	size_t count;
	const struct call *matched; /* found the message that the event receives; NULL: none */
	uint64_t access_id;         /* of the access that it begins */
	uint64_t *ended;
	size_t ended_count;
};

void resolve_requests(struct nested_calls *streams, size_t count, struct arena *arena);

/* True if a field `request` of such a call begins an operation, as in MPI_Isend and MPI_Start. */
bool begins_operations(const struct call_info *info);

/* Parameters of threads: a mark of the user, and a record that is not an event. */
enum { PARAMETER_MARK, PARAMETER_RECORD };

/* Members of communicators, as numbers of the archive's processes. Processes of the trace keep their numbers.
 * Unrecorded or unknown members get numbers after them, so that ranks do not change. */

/* A process in communicators that is not in the trace. */
struct absent_process {
	uint64_t world; /* 0: unknown */
	uint32_t rank;
};

struct process_list {
	uint64_t *at;
	uint32_t count;
};

struct known_comm {
	uint64_t identity;
	uint64_t parent;
	const char *name;
	bool is_inter;
	bool has_members; /* its members are known */
	struct process_list local, remote;
	uint32_t ref; /* set at the first reference; UINT32_MAX before */
	OTF2_CommRef parent_ref;
	OTF2_GroupRef group;
};

struct known_comms {
	const struct reader *reader;
	struct arena *arena;
	struct interner identities; /* number: place in `items` */
	struct known_comm *items;
	size_t count, room;
	struct interner absent_keys; /* number: place in `absents` */
	ARRAY(struct absent_process) absents;
};

struct otf2_times {
	const struct corrected_time *corrected;
	uint64_t start_ns;    /* time 0 in ns since 1970; 0: unknown */
	uint64_t first, last; /* of the written records */
};

/* A window or a file. */
struct known_object {
	uint32_t ref;
	bool defined; /* the trace describes it */
	uint64_t comm;
	const struct object *object;
	OTF2_CommRef comm_ref;
};

/* Definitions that are written after all locations. */
struct region_draft {
	OTF2_StringRef name, file;
	OTF2_RegionRole role;
	OTF2_Paradigm paradigm;
	OTF2_RegionFlag flags;
	uint32_t line;
};

struct group_draft {
	OTF2_GroupType type;
	struct process_list members;
};

struct place_draft {
	OTF2_StringRef file;
	uint32_t line;
};

struct exporter {
	const struct export_job *job;
	struct reader *reader;
	OTF2_Paradigm paradigm; /* of the processes */
	OTF2_Archive *archive;
	OTF2_GlobalDefWriter *defs;
	struct arena arena;
	struct interner strings, regions, places;
	struct otf2_times times;
	struct known_comms comms;
	uint32_t comm_count, window_count, file_count;
	ARRAY(struct region_draft) region_drafts; /* each by its number */
	ARRAY(struct place_draft) place_drafts;
	ARRAY(struct group_draft) group_drafts;
	ARRAY(uint64_t) comm_order; /* identities */
	struct interner group_keys; /* members of communicators' groups */
	ARRAY(OTF2_GroupRef) groups;
	struct interner object_keys;
	ARRAY(struct known_object) objects;
	OTF2_ErrorCode failed; /* the first */
};

static inline void wrote(struct exporter *ex, OTF2_ErrorCode code)
{
	if (code != OTF2_SUCCESS && ex->failed == OTF2_SUCCESS)
		ex->failed = code;
}

/* A definition of the archive. */
#define DEFINE(ex, Kind, ...) wrote(ex, OTF2_GlobalDefWriter_Write##Kind((ex)->defs, __VA_ARGS__))

/* otf2_export.c: maps ticks of each process's clock to the common time of an archive. */
uint64_t otf2_time(const struct otf2_times *times, size_t process, uint64_t tick);
struct otf2_line otf2_line_between(const struct otf2_times *times, size_t process, uint64_t first,
                                   uint64_t last);

/* otf2_export_definitions.c: each returns the number of a definition. A new string is written at once, the
 * others by write_definitions(). */
OTF2_StringRef define_string(struct exporter *ex, const char *text);
OTF2_RegionRef define_function(struct exporter *ex, const char *name);
OTF2_RegionRef define_user_region(struct exporter *ex, const char *name, bool is_phase,
                                  const struct location *where);
/* The region of the whole program, around everything of a thread. */
OTF2_RegionRef define_program(struct exporter *ex, const struct process *process);
OTF2_SourceCodeLocationRef define_place(struct exporter *ex, const char *file, int line);
void define_paradigms(struct exporter *ex);
void define_clock(struct exporter *ex);
/* All definitions after those of locations. */
void write_definitions(struct exporter *ex);

/* otf2_export.c: machine, nodes, processes and threads. */
OTF2_LocationRef location_of(size_t process, const struct stream *stream);
/* The location of a process in groups, even if it was not recorded. */
OTF2_LocationRef first_location_of(const struct exporter *ex, size_t process);
void define_location(struct exporter *ex, size_t process, const struct stream *stream, uint64_t events,
                     const struct otf2_line *clock);
/* Without members if no process describes it. */
struct known_comm *known_comm_get(struct known_comms *comms, uint64_t identity);

/* otf2_export_definitions.c: communicators, windows and files. */
void define_objects(struct exporter *ex);
OTF2_CommRef define_comm_of(struct exporter *ex, uint64_t identity);
OTF2_GroupRef define_group_of(struct exporter *ex, const struct process_list *members);
/* Not `defined` if no process describes it. */
struct known_object *known_object_get(struct exporter *ex, uint64_t kind, uint64_t identity);

/* otf2_export_events.c: the events of one process, and the definitions of its threads. */
void export_process(struct exporter *ex, size_t process);

/* The operations of a call, as records between its enter and its leave. */

struct call_info;

struct record_writer {
	struct exporter *ex;
	size_t process; /* its number */
	OTF2_EvtWriter *events;
	uint64_t time;
	uint64_t io_id; /* of the thread's last operation on a file */
};

/* A record without attributes at the time of the writer. */
#define RECORD(w, Kind, ...) \
	wrote((w)->ex, OTF2_EvtWriter_##Kind((w)->events, NULL, (w)->time, ##__VA_ARGS__))

/* `info` is NULL for functions outside MPI. */
void records_at_start(struct record_writer *w, const struct nested_call *node, const struct call_info *info);
void records_at_end(struct record_writer *w, const struct nested_call *node, const struct call_info *info);

/* Fields of a call, from the first to before the end. */
struct field_range {
	const struct call *call;
	uint32_t first, end;
};

#endif
