/* Shared by `tarry coll`, `tarry run --coll` and `tarry exec --coll`: the folder in which processes write
 * their choices, and the environment variables that make a job load libtarry-coll.
 *
 *	struct coll_job plan;
 *	TRY(coll_job_plan(&choice, program, &arena, &plan));
 *	TRY(coll_job_export(&plan));
 *	… run the job …
 *	coll_job_conclude(&plan, json);
 */
#ifndef TARRY_CLI_COLL_JOB_H
#define TARRY_CLI_COLL_JOB_H

#include "base/arena.h"
#include "base/options.h"
#include "base/settings.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>

struct coll_choice {
	const char *algorithm; /* "allgather=ring"; NULL: free choice */
	bool off;
};

/* Lines of a command's table of options; `choice` is a struct coll_choice. */
// clang-format off
#define COLL_ALGORITHM_OPTION(choice) \
	{"algorithm", 0, "LIST", "use these algorithms instead of choosing, such as allgather=ring,bcast=mpi", \
	 OPTION_LIST, &(choice).algorithm}
// clang-format on

struct coll_job {
	const char *folder;    /* absolute path */
	const char *libraries; /* of this installation */
	const char *algorithm; /* as in the setting; NULL: free choice */
	const char *levels;    /* result of `tarry coll calibrate`, as in the setting; NULL: none */
};

enum status coll_choice_check(const struct coll_choice *choice) MUST_CHECK;

/* Sets `plan` without changing any file. The folder is named after `program`; `is_own`: with a unique
 * number. */
enum status coll_job_plan(const struct coll_choice *choice, char *const *program, bool is_own,
                          struct arena *arena, struct coll_job *plan) MUST_CHECK;
/* Makes the folder, unless it exists, and sets the environment for the processes that this one will start. */
enum status coll_job_export(const struct coll_job *plan) MUST_CHECK;

/* Prints the accelerated operations to stderr, writes JSON to a file (NULL: none), and removes the folder.
 * False: JSON could not be written. */
bool coll_job_conclude(const struct coll_job *plan, const char *json, int exit_code);
/* The same, but keeps the folder. False: the folder has no results, or JSON could not be written. */
bool coll_job_tell(const char *folder, const char *json, int exit_code);

/* The algorithms of collective operations, as text for the user. */

/* The names of each operation's algorithms, as a section of --help. */
void coll_algorithms_help(struct text *out);
/* Each algorithm with its description. */
void coll_algorithms_list(struct text *out);

/* Fails if a list such as "allgather=ring,bcast=mpi" has an unknown operation or algorithm. NULL: no list. */
enum status coll_algorithms_check(const char *list) MUST_CHECK;

#endif
