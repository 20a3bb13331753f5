/* The export at work. Internal to otf2_*.c.
 *
 * Definitions are written as soon as something refers to them, events of one process at a time, and locations
 * last, as their definition has the number of events. A write that fails is remembered, and told at the end. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_EXPORTER_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_EXPORTER_H

#include "output/exchange/export.h"
#include "output/exchange/otf2_members.h"
#include "output/exchange/otf2_names.h"
#include "output/exchange/otf2_time.h"
#include "trace/text.h"

#include <otf2/otf2.h>

/* Parameters of threads: a mark of the user's, and a record that is no event. */
enum { PARAMETER_MARK, PARAMETER_RECORD };

/* A window or a file. */
struct known_object {
	uint32_t ref;
	bool defined; /* the trace tells what it is */
	uint64_t comm;
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
	uint32_t group_count, comm_count, window_count, file_count;
	struct interner group_keys; /* members of communicators' groups */
	OTF2_GroupRef *groups;
	struct interner object_keys;
	struct known_object *objects;
	OTF2_ErrorCode failed; /* the first */
};

static inline void wrote(struct exporter *ex, OTF2_ErrorCode code)
{
	if (code != OTF2_SUCCESS && ex->failed == OTF2_SUCCESS)
		ex->failed = code;
}

/* otf2_archive.c */
void otf2_silence(void);
enum status exporter_open(struct exporter *ex, const char *folder) MUST_CHECK;
enum status exporter_close(struct exporter *ex) MUST_CHECK;

/* otf2_definitions.c: each returns the number of a definition, and writes it when it is new. */
OTF2_StringRef define_string(struct exporter *ex, const char *text);
OTF2_RegionRef define_function(struct exporter *ex, const char *name);
OTF2_RegionRef define_user_region(struct exporter *ex, const char *name, bool is_phase,
                                  const struct location *where);
OTF2_SourceCodeLocationRef define_place(struct exporter *ex, const char *file, int line);
void define_attributes(struct exporter *ex);
void define_parameters(struct exporter *ex);
void define_clock(struct exporter *ex);

/* otf2_locations.c: machine, nodes, processes and threads. */
OTF2_LocationRef location_of(size_t process, const struct stream *stream);
/* The one that stands for the process in groups; also of a process that was not recorded. */
OTF2_LocationRef first_location_of(const struct exporter *ex, size_t process);
void define_system(struct exporter *ex);
void define_location(struct exporter *ex, size_t process, const struct stream *stream, uint64_t events,
                     const struct otf2_line *clock);

/* otf2_objects.c: communicators, windows and files. */
void define_objects(struct exporter *ex);
OTF2_CommRef define_comm_of(struct exporter *ex, uint64_t identity);
OTF2_GroupRef define_group_of(struct exporter *ex, const struct members *members);
/* One that is not defined if no process tells of it. */
struct known_object *known_object_get(struct exporter *ex, uint64_t kind, uint64_t identity);

/* otf2_stream.c: the events of one process, and the definitions of its threads. */
void export_process(struct exporter *ex, size_t process);

#endif
