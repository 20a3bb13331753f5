/* Reading the events of one location. Internal to otf2_import_*.c. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_IMPORT_EVENTS_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_IMPORT_EVENTS_H

#include "base/array.h"
#include "output/exchange/otf2_importer.h"

#define UNUSED __attribute__((unused))

/* A callback for one kind of record, with the parameters that are its own. */
#define EVENT_CALLBACK(name, ...) \
	static OTF2_CallbackCode name(UNUSED OTF2_LocationRef location, UNUSED OTF2_TimeStamp time, \
	                              UNUSED uint64_t position, UNUSED void *context, \
	                              UNUSED OTF2_AttributeList *attributes, __VA_ARGS__)

/* Requests of a process. An archive may say only at the completion what a request is for. So events are read twice:
 * requests_scan() collects what completions say, for the second reading to use where the request begins. */
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
	uint64_t id; /* the archive's, which may be used again */
	bool active;
	uint64_t number; /* the trace's */
	size_t begun;
};

struct import_requests {
	struct arena arena;
	struct definition_table entries;
	ARRAY(struct begun_request) begun; /* in the order of their beginning */
	size_t next;                       /* of the second reading */
	ARRAY(bool) used;                  /* numbers */
	size_t *lowest;                    /* number that may be free, of each thread */
	uint32_t threads;
};

void import_requests_init(struct import_requests *requests, uint32_t threads);
void import_requests_release(struct import_requests *requests);
const struct begun_request *request_begin(struct import_requests *requests, uint32_t thread, uint64_t id,
                                          uint64_t *number);
/* What is known of the next one to begin; NULL if there is none. */
const struct begun_request *request_peek(const struct import_requests *requests);
bool request_end(struct import_requests *requests, uint64_t id, uint64_t *number);
bool request_find(struct import_requests *requests, uint64_t id, uint64_t *number);
/* The first reading of a location. */
void requests_scan(struct import_requests *requests, OTF2_Reader *reader, OTF2_LocationRef location);

struct draft_list {
	struct draft_field *items;
	size_t count, room;
};

/* What was entered and not left. */
struct open_region {
	const struct region_item *region;
	const char *function; /* NULL: no MPI function */
	uint64_t start;
	struct place_item place;
	/* of the call itself, and of requests that it completes; their memory is used again */
	struct draft_list fields, completions;
	uint64_t given; /* keys of fields */
	/* as Tarry stored it */
	const struct draft_event *call; /* NULL: not stored */
	uint64_t polls, busy, stolen_before, stolen_inside;
	bool is_written; /* as an event by itself, or there is nothing to write */
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
	bool own; /* written by Tarry, and to be read as that */
	struct otf2_line clock;
	struct import_requests *requests;
	ARRAY(struct open_region) regions; /* those below `depth` are open */
	size_t depth;
	ARRAY(struct draft_site) way; /* to the call at hand, the innermost first */
	ARRAY(struct joined_team) teams;
	uint32_t forks; /* parallel regions that it has begun and not ended */
	uint64_t last_time;
};

/* otf2_import_events.c */
struct open_region *open_region(struct thread_reader *reader, uint64_t time);
void close_region(struct thread_reader *reader, uint64_t time);

/* otf2_import_threads.c */
void set_team_callbacks(OTF2_EvtReaderCallbacks *callbacks);
/* A barrier is over, and its region not yet left. */
void put_team_barrier(struct thread_reader *reader, const struct open_region *open, uint64_t time);

/* otf2_import_calls.c */
void set_call_callbacks(OTF2_EvtReaderCallbacks *callbacks);

#endif
