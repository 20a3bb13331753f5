#include "base/paths.h"
#include "bench/results/differences.h"
#include "bench/results/output.h"
#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <sys/stat.h>

/* The two files and their differences. */
struct compared {
	struct results first, second;
	struct differences differences;
	struct compared_names names;
};

static void add_text(const void *shown, struct text *out)
{
	const struct compared *compared = shown;
	bool coloured = *colour_code(COLOUR_STRONG, stdout) != '\0';

	differences_text(&compared->differences, &compared->names, coloured, out);
}

static void add_json(const void *shown, struct text *out)
{
	const struct compared *compared = shown;

	differences_json(&compared->differences, &compared->names, out);
}

static void add_page(const void *shown, struct text *out)
{
	const struct compared *compared = shown;

	differences_page(&compared->differences, &compared->first, &compared->second, &compared->names, out);
}

enum { JSON, PAGE, OUTPUTS_END };

static struct output_option outputs[OUTPUTS_END] = {
	[JSON] = {.name = "json", .form = add_json}, [PAGE] = {.name = "html", .form = add_page}};
static struct comparing how = {
	.confidence = 0.95, .threshold = 0.05, .memory = {.share = 0.1, .bytes = 20 << 10}};

static const struct option_spec options[] = {
	{"confidence", 0, "SHARE", "confidence of intervals and of each verdict; default: 95%", OPTION_REAL,
         &how.confidence},
	{"threshold", 0, "SHARE", "ignore smaller differences; default: 5%", OPTION_REAL, &how.threshold},
	{"memory-threshold", 0, "SHARE", "ignore smaller differences of memory; default: 10%", OPTION_REAL,
         &how.memory.share},
	{"memory-least", 0, "SIZE", "ignore differences below SIZE per process; default: 20K", OPTION_SIZE,
         &how.memory.bytes},
	{"json", 0, "FILE", "write the comparison to FILE as JSON; '-': print that and no text", OPTION_TEXT,
         &outputs[JSON].path},
	{"html", 0, "FILE", "write a page with plots to FILE; '-': print that", OPTION_TEXT,
         &outputs[PAGE].path},
	OPTIONS_END,
};

static enum status check_options(char **argv)
{
	if (!(how.confidence > 0 && how.confidence < 1))
		return fail("option '--confidence' must be a share above 0 and below 1, such as 95%%");
	if (!(how.threshold >= 0 && how.threshold <= 100))
		return fail("option '--threshold' must be a share of at least 0, such as 5%%");
	if (!(how.memory.share >= 0 && how.memory.share <= 100))
		return fail("option '--memory-threshold' must be a share of at least 0, such as 10%%");
	return outputs_check(outputs, OUTPUTS_END, argv);
}

static void say_incomplete(const struct results *results, const char *path)
{
	if (!results->is_complete)
		say("'%s' is not complete: %s", path,
		    results->trouble ? results->trouble : "the job ended early");
}

static int exit_code_for(const struct compared *compared)
{
	const struct differences *differences = &compared->differences;

	say_incomplete(&compared->first, compared->names.first);
	say_incomplete(&compared->second, compared->names.second);
	if (!differences->count && !differences->memory.count) {
		bool is_memory = compared->first.memory_count || compared->second.memory_count;

		/* Times on one side cannot be compared with memory on the other. */
		say("%s of '%s' is in '%s': measure both with the same %s",
		    is_memory ? "no memory" : "no point", compared->names.first, compared->names.second,
		    is_memory ? "'--memory' and '--ranks'" : "operations, sizes and ranks");
		return EXIT_FAILED;
	}
	return differences->verdicts[VERDICT_SLOWER] || differences->memory.verdicts[MEMORY_MORE] ? EXIT_GATE
	                                                                                          : EXIT_FINE;
}

static int compare(struct compared *compared)
{
	int code;

	differences_find(&compared->first, &compared->second, &how, &compared->differences);
	code = outputs_write(outputs, OUTPUTS_END, add_text, compared) == OK ? exit_code_for(compared)
	                                                                     : report_failure();
	differences_release(&compared->differences);
	return code;
}

static int run_bench_compare(const struct invocation *given)
{
	char **argv = given->argv;
	struct compared compared = {.names = {argv[0], argv[1]}};
	/* Runs of one job cannot be compared with several jobs. */
	enum status (*read)(const char *, struct results *) =
		path_is_folder(argv[0]) || path_is_folder(argv[1]) ? results_read_jobs : results_read;
	int code;

	if (check_options(argv) != OK)
		return misuse(&command_bench_compare, "%s", trail_text());
	if (read(argv[0], &compared.first) != OK)
		return report_failure();
	code = read(argv[1], &compared.second) == OK ? compare(&compared) : report_failure();
	results_release(&compared.second);
	results_release(&compared.first);
	return code;
}

const struct command command_bench_compare = {
	.name = "bench compare",
	.summary = "compare two benchmarks",
	.usage = "[options] FIRST SECOND",
	.example = "tarry bench compare before.json after.json\n"
		   "tarry bench compare --threshold 10% --html changes.html before/ after/",
	.options = options,
	.operands = {2, 2},
	.run = run_bench_compare,
};
