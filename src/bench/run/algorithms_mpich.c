/* MPICH: MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM, read in each call, after the device was told to leave the collective
 * to it. In version 4.0, MPI_T has the values of that setting only in its description, where a name follows the
 * previous sentence without a separator:
 *
 *	Variable to select bcast algorithmauto - Internal …binomial - Force Binomial Treenb - Force nonblocking algorithm…
 *
 * So the names are taken from the functions in the library's file: MPIR_Bcast_intra_binomial, MPIR_Bcast_allcomm_nb. */
#include "bench/run/algorithms.h"

#include "base/text.h"
#include "bench/run/control.h"
#include "bench/run/described.h"
#include "bench/tuning/library_text.h"

#include <ctype.h>
#include <string.h>

static const char *upper_case(const char *text, struct arena *arena)
{
	char *copy = arena_text(arena, text);

	for (char *letter = copy; *letter; letter++)
		*letter = (char)toupper((unsigned char)*letter);
	return copy;
}

static const char *setting_name(const char *operation, const char *what, struct arena *arena)
{
	return arena_format(arena, "MPIR_CVAR_%s_%s",
	                    upper_case(collective_short_name(operation, arena), arena), what);
}

static bool is_mpich(void)
{
	struct control control;
	bool is_open = control_open("MPIR_CVAR_BCAST_INTRA_ALGORITHM", &control);

	control_close(&control);
	return is_open;
}

/* The name after "MPIR_Bcast_intra_" or "MPIR_Bcast_allcomm_". NULL for the automatic choice, and for
 * algorithms that split processes by nodes: a tuning file would use them without checking whether they are
 * possible. */
static const char *algorithm_name(const char *function, const char *stem)
{
	const char *rest = function + strlen(stem);

	for (const char *const *kind = (const char *const[]){"intra_", "allcomm_", NULL}; *kind; kind++)
		if (text_begins(rest, *kind)) {
			const char *name = rest + strlen(*kind);
			return strcmp(name, "auto") == 0 || strcmp(name, "smp") == 0 ? NULL : name;
		}
	return NULL;
}

static enum status list_mpich(const char *operation, const struct bench_plan *wanted, struct arena *arena,
                              struct algorithms *algorithms)
{
	const char *stem = arena_format(arena, "MPIR_%s_", operation + strlen("MPI_"));
	const char *description = control_description(setting_name(operation, "INTRA_ALGORITHM", arena),
	                                              arena);
	struct library_text library;
	const char **functions;

	(void)wanted;
	if (!*description)
		return fail("MPICH offers no algorithms for it");
	TRY(library_text_open(library_path(), &library));
	size_t count = library_text_names(&library, stem, arena, &functions);
	algorithms->at = arena_array(arena, struct algorithm, count);
	for (size_t i = 0; i < count; i++) {
		const char *name = algorithm_name(functions[i], stem);
		int number = name ? described_value(description, name) : -1;
		if (number > 0)
			algorithms->at[algorithms->count++] = (struct algorithm){
				.name = name, .term = functions[i], .number = number};
	}
	library_text_close(&library);
	return OK;
}

static bool set(const char *name, int value)
{
	struct control control;
	bool is_set = control_open(name, &control) && control_set(&control, value);

	control_close(&control);
	return is_set;
}

static bool set_by_name(const char *name, const char *value, struct arena *arena)
{
	int number = described_value(control_description(name, arena), value);

	return number >= 0 && set(name, number);
}

static enum status force_mpich(const struct algorithms *algorithms, const struct algorithm *algorithm,
                               bool strictly)
{
	struct arena arena = {0};
	const char *operation = algorithms->operation;
	bool is_set = set(setting_name(operation, "INTRA_ALGORITHM", &arena), algorithm->number) &&
	              set_by_name("MPIR_CVAR_COLLECTIVE_FALLBACK", strictly ? "error" : "silent", &arena);

	/* A device without its own collectives has no such settings. */
	if (is_set && set_by_name("MPIR_CVAR_DEVICE_COLLECTIVES", "percoll", &arena))
		is_set = set(setting_name(operation, "DEVICE_COLLECTIVE", &arena), 0);
	arena_release(&arena);
	return is_set ? OK : fail("MPICH does not let the algorithm of %s be set", operation);
}

static void relent_mpich(const struct algorithms *algorithms)
{
	struct arena arena = {0};

	set(setting_name(algorithms->operation, "INTRA_ALGORITHM", &arena), 0);
	set(setting_name(algorithms->operation, "DEVICE_COLLECTIVE", &arena), 1);
	arena_release(&arena);
}

const struct family family_mpich = {
	.name = "mpich",
	.is_there = is_mpich,
	.list = list_mpich,
	.force = force_mpich,
	.relent = relent_mpich,
};
