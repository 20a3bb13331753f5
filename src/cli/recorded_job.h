/* A job that records itself, for the command that waits for it: from the folder of its parts to the trace.
 *
 *	struct recorded_job job;                              stays where it is
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
	bool has_no_trace; /* when the command ends */
	char run[RUN_DIGITS + 1];
};

/* Makes the folder of the parts. An earlier trace of this name goes away with `replace`; otherwise it gets another name. */
enum status recorded_job_begin(const struct recording_choice *choice, char *const *program, bool replace,
                               struct arena *arena, struct recorded_job *job) MUST_CHECK;
/* Sets the environment for the job, and answers its questions for the time. */
enum status recorded_job_export(const struct recorded_job *job) MUST_CHECK;
/* Makes the trace of what `program` left, and says how it went. Returns whether a process was cut off. */
bool recorded_job_conclude(const struct recorded_job *job, const char *program, struct arena *arena,
                           int code);
/* Prints the result and removes the files of the job, unless the user wants to keep the parts. */
void recorded_job_discard(const struct recorded_job *job, struct arena *arena);
void recorded_job_end(const struct recorded_job *job);

/* Prints the notes of the libraries in the job, which never write to the program's own streams: each line of this file.
 * Returns whether there was anything. */
bool say_notes(const char *path);

#endif
