/* The logs that analysers left in the folder of a run (docs/check-protocol.md), as far as they can be read: a process that was
 * killed leaves a log that is cut, a full disk one that is damaged, and what stands before that is still true.
 *
 *	struct check_run run;
 *	if (check_run_read("app.check", &run) != OK)       there is no such folder or log
 *		return FAILED;
 *	for (size_t i = 0; i < run.findings.count; i++)
 *		use(run.findings.items[i]);
 *	check_run_release(&run); */
#ifndef TARRY_OUTPUT_FINDINGS_RUN_LOG_H
#define TARRY_OUTPUT_FINDINGS_RUN_LOG_H

#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"
#include "base/status.h"
#include "check/protocol/messages.h"

struct run_log {
	const char *name;      /* of the file */
	bool has_end;          /* the analyser ended by itself */
	bool is_alive;         /* or it still writes */
	uint64_t unread_bytes; /* that make no sense, or are cut */
};

struct check_run {
	struct arena arena;
	ARRAY(struct run_log) logs;
	ARRAY(struct check_finding *) findings; /* as they were found, or by log where that is not known */
	ARRAY(struct check_member) processes;   /* by rank, in the state that was heard last */
	struct map process_of;                  /* places in that list */
	ARRAY(const char *) notes;
	bool is_interrupted; /* a signal to Tarry ended the job */
};

/* A folder, or one log. */
enum status check_run_read(const char *path, struct check_run *run) MUST_CHECK;
void check_run_release(struct check_run *run);

/* NULL: it is not known. */
const struct check_member *check_run_process(const struct check_run *run, uint64_t world, uint32_t rank);

/* Does an analyser still write into this open folder? Their logs are locked while they live. */
bool check_run_is_alive(int folder);

#endif
