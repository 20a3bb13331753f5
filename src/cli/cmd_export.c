#include "analysis/model/session.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/trace_files.h"
#include "cli/trace_window.h"
#include "output/exchange/exchange.h"

#include <stddef.h>
#include <stdio.h>

/* FORMAT(name, "ARGUMENT", "help", function, bytes): the option --name, the function that writes the format,
 * and the approximate bytes per event in large traces. */
#define FORMATS(FORMAT) \
	FORMAT(otf2, "DIR", "write an OTF2 archive: DIR/traces.otf2", otf2_export, 50) \
	FORMAT(perfetto, "FILE", "write a trace for the Perfetto UI, https://ui.perfetto.dev", \
	       perfetto_export, 130) \
	FORMAT(csv, "FILE", "write a table with a line for each event; - is standard output", csv_export, \
	       190) \
	FORMAT(messages, "FILE", "write a table with a line for each message; - is standard output", \
	       messages_export, 120)

static struct {
#define FORMAT(name, argument, help, function, bytes) const char *name;
	FORMATS(FORMAT)
#undef FORMAT
	struct window_choice window;
	int64_t jobs;
	bool force;
} choice;

// clang-format off
static const struct option_spec options[] = {
#define FORMAT(name, argument, help, function, bytes) {#name, 0, argument, help, OPTION_TEXT, &choice.name},
	FORMATS(FORMAT)
#undef FORMAT
	WINDOW_OPTIONS(choice.window),
	JOBS_OPTION(choice.jobs),
	{"force", 'f', NULL, "replace an earlier export", OPTION_FLAG, &choice.force},
	OPTIONS_END,
};
// clang-format on

static const struct format {
	const char **path; /* of the option; NULL: not given */
	enum status (*write)(const struct export_job *job);
	int event_bytes;
} formats[] = {
#define FORMAT(name, argument, help, function, bytes) {&choice.name, function, bytes},
	FORMATS(FORMAT)
#undef FORMAT
};

/* In all wanted formats. */
static double bytes_of_event(void)
{
	double bytes = 0;

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		bytes += *formats[i].path ? formats[i].event_bytes : 0;
	return bytes;
}

static enum status check_formats(void)
{
	return bytes_of_event() > 0 ? OK : fail("no format given");
}

static int export_window(const struct export_job *wanted, struct trace_window *window)
{
	struct export_job job = *wanted;
	int code = window_open(window, job.reader, job.session->time);
	enum status status = OK;

	if (code != EXIT_FINE)
		return code;
	job.filter = window->filter;
	window_say_size(window, job.reader, bytes_of_event());
	progress_begin("writing");
	for (size_t i = 0; i < sizeof formats / sizeof *formats && status == OK; i++) {
		job.path = *formats[i].path;
		if (job.path)
			status = formats[i].write(&job);
	}
	progress_end();
	if (status != OK)
		return report_failure();
	say_warnings(job.source);
	say_damage(job.reader);
	return job.reader->damage_count ? EXIT_FAILED : EXIT_FINE;
}

static int export_trace(struct reader *reader, struct trace_window *window)
{
	struct export_job job = {.session = session_new(reader),
	                         .reader = reader,
	                         .source = symbols_new(),
	                         .force = choice.force,
	                         .jobs = jobs_given(choice.jobs),
	                         .standard_output = stdout};
	int code;

	job.session->progress = progress_show;
	progress_begin("comparing clocks");
	reader_read_through(reader, job.jobs);
	session_correct_time(job.session);
	job.session->splits_sinks = job.jobs > 1;
	progress_end();
	code = export_window(&job, window);
	session_free(job.session);
	symbols_free(job.source);
	return code;
}

static int run_export(const struct invocation *given)
{
	struct trace_window window;
	struct reader *reader;
	int code = EXIT_FAILED;

	if (window_parse(&choice.window, &window) != OK)
		return misuse(&command_export, "%s", trail_text());
	if (open_trace(given->argv[0], &reader)) {
		code = export_trace(reader, &window);
		reader_close(reader);
	}
	window_release(&window);
	return code;
}

const struct command command_export = {
	.name = "export",
	.summary = "write a trace in the formats of other tools",
	.usage = "[options] TRACE",
	.example = "tarry export --otf2 archive run.tarry\notf2-print archive/traces.otf2\n"
		   "tarry export --csv - --from 1.5s --to 2s --ranks 0-3 --calls p2p run.tarry",
	.options = options,
	.operands = {1, 1},
	.check = check_formats,
	.run = run_export,
};
