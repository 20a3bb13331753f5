#include "library.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_HANDLE = 0x10000 };

static intptr_t handles_made;
static bool is_initialized, is_finalized;
static int thread_level;

/* The message on its way: its send, its receive, or both. */
static struct {
	const void *sent;
	void *room;
	size_t bytes;
	int tag;
} message;

intptr_t library_new_handle(void)
{
	return FIRST_HANDLE + 16 * ++handles_made;
}

void library_status(MPI_Status *statuses, int count)
{
	for (int i = 0; statuses && i < count; i++) {
		statuses[i] = (MPI_Status){.MPI_SOURCE = 0, .MPI_TAG = message.tag};
		statuses[i].MPI_internal[3] = (int)message.bytes;
	}
}

void library_complete(MPI_Request *requests, int count, MPI_Status *statuses)
{
	for (int i = 0; i < count; i++)
		requests[i] = MPI_REQUEST_NULL;
	library_status(statuses, count);
}

static int bytes_of(MPI_Datatype type)
{
	const intptr_t number = (intptr_t)type;

	if (number >= 0x240 && number < 0x300)
		return 1 << (number >> 3 & 7);
	return type == MPI_INT || type == MPI_FLOAT ? 4 : type == MPI_SHORT ? 2 : 8;
}

static void meet(void)
{
	if (message.sent && message.room) {
		memcpy(message.room, message.sent, message.bytes);
		message.sent = message.room = NULL;
	}
}

int PMPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request)
{
	(void)comm;
	if (dest != MPI_PROC_NULL) {
		message.sent = buf;
		message.bytes = (size_t)(count * bytes_of(datatype));
		message.tag = tag;
		meet();
	}
	*request = (MPI_Request)library_new_handle();
	return MPI_SUCCESS;
}

int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
	MPI_Request request;

	return PMPI_Isend(buf, count, datatype, dest, tag, comm, &request);
}

int PMPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
               MPI_Request *request)
{
	(void)count, (void)datatype, (void)tag, (void)comm;
	if (source != MPI_PROC_NULL) {
		message.room = buf;
		meet();
	}
	*request = (MPI_Request)library_new_handle();
	return MPI_SUCCESS;
}

int PMPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm)
{
	(void)op, (void)comm;
	if (sendbuf != MPI_IN_PLACE)
		memcpy(recvbuf, sendbuf, (size_t)(count * bytes_of(datatype)));
	return MPI_SUCCESS;
}

int PMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, MPI_Request *request)
{
	*request = (MPI_Request)library_new_handle();
	return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

int PMPI_Get_count_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
	*count = status->MPI_internal[3] / bytes_of(datatype);
	return MPI_SUCCESS;
}

int PMPI_Comm_size(MPI_Comm comm, int *size)
{
	(void)comm;
	*size = 1;
	return MPI_SUCCESS;
}

int PMPI_Group_size(MPI_Group group, int *size)
{
	(void)group;
	*size = 1;
	return MPI_SUCCESS;
}

int PMPI_Group_translate_ranks(MPI_Group group1, int n, const int *ranks1, MPI_Group group2, int *ranks2)
{
	(void)group1, (void)group2;
	memcpy(ranks2, ranks1, (size_t)n * sizeof *ranks2);
	return MPI_SUCCESS;
}

int PMPI_Topo_test(MPI_Comm comm, int *status)
{
	(void)comm;
	*status = MPI_UNDEFINED;
	return MPI_SUCCESS;
}

int PMPI_Type_size(MPI_Datatype datatype, int *size)
{
	*size = bytes_of(datatype);
	return MPI_SUCCESS;
}

int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size)
{
	*size = bytes_of(datatype);
	return MPI_SUCCESS;
}

int PMPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
	*lb = 0;
	*extent = bytes_of(datatype);
	return MPI_SUCCESS;
}

int PMPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
	return PMPI_Type_get_extent_x(datatype, lb, extent);
}

int PMPI_Type_get_envelope(MPI_Datatype datatype, int *integers, int *addresses, int *types, int *combiner)
{
	(void)datatype;
	*integers = *addresses = *types = 0;
	*combiner = MPI_COMBINER_NAMED;
	return MPI_SUCCESS;
}

int PMPI_Error_class(int errorcode, int *errorclass)
{
	*errorclass = errorcode;
	return MPI_SUCCESS;
}

int PMPI_Get_version(int *version, int *subversion)
{
	*version = MPI_VERSION;
	*subversion = MPI_SUBVERSION;
	return MPI_SUCCESS;
}

int PMPI_Get_library_version(char *version, int *resultlen)
{
	*resultlen = sprintf(version, "one process with the standard's binary interface");
	return MPI_SUCCESS;
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	(void)argc, (void)argv;
	is_initialized = true;
	*provided = thread_level = required;
	return MPI_SUCCESS;
}

int PMPI_Query_thread(int *provided)
{
	*provided = thread_level;
	return MPI_SUCCESS;
}

int PMPI_Finalize(void)
{
	is_finalized = true;
	return MPI_SUCCESS;
}

int PMPI_Initialized(int *flag)
{
	*flag = is_initialized;
	return MPI_SUCCESS;
}

int PMPI_Finalized(int *flag)
{
	*flag = is_finalized;
	return MPI_SUCCESS;
}

/* This library has no control variables. */
int PMPI_T_init_thread(int required, int *provided)
{
	*provided = required;
	return MPI_SUCCESS;
}

int PMPI_T_finalize(void)
{
	return MPI_SUCCESS;
}

int PMPI_T_cvar_get_index(const char *name, int *index)
{
	(void)name, (void)index;
	return MPI_ERR_OTHER;
}

int PMPI_T_cvar_get_info(int index, char *name, int *name_room, int *verbosity, MPI_Datatype *type,
                         MPI_T_enum *names, char *text, int *text_room, int *bind, int *scope)
{
	(void)index, (void)name, (void)name_room, (void)verbosity, (void)type, (void)names, (void)text;
	(void)text_room, (void)bind, (void)scope;
	return MPI_ERR_OTHER;
}

int PMPI_T_cvar_handle_alloc(int index, void *object, MPI_T_cvar_handle *handle, int *count)
{
	(void)index, (void)object, (void)handle, (void)count;
	return MPI_ERR_OTHER;
}

int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *value)
{
	(void)handle, (void)value;
	return MPI_ERR_OTHER;
}

int PMPI_T_cvar_handle_free(MPI_T_cvar_handle *handle)
{
	(void)handle;
	return MPI_ERR_OTHER;
}
