/* The last calls of each thread, and what a stretch of time of a thread consisted of. Internal to the causes.
 *
 *	struct call_logs *logs = call_logs_new(reader);
 *	call_logs_add(logs, &call, event);                              in the order of the thread
 *	call_logs_stretch(logs, log, &stretch, +1, &sums);              adds up by key what it did from … to
 *	call_logs_free(logs);
 */
#ifndef TARRY_ANALYSIS_CAUSES_CALL_LOG_H
#define TARRY_ANALYSIS_CAUSES_CALL_LOG_H

#include "analysis/causes/cause_keys.h"
#include "analysis/causes/causes.h"
#include "analysis/causes/computing.h"
#include "analysis/model/needed_calls.h"
#include "analysis/model/places.h"

/* What a wait was for: parts of it by cause. */
enum { WAIT_PARTS = 4 };

struct resolved_wait {
	int64_t since, until;
	uint32_t keys[WAIT_PARTS];
	float parts[WAIT_PARTS]; /* together 1 */
};

struct logged_call {
	int64_t start, end;
	uint32_t place : 31;
	uint32_t in_vain : 1; /* tests that found nothing */
	uint32_t wait;        /* number of a resolved wait; 0: none */
	uint32_t computing;   /* key of the time before, without its region */
	uint32_t region;      /* number of the phase in which most of the time before was spent; 0: none */
	uint32_t noise_before_us, noise_inside_us;
};

/* Of a thread: a ring. */
struct call_log {
	struct logged_call *items;
	uint64_t count; /* ever */
	uint64_t asked; /* number of the call that was sought last */
	uint32_t process, thread;
	/* Since the last call: where the time goes in the user's regions. */
	int64_t since, longest;
	uint32_t region;
	uint32_t noise_us; /* of local calls */
};

/* A distinct call. */
struct known_call {
	uint32_t place;  /* one above its number; 0: the call is not known yet */
	uint32_t before; /* one above the place that was called before it the last time; 0: none yet */
	uint32_t gap;    /* number of the computing since then */
	/* Of the causes: the place that it waited for the last time, and one above the number of those waits. */
	uint32_t partner, waits;
	bool is_local; /* has to do with nobody else: part of the computing between others */
	bool is_mark;  /* of a region */
};

enum { NAMES_KEPT = 1 << 16 };

struct call_logs {
	struct reader *reader;
	struct call_log *logs; /* by process, as many as it has streams */
	uint32_t *first;       /* number of a process's first log, and behind the last process that of all */
	uint64_t room;         /* of a log; a power of two */
	uint64_t added;        /* calls */
	struct known_call *calls; /* by number of the distinct call */
	uint32_t call_room;
	struct computing_sums computing;
	struct places places;
	struct cause_keys keys;
	ARRAY(uint32_t)
	in_call; /* by place, in vain or not: key of the time in calls; 0: not asked for yet */
	struct resolved_wait *waits; /* a ring */
	uint32_t wait_room, wait_count;
	/* Names of the user's phases, by the number of each: a ring. */
	uint32_t *names;
	uint32_t name_count;
	struct text_map texts;
};

struct call_logs *call_logs_new(struct reader *reader);
void call_logs_free(struct call_logs *logs);
/* Distinct calls live no longer: of the logs, places, keys and numbers of threads are left, and what was computed where. */
void call_logs_forget_calls(struct call_logs *logs);
void call_logs_add(struct call_logs *logs, const struct occurrence *call, const struct event *event);
void call_logs_name_phase(struct call_logs *logs, const char *name);
/* Of a distinct call; it need not have been added. */
struct known_call *call_logs_know(struct call_logs *logs, const struct call_semantics *semantics);
uint32_t call_place(struct call_logs *logs, const struct call_semantics *semantics);

/* NULL: the process has no such thread. */
struct call_log *call_logs_find(const struct call_logs *logs, uint32_t process, uint32_t thread);
/* How many calls of the thread began before that time. */
uint64_t call_log_count(const struct call_logs *logs, struct call_log *log, int64_t ns);
/* From when on all is known that happened, of the last so many of `count` calls. */
int64_t call_log_known(const struct call_logs *logs, const struct call_log *log, uint64_t count,
                       uint64_t calls);
/* The call that began then; NULL: it is no longer there. */
struct logged_call *call_log_at(const struct call_logs *logs, struct call_log *log, int64_t start);

struct log_stretch {
	int64_t from, to;
	uint64_t count; /* of calls that began before `to` */
	uint32_t place; /* of the call that begins at `to`, if the log does not go on */
	int sign;
	bool is_late;
};

/* Returns how many calls were looked at. */
uint64_t call_logs_stretch(struct call_logs *logs, const struct call_log *log,
                           const struct log_stretch *stretch, struct key_sums *sums);

uint32_t call_logs_keep_wait(struct call_logs *logs, const struct resolved_wait *wait);

#endif
