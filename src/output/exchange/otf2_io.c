#include "calls/calls.h"
#include "output/exchange/otf2_records.h"

#include <string.h>

static const struct known_object *file_of(struct record_writer *w, const struct call *call)
{
	const struct known_object *file;
	int64_t identity = 0;

	if (!call_field(call, FIELD_FILE, &identity) || !identity)
		return NULL;
	file = known_object_get(w->ex, OBJECT_FILE, (uint64_t)identity);
	return file->defined ? file : NULL;
}

static bool is_collective(const char *name)
{
	return strstr(name, "_all") || strstr(name, "_ordered");
}

static bool begins(const struct call_info *info)
{
	return info->class == CLASS_FILE_DATA && *info->moves;
}

/* Data of split calls is known when they begin. */
static bool ends_by_itself(const struct call_info *info)
{
	return !strstr(info->roles, "newrequest");
}

/* The operation's number is the request's, where there is one. */
static uint64_t id_of(const struct record_writer *w, const struct node *node)
{
	if (node->operations && node->operations->count && node->operations->at[0])
		return node->operations->at[0]->id;
	return w->io_id;
}

static void write_begin(struct record_writer *w, const struct known_object *file, const struct node *node,
                        const struct call_info *info)
{
	bool reads = strcmp(info->moves, "read") == 0;
	uint64_t bytes = field_or_zero(node->event.call, reads ? FIELD_ROOM : FIELD_SENT);
	OTF2_IoOperationFlag flags = is_collective(info->name) ? OTF2_IO_OPERATION_FLAG_COLLECTIVE
	                                                       : OTF2_IO_OPERATION_FLAG_NONE;

	if (!ends_by_itself(info))
		flags |= OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
	/* Above all numbers of requests. */
	w->io_id = (w->io_id | (uint64_t)1 << 62) + 1;
	wrote(w->ex, OTF2_EvtWriter_IoOperationBegin(w->events, NULL, w->time, file->ref,
	                                             reads ? OTF2_IO_OPERATION_MODE_READ
	                                                   : OTF2_IO_OPERATION_MODE_WRITE,
	                                             flags, bytes, id_of(w, node)));
}

void io_at_start(struct record_writer *w, const struct node *node, const struct call_info *info)
{
	const struct known_object *file = begins(info) ? file_of(w, node->event.call) : NULL;

	if (file)
		write_begin(w, file, node, info);
}

static void write_metadata(struct record_writer *w, const struct known_object *file, const char *name)
{
	if (strcmp(name, "MPI_File_open") == 0)
		wrote(w->ex, OTF2_EvtWriter_IoCreateHandle(
				     w->events, NULL, w->time, file->ref, OTF2_IO_ACCESS_MODE_READ_WRITE,
				     OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE));
	if (strcmp(name, "MPI_File_close") == 0)
		wrote(w->ex, OTF2_EvtWriter_IoDestroyHandle(w->events, NULL, w->time, file->ref));
}

void io_at_end(struct record_writer *w, const struct node *node, const struct call_info *info)
{
	const struct call *call = node->event.call;
	const struct known_object *file = info->class == CLASS_FILE_DATA || info->class == CLASS_FILE
	                                          ? file_of(w, call)
	                                          : NULL;
	bool reads = strcmp(info->moves, "read") == 0;

	if (!file)
		return;
	if (!begins(info))
		write_metadata(w, file, info->name);
	else if (ends_by_itself(info))
		wrote(w->ex,
		      OTF2_EvtWriter_IoOperationComplete(
			      w->events, NULL, w->time, file->ref,
			      field_or_zero(call, reads ? FIELD_RECEIVED : FIELD_SENT), id_of(w, node)));
	else
		wrote(w->ex,
		      OTF2_EvtWriter_IoOperationIssued(w->events, NULL, w->time, file->ref, id_of(w, node)));
}

void io_ended(struct record_writer *w, const struct operation *operation, struct field_range brought)
{
	const struct known_object *file = operation->info->class == CLASS_FILE_DATA
	                                          ? file_of(w, operation->call)
	                                          : NULL;
	uint64_t bytes = field_or_zero(operation->call, FIELD_SENT);

	if (!file)
		return;
	for (uint32_t i = brought.first; i < brought.end; i++)
		if (field_key_at(brought.call, i) == FIELD_RECEIVED && field_value_at(brought.call, i) > 0)
			bytes = (uint64_t)field_value_at(brought.call, i);
	wrote(w->ex,
	      OTF2_EvtWriter_IoOperationComplete(w->events, NULL, w->time, file->ref, bytes, operation->id));
}
