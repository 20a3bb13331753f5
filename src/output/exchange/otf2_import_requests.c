#include "output/exchange/otf2_import_events.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void import_requests_init(struct import_requests *requests, uint32_t threads)
{
	*requests = (struct import_requests){.threads = threads};
	requests->entries = (struct definition_table){.item_size = sizeof(struct request_entry)};
	requests->entries.ids.arena = &requests->arena;
	requests->lowest = memory_new(threads + 1, sizeof *requests->lowest);
}

void import_requests_release(struct import_requests *requests)
{
	arena_release(&requests->arena);
	array_release(&requests->begun);
	array_release(&requests->used);
	free(requests->lowest);
}

static struct request_entry *entry_of(struct import_requests *requests, uint64_t id)
{
	return item_get(&requests->entries, id);
}

/* Threads are read one after the other, so their numbers must differ. */
static uint64_t take_number(struct import_requests *requests, uint32_t thread)
{
	size_t number = requests->lowest[thread] * requests->threads + thread;

	while (number < requests->used.count && requests->used.items[number])
		number += requests->threads;
	array_extend(&requests->used, number + 1)->items[number] = true;
	requests->lowest[thread] = number / requests->threads + 1;
	return number;
}

static void free_number(struct import_requests *requests, uint64_t number)
{
	uint32_t thread = (uint32_t)(number % requests->threads);

	requests->used.items[number] = false;
	if (number / requests->threads < requests->lowest[thread])
		requests->lowest[thread] = number / requests->threads;
}

const struct begun_request *request_begin(struct import_requests *requests, uint32_t thread, uint64_t id,
                                          uint64_t *number)
{
	static const struct begun_request nothing_known;
	struct request_entry *entry = entry_of(requests, id);

	/* The end of the one before was not recorded. */
	if (entry->active)
		free_number(requests, entry->number);
	entry->active = true;
	entry->number = *number = take_number(requests, thread);
	return requests->next < requests->begun.count ? &requests->begun.items[requests->next++]
	                                              : &nothing_known;
}

const struct begun_request *request_peek(const struct import_requests *requests)
{
	return requests->next < requests->begun.count ? &requests->begun.items[requests->next] : NULL;
}

bool request_find(struct import_requests *requests, uint64_t id, uint64_t *number)
{
	const struct request_entry *entry = entry_of(requests, id);

	*number = entry->number;
	return entry->active;
}

bool request_end(struct import_requests *requests, uint64_t id, uint64_t *number)
{
	struct request_entry *entry = entry_of(requests, id);

	if (!request_find(requests, id, number))
		return false;
	entry->active = false;
	free_number(requests, entry->number);
	return true;
}

static void scan_begin(struct import_requests *requests, uint64_t id)
{
	struct request_entry *entry = entry_of(requests, id);

	array_add(&requests->begun, (struct begun_request){0});
	entry->begun = requests->begun.count;
}

static struct begun_request *scan_end(struct import_requests *requests, uint64_t id)
{
	static struct begun_request unknown;
	struct request_entry *entry = entry_of(requests, id);
	struct begun_request *begun = entry->begun ? &requests->begun.items[entry->begun - 1] : &unknown;

	entry->begun = 0;
	begun->completed = true;
	return begun;
}

EVENT_CALLBACK(scan_isend, UNUSED uint32_t peer, UNUSED OTF2_CommRef comm, UNUSED uint32_t tag,
               UNUSED uint64_t bytes, uint64_t id)
{
	scan_begin(context, id);
	return OTF2_CALLBACK_SUCCESS;
}

EVENT_CALLBACK(scan_request, uint64_t id)
{
	scan_begin(context, id);
	return OTF2_CALLBACK_SUCCESS;
}

EVENT_CALLBACK(scan_complete, uint64_t id)
{
	scan_end(context, id);
	return OTF2_CALLBACK_SUCCESS;
}

EVENT_CALLBACK(scan_irecv, UNUSED uint32_t peer, OTF2_CommRef comm, UNUSED uint32_t tag,
               UNUSED uint64_t bytes, uint64_t id)
{
	struct begun_request *begun = scan_end(context, id);

	begun->knows_comm = true;
	begun->comm = comm;
	return OTF2_CALLBACK_SUCCESS;
}

EVENT_CALLBACK(scan_collective, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent,
               uint64_t received, uint64_t id)
{
	struct begun_request *begun = scan_end(context, id);

	*begun = (struct begun_request){true, true, comm, true, op, root, sent, received};
	return OTF2_CALLBACK_SUCCESS;
}

void requests_scan(struct import_requests *requests, OTF2_Reader *reader, OTF2_LocationRef location)
{
	OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, location);
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
	uint64_t count;

	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, scan_isend);
	OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, scan_request);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, scan_request);
	OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, scan_complete);
	OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, scan_complete);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, scan_irecv);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, scan_collective);
	/* The second reading reports what cannot be read. */
	if (events && OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, requests) == OTF2_SUCCESS)
		OTF2_Reader_ReadAllLocalEvents(reader, events, &count);
	if (events)
		OTF2_Reader_CloseEvtReader(reader, events);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
}
