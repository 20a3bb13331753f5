/* What the parts of the Perfetto export share. All packets are of one sequence, so that a text is written only once:
 * packets refer to texts by number, and the first that uses a text has it. Readers sort packets by time, and keep
 * the order of the file for those of one time. */
#ifndef TARRY_OUTPUT_EXCHANGE_PERFETTO_EXPORTER_H
#define TARRY_OUTPUT_EXCHANGE_PERFETTO_EXPORTER_H

#include "analysis/model/session.h"
#include "base/array.h"
#include "output/exchange/export_output.h"
#include "output/exchange/perfetto_proto.h"
#include "trace/intern.h"

/* Slices of a track are nested or follow one another. Where calls of a thread overlap in another way, as with a clock that
 * went backwards, the later ones get a track of their own beside it. */
enum { SLICE_TRACKS = 8, SLICE_MEMORY = 16 };

struct slice_track {
	uint64_t track;
	struct {
		int64_t start, end;
	} slices[SLICE_MEMORY]; /* the last ones */
	uint64_t slice_count;
};

struct thread_track {
	uint64_t track;
	int32_t pid, tid;
	struct slice_track slice_tracks[SLICE_TRACKS]; /* the first is the thread's own track */
	bool is_left_out;                              /* the call that has been entered */
	uint64_t call_track;         /* of the call that has been entered; 0: it is a moment, not a slice */
	ARRAY(const char *) regions; /* open ones, by name */
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
	ARRAY(struct text) calls; /* by id: what all slices of the call have */
};

struct perfetto {
	const struct export_job *job;
	struct output output;
	enum status status; /* of writing; when it has failed, nothing more is written */
	struct text text;
	struct text fresh; /* texts that the current packet is the first to use */
	bool begun;        /* the sequence of packets */
	struct arena arena;
	struct interner categories, events, annotations, texts, locations;
	const struct corrected_time *time;
	struct process_track *processes;
	uint64_t tracks; /* numbered from 1 */
	uint64_t flows;
};

/* The corrected time, in ns since 1970. */
int64_t time_of(const struct perfetto *p, const struct process_track *process, uint64_t tick);

/* Numbers of texts; the next packet has those that are new. */
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
void event_name(struct perfetto *p, const char *category, const char *name);

void annotate_number(struct perfetto *p, struct text *out, const char *name, int64_t value);
void annotate_text(struct perfetto *p, struct text *out, const char *name, const char *value);

/* Defines all processes and threads. */
void write_tracks(struct perfetto *p);
/* Another one below a process or a thread; its number. */
uint64_t write_track_below(struct perfetto *p, uint64_t parent, const char *name);
/* The track of the thread on which the slice can be drawn; 0 if there is none. */
uint64_t choose_track(struct perfetto *p, struct thread_track *thread, int64_t start, int64_t end);

/* Category, name, annotations and place of a call, as fields of an event. Lives as long as the process's track. */
const struct text *describe_call(struct perfetto *p, struct process_track *process, const struct call *call);

/* Of an event of the user's own code; NULL for what is none. */
const char *user_category(const struct call *call);
/* Regions, phases and marks of the user's own code. False: this is something else. */
bool write_user_event(struct perfetto *p, struct process_track *process, struct thread_track *thread,
                      const struct event *event);
/* What is still open when a process has ended. */
void close_user_events(struct perfetto *p, struct process_track *process);

#endif
