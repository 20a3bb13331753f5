#include "job/record/upc_places.h"

#include "base/bytes.h"
#include "job/mpi/places.h"
#include "job/mpi/sites.h"
#include "job/record/process.h"

#include <stdlib.h>
#include <string.h>

static bool is_constant(const char *text)
{
	struct load_segment segment = segment_of((uintptr_t)text, NULL);

	return segment.end && !segment.is_writable;
}

bool upc_place_is_same(const struct upc_known_place *known, const char *file)
{
	return strncmp(known->text, file, UPC_PATH_BYTES - 1) == 0;
}

/* NULL: too many, or no memory. */
static struct upc_source *find_source(struct upc_places *places, struct rank_state *rank_state,
                                      const char *file)
{
	struct upc_source *source = places->sources;

	for (; source < places->sources + places->source_count; source++)
		if (strncmp(source->path, file, UPC_PATH_BYTES - 1) == 0)
			return source;
	if (places->source_count == UPC_SOURCES)
		return NULL;
	source->path = strndup(file, UPC_PATH_BYTES - 1);
	if (!source->path) {
		process_note_lack();
		return NULL;
	}
	places->source_count++;
	source->module = site_new_module();
	if (source->module) {
		/* Written only to this thread's rank state, because other threads of the process have their own numbers. */
		process_lock();
		process_write_only(rank_state);
		process_write(
			RECORD_SOURCE,
			&(struct module){.number = source->module, .path = source->path, .function = ""});
		process_write_only(NULL);
		process_unlock();
	}
	return source;
}

int64_t upc_site_slow(struct upc_places *places, struct rank_state *rank_state, struct upc_place at)
{
	struct upc_known_place *known = upc_known_place(places, at);
	struct upc_source *source;
	uint32_t place;

	/* Runtimes report "(unknown)" or "_FINAL_BARRIER" instead of a file, without a line and without a suffix. */
	if (!at.file || !*at.file || (at.line <= 0 && !strchr(at.file, '.')))
		return 0;
	source = find_source(places, rank_state, at.file);
	if (!source || !source->module)
		return 0;
	place = place_add(NO_PLACE, source->module, at.line > 0 ? (uint64_t)at.line : 0);
	if (place == NO_PLACE)
		return 0;
	*known = (struct upc_known_place){
		.constant_file = is_constant(at.file) ? at.file : NULL,
		.file = at.file,
		.text = source->path,
		.site = place_word(place),
		.line = at.line,
	};
	return known->site;
}

const char *upc_site_path(const struct upc_places *places, int64_t site, uint64_t *line)
{
	struct path_node place;

	if (!site)
		return NULL;
	place = place_get(place_of_word(site));
	*line = place.offset;
	for (uint32_t i = 0; i < places->source_count; i++)
		if (places->sources[i].module == place.module)
			return places->sources[i].path;
	return NULL;
}

void upc_places_forget(struct upc_places *places)
{
	memset(places->known, 0, sizeof places->known);
	places->unloads = site_dlcloses;
}
