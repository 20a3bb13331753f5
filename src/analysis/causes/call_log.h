/* The last calls of each thread, and how a thread spent an interval of time. Internal to the causes.
 *
 *	struct call_logs *logs = call_logs_new(session);
 *	call_logs_add(logs, &call, event);                              in the thread's order
 *	call_logs_stretch(logs, log, &stretch, +1, &sums);              totals by key over the interval
 *	call_logs_free(logs); */
#ifndef TARRY_ANALYSIS_CAUSES_CALL_LOG_H
#define TARRY_ANALYSIS_CAUSES_CALL_LOG_H

#include "analysis/causes/cause_keys.h"
#include "analysis/causes/causes.h"
#include "analysis/causes/computing.h"
#include "analysis/model/needed_calls.h"
#include "analysis/model/places.h"

/* The causes of a wait, as fractions of it, in time order. */
enum { WAIT_PARTS = 4 };

struct resolved_wait {
	int64_t since, until;
	uint32_t keys[WAIT_PARTS];
	float parts[WAIT_PARTS]; /* their sum is 1 */
};

struct logged_call {
	int64_t start, end;
	uint32_t doing;     /* twice the number of its place, and 1 more for unsuccessful tests */
	uint32_t wait;      /* number of a resolved wait; 0: none */
	uint32_t computing; /* key of the time before it, without its region */
	uint32_t region;    /* number of the phase that most of the time before it belongs to; 0: none */
	uint32_t noise_before_us, noise_inside_us;
	int64_t polled_since; /* the first of unsuccessful tests without work between them; INT64_MAX: another call */
};

/* Consecutive unsuccessful tests. */
struct poll_loop {
	int64_t since, busy_ns, delay_ns;
	uint64_t polls;    /* 0: no loop yet */
	uint64_t position; /* of the last one */
};

/* The log of a thread: a ring. */
struct call_log {
	struct logged_call *items;
	uint64_t count; /* of all calls so far */
	uint64_t asked; /* number of the last call that was searched for */
	uint32_t process, thread;
	int64_t last_start, last_end; /* of the last call, which is often not in the nearest cache any more */
	uint32_t last_place;
	/* Since the last call: where the time goes in the user's regions. */
	int64_t since, longest;
	uint32_t region;
	uint32_t noise_us; /* of local calls */
	uint64_t blocked_us;
	struct poll_loop loop;
};

/* A distinct call. */
struct known_call {
	uint32_t place;  /* its number + 1; 0: not seen yet */
	uint32_t before; /* the previous place at its last occurrence + 1; 0: none */
	uint32_t gap;    /* number of the computation since then */
	/* For the causes: the place that it last waited for, and the number of those waits + 1. */
	uint32_t partner, waits;
	bool is_local; /* involves no other process: part of the computation between other calls */
	bool delays_computing;
	bool is_mark; /* of a region */
};

enum { PHASES_KEPT = 1 << 16 };

struct call_logs {
	const struct analysis_session *session;
	struct reader *reader;
	struct call_log *logs;    /* by process, as many as it has streams */
	uint32_t *first;          /* number of a process's first log; at the end, the number of all logs */
	uint64_t room;            /* of a log; a power of two */
	uint64_t added;           /* calls */
	struct known_call *calls; /* by number of the distinct call */
	uint32_t call_room;
	struct computing_sums computing;
	struct places places;
	struct cause_keys keys;
	ARRAY(uint32_t)
	in_call;                     /* by `doing`: key of the time in calls; 0: not used yet */
	struct resolved_wait *waits; /* a ring */
	uint32_t wait_room, wait_count;
	/* The user's phases by number: a ring. */
	struct known_phase {
		uint32_t name; /* number of the text + 1 */
		uint32_t path;
	} * phases;
	uint32_t phase_count;
	ARRAY(char *) paths; /* by number - 1: "time loop > exchange" */
	struct text_map texts;
};

struct call_logs *call_logs_new(struct analysis_session *session);
void call_logs_free(struct call_logs *logs);
/* Distinct calls are about to be freed: the logs keep places, keys, thread numbers and computation. */
void call_logs_forget_calls(struct call_logs *logs);
void call_logs_add(struct call_logs *logs, const struct occurrence *call, const struct event *event);
void call_logs_name_phase(struct call_logs *logs, const struct phase_mention *phase);
/* The number of the phase and those around it; 0: none, or it is not known any more. */
uint32_t call_logs_path_of(const struct call_logs *logs, uint32_t phase);
/* NULL: of 0. */
const char *call_logs_path_text(const struct call_logs *logs, uint32_t path);
/* For a distinct call, which need not have been added. */
struct known_call *call_logs_know(struct call_logs *logs, const struct call_semantics *semantics);
uint32_t call_place(struct call_logs *logs, const struct call_semantics *semantics);

/* NULL: the process has no such thread. */
struct call_log *call_logs_find(const struct call_logs *logs, uint32_t process, uint32_t thread);
/* Of a log with calls. */
const struct logged_call *call_log_last(const struct call_logs *logs, const struct call_log *log);
/* The start of the wait: for a test, the first of the unsuccessful tests directly before it; for other calls, their start. */
int64_t call_logs_waits_since(const struct call_logs *logs, const struct occurrence *call);
/* The number of calls of the thread that began before that time. */
uint64_t call_log_count(const struct call_logs *logs, struct call_log *log, int64_t ns);
/* The time since when everything is known, for the last so many of `count` calls. */
int64_t call_log_known(const struct call_logs *logs, const struct call_log *log, uint64_t count,
                       uint64_t calls);

struct log_stretch {
	int64_t from, to;
	uint64_t count; /* of calls that began before `to` */
	uint32_t place; /* of the call that begins at `to`, if the log ends there */
	int sign;
};

/* Returns the number of visited calls. */
uint64_t call_logs_stretch(struct call_logs *logs, const struct call_log *log,
                           const struct log_stretch *stretch, struct key_sums *sums);

/* Keeps the wait of the call that began at that time and, for a test, of the unsuccessful tests before it. */
void call_logs_keep_wait(struct call_logs *logs, struct call_log *log, int64_t start,
                         const struct resolved_wait *wait);

#endif
