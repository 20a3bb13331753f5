/* The environment of a job: sets settings (base/settings.h), and lists the variables that launchers must pass
 * to other nodes.
 *
 *	TRY(setting_set(SETTING_CHECK, folder));
 *	job_run(path, launch_line_forward(&line, job_variables, arena), &code); */
#ifndef TARRY_CLI_JOB_SETTINGS_H
#define TARRY_CLI_JOB_SETTINGS_H

#include "base/arena.h"
#include "base/settings.h"
#include "base/status.h"

#define LD_PRELOAD_VARIABLE "LD_PRELOAD"

/* All variables that processes of a job read; NULL after the last. */
extern const char *const job_variables[];

/* Sets a variable for the processes that this one will start. NULL removes it. */
enum status setting_set(const char *name, const char *value) MUST_CHECK;
/* The same for LD_PRELOAD and SETTING_PRELOAD, which are not encoded. */
enum status variable_set(const char *name, const char *value) MUST_CHECK;

/* What the dynamic linker will preload; NULL: nothing. Valid until LD_PRELOAD is set. If the environment defines it several
 * times, as under EZTrace, the dynamic linker uses the last definition, and getenv() returns the first one. */
const char *preload_get(void);

/* The same, or what the dynamic linker preloaded into this process, if LD_PRELOAD is not defined any more: a preloaded tool (TAU) removes
 * itself and all others from the environment of the processes that a traced process starts. */
const char *preload_at_start(struct arena *arena);

#endif
