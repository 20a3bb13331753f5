#include "cli/subject.h"

#include "base/paths.h"
#include "base/text.h"

#include <stdbool.h>
#include <string.h>

/* Programs whose name says nothing: the script they run does. Versions may follow. */
static const char *const interpreters[] = {"python", "perl", "ruby", "julia", "Rscript",
                                           "bash",   "sh",   "lua",  "octave"};

static bool is_interpreter(const char *name)
{
	for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++) {
		size_t length = strlen(interpreters[i]);
		if (strncmp(name, interpreters[i], length) == 0 &&
		    !name[length + strspn(name + length, "0123456789.")])
			return true;
	}
	return false;
}

const char *subject_of(char *const *words, struct arena *arena)
{
	const char *name = path_name(words[0]);
	char *script, *suffix;

	if (!is_interpreter(name) || !words[1] || words[1][0] == '-')
		return name;
	script = arena_text(arena, path_name(words[1]));
	suffix = strrchr(script, '.');
	if (suffix && suffix != script)
		*suffix = '\0';
	return script;
}
