/* The export of an archive. Internal to otf2_export*.c.
 *
 * Definitions get their numbers as soon as something refers to them. They are written in the order of Score-P's archives, which
 * Scalasca relies on: processes and locations first, then regions, groups, communicators, windows, and the rest. The definition of a
 * location has its number of events, so all that comes behind locations is kept until all events are written. The first failure
 * to write is kept, too, and reported at the end. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_EXPORTER_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_EXPORTER_H

#include "analysis/model/session.h"
#include "base/array.h"
#include "output/exchange/exchange.h"
#include "output/exchange/otf2_common.h"
#include "trace/text.h"

#include <otf2/otf2.h>

/* Parameters of threads: a mark of the user's, and a record that is no event. */
enum { PARAMETER_MARK, PARAMETER_RECORD };

/* Members of communicators, as numbers of the archive's processes. Processes of the trace have their own numbers. Members
 * that were not recorded, or are not known, get the numbers after them, so that ranks stay the same. */

/* A process that communicators have and the trace has not. */
struct absent_process {
	uint64_t world; /* 0: not even that is known */
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
	bool has_members; /* its members are */
	struct process_list local, remote;
	uint32_t ref; /* once something refers to it; UINT32_MAX before */
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
	uint64_t start_ns;    /* time 0 in ns since 1970; 0: not known */
	uint64_t first, last; /* of what was written */
};

/* A window or a file. */
struct known_object {
	uint32_t ref;
	bool defined; /* the trace describes it */
	uint64_t comm;
	const struct object *object;
	OTF2_CommRef comm_ref;
};

/* Definitions that wait for those of all locations. */
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

/* otf2_export.c: from ticks of each process's clock to the one time of an archive. */
uint64_t otf2_time(const struct otf2_times *times, size_t process, uint64_t tick);
struct otf2_line otf2_line_between(const struct otf2_times *times, size_t process, uint64_t first,
                                   uint64_t last);

/* otf2_export_definitions.c: each returns the number of a definition. A string is written when it is new, the others by
 * write_definitions(). */
OTF2_StringRef define_string(struct exporter *ex, const char *text);
OTF2_RegionRef define_function(struct exporter *ex, const char *name);
OTF2_RegionRef define_user_region(struct exporter *ex, const char *name, bool is_phase,
                                  const struct location *where);
/* That of the whole program, around all that a thread does. */
OTF2_RegionRef define_program(struct exporter *ex, const struct process *process);
OTF2_SourceCodeLocationRef define_place(struct exporter *ex, const char *file, int line);
void define_paradigms(struct exporter *ex);
void define_clock(struct exporter *ex);
/* All that comes behind locations. */
void write_definitions(struct exporter *ex);

/* otf2_export_processes.c: machine, nodes, processes and threads. */
OTF2_LocationRef location_of(size_t process, const struct stream *stream);
/* The location of a process in groups, also of a process that was not recorded. */
OTF2_LocationRef first_location_of(const struct exporter *ex, size_t process);
void define_system(struct exporter *ex);
void define_location(struct exporter *ex, size_t process, const struct stream *stream, uint64_t events,
                     const struct otf2_line *clock);
/* All communicators of all processes. */
void known_comms_collect(struct known_comms *comms, const struct reader *reader, struct arena *arena);
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

#endif
