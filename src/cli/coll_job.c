#include "cli/coll_job.h"

#include "base/own_folder.h"
#include "base/paths.h"
#include "base/text.h"
#include "base/user_files.h"
#include "cli/coll_algorithms.h"
#include "cli/coll_summary.h"
#include "cli/coll_switches.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/job_settings.h"
#include "cli/launcher.h"
#include "cli/recorded_job.h"
#include "cli/recording.h"
#include "coll/choice/levels.h"
#include "coll/choice/override.h"
#include "topo/machine/machine.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FALLBACK_NAME "run"

enum status coll_choice_check(const struct coll_choice *choice)
{
	if (choice->off && choice->algorithm)
		return fail("options '--off' and '--algorithm' exclude each other");
	if (choice->algorithm && !coll_overrides_are_valid(choice->algorithm))
		return fail("option '--algorithm': '%s' is not a list such as allgather=ring,bcast=mpi",
		            choice->algorithm);
	return coll_algorithms_check(choice->algorithm);
}

/* The job goes on, whatever is in the file. */
static const char *measured_levels(struct arena *arena)
{
	struct coll_levels levels = COLL_LEVELS_DEFAULT;
	char path[PATH_MAX], text[COLL_LEVELS_TEXT];
	FILE *file = machine_measured_path(path, sizeof path) ? open_user_stream(path, "r") : NULL;
	int found;

	if (!file)
		return NULL;
	found = coll_levels_read(file, &levels);
	fclose(file);
	if (machine_check_measured() != OK) {
		say("%s (this job continues without it)", trail_text());
		return NULL;
	}
	if (!found)
		return NULL;
	coll_levels_print(&levels, text);
	return arena_text(arena, text);
}

enum status coll_job_plan(const struct coll_choice *choice, char *const *program, bool is_own,
                          struct arena *arena, struct coll_job *plan)
{
	const char *title = program ? program_title(program, arena) : FALLBACK_NAME, *above;
	struct coll_job made = {.algorithm = choice->off ? COLL_OFF : choice->algorithm,
	                        .levels = measured_levels(arena)};

	if (is_own)
		title = arena_format(arena, "%s-%d", title, (int)getpid());
	TRY(path_absolute(arena_format(arena, "%s" COLL_SUFFIX, title), arena, &made.folder));
	above = path_folder(made.folder, arena);
	if (access(above, W_OK | X_OK) != 0)
		return fail("cannot write into '%s': %s; start the job in another folder", above,
		            strerror(errno));
	TRY(installation_libraries(arena, &made.libraries));
	TRY(preload_check(made.libraries, arena));
	*plan = made;
	return OK;
}

enum status coll_job_begin(const struct coll_job *plan)
{
	int folder = private_folder_open(plan->folder);

	if (folder < 0)
		return fail("cannot write into '%s': %s; start the job in another folder", plan->folder,
		            strerror(errno));
	coll_switches_write(folder);
	close(folder);
	return OK;
}

enum status coll_job_export(const struct coll_job *plan)
{
	static const struct wrapped_functions none;

	if (!setting_get(SETTING_OUTPUT) && !setting_get(SETTING_CHECK))
		TRY(preload_export(plan->libraries, &none, false));
	TRY(setting_set(SETTING_COLL, plan->folder));
	TRY(setting_set(SETTING_COLL_ALGORITHM, plan->algorithm));
	return setting_set(SETTING_COLL_LEVELS, plan->levels);
}

static bool is_of_run(const char *name)
{
	return text_begins(name, COLL_CHOSEN_PREFIX) || text_begins(name, MEETING_PREFIX) ||
	       strcmp(name, NOTES_FILE) == 0 || text_begins(name, COLL_SWITCHES_FILE);
}

bool coll_job_tell(const char *folder, const char *json, int exit_code)
{
	struct coll_summary summary = {0};
	struct text text = {0};
	struct arena arena = {0};
	bool is_fine;

	say_notes(arena_format(&arena, "%s/" NOTES_FILE, folder));
	coll_summary_read(&summary, folder);
	coll_summary_text(&summary, exit_code != 0, &text);
	say_lines(text_get(&text));
	is_fine = summary.count != 0;
	if (json) {
		text_clear(&text);
		coll_summary_json(&summary, &text);
		is_fine = write_output(json, &text);
	}
	text_release(&text);
	coll_summary_release(&summary);
	arena_release(&arena);
	return is_fine;
}

bool coll_job_conclude(const struct coll_job *plan, const char *json, int exit_code)
{
	bool is_fine = coll_job_tell(plan->folder, json, exit_code);

	own_folder_discard(plan->folder, is_of_run);
	return is_fine || !json;
}
