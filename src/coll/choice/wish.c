#include "coll/choice/wish.h"

#include <stdio.h>
#include <string.h>

bool coll_wish_next(const char **text, struct coll_wish *wish)
{
	int length = 0;
	const char *rest;

	if (sscanf(*text, "%39[a-z_]=%39[a-z0-9_-]%n", wish->operation, wish->algorithm, &length) != 2)
		return false;
	rest = *text + length;
	if (*rest == ',' && rest[1])
		rest++;
	else if (*rest)
		return false;
	*text = rest;
	return true;
}

bool coll_wish_is_sound(const char *text)
{
	struct coll_wish wish;

	while (coll_wish_next(&text, &wish))
		;
	return !*text;
}
