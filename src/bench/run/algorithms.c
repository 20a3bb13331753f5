#include "bench/run/algorithms.h"

#include "bench/tuning/tuning_file.h"

#include <dlfcn.h>
#include <string.h>

static const struct family *const families[] = {&family_openmpi, &family_mpich};

const char *library_path(void)
{
	Dl_info about;

	return dladdr(dlsym(RTLD_DEFAULT, "PMPI_Init"), &about) ? about.dli_fname : "";
}

static const struct family *find_family(void)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (families[i]->is_there())
			return families[i];
	return NULL;
}

/* Whether the list contains this word. */
static bool list_has(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at && (at = strstr(at, word)); at++)
		if ((at == list || at[-1] == ';') && (!at[length] || at[length] == ';'))
			return true;
	return false;
}

static void drop_skipped(struct algorithms *algorithms, const char *skipped, struct arena *arena)
{
	size_t kept = 0;

	for (size_t i = 0; i < algorithms->count; i++)
		if (!list_has(skipped,
		              arena_format(arena, "%s:%s", algorithms->operation, algorithms->at[i].name)))
			algorithms->at[kept++] = algorithms->at[i];
	algorithms->count = kept;
}

enum status algorithms_find(const char *operation, const struct bench_plan *wanted, struct arena *arena,
                            struct algorithms *algorithms)
{
	const struct family *family = find_family();

	if (!family)
		return fail("this MPI library does not allow algorithms to be chosen while a job runs");
	*algorithms = (struct algorithms){.family = family, .operation = operation};
	if (list_has(wanted->skip_algorithms, arena_format(arena, "%s:%s", operation, ALL_ALGORITHMS)))
		return fail("%s", TUNED_BEFORE);
	TRY(family->list(operation, wanted, arena, algorithms));
	drop_skipped(algorithms, wanted->skip_algorithms, arena);
	return algorithms->count ? OK : fail("the MPI library offers no algorithms for it");
}

static void tell_once(struct results *results, const char *name, const char *value)
{
	if (!results_find_fact(results, FACTS_TUNING, name))
		results_fact(results, FACTS_TUNING, name, "%s", value);
}

void algorithms_tell(const struct algorithms *algorithms, struct results *results)
{
	tell_once(results, FACT_LIBRARY, algorithms->family->name);
	tell_once(results, FACT_LIBRARY_FILE, library_path());
	for (size_t i = 0; i < algorithms->count; i++)
		tell_once(
			results,
			arena_format(&results->arena, "%s %s", algorithms->operation, algorithms->at[i].name),
			algorithms->at[i].term);
}
