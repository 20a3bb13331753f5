#include "cli/in_job.h"

static struct report_choice choice = {.profile = true};
static const char *peer;

static const struct option_spec options[] = {
	REPORT_OPTIONS(choice),
	{"profile", 0, NULL, "show the time by function, call path and message", OPTION_FLAG,
         &choice.only_profile},
	{"peer", 0, "OWN/COUNT/PROCESSES", NULL, OPTION_TEXT, &peer},
	OPTIONS_END,
};

static int run_report(const struct invocation *given)
{
	if (peer)
		return in_job_report(&command_report, peer, given->argv[0], &choice);
	return write_reports(&command_report, given->argv[0], &choice);
}

const struct command command_report = {
	.name = "report",
	.summary = "show efficiency, wait states and a profile of a run",
	.usage = "[options] TRACE",
	.example = "tarry report run.tarry\n"
		   "tarry report --finding 1,2 run.tarry\n"
		   "tarry report --sarif tarry.sarif --fail-on 'late-sender>5%' run.tarry",
	.options = options,
	.operands = {1, 1},
	.run = run_report,
};
