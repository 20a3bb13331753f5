/* What the parts of the Perfetto export share. All packets are of one sequence, so that texts have to be told only
 * once: a packet refers to them by number, and carries those that are new. Readers sort packets by time, and leave
 * those of one time as they stand in the file. */
#ifndef TARRY_OUTPUT_EXCHANGE_PERFETTO_EXPORTER_H
#define TARRY_OUTPUT_EXCHANGE_PERFETTO_EXPORTER_H

#include "analysis/model/logical_clock.h"
#include "output/exchange/export.h"
#include "output/exchange/file.h"
#include "output/exchange/perfetto_fields.h"
#include "output/exchange/perfetto_proto.h"
#include "trace/intern.h"

/* Slices of a track lie in or behind one another. Where calls of a thread overlap in another way, which takes a clock
 * that went backwards, the later ones go to a track beside it. */
enum { LANES = 8, LANE_MEMORY = 16 };

struct lane {
	uint64_t track;
	struct {
		int64_t start, end;
	} slices[LANE_MEMORY]; /* the last ones */
	uint64_t slice_count;
};

/* Whether the slice can be drawn on the track, behind those that were. */
bool lane_takes(const struct lane *lane, int64_t start, int64_t end);
void lane_add(struct lane *lane, int64_t start, int64_t end);

struct thread_track {
	uint64_t track;
	int32_t pid, tid;
	struct lane lanes[LANES]; /* the first is the thread's own track */
	uint64_t call_track;      /* of the call that has been entered; 0: it is a moment, not a slice */
	const char **regions;     /* that are open, by name */
	size_t region_count;
	int64_t last_ns;
};

struct process_track {
	struct process *process;
	uint64_t track;
	const char *label; /* "rank 3 on node1" */
	int32_t pid;
	struct thread_track *threads; /* by index of the stream */
	uint64_t phase_track;         /* 0: there was no phase yet */
	int64_t last_ns;
	struct text *calls; /* by id: what a slice of the call has, whenever it is */
	size_t call_count;
};

struct perfetto {
	const struct export_job *job;
	struct output output;
	enum status status; /* of writing; when it has failed, nothing more is written */
	struct text text;
	struct text fresh; /* texts that the packet at hand is the first to use */
	bool begun;        /* the sequence of packets */
	struct arena arena;
	struct interner categories, events, annotations, texts, locations;
	struct corrected_time *time;
	struct process_track *processes;
	uint64_t tracks; /* numbered from 1 */
	uint64_t flows;
};

/* The corrected time, in ns since 1970. */
int64_t time_of(const struct perfetto *p, const struct process_track *process, uint64_t tick);

/* Numbers of texts, which the next packet tells if they are new. */
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

struct open_event event_begin(struct perfetto *p, enum event_type type, uint64_t track, int64_t ns);
void event_end(struct perfetto *p, struct open_event open);
void event_name(struct perfetto *p, const char *category, const char *name);

void annotate_number(struct perfetto *p, struct text *out, const char *name, int64_t value);
void annotate_text(struct perfetto *p, struct text *out, const char *name, const char *value);

/* Defines all processes and threads. */
void write_tracks(struct perfetto *p);
/* Another one below a process or a thread; its number. */
uint64_t write_track_below(struct perfetto *p, uint64_t parent, const char *name);

/* Category, name, annotations and place of a call, as fields of an event. Lives as long as the process's track. */
const struct text *describe_call(struct perfetto *p, struct process_track *process, const struct call *call);

/* Of an event of the user's own code; NULL for what is none. */
const char *user_category(const struct call *call);
/* What the user's own code said: regions, phases and marks. False: this is something else. */
bool write_user_event(struct perfetto *p, struct process_track *process, struct thread_track *thread,
                      const struct event *event);
/* What is still open when a process has ended. */
void close_user_events(struct perfetto *p, struct process_track *process);

#endif
