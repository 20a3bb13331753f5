#include "job/record/upc_callers.h"

#include "job/mpi/places.h"
#include "job/mpi/sites.h"
#include "job/record/stream.h"

/* The largest size of a function that only calls another one. */
enum { PASSAGE_BYTES = 1024 };

/* Locates them once for each thread, because the program is never unloaded. */
static void find_passages(struct upc_thread *thread)
{
	struct upc_passages *passages = &thread->passages;

	for (size_t i = 0; i < thread->dialect->passage_count && i < UPC_PASSAGES; i++) {
		struct upc_passage *passage = &passages->items[passages->count++];
		site_locate(thread->dialect->passages[i], &passage->module, &passage->offset);
	}
	passages->are_known = true;
}

static bool is_passage(const struct upc_passages *passages, const struct path_node *place)
{
	for (uint32_t i = 0; i < passages->count; i++)
		if (passages->items[i].module == place->module && place->offset > passages->items[i].offset &&
		    place->offset - passages->items[i].offset <= PASSAGE_BYTES)
			return true;
	return false;
}

/* The innermost caller is the library that calls the recorder. The passages for the event and for the access follow. */
static int64_t program_of(const struct upc_passages *passages, int64_t word)
{
	enum { PASSED = 2 };
	struct path_node place = place_get(place_of_word(word));
	uint32_t number = place.caller;

	for (int i = 0; i < PASSED; i++) {
		if (number == NO_PLACE)
			return 0;
		place = place_get(number);
		if (!is_passage(passages, &place))
			return 0;
		number = place.caller;
	}
	if (number == NO_PLACE)
		return 0;
	place = place_get(number);
	return is_passage(passages, &place) ? 0 : place_word(number);
}

int64_t upc_caller_site(struct upc_thread *thread, struct recording_stream *s, const void *site,
                        const void *frame)
{
	struct upc_passages *passages = &thread->passages;
	int64_t word;

	if (!passages->are_known)
		find_passages(thread);
	if (!passages->count || !site)
		return 0;
	word = (int64_t)(uintptr_t)stream_site(s, site, frame);
	if (word >= 0)
		return 0;
	if (word != passages->last_word) {
		passages->last_site = program_of(passages, word);
		passages->last_word = word;
	}
	return passages->last_site;
}
