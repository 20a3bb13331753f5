#include "cli/bench_launch.h"

#include "base/text.h"
#include "cli/ask.h"
#include "cli/colour.h"
#include "cli/command.h"
#include "cli/cores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM_PREFIX "tarry-bench: "

static size_t count_words(char *const *words)
{
	size_t count = 0;

	while (words[count])
		count++;
	return count;
}

/* A command line that grows; room is made for all that may come. */
struct line {
	char **words;
	size_t count;
	struct arena *arena;
};

static void add_word(struct line *line, const char *word)
{
	line->words[line->count++] = arena_text(line->arena, word);
}

static void add_words(struct line *line, char *const *words)
{
	for (; *words; words++)
		line->words[line->count++] = *words;
}

static struct line line_for(size_t room, struct arena *arena)
{
	return (struct line){arena_array(arena, char *, room + 1), 0, arena};
}

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value;
}

/* Open MPI refuses two things that are often meant; what is done about them is said, once for all jobs of a command. */
static void add_permissions(struct line *line, int64_t processes)
{
	static bool is_root_said, is_sharing_said;
	int cores = allowed_cores();

	if (geteuid() == 0 && !is_set("OMPI_ALLOW_RUN_AS_ROOT")) {
		if (!is_root_said)
			say("with '--allow-run-as-root', as you are root");
		is_root_said = true;
		add_word(line, "--allow-run-as-root");
	}
	if (processes > cores && !is_set("OMPI_MCA_rmaps_base_oversubscribe") && !is_set("SLURM_JOB_ID")) {
		if (!is_sharing_said)
			say("with '--oversubscribe', as %lld processes share %d core%s: their times tell of that too",
			    (long long)processes, cores, cores == 1 ? "" : "s");
		is_sharing_said = true;
		add_word(line, "--oversubscribe");
	}
}

enum { WORDS_ADDED = 6 };

static char **launch_words(const struct bench_launch *launch, int64_t processes, char **arguments,
                           struct arena *arena)
{
	struct line line = line_for(count_words(launch->words) + count_words(arguments) + WORDS_ADDED, arena);

	add_words(&line, launch->words);
	if (processes) {
		add_word(&line, "-n");
		add_word(&line, arena_format(arena, "%lld", (long long)processes));
	}
	if (!launch->is_users && strcmp(launch->mpi, "openmpi") == 0)
		add_permissions(&line, processes);
	add_word(&line, launch->program);
	add_words(&line, arguments);
	return line.words;
}

static char **alone_words(const struct bench_launch *launch, const struct plan *wanted, struct arena *arena)
{
	struct plan alone = *wanted;
	struct line line;
	char **arguments;

	alone.world = launch->processes;
	arguments = plan_words(&alone, arena);
	line = line_for(count_words(arguments) + 1, arena);
	add_word(&line, launch->program);
	add_words(&line, arguments);
	return line.words;
}

/* The program's sentences as ours. */
static void repeat(const char *lines)
{
	struct text text = {0};

	while (*lines) {
		size_t size = strcspn(lines, "\n");
		if (text_begins(lines, PROGRAM_PREFIX))
			text_add_bytes(&text, lines + strlen(PROGRAM_PREFIX), size - strlen(PROGRAM_PREFIX));
		else
			text_add_bytes(&text, lines, size);
		text_add(&text, "\n");
		lines += size + (lines[size] == '\n');
	}
	say_lines(text_get(&text));
	text_release(&text);
}

int bench_check(const struct bench_launch *launch, const struct plan *wanted, struct arena *arena)
{
	struct plan checked = *wanted;
	struct text answer = {0};
	int code;

	checked.dry_run = true;
	code = ask(launch->program, (const char *const *)alone_words(launch, &checked, arena), NULL, &answer);
	if (code)
		repeat(text_get(&answer));
	if (code && !answer.length)
		say("'%s' cannot be run: try it by hand", launch->program);
	text_release(&answer);
	return code < 0 || code > EXIT_USAGE ? EXIT_FAILED : code;
}

enum status bench_run_alone(const struct bench_launch *launch, const struct plan *wanted, struct arena *arena,
                            int *code)
{
	return job_run(launch->program, alone_words(launch, wanted, arena), code);
}

static struct plan plan_of_job(const struct plan *wanted)
{
	struct plan job = *wanted;

	job.show_progress = true;
	job.coloured = *colour_code(COLOUR_STRONG, stdout);
	return job;
}

enum status bench_run(const struct bench_launch *launch, int64_t processes, const struct plan *wanted,
                      struct bench_watch watch, struct arena *arena, struct bench_end *end)
{
	struct plan job = plan_of_job(wanted);
	struct bench_relay *relay;
	enum status status;
	char **words;

	if (!processes && launch->tells_processes)
		processes = launch->processes;
	words = launch_words(launch, processes, plan_words(&job, arena), arena);
	fflush(stdout);
	TRY(bench_relay_start(watch, &relay));
	status = job_run_into(launch->path, words, bench_relay_streams(relay), &end->code);
	bench_relay_finish(relay, &end->reached);
	return status;
}
