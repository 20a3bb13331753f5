#include "coll/choice/override.h"

#include <stdio.h>
#include <string.h>

bool coll_override_next(const char **text, struct coll_override *override)
{
	int length = 0;
	const char *rest;

	if (sscanf(*text, "%39[a-z_]=%39[a-z0-9_-]%n", override->operation, override->algorithm, &length) !=
	    2)
		return false;
	rest = *text + length;
	if (*rest == ',' && rest[1])
		rest++;
	else if (*rest)
		return false;
	*text = rest;
	return true;
}

bool coll_overrides_are_valid(const char *text)
{
	struct coll_override override;

	while (coll_override_next(&text, &override))
		;
	return !*text;
}
