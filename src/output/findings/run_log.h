/* Reads the logs of analysers in the folder of a run (docs/check-protocol.md), as far as possible: a killed
 * process leaves a truncated log, a full disk a damaged one; everything before the damage is still valid.
 *
 *	struct check_run run;
 *	if (check_run_read("app.check", &run) != OK)       no such folder or log
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
	bool is_alive;         /* or it is still writing */
	uint64_t unread_bytes; /* invalid or truncated */
};

struct check_run {
	struct arena arena;
	ARRAY(struct run_log) logs;
	ARRAY(struct check_finding *) findings; /* in the order of discovery, or by log if that is unknown */
	ARRAY(struct check_member) processes;   /* by rank, in the last known state */
	struct map process_of;                  /* places in that list */
	ARRAY(const char *) notes;
	bool is_interrupted; /* a signal to Tarry ended the job */
};

/* A folder, or one log. */
enum status check_run_read(const char *path, struct check_run *run) MUST_CHECK;
void check_run_release(struct check_run *run);

/* NULL: unknown. */
const struct check_member *check_run_process(const struct check_run *run, uint64_t world, uint32_t rank);

/* True if an analyser is still writing into this open folder. Logs are locked while their analysers live. */
bool check_run_is_alive(int folder);

#endif
