#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/trace_files.h"
#include "output/exchange/exchange.h"

#include <stddef.h>
#include <stdio.h>

/* FORMAT(name, "ARGUMENT", "help", function): the option --name, and what writes it. */
#define FORMATS(FORMAT) \
	FORMAT(otf2, "DIR", "write an OTF2 archive: DIR/traces.otf2", otf2_export) \
	FORMAT(perfetto, "FILE", "write a trace for the Perfetto UI, https://ui.perfetto.dev", \
	       perfetto_export) \
	FORMAT(csv, "FILE", "write a table with a line for each event; - is standard output", csv_export)

static struct {
#define FORMAT(name, argument, help, function) const char *name;
	FORMATS(FORMAT)
#undef FORMAT
	bool force;
} choice;

// clang-format off
static const struct option_spec options[] = {
#define FORMAT(name, argument, help, function) {#name, 0, argument, help, OPTION_TEXT, &choice.name},
	FORMATS(FORMAT)
#undef FORMAT
	{"force", 'f', NULL, "replace what was exported there before", OPTION_FLAG, &choice.force},
	OPTIONS_END,
};
// clang-format on

static const struct format {
	const char **path; /* what is asked for; NULL: nothing */
	enum status (*write)(const struct export_job *job);
} formats[] = {
#define FORMAT(name, argument, help, function) {&choice.name, function},
	FORMATS(FORMAT)
#undef FORMAT
};

static size_t count_wanted(void)
{
	size_t count = 0;

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		count += *formats[i].path != NULL;
	return count;
}

static enum status write_wanted(struct reader *reader, struct symbols *source)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		struct export_job job = {.reader = reader,
		                         .source = source,
		                         .path = *formats[i].path,
		                         .force = choice.force,
		                         .standard_output = stdout,
		                         .progress = progress_show};
		if (job.path)
			TRY(formats[i].write(&job));
	}
	return OK;
}

static int export_trace(struct reader *reader, struct symbols *source)
{
	enum status status;

	progress_begin("writing");
	status = write_wanted(reader, source);
	progress_end();
	if (status != OK)
		return report_failure();
	say_warnings(source);
	say_damage(reader);
	return reader->damage_count ? EXIT_FAILED : EXIT_FINE;
}

static int run_export(int argc, char **argv)
{
	struct reader *reader;
	struct symbols *source;
	int code;

	(void)argc;
	if (!count_wanted())
		return misuse(&command_export, "no format given");
	if (!open_trace(argv[0], &reader))
		return EXIT_FAILED;
	source = symbols_new();
	code = export_trace(reader, source);
	symbols_free(source);
	reader_close(reader);
	return code;
}

const struct command command_export = {
	.name = "export",
	.summary = "write a trace in the formats of other tools",
	.usage = "[options] TRACE",
	.example = "tarry export --otf2 archive run.tarry\notf2-print archive/traces.otf2",
	.options = options,
	.operands_min = 1,
	.operands_max = 1,
	.run = run_export,
};
