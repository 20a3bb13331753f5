#include "cli/trace_name.h"

#include "base/settings.h"

enum status trace_name_check(const char *name)
{
	if (!*name || text_ends(name, "/"))
		return fail("option '--output': '%s' is not the name of a file", name);
	return OK;
}

enum status trace_name_add(const char *name, struct text *path)
{
	TRY(trace_name_check(name));
	text_add(path, "%s%s", name, text_ends(name, TRACE_SUFFIX) ? "" : TRACE_SUFFIX);
	return OK;
}
