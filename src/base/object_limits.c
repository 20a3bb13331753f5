#include "base/object_limits.h"

#include <stdlib.h>
#include <string.h>

/* Some MPI libraries allow at most 2000 communicators. */
const struct object_counts object_counts_default = {{
	[LIMITED_COMMUNICATORS] = 1000,
	[LIMITED_DATATYPES] = 10000,
	[LIMITED_GROUPS] = 10000,
	[LIMITED_WINDOWS] = 1000,
	[LIMITED_OPERATIONS] = 1000,
	[LIMITED_INFOS] = 10000,
	[LIMITED_FILES] = 1000,
	[LIMITED_KEYVALS] = 1000,
	[LIMITED_ERRHANDLERS] = 1000,
	[LIMITED_MESSAGES] = 100000,
	[LIMITED_SESSIONS] = 1000,
	[LIMITED_REQUESTS] = 100000,
}};

const char *limited_object_name(enum limited_object object)
{
	static const char *const names[LIMITED_OBJECTS] = {
		[LIMITED_COMMUNICATORS] = "communicators",
		[LIMITED_DATATYPES] = "datatypes",
		[LIMITED_GROUPS] = "groups",
		[LIMITED_WINDOWS] = "windows",
		[LIMITED_OPERATIONS] = "operations",
		[LIMITED_INFOS] = "infos",
		[LIMITED_FILES] = "files",
		[LIMITED_KEYVALS] = "keyvals",
		[LIMITED_ERRHANDLERS] = "errhandlers",
		[LIMITED_MESSAGES] = "messages",
		[LIMITED_SESSIONS] = "sessions",
		[LIMITED_REQUESTS] = "requests",
	};

	return names[object];
}

static int find_object(const char *name, size_t length)
{
	for (int i = 0; i < LIMITED_OBJECTS; i++) {
		const char *known = limited_object_name((enum limited_object)i);
		if (strlen(known) == length && strncmp(known, name, length) == 0)
			return i;
	}
	return -1;
}

bool object_counts_read(struct object_counts *counts, const char *text)
{
	while (*text) {
		const size_t length = strcspn(text, "=,");
		const int object = find_object(text, length);
		const char *number = text + length + (text[length] != '\0');
		char *end;
		unsigned long most;

		if (object < 0 || !text[length] || text[length] == ',' || *number < '0' || *number > '9')
			return false;
		most = strtoul(number, &end, 10);
		if (most > UINT32_MAX || (*end && *end != ',') || (*end == ',' && !end[1]))
			return false;
		counts->most[object] = (uint32_t)most;
		text = end + (*end == ',');
	}
	return true;
}
