#include "cli/upc_compiler.h"

#include "base/paths.h"
#include "base/text.h"
#include "cli/compiler_words.h"
#include "cli/program.h"

#include <stddef.h>
#include <string.h>

/* GNU UPC and Clang UPC print their macros; for others these are wrong options. */
static enum upc_family ask_macros(const char *path)
{
	const char *const words[] = {path, "-x", "upc", "-dM", "-E", "/dev/null", NULL};
	enum upc_family family = UPC_NONE;
	struct text answer = {0};

	if (capture_output(path, words, NULL, &answer) == 0 && strstr(text_get(&answer), "#define __UPC__ "))
		family = strstr(text_get(&answer), "#define __clang__ ") ? UPC_CLANG : UPC_GNU;
	text_release(&answer);
	return family;
}

/* The compiler then tries its translator, which takes long, but its first line is enough. A compiler that
 * supports only instrumented compilation rejects even this without the name of a tool. */
static enum upc_family ask_version(const char *path)
{
	const char *const words[] = {path, "--version", NULL};
	enum upc_family family = UPC_NONE;
	struct text answer = {0};

	capture_output(path, words, "Berkeley Unified Parallel C", &answer);
	if (strstr(text_get(&answer), "Berkeley Unified Parallel C") ||
	    strstr(text_get(&answer), "GASP-based performance tool"))
		family = UPC_BERKELEY;
	text_release(&answer);
	return family;
}

enum upc_family upc_compiler_recognise(const char *path)
{
	bool looks_berkeley = text_begins(path_name(path), "upcc");
	enum upc_family family = looks_berkeley ? ask_version(path) : ask_macros(path);

	if (family == UPC_NONE)
		family = looks_berkeley ? ask_macros(path) : ask_version(path);
	return family;
}

const char *upc_family_name(enum upc_family family)
{
	static const char *const names[] = {
		[UPC_NONE] = "no UPC compiler",
		[UPC_BERKELEY] = "Berkeley UPC",
		[UPC_GNU] = "GNU UPC",
		[UPC_CLANG] = "Clang UPC",
	};

	return names[family];
}

/* A command that needs a complete configuration, and nothing else. */
static bool is_configured(const char *path, const char *option)
{
	const char *const words[] = {path, "-print-include-dir", option, "-inst-toolname=tarry", NULL};
	struct text answer = {0};
	int code = capture_output(path, words, NULL, &answer);

	text_release(&answer);
	return code == 0;
}

bool upc_compiler_instruments(const char *path)
{
	return is_configured(path, "-inst") || !is_configured(path, "-norc");
}

static bool compiles(enum upc_family family, const char *path, bool gasp_only, const struct upc_parts *parts)
{
	struct arena arena = {0};
	struct upc_options options = {.gasp_only = gasp_only};
	char *source = arena_format(&arena, "%s/tarry_upc_probe.upc", parts->folder);
	char *words[] = {arena_text(&arena, path), arena_text(&arena, "-c"),        source,
	                 arena_text(&arena, "-o"), arena_text(&arena, "/dev/null"), NULL};
	struct text answer = {0};
	char **command = upc_command(family, &options, parts, words, &arena);
	int code = capture_output(path, (const char *const *)command, NULL, &answer);

	text_release(&answer);
	arena_release(&arena);
	return code == 0;
}

bool upc_headers_fail(enum upc_family family, const char *path, const struct upc_parts *parts)
{
	return !compiles(family, path, false, parts) && compiles(family, path, true, parts);
}

enum { ADDED_MAX = 32 };

static const char berkeley_values[] =
	" o I L D U l T network link-with translator inst-toolname shared-heap shared-heap-max heap-offset conf"
	" arch-size echo-var sizes-file opt-enable opt-disable thrille compress http-proxy ";
/* Options with which no executable is linked, or nothing is done at all. */
static const char ends_early[] =
	" c E S M MM trans fsyntax-only shared r V version help h ? print-include-dir print-mpicc ";

static const char *const berkeley_flags[] = {"-inst", "-inst-toolname=tarry", NULL};
static const char *const gnu_flags[] = {"-fupc-instrument", NULL};
static const char *const clang_flags[] = {"-fupc-debug", "-D__UPC_PUPC__=1", "-D__UPC_PUPC_INST__=1", NULL};

static void add_compilation(struct command_words *builder, enum upc_family family,
                            const struct upc_options *options, const struct upc_parts *parts)
{
	bool is_berkeley = family == UPC_BERKELEY;

	add_words(builder, is_berkeley ? berkeley_flags : family == UPC_GNU ? gnu_flags : clang_flags);
	if (options->local && is_berkeley)
		add_word(builder, "-inst-local");
	if (options->functions)
		add_word(builder, is_berkeley ? "-inst-functions" : "-fupc-instrument-functions");
	if (options->gasp_only) {
		add_word(builder, "-DTARRY_UPC_GASP_ONLY=1");
		return;
	}
	add_word(builder, is_berkeley ? "-Wp,-include" : "-include");
	add_word(builder,
	         arena_format(builder->arena, "%s%s/tarry_upc.h", is_berkeley ? "-Wp," : "", parts->folder));
	add_word(builder, "-I");
	add_word(builder,
	         arena_format(builder->arena, "%s/%s", parts->folder, is_berkeley ? "berkeley" : "libupc"));
}

static const char *const element_types[] = {"C", "UC", "S", "US", "I", "UI", "L", "UL", "F", "D", "LD", NULL};
/* Functions that libupc does not report. */
static const char *const wrapped[] = {
	"upc_all_broadcast",  "upc_all_scatter",    "upc_all_gather",
	"upc_all_gather_all", "upc_all_exchange",   "upc_all_permute",
	"upc_atomic_strict",  "upc_atomic_relaxed", NULL,
};
static const char *const wrapped_for_types[] = {"upc_all_reduce", "upc_all_prefix_reduce", NULL};

char **upc_command(enum upc_family family, const struct upc_options *options, const struct upc_parts *parts,
                   char **words, struct arena *arena)
{
	const struct compiler_use use = compiler_use_find(
		words, family == UPC_BERKELEY ? berkeley_values : gnu_values, ends_early);
	struct command_words builder;

	if (!use.has_input)
		return words;
	builder = command_begin(words, ADDED_MAX, arena);
	add_compilation(&builder, family, options, parts);
	add_words(&builder, (const char *const *)words + 1);
	if (!use.ends_early) {
		if (use.names_language)
			add_word(&builder, "-xnone");
		/* The archive before that of the runtime, which needs it; always linked, even if the
		 * program's own objects do not need it. */
		add_word(&builder, arena_format(arena, "%s/tarry_upc.upc", parts->folder));
		add_word(&builder, parts->library);
		add_word(&builder, family == UPC_BERKELEY ? "-Wl,-Wl,-u,gasp_init" : "-Wl,-u,gasp_init");
		if (family != UPC_BERKELEY && !options->gasp_only) {
			struct text word = {0};

			/* "-Wl,--wrap=upc_all_broadcast,--wrap=…": the linker sends their calls to tarry_upc.upc. */
			text_add(&word, "-Wl");
			for (const char *const *name = wrapped; *name; name++)
				text_add(&word, ",--wrap=%s", *name);
			for (const char *const *name = wrapped_for_types; *name; name++)
				for (const char *const *type = element_types; *type; type++)
					text_add(&word, ",--wrap=%s%s", *name, *type);
			add_word(&builder, text_get(&word));
			text_release(&word);
		}
		add_word(&builder, "-ldl");
	}
	return builder.words;
}
