/* Shared by `tarry run` and `tarry exec`: the options, the name of the trace, and the environment variables
 * that make the processes record themselves.
 *
 *	static struct recording_choice choice = RECORDING_CHOICE_DEFAULT;
 *	static const struct option_spec options[] = {RECORDING_OPTIONS(choice), OPTIONS_END};
 *	struct recording plan;
 *	TRY(recording_plan(&choice, argv, &arena, &plan));
 *	TRY(recording_export(&plan, NULL)); */
#ifndef TARRY_CLI_RECORDING_H
#define TARRY_CLI_RECORDING_H

#include "analysis/wrappers/wrappers.h"
#include "base/arena.h"
#include "base/options.h"
#include "base/settings.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* The selection of calls: --only, --not, --from and --to as the user wrote them (NULL: not given), and
 * --summary. */
struct recording_selection {
	const char *only, *except;
	const char *from, *to;
	bool summary;
};

/* --rules and --minimal: functions outside MPI get wrappers if rules declare events for them
 * (src/analysis/wrappers). With --minimal, only functions of MPI that a rule can use are recorded. */
struct wrapped_choice {
	struct string_list rules;
	bool no_shipped;
	bool minimal;
};

struct wrapped_functions {
	struct wrappers wrappers;
	const char *library;   /* with the wrappers, to be preloaded; NULL: none */
	bool counts_files;     /* --io: the functions of files have wrappers too */
	const char *obstacle;  /* the reason why there is no library; NULL: none */
	const char *only;      /* functions of MPI, in the syntax of --only; NULL: all */
	const char *arguments; /* of MPI functions, needed by rules, for SETTING_ARGUMENTS; NULL: none */
};

/* After the job: prints the functions that no process called, according to the files in the folder of
 * parts. */
void say_uncalled_functions(const struct wrapped_functions *plan, const char *parts, struct arena *arena);

struct recording_choice {
	const char *output;
	uint64_t buffer;
	const char *timer;
	const char *counters; /* NULL: none */
	bool counts_files;    /* --io */
	int64_t callpath;     /* 0: none; OPTION_NO_VALUE: the default depth */
	bool keep_parts;
	struct recording_selection selection;
	struct wrapped_choice wrapped;
};

/* Lines of a command's table of options; `choice` is a struct recording_choice. */
#define RECORDING_OPTIONS(choice) \
	{"output",    'o', \
	 "NAME",      "name of the trace, with or without '.tarry' (default: the program's name)", \
	 OPTION_TEXT, &(choice).output}, \
		{"buffer", \
	         0, \
	         "SIZE", \
	         "memory of each process for recording, such as 64M; more data goes to disk " \
	         "(default: 16M, at least 1M)", \
	         OPTION_SIZE, \
	         &(choice).buffer}, \
		{"callpath", \
	         0, \
	         "[=N]", \
	         "record the call path of each call, up to N frames (default: 32, at most 128)", \
	         OPTION_AMOUNT, \
	         &(choice).callpath}, \
		{"only",      0, \
	         "LIST",      "record only these functions or classes, such as p2p,MPI_Barrier,MPI_I*", \
	         OPTION_LIST, &(choice).selection.only}, \
		{"not",       0, \
	         "LIST",      "do not record these functions or classes", \
	         OPTION_LIST, &(choice).selection.except}, \
		{"from", \
	         0, \
	         "MOMENT", \
	         "start recording at NAME or NAME:K: the Kth time that this region, phase, mark or " \
	         "function begins", \
	         OPTION_TEXT, \
	         &(choice).selection.from}, \
		{"to",        0, \
	         "MOMENT",    "stop recording at NAME or NAME:K: the Kth time that it ends", \
	         OPTION_TEXT, &(choice).selection.to}, \
		{"summary",   0, \
	         NULL,        "record totals per call site instead of events: at most 1 MiB per rank", \
	         OPTION_FLAG, &(choice).selection.summary}, \
		{"rules", \
	         0, \
	         "FILE", \
	         "also record functions outside MPI for which the rules in FILE declare events; may be " \
	         "repeated", \
	         OPTION_WORDS, \
	         &(choice).wrapped.rules}, \
		{"no-shipped", 0, \
	         NULL,         "use only the rules of --rules and their imports", \
	         OPTION_FLAG,  &(choice).wrapped.no_shipped}, \
		{"minimal",   0, \
	         NULL,        "record only the MPI functions that the rules need", \
	         OPTION_FLAG, &(choice).wrapped.minimal}, \
		{"counters",  0, \
	         "LIST",      "count while ranks compute: cycles, instructions, task-clock (CPU time)", \
	         OPTION_LIST, &(choice).counters}, \
		{"io",        0, \
	         NULL,        "also sum up accesses to files: bytes, calls, times, sizes and patterns", \
	         OPTION_FLAG, &(choice).counts_files}, \
		{"keep-parts", 0, \
	         NULL,         "keep the files that the processes wrote, in NAME.tarry.parts", \
	         OPTION_FLAG,  &(choice).keep_parts}, \
	{ \
		"timer", 0, "CLOCK", \
			"clock for recording: counter (of the CPU), clock_gettime, gettimeofday or MPI_Wtime " \
			"(default: counter if reliable, otherwise clock_gettime)", \
			OPTION_TEXT, &(choice).timer \
	}

#define RECORDING_CHOICE_DEFAULT \
	{ \
		.output = NULL, .buffer = BUFFER_DEFAULT \
	}

struct recording {
	const char *output;    /* absolute path of the trace */
	const char *parts;     /* absolute path of the folder of the parts */
	const char *libraries; /* folder of this installation */
	uint64_t buffer;
	const char *timer;    /* NULL: the best available clock */
	const char *counters; /* NULL: none */
	int64_t callpath;
	bool keep_parts;
	struct recording_selection selection;
	struct wrapped_functions wrapped;
};

/* Fails if the library in this folder cannot be preloaded. */
enum status preload_check(const char *libraries, struct arena *arena) MUST_CHECK;
/* Sets LD_PRELOAD for the processes that this one will start: this library, then the wrappers, then the
 * libraries of the user. */
enum status preload_export(const char *libraries, const struct wrapped_functions *wrapped,
                           bool is_run) MUST_CHECK;

/* Fails if the options are invalid, which is wrong usage. */
enum status recording_check(const struct recording_choice *choice) MUST_CHECK;

/* Sets `plan`, and changes no file outside the cache of wrappers. `program` gives the default name; NULL:
 * unknown. Fails if the trace cannot be written, if it would replace a file that is not a trace, or if the
 * rules have errors. */
enum status recording_plan(const struct recording_choice *choice, char *const *program, struct arena *arena,
                           struct recording *plan) MUST_CHECK;

/* Fails if a trace cannot be written there now. */
enum status recording_check_output(const char *path, struct arena *arena) MUST_CHECK;

/* Sets the environment of this process for the processes that it will start. `run`: the number of the job, or
 * NULL. */
enum status recording_export(const struct recording *plan, const char *run) MUST_CHECK;

#endif
