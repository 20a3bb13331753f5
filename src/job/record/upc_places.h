/* Places of calls that the UPC runtime reports by file and line. The file name is usually a constant in the program; then its address
 * identifies it until a file is unloaded. In other memory, names may change, so the text is compared each time. */
#ifndef TARRY_JOB_RECORD_UPC_PLACES_H
#define TARRY_JOB_RECORD_UPC_PLACES_H

#include "base/upc_link.h"
#include "job/mpi/sites.h"

#include <stdbool.h>
#include <stdint.h>

enum { UPC_PLACES = 1024, UPC_SOURCES = 512, UPC_PATH_BYTES = 1024 };

struct upc_known_place {
	const char *constant_file; /* NULL: compare the text, not the pointer */
	const char *file;
	const char *text;
	int64_t site;
	int line;
};

struct upc_source {
	char *path;
	uint64_t module; /* of its SOURCE record; 0: none */
};

struct upc_places {
	uint32_t unloads; /* number of unloaded files when `known` was emptied */
	uint32_t source_count;
	struct upc_known_place known[UPC_PLACES];
	struct upc_source sources[UPC_SOURCES];
};

struct rank_state;

/* The word of a key for a place that is not in `known`. 0: the place is unknown. */
int64_t upc_site_slow(struct upc_places *places, struct rank_state *rank_state, struct upc_place at);
bool upc_place_is_same(const struct upc_known_place *known, const char *file);

/* File and line of a word's place; NULL: none. The struct owns the path. */
const char *upc_site_path(const struct upc_places *places, int64_t site, uint64_t *line);

void upc_places_forget(struct upc_places *places);

static inline struct upc_known_place *upc_known_place(struct upc_places *places, struct upc_place at)
{
	uint64_t mixed = (uint64_t)(uintptr_t)at.file >> 3 ^ (uint64_t)(unsigned)at.line * 0x9e3779b1u;

	return &places->known[(mixed ^ mixed >> 16) & (UPC_PLACES - 1)];
}

static inline int64_t upc_site(struct upc_places *places, struct rank_state *rank_state, struct upc_place at)
{
	const struct upc_known_place *known;

	if (__builtin_expect(places->unloads != site_dlcloses, 0))
		upc_places_forget(places);
	known = upc_known_place(places, at);
	if (known->file == at.file && known->line == at.line && at.file &&
	    (known->constant_file || upc_place_is_same(known, at.file)))
		return known->site;
	return upc_site_slow(places, rank_state, at);
}

#endif
