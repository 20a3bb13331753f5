#include "output/exchange/otf2_importer.h"

#include "base/text.h"
#include "calls/calls.h"
#include "output/exchange/otf2_common.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void *item_get(struct definition_table *table, uint64_t id)
{
	size_t known = table->ids.count;
	uint64_t place = intern(&table->ids, &id, sizeof id)->number;
	char *item;

	if (place == known && place == table->room)
		table->items = array_grow_in(table->ids.arena, table->items, &table->room, table->item_size);
	item = table->items + place * table->item_size;
	memcpy(item, &id, sizeof id);
	return item;
}

/* "": not defined. */
static const char *string_of(struct contents *contents, OTF2_StringRef ref)
{
	const struct string_item *item = ref == OTF2_UNDEFINED_STRING ? NULL
	                                                              : item_get(&contents->strings, ref);

	return item && item->text ? item->text : "";
}

/* True if the item must be filled. */
static bool is_new(struct contents *contents, bool defined)
{
	contents->repeated += defined;
	return !defined;
}

static OTF2_CallbackCode on_clock(void *context, uint64_t resolution, uint64_t first, UNUSED uint64_t length,
                                  uint64_t date)
{
	struct contents *contents = context;

	contents->resolution = resolution;
	contents->first_time = first;
	contents->date = date;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *context, OTF2_StringRef self, const char *text)
{
	struct contents *contents = context;
	struct string_item *item = item_get(&contents->strings, self);

	if (is_new(contents, item->text != NULL))
		item->text = arena_text(&contents->arena, text);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_attribute(void *context, OTF2_AttributeRef self, OTF2_StringRef name,
                                      UNUSED OTF2_StringRef description, UNUSED OTF2_Type type)
{
	struct contents *contents = context;
	struct attribute_item *item = item_get(&contents->attributes, self);

	if (is_new(contents, item->name != NULL))
		item->name = string_of(contents, name);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_node(void *context, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                                 OTF2_StringRef class, UNUSED OTF2_SystemTreeNodeRef parent)
{
	struct contents *contents = context;
	struct node_item *item = item_get(&contents->nodes, self);

	if (is_new(contents, item->name != NULL)) {
		item->name = string_of(contents, name);
		item->is_host = strcmp(string_of(contents, class), "node") == 0;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_process(void *context, OTF2_LocationGroupRef self, UNUSED OTF2_StringRef name,
                                    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef node,
                                    UNUSED OTF2_LocationGroupRef creator)
{
	struct contents *contents = context;
	struct process_item *item = item_get(&contents->processes, self);

	if (is_new(contents, item->defined)) {
		item->defined = true;
		item->type = type;
		item->node = node;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *context, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, UNUSED uint64_t events,
                                     OTF2_LocationGroupRef process)
{
	struct contents *contents = context;
	struct location_item *item = item_get(&contents->locations, self);

	if (is_new(contents, item->defined)) {
		item->defined = true;
		item->name = string_of(contents, name);
		item->type = type;
		item->process = process;
	}
	return OTF2_CALLBACK_SUCCESS;
}

/* "mpi_send_" and "MPI_SEND" of Fortran become MPI_Send. NULL: not a function of MPI or UPC. */
static const char *function_named(struct arena *arena, const char *name)
{
	const struct call_info *info = call_find(name);
	size_t length = strlen(name);

	if (info && call_is_pgas(info))
		return info->name;
	if (strncasecmp(name, "MPI_", strlen("MPI_")) != 0)
		return NULL;
	while (length && name[length - 1] == '_')
		length--;
	for (size_t i = 0; i < ALL_CALLS; i++)
		if (strlen(all_calls[i].name) == length && strncasecmp(all_calls[i].name, name, length) == 0)
			return all_calls[i].name;
	return text_begins(name, "MPI_") ? arena_text(arena, name) : NULL;
}

static OTF2_CallbackCode on_region(void *context, OTF2_RegionRef self, OTF2_StringRef name,
                                   UNUSED OTF2_StringRef canonical, UNUSED OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm, UNUSED OTF2_RegionFlag flags,
                                   OTF2_StringRef file, uint32_t first_line, UNUSED uint32_t last_line)
{
	struct contents *contents = context;
	struct region_item *item = item_get(&contents->regions, self);

	if (is_new(contents, item->name != NULL)) {
		item->name = string_of(contents, name);
		item->function = function_named(&contents->arena, item->name);
		item->file = string_of(contents, file);
		item->place.file = first_line ? item->file : NULL;
		item->place.line = first_line;
		item->is_openmp = paradigm == OTF2_PARADIGM_OPENMP;
		item->is_barrier = item->is_openmp && (role == OTF2_REGION_ROLE_BARRIER ||
		                                       role == OTF2_REGION_ROLE_IMPLICIT_BARRIER);
		item->is_critical = item->is_openmp && role == OTF2_REGION_ROLE_CRITICAL;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_place(void *context, OTF2_SourceCodeLocationRef self, OTF2_StringRef file,
                                  uint32_t line)
{
	struct contents *contents = context;
	struct place_item *item = item_get(&contents->places, self);

	if (is_new(contents, item->file != NULL)) {
		item->file = string_of(contents, file);
		item->line = line;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_context(void *context, OTF2_CallingContextRef self, OTF2_RegionRef region,
                                    OTF2_SourceCodeLocationRef place, UNUSED OTF2_CallingContextRef parent)
{
	struct contents *contents = context;
	struct context_item *item = item_get(&contents->contexts, self);

	if (is_new(contents, item->defined)) {
		item->defined = true;
		item->region = region;
		item->place = place;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static void fill_group(struct contents *contents, struct group_item *item, OTF2_GroupType type,
                       uint32_t count, const uint64_t *members)
{
	item->defined = true;
	item->type = type;
	item->count = count;
	item->members = arena_array(&contents->arena, uint64_t, count);
	if (count)
		memcpy(item->members, members, count * sizeof *members);
}

/* Members of groups of other paradigms are other numbers. */
static bool is_of_processes(OTF2_Paradigm paradigm)
{
	return paradigm == OTF2_PARADIGM_MPI || paradigm == OTF2_PARADIGM_UPC ||
	       paradigm == OTF2_PARADIGM_SHMEM;
}

/* EZTrace gives the group of all locations and that of MPI_COMM_WORLD the same number. */
static OTF2_CallbackCode on_group(void *context, OTF2_GroupRef self, UNUSED OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, UNUSED OTF2_GroupFlag flags,
                                  uint32_t count, const uint64_t *members)
{
	struct contents *contents = context;
	struct group_item *item = item_get(&contents->groups, self);

	if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
		if (is_of_processes(paradigm) && is_new(contents, contents->all_processes.defined))
			fill_group(contents, &contents->all_processes, type, count, members);
	} else if (is_new(contents, item->defined)) {
		fill_group(contents, item, type, count, members);
		item->is_foreign = !is_of_processes(paradigm) && paradigm != OTF2_PARADIGM_UNKNOWN;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static void fill_comm(struct contents *contents, OTF2_CommRef self, const struct comm_item *found)
{
	struct comm_item *item = item_get(&contents->comms, self);
	uint64_t id = item->id;

	if (is_new(contents, item->name != NULL)) {
		*item = *found;
		item->id = id;
	}
}

static OTF2_CallbackCode on_comm(void *context, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                                 OTF2_CommRef parent, UNUSED OTF2_CommFlag flags)
{
	struct contents *contents = context;
	struct comm_item found = {.name = string_of(contents, name), .local = group, .parent = parent};

	found.remote = OTF2_UNDEFINED_GROUP;
	fill_comm(contents, self, &found);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_inter_comm(void *context, OTF2_CommRef self, OTF2_StringRef name,
                                       OTF2_GroupRef one, OTF2_GroupRef other, OTF2_CommRef common,
                                       UNUSED OTF2_CommFlag flags)
{
	struct contents *contents = context;
	struct comm_item found = {.name = string_of(contents, name),
	                          .local = one,
	                          .remote = other,
	                          .is_inter = true,
	                          .parent = common};

	fill_comm(contents, self, &found);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_window(void *context, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm,
                                   UNUSED OTF2_RmaWinFlag flags)
{
	struct contents *contents = context;
	struct window_item *item = item_get(&contents->windows, self);

	if (is_new(contents, item->name != NULL)) {
		item->name = string_of(contents, name);
		item->comm = comm;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_file(void *context, OTF2_IoHandleRef self, OTF2_StringRef name,
                                 UNUSED OTF2_IoFileRef file, UNUSED OTF2_IoParadigmRef paradigm,
                                 UNUSED OTF2_IoHandleFlag flags, OTF2_CommRef comm,
                                 UNUSED OTF2_IoHandleRef parent)
{
	struct contents *contents = context;
	struct window_item *item = item_get(&contents->files, self);

	if (is_new(contents, item->name != NULL)) {
		item->name = string_of(contents, name);
		item->comm = comm;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_process_property(void *context, OTF2_LocationGroupRef process,
                                             OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	struct contents *contents = context;
	struct process_item *item = item_get(&contents->processes, process);
	const char *key = string_of(contents, name);
	const char *record = text_begins(key, OTF2_PROPERTY_RECORD) ? key + strlen(OTF2_PROPERTY_RECORD) : "";

	if (type != OTF2_TYPE_STRING)
		return OTF2_CALLBACK_SUCCESS;
	if (strcmp(key, OTF2_PROPERTY_PROCESS) == 0)
		item->own_process = string_of(contents, value.stringRef);
	else if (isdigit((unsigned char)*record)) {
		const char *text = string_of(contents, value.stringRef);

		array_add_in(&contents->arena, &item->own_records,
		             (struct own_line){strtoull(record, NULL, 10), text});
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location_property(void *context, OTF2_LocationRef location, OTF2_StringRef name,
                                              OTF2_Type type, OTF2_AttributeValue value)
{
	struct contents *contents = context;
	struct location_item *item = item_get(&contents->locations, location);
	const char *key = string_of(contents, name);

	if (type != OTF2_TYPE_STRING)
		return OTF2_CALLBACK_SUCCESS;
	if (strcmp(key, OTF2_PROPERTY_THREAD) == 0)
		item->own_thread = string_of(contents, value.stringRef);
	if (strcmp(key, OTF2_PROPERTY_CLOCK) == 0)
		item->own_clock = string_of(contents, value.stringRef);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_GlobalDefReaderCallbacks *make_callbacks(void)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();

	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
	OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
	OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, on_node);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_process);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
	OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(callbacks, on_place);
	OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, on_context);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
	OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
	OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
	OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(callbacks, on_file);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(callbacks, on_process_property);
	OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks, on_location_property);
	return callbacks;
}

static void make_table(struct contents *contents, struct definition_table *table, size_t item_size)
{
	*table = (struct definition_table){.ids = {.arena = &contents->arena}, .item_size = item_size};
}

static void make_tables(struct contents *contents)
{
	*contents = (struct contents){0};
	make_table(contents, &contents->strings, sizeof(struct string_item));
	make_table(contents, &contents->attributes, sizeof(struct attribute_item));
	make_table(contents, &contents->places, sizeof(struct place_item));
	make_table(contents, &contents->regions, sizeof(struct region_item));
	make_table(contents, &contents->contexts, sizeof(struct context_item));
	make_table(contents, &contents->nodes, sizeof(struct node_item));
	make_table(contents, &contents->groups, sizeof(struct group_item));
	make_table(contents, &contents->comms, sizeof(struct comm_item));
	make_table(contents, &contents->windows, sizeof(struct window_item));
	make_table(contents, &contents->files, sizeof(struct window_item));
	make_table(contents, &contents->processes, sizeof(struct process_item));
	make_table(contents, &contents->locations, sizeof(struct location_item));
}

enum status contents_read(struct contents *contents, OTF2_Reader *reader)
{
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = make_callbacks();
	OTF2_ErrorCode code;
	uint64_t count;

	make_tables(contents);
	if (!definitions) {
		OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
		return fail("its definitions are missing");
	}
	code = OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, contents);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	if (code == OTF2_SUCCESS)
		code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count);
	if (code != OTF2_SUCCESS)
		return fail("its definitions cannot be read: %s", OTF2_Error_GetDescription(code));
	return OK;
}

void contents_release(struct contents *contents)
{
	arena_release(&contents->arena);
}
