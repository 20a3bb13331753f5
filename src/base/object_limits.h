/* How many MPI objects of a kind may exist at a time before the checker reports a loop that never frees them (limit.objects).
 *
 *	struct object_counts counts = object_counts_default;
 *	if (!object_counts_read(&counts, "communicators=50,requests=0"))      0: any number
 *		…
 *	counts.most[LIMITED_REQUESTS] */
#ifndef TARRY_BASE_OBJECT_LIMITS_H
#define TARRY_BASE_OBJECT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

enum limited_object {
	LIMITED_COMMUNICATORS,
	LIMITED_DATATYPES,
	LIMITED_GROUPS,
	LIMITED_WINDOWS,
	LIMITED_OPERATIONS,
	LIMITED_INFOS,
	LIMITED_FILES,
	LIMITED_KEYVALS,
	LIMITED_ERRHANDLERS,
	LIMITED_MESSAGES,
	LIMITED_SESSIONS,
	LIMITED_REQUESTS,
	LIMITED_OBJECTS
};

struct object_counts {
	uint32_t most[LIMITED_OBJECTS]; /* 0: any number */
};

extern const struct object_counts object_counts_default;

/* "communicators" */
const char *limited_object_name(enum limited_object object);

/* NAME=NUMBER, separated by commas. False: invalid. */
bool object_counts_read(struct object_counts *counts, const char *text);

#endif
