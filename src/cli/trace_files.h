/* Opens traces, and files that can be converted to traces, by the names that a user gives. */
#ifndef TARRY_CLI_TRACE_FILES_H
#define TARRY_CLI_TRACE_FILES_H

#include "analysis/symbols/symbols.h"
#include "base/options.h"
#include "base/source_files.h"
#include "base/status.h"
#include "base/text.h"
#include "output/exchange/exchange.h"
#include "trace/reader.h"

/* True if a file with exactly this name is a trace. */
bool is_trace(const char *path);

/* True for a folder that is neither a trace nor an archive itself. */
bool is_folder_of_runs(const char *path);

/* `path` is a trace, with or without its suffix, or an OTF2 archive: its .otf2 file or its folder. An archive
 * is converted to a temporary trace, which is removed when the reader is closed. False: failed, and an error
 * was printed. */
bool open_trace(const char *path, struct reader **reader);

/* The same for one of several processes (reader_open_share()). False without a message: it is an archive or
 * damaged, and all processes must open the whole trace. */
bool open_trace_share(const char *path, struct byte_share share, struct reader **reader);

/* Converts an archive to a trace and prints its irregularities. Returns an exit code. */
int import_archive(const struct import_job *job);

/* All commands accept the same names of traces: "run" is "run.tarry". Fails if the name is invalid, which is
 * wrong usage. */
enum status trace_name_check(const char *name) MUST_CHECK;
/* Adds the name to `path`, and its suffix if it is missing. */
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

/* The current folder and the folders given by the user. The caller frees the result. */
struct source_files *named_sources(const struct string_list *folders);
/* The same with the folders of the trace and of its programs. */
struct source_files *sources_of_trace(const struct reader *reader, const struct string_list *folders);
/* Prints that source code was omitted, and the option that allows it. `sources` may be NULL. */
void say_refused_source(const struct source_files *sources);

/* Prints a line for each damaged place; after some lines, only their number. */
void say_damage(const struct reader *reader);
void say_warnings(const struct symbols *source);

#endif
