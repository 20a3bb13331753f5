#include "cli/upc_compiler.h"

#include "base/paths.h"
#include "cli/ask.h"

#include <stddef.h>
#include <string.h>

/* GNU UPC and Clang UPC tell what they define; for others these are wrong options. */
static enum upc_family ask_macros(const char *path)
{
	const char *const words[] = {path, "-x", "upc", "-dM", "-E", "/dev/null", NULL};
	enum upc_family family = UPC_NONE;
	struct text answer = {0};

	if (ask(path, words, NULL, &answer) == 0 && strstr(text_get(&answer), "#define __UPC__ "))
		family = strstr(text_get(&answer), "#define __clang__ ") ? UPC_CLANG : UPC_GNU;
	text_release(&answer);
	return family;
}

/* It goes on to try its translator, which takes long; its first line is enough. One that does nothing but instrumented
 * compilations refuses even this question without the name of a tool. */
static enum upc_family ask_version(const char *path)
{
	const char *const words[] = {path, "--version", NULL};
	enum upc_family family = UPC_NONE;
	struct text answer = {0};

	ask(path, words, "Berkeley Unified Parallel C", &answer);
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

/* Something that needs a whole configuration of it, and nothing else. */
static bool is_configured(const char *path, const char *option)
{
	const char *const words[] = {path, "-print-include-dir", option, "-inst-toolname=tarry", NULL};
	struct text answer = {0};
	int code = ask(path, words, NULL, &answer);

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
	struct upc_wish wish = {.gasp_only = gasp_only};
	char *source = arena_format(&arena, "%s/tarry_upc_probe.upc", parts->folder);
	char *words[] = {arena_text(&arena, path), arena_text(&arena, "-c"),        source,
	                 arena_text(&arena, "-o"), arena_text(&arena, "/dev/null"), NULL};
	struct text answer = {0};
	char **command = upc_command(family, &wish, parts, words, &arena);
	int code = ask(path, (const char *const *)command, NULL, &answer);

	text_release(&answer);
	arena_release(&arena);
	return code == 0;
}

bool upc_headers_fail(enum upc_family family, const char *path, const struct upc_parts *parts)
{
	return !compiles(family, path, false, parts) && compiles(family, path, true, parts);
}
