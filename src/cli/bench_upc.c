#include "cli/bench_upc.h"

#include "base/paths.h"
#include "bench/results/output.h"
#include "bench/results/upc_times.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/launcher.h"
#include "cli/program.h"
#include "cli/terminal.h"
#include "cli/upc_compiler.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BENCH_SOURCE "tarry_bench.upc"

static const char *const usual_compilers[] = {"upcc", "gupc", "clang-upc", NULL};

/* One measurement: the compiler, and the files in a folder of its own. */
struct upc_bench {
	const struct bench_request *request;
	const struct bench_plan *wanted;
	struct arena *arena;
	const char *compiler; /* path */
	enum upc_family family;
	const char *folder, *program, *times;
};

/* Whatever still differs from the defaults was asked for. */
enum status bench_upc_check(const struct bench_plan *wanted)
{
	struct bench_plan others = *wanted;
	struct arena arena = {0};
	enum status status = OK;
	char **words;

	others.sizes = NULL;
	others.files = (struct output_files){0};
	others.operations = (struct string_list){0};
	others.quiet = false;
	others.time_limit = plan_defaults.time_limit;
	others.trim = plan_defaults.trim;
	others.confidence = plan_defaults.confidence;
	others.clock_share = plan_defaults.clock_share;
	words = plan_argv(&others, &arena);
	if (words[0])
		status = fail("option '%s' does not apply to '--upc': leave it out", words[0]);
	arena_release(&arena);
	return status;
}

static enum status find_compiler(const char *name, struct upc_bench *bench)
{
	const char *const *names = name ? (const char *const[]){name, NULL} : usual_compilers;

	for (; *names; names++)
		if (program_find(*names, bench->arena, &bench->compiler) == OK &&
		    (bench->family = upc_compiler_recognise(bench->compiler)) != UPC_NONE)
			return OK;
	if (name)
		return fail("'%s' is not a known UPC compiler: use upcc of Berkeley UPC, gupc or clang-upc",
		            name);
	return fail("no UPC compiler found (upcc, gupc or clang-upc): name one with '--upcc'");
}

static enum status run(const char **words, const char *purpose)
{
	const char *path;
	struct arena arena = {0};
	enum status status = program_find(words[0], &arena, &path);
	int code = 0;

	if (status == OK)
		status = job_run(path, (char **)words, &code);
	if (status == OK && code)
		status = fail("%s failed with exit code %d", purpose, code);
	arena_release(&arena);
	return status;
}

static const char *joined(const struct string_list *words, struct arena *arena)
{
	const char *all = words->count ? words->at[0] : "all";

	for (size_t i = 1; i < words->count; i++)
		all = arena_format(arena, "%s,%s", all, words->at[i]);
	return all;
}

static enum status sizes_text(struct upc_bench *bench, const char **text)
{
	struct uint_list sizes;

	TRY(plan_sizes(bench->wanted->sizes, bench->arena, &sizes));
	*text = "";
	for (size_t i = 0; i < sizes.count; i++)
		*text = arena_format(bench->arena, "%s%s%" PRIu64, *text, i ? "," : "", sizes.at[i]);
	return OK;
}

/* A launcher of the user's, upcrun beside the compiler, or the program itself. */
static enum status launch(struct upc_bench *bench)
{
	enum { OWN_WORDS = 10 };
	const struct bench_request *request = bench->request;
	const char *threads = arena_format(
		bench->arena, "%lld",
		(long long)(request->processes ? request->processes : available_cores()));
	const char *beside = path_join(path_folder(bench->compiler, bench->arena), "upcrun", bench->arena);
	size_t given = 0, count = 0;

	while (request->words && request->words[given])
		given++;
	const char **words = arena_array(bench->arena, const char *, given + OWN_WORDS);

	for (size_t i = 0; i < given; i++)
		words[count++] = request->words[i];
	if (!given && bench->family == UPC_BERKELEY) {
		words[count++] = access(beside, X_OK) == 0 ? beside : "upcrun";
		words[count++] = "-q";
		words[count++] = "-n";
		words[count++] = threads;
	}
	words[count++] = bench->program;
	if (!given && bench->family != UPC_BERKELEY) {
		words[count++] = "-n";
		words[count++] = threads;
	}
	words[count++] = bench->times;
	TRY(sizes_text(bench, &words[count++]));
	words[count++] = joined(&bench->wanted->operations, bench->arena);
	words[count++] = arena_format(bench->arena, "%lld", (long long)bench->wanted->time_limit);
	return run(words, "the UPC benchmark");
}

static enum status measure(struct upc_bench *bench)
{
	const char *folder;
	const char *words[] = {bench->compiler, "-O2", "-o", bench->program, NULL, NULL};
	FILE *file;
	struct results results;
	enum status status;

	TRY(installation_upc(bench->arena, &folder));
	words[4] = path_join(folder, BENCH_SOURCE, bench->arena);
	TRY(run(words, "compiling the UPC benchmark"));
	TRY(launch(bench));
	file = fopen(bench->times, "r");
	if (!file)
		return fail("the UPC benchmark left no '%s': %s", bench->times, strerror(errno));
	results_init(&results);
	results_fact(&results, "upc", "compiler", "%s (%s)", upc_family_name(bench->family), bench->compiler);
	status = upc_times_read(file, bench->wanted, &results);
	fclose(file);
	if (status == OK && !bench->wanted->quiet) {
		struct text text = {0};

		results_table(&results, *colour_code(COLOUR_STRONG, stdout) != '\0', &text);
		fputs(text_get(&text), stdout);
		text_release(&text);
	}
	if (status == OK)
		status = results_write(&results, &bench->wanted->files);
	results_release(&results);
	return status;
}

int bench_upc(const struct bench_request *request, const char *compiler, const struct bench_plan *wanted,
              struct arena *arena)
{
	struct upc_bench bench = {.request = request, .wanted = wanted, .arena = arena};
	enum status status;

	if (find_compiler(compiler, &bench) != OK ||
	    path_absolute(bench_draft(&wanted->files, "upc", arena), arena, &bench.folder) != OK)
		return report_failure();
	bench.program = path_join(bench.folder, "tarry_bench", arena);
	bench.times = path_join(bench.folder, "times", arena);
	if (mkdir(bench.folder, 0700) != 0) {
		say("cannot create the folder '%s': %s", bench.folder, strerror(errno));
		return EXIT_FAILED;
	}
	status = measure(&bench);
	unlink(bench.program);
	unlink(bench.times);
	rmdir(bench.folder);
	if (job_signal())
		return EXIT_BY_SIGNAL + job_signal();
	return status == OK ? EXIT_FINE : report_failure();
}
