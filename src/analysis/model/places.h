/* One number for each place that calls come from, over all processes: the function that is called, the module and the
 * offset of the call in it, and with --callpath the way to it. Modules are the same if their build-ids are, or, where
 * they have none, their paths: so ranks that run the same program share its places, wherever it was loaded.
 *
 *	struct places places = {0};
 *	uint32_t number = place_of(&places, process, event.call);
 *	const struct place *place = place_get(&places, number);
 *	if (place->call)
 *		where = symbols_find_call(source, place->process, place->call);
 *	places_release(&places);
 *
 * Of short paths, which are always recorded, only the part counts that leads out of a layer around MPI (layers.h).
 *
 * The ways form a tree: the steps of a way are places too, without a function. Numbers count from 0 in order of first
 * sight. Everything lives until places_release(), calls and processes as long as their reader. */
#ifndef TARRY_ANALYSIS_MODEL_PLACES_H
#define TARRY_ANALYSIS_MODEL_PLACES_H

#include "analysis/symbols/symbols.h"
#include "base/text.h"
#include "trace/reader.h"

#define NO_PLACE UINT32_MAX

struct place {
	uint32_t caller;      /* the step before on the way here; NO_PLACE: none, or not recorded */
	const char *function; /* that is called; NULL: a step on the way to other places */
	/* Where it was seen first, to look up its source line. */
	const struct process *process;
	const struct call *call; /* NULL: of a step, see module and offset */
	uint64_t module;         /* number in that process */
	uint64_t offset;
};

/* Distinct calls of one spot differ only in their arguments: results that depend on the spot alone are found once for all of them. */
struct call_spot {
	const char *function;
	uint64_t offset;
	int64_t path;    /* -1: none */
	uint32_t module; /* of the process; UINT32_MAX: the site is not known */
	uint32_t process;
};

/* Has no padding: a key for intern(). */
struct call_spot call_spot(uint32_t process, const struct call *call);

struct places {
	struct symbols *source; /* that knows layers around MPI; NULL: there are none */
	struct arena arena;
	struct interner functions, modules, keys;
	struct place *items;
	uint32_t count; /* steps included */
	struct text scratch;
	/* Calls of one process that come from one module are often met one after the other. */
	const struct module *last_module;
	uint32_t last_number;
	struct known_spot {
		struct call_spot spot; /* without a function: unused */
		uint32_t number;
	} spots[512];
};

uint32_t place_of(struct places *places, const struct process *process, const struct call *call);
const struct place *place_get(const struct places *places, uint32_t number);
void places_release(struct places *places);

#endif
