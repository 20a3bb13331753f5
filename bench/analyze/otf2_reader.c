/* Reads an OTF2 archive and counts its events: the cost of the OTF2 library for reading alone. Locations are read one
 * after another, which is faster than all of them in time order.
 *
 *	otf2_reader ARCHIVE.otf2       prints {"events": …, "seconds": …, "cpu_seconds": …, "peak_kib": …} */
#include "measured.h"

#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t events;

static OTF2_CallbackCode enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
                               OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	(void)location, (void)time, (void)position, (void)user, (void)attributes, (void)region;
	events++;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode isend(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
                               OTF2_AttributeList *attributes, uint32_t receiver, OTF2_CommRef comm,
                               uint32_t tag, uint64_t length, uint64_t request)
{
	(void)location, (void)time, (void)position, (void)user, (void)attributes;
	(void)receiver, (void)comm, (void)tag, (void)length, (void)request;
	events++;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode send(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,
                              OTF2_AttributeList *attributes, uint32_t receiver, OTF2_CommRef comm,
                              uint32_t tag, uint64_t length)
{
	return isend(location, time, position, user, attributes, receiver, comm, tag, length, 0);
}

static OTF2_CallbackCode request(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                 void *user, OTF2_AttributeList *attributes, uint64_t number)
{
	(void)location, (void)time, (void)position, (void)user, (void)attributes, (void)number;
	events++;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode collective_begin(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                          void *user, OTF2_AttributeList *attributes)
{
	return request(location, time, position, user, attributes, 0);
}

static OTF2_CallbackCode collective_end(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                        void *user, OTF2_AttributeList *attributes, OTF2_CollectiveOp op,
                                        OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received)
{
	(void)op, (void)comm, (void)root, (void)sent, (void)received;
	return request(location, time, position, user, attributes, 0);
}

static OTF2_EvtReaderCallbacks *callbacks_new(void)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, enter);
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, send);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, send);
	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, isend);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, isend);
	OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, request);
	OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, request);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, collective_begin);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, collective_end);
	return callbacks;
}

struct locations {
	OTF2_LocationRef *at;
	uint64_t count, room;
};

static OTF2_CallbackCode location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                  OTF2_LocationType type, uint64_t number, OTF2_LocationGroupRef group)
{
	struct locations *locations = user;

	(void)name, (void)type, (void)number, (void)group;
	if (locations->count < locations->room)
		locations->at[locations->count++] = self;
	return OTF2_CALLBACK_SUCCESS;
}

static void read_definitions(OTF2_Reader *reader, struct locations *locations)
{
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	uint64_t read = 0;

	OTF2_Reader_GetNumberOfLocations(reader, &locations->room);
	locations->at = calloc(locations->room + 1, sizeof *locations->at);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, location);
	OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, locations);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
	OTF2_Reader_CloseGlobalDefReader(reader, definitions);
}

static void read_location(OTF2_Reader *reader, OTF2_LocationRef location,
                          const OTF2_EvtReaderCallbacks *callbacks)
{
	OTF2_EvtReader *own = OTF2_Reader_GetEvtReader(reader, location);
	uint64_t read = 0;

	OTF2_Reader_RegisterEvtCallbacks(reader, own, callbacks, NULL);
	OTF2_Reader_ReadAllLocalEvents(reader, own, &read);
	OTF2_Reader_CloseEvtReader(reader, own);
}

static void read_local_definitions(OTF2_Reader *reader, const struct locations *locations)
{
	OTF2_Reader_OpenDefFiles(reader);
	for (uint64_t i = 0; i < locations->count; i++) {
		OTF2_DefReader *own = OTF2_Reader_GetDefReader(reader, locations->at[i]);
		uint64_t read = 0;
		if (!own)
			continue;
		OTF2_Reader_ReadAllLocalDefinitions(reader, own, &read);
		OTF2_Reader_CloseDefReader(reader, own);
	}
	OTF2_Reader_CloseDefFiles(reader);
}

static bool read_archive(const char *path)
{
	OTF2_Reader *reader = OTF2_Reader_Open(path);
	OTF2_EvtReaderCallbacks *callbacks = callbacks_new();
	struct locations locations = {0};

	if (!reader)
		return false;
	OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	read_definitions(reader, &locations);
	for (uint64_t i = 0; i < locations.count; i++)
		OTF2_Reader_SelectLocation(reader, locations.at[i]);
	read_local_definitions(reader, &locations);
	OTF2_Reader_OpenEvtFiles(reader);
	for (uint64_t i = 0; i < locations.count; i++)
		read_location(reader, locations.at[i], callbacks);
	OTF2_Reader_CloseEvtFiles(reader);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	OTF2_Reader_Close(reader);
	free(locations.at);
	return true;
}

int main(int argc, char **argv)
{
	struct measured measured = measure_begin();

	if (argc != 2 || !read_archive(argv[1])) {
		fprintf(stderr, "usage: otf2_reader ARCHIVE.otf2\n");
		return 1;
	}
	measure_end(&measured);
	printf("{\"events\": %llu, ", (unsigned long long)events);
	measure_print(&measured);
	printf("}\n");
	return 0;
}
