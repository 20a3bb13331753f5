/* The import of an archive. Internal to otf2_*.c.
 *
 * Records of other tools become records of the trace. Tarry's own exports contain lines of
 * text (docs/trace-format.md, "As text"), which the assembler checks and writes; the text of a
 * call is parsed once. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_IMPORTER_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_IMPORTER_H

#include "base/array.h"
#include "base/text.h"
#include "output/exchange/exchange.h"
#include "output/exchange/otf2_common.h"
#include "trace/intern.h"
#include "trace/text.h"

#include <otf2/otf2.h>
#include <stdbool.h>

/* The definitions of an archive. Internal to otf2_*.c.
 *
 * Nothing in an archive is trusted. References may be invalid: looking one up returns an item that is not
 * `defined`. A second definition with the same number is ignored and counted. */

/* Definitions of one kind, in the order of the archive. */
struct definition_table {
	struct interner ids;
	char *items; /* each begins with its id */
	size_t room, item_size;
};

struct string_item {
	uint64_t id;
	const char *text;               /* NULL: not defined */
	const struct draft_event *call; /* parsed from it; NULL: not yet */
};

struct attribute_item {
	uint64_t id;
	const char *name;
};

struct place_item {
	uint64_t id;
	const char *file;
	uint32_t line;
	uint32_t source; /* number of the file in the trace */
};

struct region_item {
	uint64_t id;
	const char *name;
	const char *function; /* the MPI function of this name; NULL: part of the program */
	struct place_item place;
	const char *file; /* "": unknown */
	uint32_t source;  /* of a part of the program: number of this function of the file in the trace */
	bool is_openmp, is_barrier, is_critical;
};

struct context_item {
	uint64_t id;
	bool defined;
	OTF2_RegionRef region;
	OTF2_SourceCodeLocationRef place;
};

struct node_item {
	uint64_t id;
	const char *name;
	bool is_host;
};

struct group_item {
	uint64_t id;
	bool defined;
	bool is_foreign; /* not of processes, such as groups of CUDA streams and of OpenMP threads */
	OTF2_GroupType type;
	uint64_t *members;
	uint32_t count;
};

struct comm_item {
	uint64_t id;
	const char *name;
	OTF2_GroupRef local, remote;
	bool is_inter;
	OTF2_CommRef parent;
};

struct window_item {
	uint64_t id;
	const char *name;
	OTF2_CommRef comm;
};

/* A record that Tarry stored as text, and its position among others. */
struct own_line {
	uint64_t number;
	const char *text;
};

struct process_item {
	uint64_t id;
	bool defined;
	OTF2_LocationGroupType type;
	OTF2_SystemTreeNodeRef node;
	size_t number;           /* among the importer's processes, from 1; 0: not imported */
	const char *own_process; /* NULL: not written by Tarry */
	ARRAY(struct own_line) own_records;
};

/* A comparison of the location's clock with that of the archive; OTF2 has already applied it to all times. */
struct clock_offset {
	uint64_t time; /* on the location's own clock */
	int64_t offset;
	double deviation;
};

struct location_item {
	uint64_t id;
	bool defined;
	ARRAY(struct clock_offset) offsets;
	const char *name;
	OTF2_LocationType type;
	OTF2_LocationGroupRef process;
	const char *own_thread;
	const char *own_clock;
};

struct contents {
	struct arena arena;
	struct definition_table strings, attributes, places, regions, contexts, nodes, groups, comms, windows,
		files, processes, locations;
	struct group_item all_processes; /* locations by their rank */
	uint64_t resolution, first_time, date;
	uint64_t repeated; /* definitions that existed already */
};

enum status contents_read(struct contents *contents, OTF2_Reader *reader) MUST_CHECK;
void contents_release(struct contents *contents);

/* Never NULL. */
void *item_get(struct definition_table *table, uint64_t id);
#define table_count(table) ((table)->ids.count)
#define table_at(table, type, i) ((type *)(void *)((table)->items + (i) * (table)->item_size))

/* NOTE(NAME, "sentence"): counted, and reported at the end after their number. */
#define IMPORT_NOTES(NOTE) \
	NOTE(REPEATED, "definitions repeat others and were ignored") \
	NOTE(STRANGE_LOCATIONS, "locations are not threads of processes and were ignored") \
	NOTE(UNREADABLE, "locations could not be read completely") \
	NOTE(UNPAIRED, "leave records have no enter record and were ignored") \
	NOTE(UNFINISHED, "regions have no leave record: they end with the last event of their thread") \
	NOTE(NO_COMPLETION, "requests have no completion record") \
	NOTE(NO_REQUEST, "completions belong to no request and were ignored") \
	NOTE(BACKWARDS, "events end before they begin: their duration was set to 0") \
	NOTE(NO_SUCH, "records refer to communicators, windows or files that are not defined") \
	NOTE(METRICS, "metric values were ignored") \
	NOTE(THREADS, "records of thread teams and tasks were ignored") \
	NOTE(SAMPLES, "samples were ignored") \
	NOTE(OTHERS, "other records have no counterpart in a trace and were ignored")

enum import_note {
#define NOTE(NAME, sentence) NOTE_##NAME,
	IMPORT_NOTES(NOTE)
#undef NOTE
		IMPORT_NOTE_COUNT,
};

/* A source file, or a function in one. */
struct source_function {
	const char *file;
	const char *function; /* "": unknown */
};

struct import_process {
	struct process_item *item;
	uint64_t world;
	uint32_t rank;            /* PROCESS_UNKNOWN */
	ARRAY(struct comm) comms; /* that it is a member of */
	ARRAY(struct object) objects;
	size_t first_location;
};

struct importer {
	const struct import_job *job;
	OTF2_Reader *reader;
	struct contents contents;
	bool own; /* Tarry wrote the archive, and its own data is used */
	struct trace_writer out;
	struct assembler *assembler; /* for Tarry's own exports */
	enum status status;          /* of the first failed record */
	uint64_t records;            /* so far */
	uint64_t world;
	ARRAY(struct import_process) processes;
	struct import_process **by_rank; /* NULL: missing */
	size_t *next_location;           /* of the same process; by place in contents.locations */
	struct interner
		source_keys; /* source files, and functions in them; number + 1 is that in the trace */
	ARRAY(struct source_function) sources;
	OTF2_AttributeRef attributes[OTF2_ATTRIBUTE_COUNT]; /* numbers in this archive */
	uint64_t counts[IMPORT_NOTE_COUNT];
	uint64_t threads, events;
};

#define NO_LOCATION SIZE_MAX

/* Each keeps the status, and does nothing after a failure. */
void put_line(struct importer *im, const char *line);
void put_event(struct importer *im, const struct draft_event *event);
/* Identities, which must be unique. */
uint64_t comm_identity(const struct importer *im, const struct import_process *process, OTF2_CommRef ref);
uint64_t window_identity(OTF2_RmaWinRef ref);
uint64_t file_identity(OTF2_IoHandleRef ref);

/* otf2_import_processes.c */
/* True if the communicator belongs to MPI or UPC, not to threads or streams of an accelerator. */
bool comm_is_of_processes(const struct importer *im, OTF2_CommRef ref);
void find_own(struct importer *im);
void find_processes(struct importer *im);
void put_process(struct importer *im, struct import_process *process);

/* otf2_import_events.c: the events of a process. */
void put_threads(struct importer *im, struct import_process *process);

/* Reading the events of one location. Internal to otf2_import_*.c. */

#define UNUSED __attribute__((unused))

/* A callback for one kind of record, with its own parameters. */
#define EVENT_CALLBACK(name, ...) \
	static OTF2_CallbackCode name(UNUSED OTF2_LocationRef location, UNUSED OTF2_TimeStamp time, \
	                              UNUSED uint64_t position, UNUSED void *context, \
	                              UNUSED OTF2_AttributeList *attributes, __VA_ARGS__)

/* Requests of a process. An archive may say only at the completion what a request is for. So events
 * are read twice: requests_scan() collects the data of completions, which the second reading uses
 * where the request begins. */
struct begun_request {
	bool completed;
	bool knows_comm;
	OTF2_CommRef comm;
	bool is_collective;
	OTF2_CollectiveOp op;
	uint32_t root;
	uint64_t sent, received;
};

struct request_entry {
	uint64_t id; /* in the archive, may be reused */
	bool active;
	uint64_t number; /* in the trace */
	size_t begun;
};

struct import_requests {
	struct arena arena;
	struct definition_table entries;
	ARRAY(struct begun_request) begun; /* in the order of their begin */
	size_t next;                       /* of the second reading */
	ARRAY(bool) used;                  /* numbers */
	size_t *lowest;                    /* number that may be free, per thread */
	uint32_t threads;
};

const struct begun_request *request_begin(struct import_requests *requests, uint32_t thread, uint64_t id,
                                          uint64_t *number);
/* Data of the next one to begin; NULL: none. */
const struct begun_request *request_peek(const struct import_requests *requests);
bool request_end(struct import_requests *requests, uint64_t id, uint64_t *number);
bool request_find(struct import_requests *requests, uint64_t id, uint64_t *number);

struct draft_list {
	struct draft_field *items;
	size_t count, room;
};

/* An entered region that was not left. */
struct open_region {
	const struct region_item *region;
	const char *function; /* NULL: not an MPI function */
	uint64_t start;
	struct place_item place;
	/* of the call itself, and of requests that it completes; their memory is reused */
	struct draft_list fields, completions;
	uint64_t given; /* keys of fields */
	/* as stored by Tarry */
	const struct draft_event *call; /* NULL: not stored */
	uint64_t polls, busy, delay_before, delay_inside, blocked_before;
	bool is_written; /* as a separate event, or there is nothing to write */
};

/* A team of OpenMP threads that the thread is in. */
struct joined_team {
	OTF2_CommRef comm;
	uint32_t threads;
};

struct thread_reader {
	struct importer *im;
	struct import_process *process;
	const struct location_item *location;
	uint32_t number;
	bool own; /* written by Tarry, and its own data is used */
	struct otf2_line clock;
	struct import_requests *requests;
	ARRAY(struct open_region) regions; /* those below `depth` are open */
	size_t depth;
	ARRAY(struct draft_site) way; /* of the current call, the innermost first */
	ARRAY(struct joined_team) teams;
	uint32_t forks; /* parallel regions that it has begun and not ended */
	uint64_t last_time;
};

/* otf2_import_events.c */
struct open_region *open_region(struct thread_reader *reader, uint64_t time);
void close_region(struct thread_reader *reader, uint64_t time);

/* otf2_import_calls.c */
void set_call_callbacks(OTF2_EvtReaderCallbacks *callbacks);

#endif
