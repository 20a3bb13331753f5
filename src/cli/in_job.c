#include "cli/in_job.h"

#include "analysis/model/session_peers.h"
#include "base/files.h"
#include "base/in_job.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/user_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { OPTIONS_MAX = 1 << 20 };

static const char *in_parts(const char *trace, const char *name, struct arena *arena)
{
	return arena_format(arena, "%s" PARTS_SUFFIX "/%s", trace, name);
}

/* A helper process. Any error ends it, and then its process ends the analysis of the job. */

static void take(void *bytes, size_t size)
{
	char *at = bytes;

	while (size) {
		ssize_t taken = read(IN_JOB_SOCKET, at, size);
		if (taken == 0 || (taken < 0 && errno != EINTR))
			exit(EXIT_FAILED);
		at += taken > 0 ? taken : 0;
		size -= taken > 0 ? (size_t)taken : 0;
	}
}

static void give(const void *bytes, size_t size)
{
	if (!write_fully(IN_JOB_SOCKET, bytes, size))
		exit(EXIT_FAILED);
}

static void exchange(void *context, const struct text *out, struct text *in)
{
	const struct session_peers *peers = context;
	uint64_t *sizes;

	if (peers->count == 1) {
		text_add_bytes(in, text_get(out), out->length);
		return;
	}
	sizes = memory_new(peers->count, sizeof *sizes);
	for (uint32_t i = 0; i < peers->count; i++)
		sizes[i] = out[i].length;
	give(sizes, peers->count * sizeof *sizes);
	for (uint32_t i = 0; i < peers->count; i++)
		give(text_get(&out[i]), out[i].length);
	take(sizes, peers->count * sizeof *sizes);
	for (uint32_t i = 0; i < peers->count; i++) {
		if (!sizes[i])
			continue;
		in[i] = (struct text){
			.bytes = memory_new(sizes[i] + 1, 1), .length = sizes[i], .capacity = sizes[i] + 1};
		take(in[i].bytes, sizes[i]);
	}
	free(sizes);
}

/* The words of the file, and NULL. */
static enum status read_options(const char *trace, struct arena *arena, int *argc, char ***argv)
{
	const char *path = in_parts(trace, IN_JOB_OPTIONS, arena);
	int fd = open_regular(AT_FDCWD, path, O_RDONLY);
	struct text words = {0};
	enum status status = fd >= 0 && text_add_rest(&words, fd, OPTIONS_MAX)
	                             ? OK
	                             : fail("cannot read '%s': %s", path, file_error());
	char *all, **list;
	int count = 0;

	if (fd >= 0)
		close(fd);
	if (status == OK) {
		all = arena_bytes_as_text(arena, text_get(&words), words.length);
		list = arena_array(arena, char *, words.length + 1);
		for (size_t at = 0; at < words.length; at += strlen(all + at) + 1)
			list[count++] = all + at;
		*argc = count;
		*argv = list;
	}
	text_release(&words);
	return status;
}

static enum status redirect(int stream, const char *path)
{
	int fd = private_file_replace(AT_FDCWD, path, 0600);

	if (fd < 0 || dup2(fd, stream) < 0)
		return fail("cannot write '%s': %s", path, strerror(errno));
	close(fd);
	return OK;
}

/* The result is there only if it is whole. */
static bool leave_result(const char *trace, int code, uint32_t processes, struct arena *arena)
{
	const char *path = in_parts(trace, IN_JOB_RESULT, arena);
	const char *draft = arena_format(arena, "%s-draft", path);
	FILE *file = file_stream(private_file_replace(AT_FDCWD, draft, 0600), "w");
	bool is_written = file && fprintf(file, "%d %" PRIu32 "\n", code, processes) > 0;

	if (file && fclose(file) != 0)
		is_written = false;
	return is_written && rename(draft, path) == 0;
}

static enum status begin_helper(const struct command *command, const struct session_peers *peers,
                                const char *path, struct arena *arena)
{
	struct operands operands;
	char **words;
	int count;

	TRY(read_options(path, arena, &count, &words));
	TRY(options_parse(command->options, OPTIONS_ANYWHERE, count, words, &operands));
	if (!peers_lead(peers))
		return OK;
	TRY(redirect(STDOUT_FILENO, in_parts(path, IN_JOB_REPORT, arena)));
	return redirect(STDERR_FILENO, in_parts(path, IN_JOB_MESSAGES, arena));
}

int in_job_report(const struct command *command, const char *peer, const char *path,
                  struct report_choice *choice)
{
	struct session_peers peers = {.exchange = exchange, .context = &peers};
	const uint64_t end = IN_JOB_END;
	struct arena arena = {0};
	int code;

	/* Its process may be killed at any time. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (sscanf(peer, "%" SCNu32 "/%" SCNu32 "/%" SCNu32, &peers.own, &peers.count,
	           &choice->job_processes) != 3 ||
	    peers.own >= peers.count || !choice->job_processes)
		return misuse(command, "option '--peer': '%s' is not OWN/COUNT/PROCESSES", peer);
	if (begin_helper(command, &peers, path, &arena) != OK)
		return report_failure();
	choice->peers = &peers;
	code = write_reports(command, path, choice);
	if (code == EXIT_FINE || code == EXIT_GATE || code == EXIT_UNTRUSTED) {
		if (fflush(stdout) != 0 ||
		    (peers_lead(&peers) && !leave_result(path, code, choice->job_processes, &arena)))
			code = EXIT_FAILED;
		else
			give(&end, sizeof end);
	}
	arena_release(&arena);
	return code;
}

/* tarry run */

static void add_word(struct text *words, const char *word)
{
	text_add_bytes(words, word, strlen(word) + 1);
}

static void add_option(struct text *words, const char *option, const char *value)
{
	add_word(words, option);
	add_word(words, value);
}

/* Processes of the job may have another working folder. */
static enum status add_rules(struct text *words, const struct string_list *files, struct arena *arena)
{
	for (size_t i = 0; i < files->count; i++) {
		const char *path;
		TRY(path_absolute(files->at[i], arena, &path));
		add_option(words, "--rules", path);
	}
	return OK;
}

enum status in_job_prepare(const struct recording *plan, const struct report_choice *choice)
{
	struct arena arena = {0};
	struct text words = {0};
	const char *path = in_parts(plan->output, IN_JOB_OPTIONS, &arena);
	enum status status = add_rules(&words, &choice->rules.files, &arena);
	bool is_written;

	if (choice->all)
		add_word(&words, "--all");
	if (choice->rules.no_shipped)
		add_word(&words, "--no-shipped");
	if (choice->rules.lang)
		add_option(&words, "--lang", choice->rules.lang);
	for (size_t i = 0; i < choice->limits.count; i++)
		add_option(&words, "--fail-on", choice->limits.at[i]);
	if (status == OK) {
		int fd = private_file_create(AT_FDCWD, path, 0600);
		is_written = fd >= 0 && write_fully(fd, text_get(&words), words.length);
		if (!is_written)
			status = fail("cannot write '%s': %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
	}
	text_release(&words);
	arena_release(&arena);
	return status;
}

static void print_file(const char *path)
{
	FILE *file = open_regular_stream(AT_FDCWD, path);
	char bytes[1 << 14];
	size_t size;

	while (file && (size = fread(bytes, 1, sizeof bytes, file)) > 0)
		fwrite(bytes, 1, size, stderr);
	if (file)
		fclose(file);
}

/* Another program may have been started after the one that was analysed. */
static bool has_processes(const char *trace, size_t count)
{
	struct reader *reader;
	bool has;

	if (reader_open(trace, &reader) != OK)
		return false;
	has = reader->process_count == count;
	reader_close(reader);
	return has;
}

bool in_job_show(const struct recording *plan, int *code)
{
	struct arena arena = {0};
	FILE *result = open_regular_stream(AT_FDCWD, in_parts(plan->output, IN_JOB_RESULT, &arena));
	size_t processes;
	bool is_shown = result && fscanf(result, "%d %zu", code, &processes) == 2 &&
	                has_processes(plan->output, processes);

	if (result)
		fclose(result);
	if (is_shown) {
		fflush(stdout);
		print_file(in_parts(plan->output, IN_JOB_REPORT, &arena));
		print_file(in_parts(plan->output, IN_JOB_MESSAGES, &arena));
	}
	arena_release(&arena);
	return is_shown;
}
