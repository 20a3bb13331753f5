#include "job/check/wrap.h"

#include <dlfcn.h>

static void *chained;

void agent_chain(void *library)
{
	int (*lets_through)(const char *symbol) = (int (*)(const char *))(uintptr_t)dlsym(
		library, "tarry_lets_through");

	chained = library;
	for (int id = 0; id < MPI_CALLS; id++) {
		void *found = agent_next_names[id] ? dlsym(library, agent_next_names[id]) : NULL;

		/* What the recorder need not see goes to MPI. */
		if (found && !(lets_through && lets_through(agent_next_names[id])))
			agent_next[id] = found;
	}
}

void *agent_fortran_next(void **next, const char *name)
{
	if (!*next && chained)
		*next = dlsym(chained, name);
	return fortran_next(next, name);
}

enum { SENTINELS = 64 };

struct fortran_sentinel {
	const char *symbol;
	bool is_pointer; /* the symbol is a pointer to the place, which a library may set later */
	const void *meaning;
};

struct known_sentinel {
	const void *symbol;
	bool is_pointer;
	int64_t meaning;
};

/* A common block of the program takes precedence over the library's, so all of that name count. */
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
				                                         ADDRESS(s->meaning)};
	}
	return count;
}

int64_t fortran_address(const void *place)
{
	static struct known_sentinel known[SENTINELS];
	static uint32_t known_count; /* with one more, so that 0 says that nobody has looked yet */
	uint32_t count = __atomic_load_n(&known_count, __ATOMIC_ACQUIRE);

	/* Threads that come together find the same. */
	if (UNLIKELY(!count)) {
		count = find_sentinels(known) + 1;
		__atomic_store_n(&known_count, count, __ATOMIC_RELEASE);
	}
	for (uint32_t i = 0; i + 1 < count; i++) {
		const void *symbol = known[i].symbol;

		if (place == (known[i].is_pointer ? *(void *const *)symbol : symbol) && place)
			return known[i].meaning;
	}
	return ADDRESS(place);
}
