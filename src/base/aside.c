#include "base/aside.h"

#include "base/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { OLD_MAX = 10000, PATH_ROOM = PATH_MAX + 16 };

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static void parts_of(const char *output, char *path)
{
	snprintf(path, PATH_ROOM, "%s" PARTS_SUFFIX, output);
}

/* The nth name, or false if it is taken. */
static bool name_aside(const char *output, int n, char *aside)
{
	size_t length = strlen(output), suffix = strlen(TRACE_SUFFIX);
	char parts[PATH_ROOM];

	if (length > suffix && strcmp(output + length - suffix, TRACE_SUFFIX) == 0)
		length -= suffix;
	snprintf(aside, PATH_MAX, "%.*s.old-%d" TRACE_SUFFIX, (int)length, output, n);
	parts_of(aside, parts);
	return !exists(aside) && !exists(parts);
}

/* A link cannot replace anything, as a new name can that another process takes just now. */
static bool move(const char *from, const char *to)
{
	if (link(from, to) == 0)
		return unlink(from) == 0;
	return errno != EEXIST && rename(from, to) == 0;
}

bool set_aside(const char *output, bool parts_too, char *aside)
{
	char parts[PATH_ROOM], parts_aside[PATH_ROOM];
	int n = 1;

	*aside = '\0';
	parts_of(output, parts);
	parts_too = parts_too && exists(parts);
	if (!exists(output) && !parts_too)
		return true;
	while (n < OLD_MAX && !name_aside(output, n, aside))
		n++;
	parts_of(aside, parts_aside);
	return (!exists(output) || move(output, aside)) && (!parts_too || rename(parts, parts_aside) == 0);
}
