#include "cli/job_settings.h"

#include "base/files.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const job_variables[] = {
	LD_PRELOAD_VARIABLE,
	SETTING_PRELOAD,
	SETTING_OUTPUT,
	SETTING_BUFFER,
	SETTING_CALLPATH,
	SETTING_RUN,
	SETTING_TIMER,
	SETTING_CLOCK,
	SETTING_ONLY,
	SETTING_NOT,
	SETTING_FROM,
	SETTING_TO,
	SETTING_SUMMARY,
	SETTING_COLL,
	SETTING_COLL_ALGORITHM,
	SETTING_COLL_LEVELS,
	SETTING_CHECK,
	SETTING_BUFFERS,
	SETTING_HANG_TIMEOUT,
	SETTING_CHECK_PARTS,
	SETTING_LIMITS,
	SETTING_ARGUMENTS,
	SETTING_KEEP_PARTS,
	SETTING_IN_JOB,
	SETTING_CHECK_CHILDREN,
	SETTING_COUNTERS,
	SETTING_IO,
	NULL,
};

enum status variable_set(const char *name, const char *value)
{
	/* setenv() changes only the first definition of several. */
	if (unsetenv(name) != 0 || (value && setenv(name, value, 1) != 0))
		return fail("cannot set the variable '%s': %s", name, strerror(errno));
	return OK;
}

static const char preload_prefix[] = LD_PRELOAD_VARIABLE "=";

const char *preload_get(void)
{
	const char *last = NULL;

	for (char **variable = environ; *variable; variable++)
		if (text_begins(*variable, preload_prefix))
			last = *variable + strlen(preload_prefix);
	return last;
}

const char *preload_at_start(struct arena *arena)
{
	const char *now = preload_get(), *last = NULL;
	FILE *file = now ? NULL : open_regular_stream(AT_FDCWD, "/proc/self/environ");
	char *variable = NULL;
	size_t room = 0;

	while (file && getdelim(&variable, &room, 0, file) > 0)
		if (text_begins(variable, preload_prefix))
			last = arena_text(arena, variable + strlen(preload_prefix));
	free(variable);
	if (file)
		fclose(file);
	return now ? now : last;
}

enum status setting_set(const char *name, const char *value)
{
	struct arena arena = {0};
	char *encoded = NULL;
	enum status status;

	if (value) {
		encoded = arena_array(&arena, char, SETTING_ENCODED(strlen(value)));
		setting_encode(value, encoded);
	}
	status = variable_set(name, encoded);
	arena_release(&arena);
	return status;
}
