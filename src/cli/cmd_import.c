#include "base/settings.h"
#include "cli/command.h"
#include "cli/trace_files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct {
	const char *output;
	bool plain;
} choice;

static const struct option_spec options[] = {
	{"output", 'o', "TRACE",
         "name of the trace; default: the name of the archive, with the suffix '" TRACE_SUFFIX "'",
         OPTION_TEXT, &choice.output},
	{"plain", 0, NULL, "ignore the attributes that 'tarry export' adds for 'tarry import'", OPTION_FLAG,
         &choice.plain},
	OPTIONS_END,
};

/* "runs/scorep.otf2" and "runs/scorep/" become "runs/scorep.tarry". */
static void name_output(const char *path, struct text *name)
{
	size_t length = strlen(path);

	if (choice.output) {
		trace_name_add(choice.output, name);
		return;
	}
	while (length > 1 && path[length - 1] == '/')
		length--;
	if (text_ends(path, ".otf2"))
		length -= strlen(".otf2");
	text_add(name, "%.*s" TRACE_SUFFIX, (int)length, path);
}

static enum status check_output(void)
{
	return choice.output ? trace_name_check(choice.output) : OK;
}

static int run_import(const struct invocation *given)
{
	struct text output = {0};
	struct import_job job = {.path = given->argv[0], .plain = choice.plain};
	int code;

	if (access(job.path, F_OK) != 0) {
		say("cannot open '%s': %s", job.path, strerror(errno));
		return EXIT_FAILED;
	}
	name_output(job.path, &output);
	job.output = text_get(&output);
	code = import_archive(&job);
	if (code == EXIT_FINE)
		say("trace: %s", job.output);
	text_release(&output);
	return code;
}

const struct command command_import = {
	.name = "import",
	.summary = "convert an OTF2 archive of another tool, such as Score-P or EZTrace, to a trace",
	.usage = "[options] FILE.otf2|FOLDER",
	.example = "tarry import -o run.tarry scorep-run/traces.otf2\ntarry info run.tarry",
	.options = options,
	.operands = {1, 1},
	.check = check_output,
	.run = run_import,
};
