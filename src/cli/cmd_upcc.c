#include "cli/command.h"
#include "cli/compiler_words.h"
#include "cli/installation.h"
#include "cli/job.h"
#include "cli/program.h"
#include "cli/upc_compiler.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct upc_options chosen;
static bool dry_run;

static const struct option_spec options[] = {
	{"local", 0, NULL,
         "with Berkeley UPC: also record single accesses to memory that this thread can reach directly (-inst-local)",
         OPTION_FLAG, &chosen.local},
	{"functions", 0, NULL, "record the program's functions as regions", OPTION_FLAG, &chosen.functions},
	{"gasp-only", 0, NULL,
         "record only events of the runtime and do not change sources: no fences, no atomic operations, and with GNU UPC and Clang UPC no collective functions",
         OPTION_FLAG, &chosen.gasp_only},
	{"dry-run", 0, NULL, "print the command instead of running it", OPTION_FLAG, &dry_run},
	OPTIONS_END,
};

static enum status find_parts(struct arena *arena, struct upc_parts *parts)
{
	const char *libraries;

	TRY(installation_upc(arena, &parts->folder));
	TRY(installation_libraries(arena, &libraries));
	parts->library = arena_format(arena, "%s/" GASP_LIBRARY, libraries);
	if (access(arena_format(arena, "%s/tarry_upc.upc", parts->folder), R_OK) != 0)
		return fail("cannot read '%s/tarry_upc.upc': %s; install Tarry again", parts->folder,
		            strerror(errno));
	if (access(parts->library, R_OK) != 0)
		return fail("cannot read '%s': %s; install Tarry again", parts->library, strerror(errno));
	return OK;
}

static int compile(enum upc_family family, const char *path, char **words, const struct upc_parts *parts)
{
	int code;

	if (dry_run) {
		command_print(words);
		return EXIT_FINE;
	}
	if (job_run(path, words, &code) != OK)
		return report_failure();
	if (code) {
		const char *name = words[0];

		/* Messages of the compiler about code that the user did not write need an explanation. */
		if (family == UPC_BERKELEY && !upc_compiler_instruments(path))
			say("'%s' was built without instrumentation, so its programs cannot be recorded: configure Berkeley "
			    "UPC with --with-multiconf=+opt_inst, and build and install it again",
			    name);
		else if (!chosen.gasp_only && upc_headers_fail(family, path, parts))
			say("'%s' does not compile Tarry's additions to sources: 'tarry upcc --gasp-only' adds nothing, but records no fences, atomic operations and other calls that the runtime does not report",
			    name);
	}
	return code;
}

static int run_upcc(const struct invocation *given)
{
	struct arena *arena = given->arena;
	char **words = given->argv;
	enum upc_family family;
	struct upc_parts parts;
	const char *path;

	if (program_find(words[0], arena, &path) != OK)
		return program_refused(words[0]);
	family = upc_compiler_recognise(path);
	if (family == UPC_NONE) {
		say("'%s' is not a known UPC compiler: use upcc of Berkeley UPC, gupc or clang-upc",
		    words[0]);
		return EXIT_USAGE;
	}
	if (family == UPC_CLANG && chosen.functions) {
		say("option '--functions': Clang UPC does not report functions; leave it out");
		return EXIT_USAGE;
	}
	if (find_parts(arena, &parts) != OK)
		return report_failure();
	return compile(family, path, upc_command(family, &chosen, &parts, words, arena), &parts);
}

const struct command command_upcc = {
	.name = "upcc",
	.summary = "compile a UPC program for recording",
	.usage = "[options] [--] COMPILER [ARGUMENT ...]",
	.example = "tarry upcc upcc -o app app.upc\n"
		   "make CC='tarry upcc -- clang-upc'",
	.options = options,
	.order = OPTIONS_FIRST,
	.operands = {1, OPERANDS_ANY},
	.run = run_upcc,
};
