#include "bench/run/system_number.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

bool system_number(const char *path, const char *word, uint64_t *number)
{
	FILE *file = fopen(path, "re");
	char line[256];
	bool found = false;

	while (file && !found && fgets(line, sizeof line, file))
		if (text_begins(line, word))
			found = sscanf(line + strlen(word), " %lu", number) == 1;
	if (file)
		fclose(file);
	return found;
}
