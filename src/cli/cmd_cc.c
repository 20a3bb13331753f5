#include "base/access_hooks.h"
#include "cli/command.h"
#include "cli/compiler_words.h"
#include "cli/installation.h"
#include "cli/job.h"
#include "cli/program.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define CC_LIBRARY "libtarry-cc.a"
#define CC_SPECS "tarry-cc.specs"

static bool complete, dry_run;

static const struct option_spec options[] = {
	{"complete", 0, NULL,
         "with GCC and -O2 or more: also watch accesses to global variables with a constant address; the program takes about twice as long",
         OPTION_FLAG, &complete},
	{"dry-run", 0, NULL, "print the command instead of running it", OPTION_FLAG, &dry_run},
	OPTIONS_END,
};

enum compiler_family { COMPILER_UNKNOWN, COMPILER_GCC, COMPILER_CLANG };

/* Other compilers also define __GNUC__, but do not have the options. */
static enum compiler_family recognise(const char *path)
{
	const char *const words[] = {path, "-dM", "-E", "-x", "c", "/dev/null", NULL};
	enum compiler_family family = COMPILER_UNKNOWN;
	struct text answer = {0};

	if (capture_output(path, words, NULL, &answer) == 0) {
		const char *macros = text_get(&answer);

		if (strstr(macros, "#define __clang__ "))
			family = COMPILER_CLANG;
		else if (strstr(macros, "#define __GNUC__ ") &&
		         !strstr(macros, "#define __INTEL_COMPILER ") && !strstr(macros, "#define __PGIC__ "))
			family = COMPILER_GCC;
	}
	text_release(&answer);
	return family;
}

#define WORD_OF(value) #value
#define TEXT_OF(value) WORD_OF(value)
#define CALLS_MAX "2147483647"

/* Code that tests the shadow itself. GCC tests variables on the stack only if it may add bytes around
 * them. */
static const char *const gcc_inline[] = {
	"-fsanitize=kernel-address",
	"-fasan-shadow-offset=" TEXT_OF(SHADOW_START),
	"--param=asan-instrumentation-with-call-threshold=" CALLS_MAX,
	"--param=asan-stack=1",
	"-fsanitize-address-use-after-scope",
	"--param=asan-use-after-return=0",
	"--param=asan-globals=0",
	"-U__SANITIZE_ADDRESS__",
	NULL,
};
/* NOLINTBEGIN(bugprone-suspicious-missing-comma): words of two parts */
/* Code that calls a function for each access. Passed to the compiler proper, because the driver would link a
 * library. */
static const char *const clang_calls[] = {
	"-Wno-unused-command-line-argument",
	"-Xclang",
	"-fsanitize=thread",
	"-mllvm",
	"-tsan-instrument-func-entry-exit=0",
	"-mllvm",
	"-tsan-distinguish-volatile",
	"-fno-builtin-memcpy",
	"-fno-builtin-memmove",
	"-fno-builtin-memset",
	NULL,
};
/* Without these, Clang would omit variables that must exist and copies that it makes itself, and would read
 * elements between those that the program reads. */
static const char *const clang_inline[] = {
	"-Wno-unused-command-line-argument",
	"-fsanitize=kernel-address",
	"-mllvm",
	"-asan-mapping-offset=" TEXT_OF(SHADOW_START),
	"-mllvm",
	"-asan-instrumentation-with-call-threshold=" CALLS_MAX,
	"-mllvm",
	"-asan-stack=0",
	"-mllvm",
	"-asan-globals=0",
	"-mllvm",
	"-asan-opt-globals=0",
	"-mllvm",
	"-asan-instrument-atomics=0",
	"-mllvm",
	"-enable-interleaved-mem-accesses=0",
	"-fno-builtin-memcpy",
	"-fno-builtin-memmove",
	"-fno-builtin-memset",
	NULL,
};
/* NOLINTEND(bugprone-suspicious-missing-comma) */
/* Functions whose accesses compilers do not report: the runtime replaces them. It is also needed if code only
 * sets marks on the stack. */
#define WRAP(name) ",--wrap=" name ",--wrap=__" name "_chk"
#define WRAP_TRANSFER(name) ",--wrap=_gfortran_transfer_" name ",--wrap=_gfortran_transfer_" name "_write"
static const char wrapped[] = "-Wl,-u,__tsan_init" WRAP("memcpy") WRAP("memmove")
	WRAP("memset") ",--wrap=free,--wrap=realloc,--wrap=_ZdlPv,--wrap=_ZdlPvm,--wrap=_ZdaPv,--wrap=_ZdaPvm" WRAP_TRANSFER(
		"integer") WRAP_TRANSFER("logical") WRAP_TRANSFER("real") WRAP_TRANSFER("complex");

enum { ADDED_MAX = 32 };

/* Options with which nothing is linked, or only for another program. */
static const char ends_early[] = " c E S M MM fsyntax-only r ";

static char **instrumented(enum compiler_family family, const struct compiler_use *use, char **words,
                           const char *folder, struct arena *arena)
{
	const bool is_fast = use->optimisation != '0' && use->optimisation != '1' && use->optimisation != 'g';
	struct command_words command = command_begin(words, ADDED_MAX, arena);

	if (family == COMPILER_CLANG)
		add_words(&command, is_fast || use->optimisation == '1' ? clang_inline : clang_calls);
	else if (is_fast && !complete)
		add_words(&command, gcc_inline);
	else { /* -fsanitize=thread, but not for the linker, which would add a library */
		add_word(&command, arena_format(arena, "-specs=%s/" CC_SPECS, folder));
		add_word(&command, "-U__SANITIZE_THREAD__");
	}
	add_words(&command, (const char *const *)words + 1);
	if (!use->ends_early) {
		if (use->names_language)
			add_word(&command, "-xnone");
		add_word(&command, arena_format(arena, "%s/" CC_LIBRARY, folder));
		add_word(&command, wrapped);
	}
	return command.words;
}

static enum status find_parts(struct arena *arena, const char **folder)
{
	static const char *const parts[] = {CC_LIBRARY, CC_SPECS};

	TRY(installation_libraries(arena, folder));
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (access(arena_format(arena, "%s/%s", *folder, parts[i]), R_OK) != 0)
			return fail("cannot read '%s/%s': %s; install Tarry again", *folder, parts[i],
			            strerror(errno));
	return OK;
}

static int run_cc(const struct invocation *given)
{
	struct arena *arena = given->arena;
	char **words = given->argv;
	const struct compiler_use use = compiler_use_find(words, gnu_values, ends_early);
	enum compiler_family family;
	const char *path, *folder;
	int code;

	if (program_find(words[0], arena, &path) != OK)
		return program_refused(words[0]);
	if (use.has_input) {
		family = recognise(path);
		if (family == COMPILER_UNKNOWN) {
			say("'%s' is not GCC, Clang or a wrapper of them such as mpicc, mpicxx or mpifort",
			    words[0]);
			return EXIT_USAGE;
		}
		if (find_parts(arena, &folder) != OK)
			return report_failure();
		words = instrumented(family, &use, words, folder, arena);
	}
	if (dry_run) {
		command_print(words);
		return EXIT_FINE;
	}
	return job_run(path, words, &code) == OK ? code : report_failure();
}

const struct command command_cc = {
	.name = "cc",
	.summary = "compile a program so that 'tarry check' sees its loads and stores",
	.usage = "[options] [--] COMPILER [ARGUMENT ...]",
	.example = "tarry cc mpicc -g -O2 -o app app.c\n"
		   "make CC='tarry cc -- mpicc' FC='tarry cc -- mpifort'\n"
		   "CC='tarry cc -- mpicc' cmake -B build",
	.options = options,
	.order = OPTIONS_FIRST,
	.operands = {1, OPERANDS_ANY},
	.run = run_cc,
};
