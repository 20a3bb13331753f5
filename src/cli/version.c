#include "cli/version.h"

#include "base/arena.h"
#include "base/text.h"
#include "cli/installation.h"

#include <stdio.h>

static void add(struct text *names, const char *name)
{
	text_add(names, "%s%s", *text_get(names) ? ", " : "", name);
}

void version_print(void)
{
	struct arena arena = {0};
	struct text names = {0};
	const char *folder;

	puts("tarry " TARRY_VERSION);
	if (*TARRY_COMMIT)
		puts("commit " TARRY_COMMIT);
	if (installation_libraries(&arena, &folder) == OK) {
		for (const struct served_mpi *served = served_mpis; served->mpi; served++)
			if (installation_serves(folder, served->mpi))
				add(&names, served->name);
		if (installation_serves(folder, UPC_RECORDER))
			add(&names, "UPC");
	}
	printf("records programs of: %s\n", *text_get(&names) ? text_get(&names) : "nothing");
	text_release(&names);
	arena_release(&arena);
}
