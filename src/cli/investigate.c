#include "cli/investigate.h"

#include "base/paths.h"
#include "cli/command.h"
#include "cli/limits.h"
#include "cli/open_trace.h"
#include "cli/progress.h"
#include "cli/rule_files.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct rule_wish wish_of(const struct rule_choice *choice)
{
	return (struct rule_wish){.files = choice->files.at,
	                          .settings = choice->settings.at,
	                          .without_shipped = choice->no_shipped,
	                          .without_tests = true};
}

static bool find_waits(const struct investigation_wish *wish, struct investigation *investigation)
{
	struct analysis_wish how = {
		.threads = wish->threads,
		.progress = progress_show,
		.sites = wish->report.profile,
		.source = investigation->source,
		.lang = investigation->lang,
	};
	enum status status;

	progress_begin("analysing");
	status = analyze(investigation->reader, investigation->book, &how, &investigation->analysis);
	progress_end();
	if (status != OK)
		report_failure();
	return status == OK;
}

bool investigate(const char *path, const struct investigation_wish *wish, struct investigation *investigation)
{
	*investigation = (struct investigation){0};
	if (!load_rules(wish_of(&wish->rules), &investigation->book))
		return false;
	investigation->source = source_new();
	source_search(investigation->source, wish->symbols);
	if (!limits_are_known(&wish->limits, investigation->book) ||
	    !choose_language(investigation->book, wish->rules.lang, &investigation->lang) ||
	    !open_trace(path, &investigation->reader) || !find_waits(wish, investigation)) {
		investigation_release(investigation);
		return false;
	}
	investigation->report = report_new(investigation->analysis, investigation->source, &wish->report);
	return true;
}

void investigation_release(struct investigation *investigation)
{
	if (investigation->report)
		report_free(investigation->report);
	if (investigation->source)
		source_free(investigation->source);
	if (investigation->analysis)
		analysis_free(investigation->analysis);
	if (investigation->reader)
		reader_close(investigation->reader);
	if (investigation->book)
		rulebook_free(investigation->book);
	*investigation = (struct investigation){0};
}

static int tell_worst(const char *path, const struct investigation_wish *wish)
{
	struct investigation investigation;
	struct text lines = {0};
	bool is_crossed;

	if (!investigate(path, wish, &investigation))
		return wish->limits.count ? EXIT_FAILED : EXIT_FINE;
	report_brief(investigation.report, &lines);
	if (lines.length)
		say("found:");
	else if (investigation.analysis->run_figures[RUN_CALLS] > 0)
		say("found: no waiting worth telling");
	say_lines(text_get(&lines));
	is_crossed = limits_are_crossed(&wish->limits, investigation.report);
	text_release(&lines);
	investigation_release(&investigation);
	return is_crossed ? EXIT_GATE : EXIT_FINE;
}

int tell_findings(const char *path, const struct investigation_wish *wish)
{
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		exit_code_when_exhausted = EXIT_FAILED;
		_exit(tell_worst(path, wish));
	}
	if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	    WEXITSTATUS(status) != EXIT_FAILED)
		return WEXITSTATUS(status);
	say("the analysis did not come to its end: 'tarry analyze %s' tries again", path_name(path));
	return EXIT_FAILED;
}
