/* Shared by `tarry check` and `tarry exec --check`: the folder of a checked run (docs/check-protocol.md), and
 * the environment variables that make the processes check themselves.
 *
 *	struct checking plan;
 *	TRY(checking_plan(&choice, program, &arena, &plan));
 *	TRY(checking_begin(&plan, false));
 *	TRY(checking_export(&plan));
 *	… run the job …
 *	checking_wait(&plan);
 *	… read findings from plan.folder …
 *	checking_end(&plan); */
#ifndef TARRY_CLI_CHECKING_H
#define TARRY_CLI_CHECKING_H

#include "base/arena.h"
#include "base/options.h"
#include "base/own_folder.h"
#include "base/settings.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct checking_choice {
	const char *output;
	int64_t hang_timeout; /* seconds; 0: never */
	const char *buffers;  /* BUFFERS_OFF, BUFFERS_SEND, BUFFERS_ALL */
	const char *limits;   /* base/object_limits.h; NULL: the defaults */
};

#define CHECKING_CHOICE_DEFAULT \
	{ \
		.hang_timeout = HANG_TIMEOUT_DEFAULT, .buffers = BUFFERS_DEFAULT \
	}

/* Lines of a command's table of options; `choice` is a struct checking_choice. */
// clang-format off
#define HANG_TIMEOUT_OPTION(choice) \
	{"hang-timeout", 0, "SECONDS", "end the run after this time without progress of any process (default: 300; 0: never)", \
	 OPTION_NUMBER, &(choice).hang_timeout}
#define BUFFERS_OPTION(choice) \
	{"buffers", 0, BUFFERS_OFF "|" BUFFERS_SEND "|" BUFFERS_ALL, "send: find send buffers that change too early; all: also receive buffers used too early, changed message data, and races of local loads and stores with remote accesses to a window (default: all)", \
	 OPTION_CHOICE, &(choice).buffers}
#define OBJECT_LIMITS_OPTION(choice) \
	{"limits", 0, "KIND=N,...", "report more than N objects of a KIND at a time: communicators, datatypes, requests ... (0: never)", \
	 OPTION_TEXT, &(choice).limits}
// clang-format on

struct checking {
	const char *folder;    /* absolute path */
	struct own_folder own; /* the same folder, opened by checking_begin */
	const char *libraries; /* folder of this installation */
	const char *stopped;   /* file in the folder: appears when a deadlock or a hang ends the run */
	const char *crashed;   /* file in the folder: appears when a process has crashed and all have ended */
	int64_t hang_timeout;
	const char *buffers, *limits;
};

enum status checking_check(const struct checking_choice *choice) MUST_CHECK;

/* Sets `plan` without changing any file. `program` gives the default name; NULL: unknown. */
enum status checking_plan(const struct checking_choice *choice, char *const *program, struct arena *arena,
                          struct checking *plan) MUST_CHECK;

/* Makes the folder, with a new key. An earlier folder of this name is removed with `replace`, otherwise
 * renamed. */
enum status checking_begin(struct checking *plan, bool replace) MUST_CHECK;
/* The same for each process of a job: the first one makes the folder, the others find it. If another job is
 * being checked there, this job gets the next free name, such as app-2.check. */
enum status checking_join(struct checking *plan, struct arena *arena) MUST_CHECK;

/* Sets the environment of this process for the processes that it will start. */
enum status checking_export(const struct checking *plan) MUST_CHECK;

/* Notes for `tarry check --show` that the user ended the job. */
void checking_note_interrupted(const struct checking *plan);
/* True if a deadlock or a hang has ended the run. Valid until checking_end. */
bool checking_was_stopped(const struct checking *plan);

/* Waits until the analysers have written all findings, at most for some time. */
void checking_wait(const struct checking *plan);
/* The same for a shorter time, for a run of `tarry exec --check` that may just have ended. */
void checking_wait_shortly(const char *folder);
/* Removes the files that only processes of the job need. */
void checking_end(const struct checking *plan);
/* Removes the whole folder if nothing was checked. */
void checking_discard(const struct checking *plan);
/* Writes the number of the trace of the same run, in hexadecimal digits. Failures are ignored. */
void checking_note_trace(const struct checking *plan, const char *run);
/* True if the trace of this run has that number. */
bool checking_is_of_trace(const char *folder, uint64_t run);
/* As checking_end, for a folder of `tarry exec --check`: does nothing unless it belongs to this user and its
 * job is over. */
void checking_tidy(const char *folder);

#endif
