#include "cli/recorded_job.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/in_job.h"
#include "base/parallel.h"
#include "base/paths.h"
#include "base/shell.h"
#include "base/text.h"
#include "cli/clock_server.h"
#include "cli/command.h"
#include "cli/program.h"
#include "cli/terminal.h"
#include "trace/merge.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DAMAGE_SHOWN = 10 };

bool say_notes(const char *path)
{
	FILE *notes = open_regular_stream(AT_FDCWD, path);
	char line[1024];
	bool shown = false;

	while (notes && fgets(line, sizeof line, notes)) {
		line[strcspn(line, "\n")] = 0;
		say("note: %s", line);
		shown = true;
	}
	if (notes)
		fclose(notes);
	return shown;
}

/* Makes one trace of the parts, after the job has ended. True: a process was cut off. */
static bool merge_parts(const struct recording *plan)
{
	bool is_cut;
	struct recover_report report;
	const struct recover_options options = {.ended_ns = (int64_t)clock_system_ns(CLOCK_REALTIME),
	                                        .keep_parts = plan->keep_parts,
	                                        .jobs = parallel_cores(),
	                                        .progress = progress_show};
	enum status status;

	progress_begin("merging");
	status = trace_recover(plan->output, &options, &report);
	progress_end();
	if (status != OK) {
		report_failure();
		say("the recorded parts stay in '%s'; make the trace with: tarry recover %s (elsewhere: -o NAME)",
		    plan->parts, SHELL_QUOTED(path_from_here(plan->output)));
		return false;
	}
	if (report.open_chunks)
		say("the job ended before recording was complete: the trace contains everything recorded so far");
	for (size_t i = 0; i < report.damage_count && i < DAMAGE_SHOWN; i++)
		say("%s", report.damage[i]);
	if (report.damage_count > DAMAGE_SHOWN)
		say("and %zu more places that could not be read", report.damage_count - DAMAGE_SHOWN);
	if (report.missing)
		say("parts of %zu of %zu processes are missing from '%s': these processes could not write there, or their "
		    "nodes do not share this folder; copy their parts here and run 'tarry recover'",
		    report.missing, report.missing + report.processes, plan->parts);
	if (report.parts_kept)
		say("%s kept in '%s'", report.damage_count ? "unreadable parts are" : "the parts are",
		    plan->parts);
	is_cut = report.open_chunks;
	recover_report_release(&report);
	return is_cut;
}

static bool has_parts(const char *folder)
{
	DIR *listing = opendir(folder);
	bool found = !listing && errno != ENOENT; /* what cannot be listed is not gone */

	for (struct dirent *entry; listing && !found && (entry = readdir(listing));)
		found = text_ends(entry->d_name, PART_SUFFIX);
	if (listing)
		closedir(listing);
	return found;
}

bool recorded_job_conclude(const struct recorded_job *job, const char *program, struct arena *arena, int code)
{
	const struct recording *plan = &job->plan;
	const char *notes, *name;
	bool noted, is_cut = false;
	struct text rules = {0};
	struct stat info;

	exit_code_when_exhausted = code;
	notes = arena_format(arena, "%s/" NOTES_FILE, plan->parts);
	noted = say_notes(notes);
	if (has_parts(plan->parts)) {
		say_uncalled_functions(&plan->wrapped, plan->parts, arena);
		is_cut = merge_parts(plan);
	} else {
		unlinkat(job->lock.folder.fd, NOTES_FILE, 0);
		unlinkat(job->lock.folder.fd, IN_JOB_OPTIONS, 0);
		if (noted && !path_exists(plan->output))
			say("no trace: see the notes above");
		else if (!path_exists(plan->output)) {
			if (recording_check_output(plan->output, arena) != OK)
				say("no trace: %s", trail_text());
			else
				say("no trace: %s", program_absence(program, code, plan->libraries, arena));
		}
	}
	name = SHELL_QUOTED(path_from_here(plan->output));
	if (!job->has_no_trace && stat(plan->output, &info) == 0) {
		if (job->wrapped.no_shipped)
			text_add(&rules, "--no-shipped ");
		for (size_t i = 0; i < job->wrapped.rules.count; i++)
			text_add(&rules, "--rules %s ", SHELL_QUOTED(job->wrapped.rules.at[i]));
		say("trace: %s", plan->output);
		say("size: %s", AS_SIZE((uint64_t)info.st_size));
		say("see: tarry report %s%s, tarry info %s", text_get(&rules), name, name);
		text_release(&rules);
	}
	return is_cut;
}

void recorded_job_discard(const struct recorded_job *job, struct arena *arena)
{
	const struct recording *plan = &job->plan;

	say_notes(arena_format(arena, "%s/" NOTES_FILE, plan->parts));
	say_uncalled_functions(&plan->wrapped, plan->parts, arena);
	if (plan->keep_parts)
		say("the parts are kept in '%s'", plan->parts);
	else
		parts_discard(plan->parts);
}

enum status recorded_job_begin(const struct recording_choice *choice, char *const *program, bool replace,
                               struct arena *arena, struct recorded_job *job)
{
	uint64_t number = 0;

	*job = (struct recorded_job){.wrapped = choice->wrapped};
	TRY(recording_plan(choice, program, arena, &job->plan));
	while (!number)
		if (getrandom(&number, sizeof number, 0) != sizeof number)
			return fail("cannot get a random number: %s", strerror(errno));
	snprintf(job->run, RUN_DIGITS + 1, "%016" PRIx64, number);
	TRY(parts_lock_take(&job->plan, replace, &job->lock));
	if (job->plan.wrapped.obstacle)
		say("%s", job->plan.wrapped.obstacle);
	return OK;
}

enum status recorded_job_export(const struct recorded_job *job)
{
	TRY(recording_export(&job->plan, job->run));
	return clock_server_start();
}

void recorded_job_end(const struct recorded_job *job)
{
	clock_server_stop();
	parts_lock_release(&job->lock);
}
