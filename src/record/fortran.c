#include "record/fortran.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

enum { LIBRARIES = 16, PLACES = 8 };

struct place {
	const char *symbol;
	bool is_pointer;
};

static void *libraries[LIBRARIES];
static int library_count;

/* The libraries of MPI and of its Fortran faces: whatever is loaded under a name that begins like theirs. */
static void find_libraries(void)
{
	void *self = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
	struct link_map *map = NULL;

	if (!self || dlinfo(self, RTLD_DI_LINKMAP, &map))
		return;
	for (; map && library_count < LIBRARIES; map = map->l_next) {
		const char *name = strrchr(map->l_name, '/');
		if (!name || strncmp(name, "/libmpi", 7) != 0)
			continue;
		libraries[library_count] = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
		library_count += libraries[library_count] != NULL;
	}
}

static void *find_symbol(const char *name)
{
	static int searched; /* how many libraries were loaded may change: a Fortran library can come late */
	void *found = NULL;

	for (int round = 0; round < 2 && !found; round++) {
		if (round || !searched)
			library_count = 0, find_libraries(), searched = 1;
		for (int i = 0; i < library_count && !found; i++)
			found = dlsym(libraries[i], name);
	}
	return found;
}

void *fortran_next(void **next, const char *name)
{
	if (!*next)
		*next = find_symbol(name);
	return *next;
}

/* Looked up once; the libraries that hold these places are loaded before any call that could name them. */
static int find_places(const struct place *places, int count, const void **found)
{
	int have = 0;

	for (int i = 0; i < count; i++) {
		void *symbol = find_symbol(places[i].symbol);
		if (symbol)
			found[have++] = places[i].is_pointer ? *(void **)symbol : symbol;
	}
	return have;
}

bool fortran_ignored(const void *status)
{
	static const struct place places[] = {FORTRAN_IGNORE_SYMBOLS};
	static const void *found[PLACES];
	static int count = -1;

	if (count < 0)
		count = find_places(places, sizeof places / sizeof *places, found);
	for (int i = 0; i < count; i++)
		if (status == found[i])
			return true;
	return false;
}

bool fortran_in_place(const void *buffer)
{
	static const struct place places[] = {FORTRAN_IN_PLACE_SYMBOLS};
	static const void *found[PLACES];
	static int count = -1;

	if (count < 0)
		count = find_places(places, sizeof places / sizeof *places, found);
	for (int i = 0; i < count; i++)
		if (buffer == found[i])
			return true;
	return false;
}

size_t fortran_length(const char *text, size_t length)
{
	while (length > 0 && text[length - 1] == ' ')
		length--;
	return length;
}
