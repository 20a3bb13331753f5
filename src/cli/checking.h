/* What `tarry check` and `tarry exec --check` share: the folder of a checked run (docs/check-protocol.md), and the environment that
 * makes the job check itself.
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
	const char *limits;   /* base/object_limits.h; NULL: as they are */
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
	struct own_folder own; /* the same, open: from checking_begin on */
	const char *libraries; /* folder of this installation */
	const char *stopped;   /* file in it: appears when a deadlock or a hang ends the run */
	const char *crashed;   /* likewise, when a process has crashed and all are gone */
	int64_t hang_timeout;
	const char *buffers, *limits;
};

enum status checking_check(const struct checking_choice *choice) MUST_CHECK;

/* `program` gives the default name; NULL: not known. Changes nothing. */
enum status checking_plan(const struct checking_choice *choice, char *const *program, struct arena *arena,
                          struct checking *plan) MUST_CHECK;

/* Makes the folder, with a new key. An earlier one of this name goes away with `replace`; otherwise it gets another name. */
enum status checking_begin(struct checking *plan, bool replace) MUST_CHECK;
/* The same for one process of many: the first of a job makes the folder, the others find it. If another job is checked there, this one gets the next free name,
 * such as app-2.check. */
enum status checking_join(struct checking *plan, struct arena *arena) MUST_CHECK;

/* Sets the environment of this process for those it will start. */
enum status checking_export(const struct checking *plan) MUST_CHECK;

/* A deadlock or a hang has ended the run. Until checking_end. */
/* The user ended the job: tarry check --show has to know. */
void checking_note_interrupted(const struct checking *plan);
bool checking_was_stopped(const struct checking *plan);

/* Until analysers have written all they know, but not for ever. */
void checking_wait(const struct checking *plan);
/* The same for a run that may just have ended, and not as long: nobody waits for the analysers of `tarry exec --check`. */
void checking_wait_shortly(const char *folder);
/* Removes what only processes of the job need. */
void checking_end(const struct checking *plan);
/* The whole folder goes, if nothing was checked. */
void checking_discard(const struct checking *plan);
/* Keeps the number of the trace that was recorded of the same run, in hexadecimal digits. Whoever cannot write it does without. */
void checking_note_trace(const struct checking *plan, const char *run);
/* Was this run recorded with that number? */
bool checking_is_of_trace(const char *folder, uint64_t run);
/* The same for a folder that checking_join made, if it is this user's and its job is over: nobody else is left to do it. */
void checking_tidy(const char *folder);

#endif
