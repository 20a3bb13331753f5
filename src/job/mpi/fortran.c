#include "job/mpi/fortran.h"

#include "base/loaded_mpi.h"

#include <dlfcn.h>
#include <string.h>

enum { LIBRARIES = 16, PLACES = 16 };

struct fortran_constant {
	const char *symbol;
	bool is_pointer;
};

#define PLACE(symbol, is_pointer) {symbol, is_pointer},

static void *libraries[LIBRARIES];
static int library_count;

static void find_libraries(void)
{
	for (const struct link_map *file = loaded_files(); file && library_count < LIBRARIES;
	     file = file->l_next) {
		if (!loaded_file_is_part_of_mpi(file))
			continue;
		libraries[library_count] = dlopen(file->l_name, RTLD_LAZY | RTLD_NOLOAD);
		library_count += libraries[library_count] != NULL;
	}
}

static void *find_symbol(const char *name)
{
	static int
		searched; /* number of loaded libraries at the last search; a Fortran library may be loaded later */
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

struct fortran_constants {
	const void *found[PLACES];
	int count; /* -1: not searched yet */
};

static void add_place(struct fortran_constants *places, void *symbol, bool is_pointer)
{
	if (symbol && places->count < PLACES)
		places->found[places->count++] = is_pointer ? *(void **)symbol : symbol;
}

/* A common block of the program takes precedence over the library's, so all symbols of that name count.
 * One search is enough, because the libraries that define them are loaded before a call can use them. */
static bool is_one_of(struct fortran_constants *places, const struct fortran_constant *names, size_t count,
                      const void *address)
{
	if (places->count < 0) {
		places->count = 0;
		for (size_t i = 0; i < count; i++) {
			add_place(places, dlsym(RTLD_DEFAULT, names[i].symbol), names[i].is_pointer);
			add_place(places, find_symbol(names[i].symbol), names[i].is_pointer);
		}
	}
	for (int i = 0; i < places->count; i++)
		if (address == places->found[i])
			return true;
	return false;
}

bool fortran_ignored(const void *status)
{
	static const struct fortran_constant names[] = {FORTRAN_IGNORED(PLACE)};
	static struct fortran_constants places = {.count = -1};

	return is_one_of(&places, names, sizeof names / sizeof *names, status);
}

bool fortran_in_place(const void *buffer, bool described)
{
	static const struct fortran_constant names[] = {FORTRAN_IN_PLACE(PLACE)};
	static struct fortran_constants places = {.count = -1};
	const void *address = described ? *(void *const *)buffer
	                                : buffer; /* a descriptor begins with the address */

	return is_one_of(&places, names, sizeof names / sizeof *names, address);
}

size_t fortran_length(const char *text, size_t length)
{
	length = strnlen(text,
	                 length); /* some programs pass a string that ends with NUL, and MPI stops there */
	while (length > 0 && text[length - 1] == ' ')
		length--;
	return length;
}

enum { SENTINELS = 64 };

struct fortran_sentinel {
	const char *symbol;
	bool is_pointer; /* the symbol is a pointer to the address, which a library may set later */
	const void *meaning;
};

struct known_sentinel {
	const void *symbol;
	bool is_pointer;
	int64_t meaning;
};

/* A common block of the program takes precedence over the library's, so all symbols of that name count. */
static uint32_t find_sentinels(struct known_sentinel *known)
{
#define SENTINEL(symbol, is_pointer, meaning) {symbol, is_pointer, meaning},
	const struct fortran_sentinel sentinels[] = {FORTRAN_SENTINELS(SENTINEL)};
	uint32_t count = 0;

	for (size_t i = 0; i < sizeof sentinels / sizeof *sentinels; i++) {
		const struct fortran_sentinel *s = &sentinels[i];
		void *of_library = NULL,
		     *symbols[] = {dlsym(RTLD_DEFAULT, s->symbol), fortran_next(&of_library, s->symbol)};

		for (int j = 0; j < 2 && count < SENTINELS; j++)
			if (symbols[j] && (j == 0 || symbols[j] != symbols[0]))
				known[count++] = (struct known_sentinel){symbols[j], s->is_pointer,
				                                         (int64_t)(uintptr_t)s->meaning};
	}
	return count;
}

int64_t fortran_address(const void *place)
{
	static struct known_sentinel known[SENTINELS];
	static uint32_t known_count; /* plus one; 0: not searched yet */
	uint32_t count = __atomic_load_n(&known_count, __ATOMIC_ACQUIRE);

	/* Concurrent threads find the same result. */
	if (__builtin_expect(!count, 0)) {
		count = find_sentinels(known) + 1;
		__atomic_store_n(&known_count, count, __ATOMIC_RELEASE);
	}
	for (uint32_t i = 0; i + 1 < count; i++) {
		const void *symbol = known[i].symbol;

		if (place == (known[i].is_pointer ? *(void *const *)symbol : symbol) && place)
			return known[i].meaning;
	}
	return (int64_t)(uintptr_t)place;
}
