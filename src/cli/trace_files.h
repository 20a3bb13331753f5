/* Traces and what can be made one, by whatever name the user has for them. */
#ifndef TARRY_CLI_TRACE_FILES_H
#define TARRY_CLI_TRACE_FILES_H

#include "analysis/symbols/symbols.h"
#include "base/options.h"
#include "base/source_files.h"
#include "base/status.h"
#include "base/text.h"
#include "output/exchange/exchange.h"
#include "trace/reader.h"

/* A file of this very name that is one. */
bool is_trace(const char *path);

/* A folder that is neither a trace nor an archive itself. */
bool is_folder_of_runs(const char *path);

/* `path` is a trace, with or without its suffix, or the .otf2 file of an archive or the folder that holds it, of which a
 * trace is made that is gone when the reader is closed. On failure it prints the reason and returns false. */
bool open_trace(const char *path, struct reader **reader);

/* The same for one of several processes (reader_open_share()). Returns false without a message if it is an archive or damaged. Then all
 * processes must open all of it. */
bool open_trace_share(const char *path, struct byte_share share, struct reader **reader);

/* Converts an archive to a trace and prints its irregularities. Returns an exit code. */
int import_archive(const struct import_job *job);

/* Names of traces are the same in all commands: "run" is "run.tarry". Fails if this cannot be the name of one: the
 * command line is to blame. */
enum status trace_name_check(const char *name) MUST_CHECK;
/* The name with its suffix, which may have been left out, is added to `path`. */
void trace_name_add(const char *name, struct text *path);

/* A line of the table of options of each command that shows source lines. */
// clang-format off
#define SYMBOLS_OPTION(folder) \
	{"symbols", 0, "DIR", "look for the program's files in DIR first, for example if they were moved or stripped", \
	 OPTION_TEXT, &(folder)}
// clang-format on

/* A line of the table of options of each command that shows source code. */
// clang-format off
#define SOURCE_OPTION(folders) \
	{"source", 0, "DIR", "also show source code from files below DIR (default: below the current folder, the trace and the program); may be repeated", \
	 OPTION_WORDS, &(folders)}
// clang-format on

/* A line of the table of options of each command that can use several cores. */
// clang-format off
#define JOBS_OPTION(jobs) {"jobs", 'j', "N", "use N cores; default: all that this process may use", OPTION_COUNT, &(jobs)}
// clang-format on

/* The number of threads; without the option, all cores. */
unsigned jobs_given(int64_t jobs);

/* The current folder and those that the user names. The caller frees it. */
struct source_files *named_sources(const struct string_list *folders);
/* The same with the trace's folder, and those of its programs. */
struct source_files *sources_of_trace(const struct reader *reader, const struct string_list *folders);
/* Says that source code was left out, and how to allow it. `sources` may be NULL. */
void say_refused_source(const struct source_files *sources);

/* Each damage a line, the last ones counted only. */
void say_damage(const struct reader *reader);
void say_warnings(const struct symbols *source);

#endif
