/* A recorded job, for the command that waits for it: from the folder of its parts to the trace.
 *
 *	struct recorded_job job;                              must not be moved
 *	TRY(recorded_job_begin(&choice, program, false, &arena, &job));
 *	if (recorded_job_export(&job) == OK)
 *		… run it …
 *	recorded_job_conclude(&job, "./app", &arena, code);
 *	recorded_job_end(&job); */
#ifndef TARRY_CLI_RECORDED_JOB_H
#define TARRY_CLI_RECORDED_JOB_H

#include "cli/parts_folder.h"
#include "cli/recording.h"

enum { RUN_DIGITS = 16 };

struct recorded_job {
	struct recording plan;
	struct wrapped_choice wrapped;
	struct parts_lock lock;
	bool has_no_trace; /* no trace is kept when the command ends */
	char run[RUN_DIGITS + 1];
};

/* Makes the folder of the parts. An earlier trace of this name is removed with `replace`, otherwise
 * renamed. */
enum status recorded_job_begin(const struct recording_choice *choice, char *const *program, bool replace,
                               struct arena *arena, struct recorded_job *job) MUST_CHECK;
/* Sets the environment for the job, and starts the clock server (clock_server.h). */
enum status recorded_job_export(const struct recorded_job *job) MUST_CHECK;
/* Makes the trace from the parts that `program` left, and prints the result. True: a process was cut off. */
bool recorded_job_conclude(const struct recorded_job *job, const char *program, struct arena *arena,
                           int code);
/* Prints the result and removes the files of the job, unless the user wants to keep the parts. */
void recorded_job_discard(const struct recorded_job *job, struct arena *arena);
void recorded_job_end(const struct recorded_job *job);

/* Prints each line of this file: notes of the libraries in the job, which never write to the program's own
 * streams. True: there were notes. */
bool say_notes(const char *path);

#endif
