#include "output/exchange/otf2_thread.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void book_init(struct request_book *book, uint32_t threads)
{
	*book = (struct request_book){.threads = threads};
	book->entries = (struct table){.item_size = sizeof(struct request_entry)};
	book->entries.ids.arena = &book->arena;
	book->lowest = memory_new(threads + 1, sizeof *book->lowest);
}

void book_release(struct request_book *book)
{
	arena_release(&book->arena);
	free(book->begun);
	free(book->used);
	free(book->lowest);
}

static struct request_entry *entry_of(struct request_book *book, uint64_t id)
{
	return item_get(&book->entries, id);
}

static bool is_used(const struct request_book *book, size_t number)
{
	return number < book->used_room && book->used[number];
}

static void set_used(struct request_book *book, size_t number)
{
	size_t room = book->used_room ? book->used_room : 64;

	if (number >= book->used_room) {
		while (room <= number)
			room *= 2;
		book->used = memory_grow(book->used, room, sizeof *book->used);
		memset(book->used + book->used_room, 0, room - book->used_room);
		book->used_room = room;
	}
	book->used[number] = true;
}

/* Numbers of different threads differ, as these are read one after the other. */
static uint64_t claim_number(struct request_book *book, uint32_t thread)
{
	size_t number = book->lowest[thread] * book->threads + thread;

	while (is_used(book, number))
		number += book->threads;
	set_used(book, number);
	book->lowest[thread] = number / book->threads + 1;
	return number;
}

static void free_number(struct request_book *book, uint64_t number)
{
	uint32_t thread = (uint32_t)(number % book->threads);

	book->used[number] = false;
	if (number / book->threads < book->lowest[thread])
		book->lowest[thread] = number / book->threads;
}

const struct begun_request *book_begin(struct request_book *book, uint32_t thread, uint64_t id,
                                       uint64_t *number)
{
	static const struct begun_request nothing_known;
	struct request_entry *entry = entry_of(book, id);

	/* The end of the one before was not recorded. */
	if (entry->active)
		free_number(book, entry->number);
	entry->active = true;
	entry->number = *number = claim_number(book, thread);
	return book->next < book->begun_count ? &book->begun[book->next++] : &nothing_known;
}

const struct begun_request *book_peek(const struct request_book *book)
{
	return book->next < book->begun_count ? &book->begun[book->next] : NULL;
}

bool book_find(struct request_book *book, uint64_t id, uint64_t *number)
{
	const struct request_entry *entry = entry_of(book, id);

	*number = entry->number;
	return entry->active;
}

bool book_end(struct request_book *book, uint64_t id, uint64_t *number)
{
	struct request_entry *entry = entry_of(book, id);

	if (!book_find(book, id, number))
		return false;
	entry->active = false;
	free_number(book, entry->number);
	return true;
}

static void foresee_begin(struct request_book *book, uint64_t id)
{
	struct request_entry *entry = entry_of(book, id);

	if (book->begun_count == book->begun_room) {
		book->begun_room = book->begun_room ? book->begun_room * 2 : 64;
		book->begun = memory_grow(book->begun, book->begun_room, sizeof *book->begun);
	}
	entry->begun = book->begun_count + 1;
	book->begun[book->begun_count++] = (struct begun_request){0};
}

static struct begun_request *foresee_end(struct request_book *book, uint64_t id)
{
	static struct begun_request nobodys;
	struct request_entry *entry = entry_of(book, id);
	struct begun_request *begun = entry->begun ? &book->begun[entry->begun - 1] : &nobodys;

	entry->begun = 0;
	begun->completed = true;
	return begun;
}

#define CALLBACK(name, ...) \
	static OTF2_CallbackCode name(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, \
	                              void *context, OTF2_AttributeList *attributes, __VA_ARGS__)

CALLBACK(foresee_isend, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t id)
{
	(void)location, (void)time, (void)position, (void)attributes, (void)peer, (void)comm, (void)tag,
		(void)bytes;
	foresee_begin(context, id);
	return OTF2_CALLBACK_SUCCESS;
}

CALLBACK(foresee_request, uint64_t id)
{
	(void)location, (void)time, (void)position, (void)attributes;
	foresee_begin(context, id);
	return OTF2_CALLBACK_SUCCESS;
}

CALLBACK(foresee_complete, uint64_t id)
{
	(void)location, (void)time, (void)position, (void)attributes;
	foresee_end(context, id);
	return OTF2_CALLBACK_SUCCESS;
}

CALLBACK(foresee_irecv, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t id)
{
	struct begun_request *begun = foresee_end(context, id);

	(void)location, (void)time, (void)position, (void)attributes, (void)peer, (void)tag, (void)bytes;
	begun->knows_comm = true;
	begun->comm = comm;
	return OTF2_CALLBACK_SUCCESS;
}

CALLBACK(foresee_collective, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,
         uint64_t received, uint64_t id)
{
	struct begun_request *begun = foresee_end(context, id);

	(void)location, (void)time, (void)position, (void)attributes;
	*begun = (struct begun_request){true, true, comm, true, op, root, sent, received};
	return OTF2_CALLBACK_SUCCESS;
}

void book_foresee(struct request_book *book, OTF2_Reader *reader, OTF2_LocationRef location)
{
	OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, location);
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
	uint64_t count;

	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, foresee_isend);
	OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, foresee_request);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, foresee_request);
	OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, foresee_complete);
	OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, foresee_complete);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, foresee_irecv);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, foresee_collective);
	/* What cannot be read is told by the second reading. */
	if (events && OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, book) == OTF2_SUCCESS)
		OTF2_Reader_ReadAllLocalEvents(reader, events, &count);
	if (events)
		OTF2_Reader_CloseEvtReader(reader, events);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
}
