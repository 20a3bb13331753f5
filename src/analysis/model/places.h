/* A number for each call place, common to all processes: the called function, the module and the offset of
 * the call in it, and with --callpath the call path. Modules are equal if their build-ids are equal or,
 * without build-ids, their paths: so ranks that run the same program share its places, at any load address.
 *
 *	struct places places = {0};
 *	uint32_t number = place_of(&places, process, event.call);
 *	const struct place *place = place_get(&places, number);
 *	if (place->call)
 *		where = symbols_find_call(source, place->process, place->call);
 *	places_release(&places);
 *
 * Of short paths, which are always recorded, only the part that leads out of a wrapper around
 * MPI counts (layers.h).
 *
 * The paths form a tree: their steps are places too, without a function. Numbers count from 0 in order of
 * appearance. Everything is valid until places_release(), calls and processes as long as their reader. */
#ifndef TARRY_ANALYSIS_MODEL_PLACES_H
#define TARRY_ANALYSIS_MODEL_PLACES_H

#include "analysis/symbols/symbols.h"
#include "base/text.h"
#include "trace/reader.h"

#define NO_PLACE UINT32_MAX

struct place {
	uint32_t caller;      /* the previous step of the path; NO_PLACE: none, or not recorded */
	const char *function; /* the called function; NULL: a step of paths to other places */
	/* The first occurrence, to look up its source line. */
	const struct process *process;
	const struct call *call; /* NULL: for a step, see module and offset */
	uint64_t module;         /* number in that process */
	uint64_t offset;
};

/* Distinct calls of one spot differ only in their arguments: results that depend only on the spot are
 * computed once for all of them. */
struct call_spot {
	const char *function;
	uint64_t offset;
	int64_t path;    /* -1: none */
	uint32_t module; /* of the process; UINT32_MAX: the site is unknown */
	uint32_t process;
};

/* Without padding: a key for intern(). */
struct call_spot call_spot(uint32_t process, const struct call *call);

struct places {
	struct symbols *source; /* knows wrappers around MPI; NULL: none */
	struct arena arena;
	struct interner functions, modules, keys;
	struct place *items;
	uint32_t count; /* steps included */
	struct text scratch;
	/* Consecutive calls often come from one module, also those of different processes. */
	struct module last_module;
	uint32_t last_number; /* 0: none yet */
	struct known_spot {
		struct call_spot spot; /* without a function: unused */
		uint32_t number;
	} spots[512];
};

uint32_t place_of(struct places *places, const struct process *process, const struct call *call);
const struct place *place_get(const struct places *places, uint32_t number);
void places_release(struct places *places);

#endif
