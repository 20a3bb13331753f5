#include "cli/view_folder.h"

#include "base/files.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/settings.h"
#include "cli/view_server.h"
#include "page/page.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LISTED_MAX = 1000, START_BYTES = 8192, WORDS_MAX = 64 };
/* A report of many ranks has some megabytes. */
static const off_t report_bytes_most = 256 << 20;

static const char *const kind_names[FOLDER_FILE_KINDS] = {
	[FOLDER_TRACE] = "trace", [FOLDER_REPORT] = "report", [FOLDER_HISTORY] = "history"};

/* Listing */

/* Reads the start of a file as a text; "": it cannot be read. */
static void read_start(const char *path, char start[START_BYTES + 1])
{
	int fd = open_regular(AT_FDCWD, path, O_RDONLY);
	ssize_t size = fd < 0 ? 0 : read(fd, start, START_BYTES);

	start[size > 0 ? size : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

/* Other JSON files and databases are not listed. */
static bool is_report(const char *path)
{
	char start[START_BYTES + 1];

	read_start(path, start);
	return *start == '{' && strstr(start, "\"trace\"") && strstr(start, "\"trust\"");
}

static bool is_database(const char *path)
{
	char start[START_BYTES + 1];

	read_start(path, start);
	return text_begins(start, "SQLite format 3");
}

static void add_file(struct view_folder *folder, const char *name, const char *path,
                     enum folder_file_kind kind)
{
	struct stat about;
	struct folder_file file = {arena_text(&folder->arena, name), path, kind, 0};

	if (stat(path, &about) == 0)
		file.modified_s = about.st_mtime;
	array_add(&folder->files, file);
}

/* A folder of parts is a trace that was not merged. */
static void consider(struct view_folder *folder, const char *name)
{
	const char *path = path_join(folder->absolute, name, &folder->arena);

	if (text_ends(name, TRACE_SUFFIX PARTS_SUFFIX)) {
		size_t length = strlen(name) - strlen(PARTS_SUFFIX);
		const char *trace = arena_bytes_as_text(&folder->arena, name, length);

		path = path_join(folder->absolute, trace, &folder->arena);
		if (!path_exists(path))
			add_file(folder, trace, path, FOLDER_TRACE);
	} else if (text_ends(name, TRACE_SUFFIX)) {
		add_file(folder, name, path, FOLDER_TRACE);
	} else if (text_ends(name, ".json") && is_report(path)) {
		add_file(folder, name, path, FOLDER_REPORT);
	} else if ((text_ends(name, ".db") || text_ends(name, ".sqlite")) && is_database(path)) {
		add_file(folder, name, path, FOLDER_HISTORY);
	}
}

/* "n4" before "n16". */
static int by_name(const void *left, const void *right)
{
	return strverscmp(((const struct folder_file *)left)->name,
	                  ((const struct folder_file *)right)->name);
}

enum status view_folder_read(struct view_folder *folder)
{
	DIR *listing = opendir(folder->path);
	struct dirent *entry;

	pthread_mutex_init(&folder->lock, NULL);
	if (!listing)
		return fail("cannot read folder '%s': %s", folder->path, strerror(errno));
	if (path_absolute(folder->path, &folder->arena, &folder->absolute) != OK) {
		closedir(listing);
		return FAILED;
	}
	while ((entry = readdir(listing)))
		consider(folder, entry->d_name);
	closedir(listing);
	if (!folder->files.count)
		return fail("no trace, report or history is in folder '%s'; subfolders are not searched",
		            folder->path);
	qsort(folder->files.items, folder->files.count, sizeof *folder->files.items, by_name);
	if (folder->files.count > LISTED_MAX) {
		folder->left_out = folder->files.count - LISTED_MAX;
		folder->files.count = LISTED_MAX;
	}
	return OK;
}

void view_folder_page(const struct view_folder *folder, struct text *out)
{
	scoped_text text = {0};
	struct json json = {.out = &text};
	char resolved[PATH_MAX];
	const char *path = realpath(folder->absolute, resolved) ? resolved : folder->path; /* not "." */
	const struct page_part parts[] = {{"folder", &text}};
	const struct page page = {.title = path,
	                          .lang = folder->rules->lang,
	                          .view = "folder",
	                          .parts = parts,
	                          .part_count = 1};

	json_open(&json, NULL, '{');
	json_text(&json, "path", path);
	json_number(&json, "left_out", (int64_t)folder->left_out);
	json_open(&json, "files", '[');
	for (size_t i = 0; i < folder->files.count; i++) {
		const struct folder_file *file = &folder->files.items[i];

		json_open(&json, NULL, '{');
		json_text(&json, "name", file->name);
		json_text(&json, "kind", kind_names[file->kind]);
		json_number(&json, "modified_s", file->modified_s);
		json_close(&json, '}');
	}
	json_close_all(&json, "]}");
	page_write(&page, out);
}

/* Other commands */

enum passed { PASS_RULES = 1, PASS_SYMBOLS = 2, PASS_SOURCES = 4, PASS_JOBS = 8 };

/* Requests of the page, and the commands that answer them. */
static const struct folder_question {
	const char *name;
	const char *words[4];
	enum folder_file_kind kind;
	size_t files_min, files_max;
	unsigned passed;
	bool is_page;
} questions[] = {
	{"run", {"report", "--json", "-"}, FOLDER_TRACE, 1, 1, PASS_RULES | PASS_SYMBOLS | PASS_JOBS, false},
	{"report",
         {"report", "--html", "-"},
         FOLDER_TRACE,
         1,
         1,
         PASS_RULES | PASS_SYMBOLS | PASS_SOURCES | PASS_JOBS,
         true},
	{"diff", {"diff", "--html", "-"}, FOLDER_TRACE, 2, 2, PASS_RULES | PASS_SYMBOLS | PASS_JOBS, true},
	{"scaling", {"scaling", "--json", "-"}, FOLDER_TRACE, 2, WORDS_MAX / 2, PASS_JOBS, false},
	{"history", {"history", "show", "--html", "-"}, FOLDER_HISTORY, 1, 1, 0, true},
	{"trends", {"history", "show", "--json", "-"}, FOLDER_HISTORY, 1, 1, 0, false},
};

struct word_list {
	ARRAY(const char *) words;
};

static void add_option(struct word_list *list, const char *option, const char *value)
{
	if (value) {
		array_add(&list->words, option);
		array_add(&list->words, value);
	}
}

static void add_options(struct word_list *list, const char *option, const struct string_list *values)
{
	for (size_t i = 0; i < values->count; i++)
		add_option(list, option, values->at[i]);
}

static void add_passed(const struct view_folder *folder, unsigned passed, struct arena *arena,
                       struct word_list *list)
{
	if (passed & PASS_RULES) {
		add_options(list, "--rules", &folder->rules->files);
		add_options(list, "--set", &folder->rules->settings);
		add_option(list, "--lang", folder->rules->lang);
		if (folder->rules->no_shipped)
			array_add(&list->words, "--no-shipped");
	}
	if (passed & PASS_SYMBOLS)
		add_option(list, "--symbols", folder->symbols);
	if (passed & PASS_SOURCES)
		add_options(list, "--source", folder->sources);
	if (passed & PASS_JOBS && folder->jobs)
		add_option(list, "--jobs", arena_format(arena, "%" PRId64, folder->jobs));
}

static bool start_command(const struct word_list *list, int output, int errors, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t how;
	sigset_t none;
	int failed;

	sigemptyset(&none);
	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
	failed = posix_spawn(child, "/proc/self/exe", &actions, &how,
	                     (char *const *)(uintptr_t)list->words.items, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&how);
	return !failed;
}

static void read_whole(int fd, struct text *out)
{
	struct stat about;
	char *bytes;

	if (fd < 0 || fstat(fd, &about) != 0 || about.st_size <= 0)
		return;
	bytes = malloc((size_t)about.st_size);
	if (bytes && pread_fully(fd, bytes, (size_t)about.st_size, 0))
		text_add_bytes(out, bytes, (size_t)about.st_size);
	free(bytes);
}

static void forget_child(struct view_folder *folder, pid_t child)
{
	pthread_mutex_lock(&folder->lock);
	for (size_t i = 0; i < folder->children.count; i++)
		if (folder->children.items[i] == child) {
			folder->children.items[i] = folder->children.items[folder->children.count - 1];
			folder->children.count--;
			break;
		}
	pthread_mutex_unlock(&folder->lock);
}

/* The child is not reaped before it is forgotten, so no other process gets the signal of view_folder_stop(). */
static bool run_command(struct view_folder *folder, const struct word_list *list, int output, int errors)
{
	bool is_started;
	siginfo_t end;
	pid_t child;

	pthread_mutex_lock(&folder->lock);
	is_started = !folder->is_ending && start_command(list, output, errors, &child);
	if (is_started)
		array_add(&folder->children, child);
	pthread_mutex_unlock(&folder->lock);
	if (!is_started)
		return false;
	while (waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT) != 0 && errno == EINTR)
		;
	forget_child(folder, child);
	return waitpid(child, NULL, 0) == child;
}

/* Adds its output. */
static void command_output(struct view_folder *folder, const struct word_list *list, struct text *printed,
                           struct text *said)
{
	int output = memfd_create("tarry-answer", MFD_CLOEXEC),
	    errors = memfd_create("tarry-errors", MFD_CLOEXEC);

	if (output < 0 || errors < 0 || !run_command(folder, list, output, errors))
		text_add(said, "tarry cannot be started: %s\n", strerror(errno));
	read_whole(output, printed);
	read_whole(errors, said);
	if (output >= 0)
		close(output);
	if (errors >= 0)
		close(errors);
}

/* Answers */

/* Files by number: "3,0". False: that is not a list of files of this kind. */
static bool find_files(const struct view_folder *folder, const struct folder_question *question,
                       const char *numbers, const struct folder_file **files, size_t *count)
{
	for (*count = 0; numbers && *numbers; numbers += *numbers == ',') {
		char *end;
		unsigned long number = strtoul(numbers, &end, 10);
		const struct folder_file *file;

		if (*numbers < '0' || *numbers > '9' || (*end && *end != ',') ||
		    number >= folder->files.count || *count == question->files_max)
			return false;
		file = &folder->files.items[number];
		if (file->kind != question->kind &&
		    !(file->kind == FOLDER_REPORT && strcmp(question->name, "run") == 0))
			return false;
		files[(*count)++] = file;
		numbers = end;
	}
	return *count > 0 && *count >= question->files_min;
}

/* The first sentence on stderr, or the last one, which says why a command failed. Names are relative to the folder. */
static void add_sentence(const struct view_folder *folder, const struct text *said, bool is_last,
                         struct text *out)
{
	static const char prefix[] = "tarry: ";
	const char *at = text_get(said), *end;
	size_t length = strlen(folder->absolute);

	for (end = strchr(at, '\n'); is_last && end && end[1]; end = strchr(at, '\n'))
		at = end + 1;
	if (text_begins(at, prefix))
		at += sizeof prefix - 1;
	for (end = at + strcspn(at, "\n"); at < end; at++)
		if (text_begins(at, folder->absolute) && at[length] == '/')
			at += length;
		else
			text_add_bytes(out, at, 1);
}

static void answer_command(struct view_folder *folder, const struct folder_question *question,
                           const struct folder_file **files, size_t count, struct text *out,
                           const char **type)
{
	scoped_text printed = {0}, said = {0}, sentence = {0};
	struct json json = {.out = out};
	struct word_list list = {0};
	struct arena arena = {0};

	array_add(&list.words, "tarry");
	for (size_t i = 0; i < sizeof question->words / sizeof *question->words && question->words[i]; i++)
		array_add(&list.words, question->words[i]);
	add_passed(folder, question->passed, &arena, &list);
	for (size_t i = 0; i < count; i++)
		array_add(&list.words, files[i]->path);
	array_add(&list.words, NULL);
	command_output(folder, &list, &printed, &said);
	if (question->is_page) {
		*type = printed.length ? "text/html; charset=utf-8" : "text/plain; charset=utf-8";
		text_add_bytes(out, text_get(printed.length ? &printed : &said),
		               printed.length ? printed.length : said.length);
	} else {
		json_open(&json, NULL, '{');
		add_sentence(folder, &said, !printed.length, &sentence);
		json_text(&json, "said", said.length ? text_get(&sentence) : NULL);
		json_value(&json, "result", printed.length ? text_get(&printed) : "null");
		json_close(&json, '}');
	}
	array_release(&list.words);
	arena_release(&arena);
}

/* A report that was written before is sent unchanged. */
static void answer_report(const struct folder_file *file, struct text *out)
{
	int fd = open_regular(AT_FDCWD, file->path, O_RDONLY);
	struct json json = {.out = out};
	scoped_text report = {0}, said = {0};
	struct stat about;

	if (fd < 0)
		text_add(&said, "cannot read '%s': %s", file->name, file_error());
	else if (fstat(fd, &about) == 0 && about.st_size <= report_bytes_most)
		read_whole(fd, &report);
	else
		text_add(&said, "'%s' is too large", file->name);
	if (fd >= 0)
		close(fd);
	json_open(&json, NULL, '{');
	json_text(&json, "said", said.length ? text_get(&said) : NULL);
	/* As a text, because it may be damaged. */
	json_text(&json, "text", text_get(&report));
	json_close(&json, '}');
}

bool view_folder_answer(struct view_folder *folder, const struct view_request *request, struct text *out,
                        const char **type)
{
	for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
		const struct folder_question *question = &questions[i];
		const struct folder_file *files[WORDS_MAX];
		size_t count;

		if (strcmp(question->name, request->name) != 0)
			continue;
		if (!find_files(folder, question, view_argument(request, "files"), files, &count))
			return false;
		if (files[0]->kind == FOLDER_REPORT)
			answer_report(files[0], out);
		else
			answer_command(folder, question, files, count, out, type);
		return true;
	}
	return false;
}

void view_folder_stop(struct view_folder *folder)
{
	pthread_mutex_lock(&folder->lock);
	folder->is_ending = true;
	for (size_t i = 0; i < folder->children.count; i++)
		kill(folder->children.items[i], SIGTERM);
	pthread_mutex_unlock(&folder->lock);
}

void view_folder_release(struct view_folder *folder)
{
	array_release(&folder->files);
	array_release(&folder->children);
	arena_release(&folder->arena);
	pthread_mutex_destroy(&folder->lock);
}
