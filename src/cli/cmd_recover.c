#include "base/parallel.h"
#include "base/settings.h"
#include "cli/command.h"
#include "cli/parts_folder.h"
#include "cli/terminal.h"
#include "cli/trace_files.h"
#include "trace/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	const char *output;
	const char *world;
} choice;

static const struct option_spec options[] = {
	{"output", 'o', "TRACE", "name of the trace; default: the name that the run would have used",
         OPTION_TEXT, &choice.output},
	{"world", 0, "WORLD", NULL, OPTION_TEXT, &choice.world},
	OPTIONS_END,
};

static int recover_and_tell(const char *trace, const char *folder, const char *output)
{
	const struct recover_options how = {.jobs = parallel_cores(), .progress = progress_show};
	struct recover_report report;
	int code = EXIT_FINE;
	struct text out = {0};
	enum status status;

	if (parts_check_ended(folder) != OK)
		return report_failure();
	progress_begin("merging");
	/* `output` is `trace`, unless the user names another. */
	status = choice.output ? trace_recover_from(folder, output, &how, &report)
	                       : trace_recover(trace, &how, &report);
	progress_end();
	if (status != OK)
		return report_failure();
	text_add(&out, "'%s': %s of %s, %s\n", output, AS_COUNTED(report.events, "event", "events"),
	         AS_COUNTED(report.processes, "process", "processes"), AS_SIZE(report.bytes));
	if (report.open_chunks)
		text_add(&out, "%zu of %zu chunks were open: the job ended before its recording did\n",
		         report.open_chunks, report.chunks);
	if (report.missing)
		text_add(&out, "no parts of %zu of %zu processes were found\n", report.missing,
		         report.missing + report.processes);
	text_add(&out, "%s", report.notes ? report.notes : "");
	text_strip_controls(&out);
	fputs(text_get(&out), stdout);
	text_release(&out);
	for (size_t i = 0; i < report.damage_count; i++)
		say("%s", report.damage[i]);
	if (report.parts_kept) {
		say("some parts could not be read: '%s' is kept; remove it when it is no longer needed",
		    folder);
		code = EXIT_FAILED;
	}
	recover_report_release(&report);
	return code;
}

static enum status check_output(void)
{
	return choice.output && !choice.world ? trace_name_check(choice.output) : OK;
}

/* For a process of a job, which makes the trace (job/record/merge.c). */
static int merge_world(const char *folder)
{
	const struct recover_options how = {.jobs = parallel_cores()};
	uint64_t world = strtoull(choice.world, NULL, 16);

	return choice.output && trace_merge_world(folder, world, choice.output, &how) == OK
	               ? EXIT_FINE
	               : report_failure();
}

static int run_recover(const struct invocation *given)
{
	const char *operand = given->argv[0];
	struct text trace = {0}, folder = {0}, output = {0};
	size_t length = strlen(operand), parts = strlen(PARTS_SUFFIX);
	int code;

	if (choice.world)
		return merge_world(operand);
	/* The first of NAME, NAME.tarry and NAME.tarry.parts. */
	while (length > 1 && operand[length - 1] == '/')
		length--;
	if (length > parts && strncmp(operand + length - parts, PARTS_SUFFIX, parts) == 0)
		length -= parts;
	text_add_bytes(&trace, operand, length);
	if (!text_ends(text_get(&trace), TRACE_SUFFIX))
		text_add(&trace, TRACE_SUFFIX);
	text_add(&folder, "%s" PARTS_SUFFIX, text_get(&trace));
	trace_name_add(choice.output ? choice.output : text_get(&trace), &output);
	code = recover_and_tell(text_get(&trace), text_get(&folder), text_get(&output));
	text_release(&output);
	text_release(&trace);
	text_release(&folder);
	return code;
}

const struct command command_recover = {
	.name = "recover",
	.summary = "recover the trace of a job that was killed",
	.usage = "[options] NAME",
	.example = "tarry recover run.tarry",
	.options = options,
	.operands = {1, 1},
	.check = check_output,
	.run = run_recover,
};
