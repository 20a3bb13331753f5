#include "bench/run/journal.h"

#include <stdio.h>

void journal_write(const char *path, const char *operation, int ranks, uint64_t bytes, const char *variant)
{
	FILE *file = path ? fopen(path, "ae") : NULL;

	if (!file)
		return;
	fprintf(file, "%s %d %llu %s\n", operation, ranks, (unsigned long long)bytes, variant);
	fclose(file);
}
