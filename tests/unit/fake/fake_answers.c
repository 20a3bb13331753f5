#include "fake_answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The first new handle, and the difference between the handles of a communicator and of its group. */
enum { FIRST_HANDLE = 1000, GROUP_OF = 1 << 28 };

struct fake_mpi *fake;
int fake_status_ignore_, fake_in_place_;
static int statuses_ignore, f08_in_place, handles_made;
int *const fake_statuses_ignore = &statuses_ignore, *const fake_f08_in_place = &f08_in_place;

void fake_reset(void)
{
	memset(fake, 0, sizeof *fake);
	fake->rank = fake->other_rank = 2;
	fake->size = fake->other_size = 4;
	fake->thread_level = MPI_THREAD_SINGLE;
	fake->topology = MPI_UNDEFINED;
	fake->type_bytes = 1;
}

__attribute__((constructor)) static void start(void)
{
	fake = mmap(NULL, sizeof *fake, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fake == MAP_FAILED)
		abort();
	fake_reset();
}

int fake_enter(enum call_id id)
{
	void (*inside)(enum call_id) = fake->inside;

	__atomic_add_fetch(&fake->calls[id], 1, __ATOMIC_RELAXED);
	fake->log[__atomic_fetch_add(&fake->logged, 1, __ATOMIC_RELAXED) % FAKE_LOG] = id;
	if (inside)
		inside(id);
	return fake->codes[id];
}

int fake_new_handle(void)
{
	return fake->next_handle ? fake->next_handle
	                         : FIRST_HANDLE + __atomic_fetch_add(&handles_made, 1, __ATOMIC_RELAXED);
}

int fake_new_request(int persistent)
{
	return fake_new_handle() | (persistent ? FAKE_PERSISTENT : 0);
}

void fake_set_statuses(MPI_Status *statuses, int count)
{
	if (statuses != MPI_STATUSES_IGNORE && count > 0)
		memcpy(statuses, fake->statuses, (size_t)count * sizeof *statuses);
}

void fake_set_indices(int *indices)
{
	if (fake->outcount > 0)
		memcpy(indices, fake->indices, (size_t)fake->outcount * sizeof *indices);
}

void fake_complete_one(MPI_Request *requests, int index)
{
	if (index >= 0 && !(requests[index] & FAKE_PERSISTENT))
		requests[index] = MPI_REQUEST_NULL;
}

void fake_complete_some(MPI_Request *requests)
{
	for (int i = 0; i < fake->outcount; i++)
		fake_complete_one(requests, fake->indices[i]);
}

void fake_complete_all(MPI_Request *requests, int count)
{
	for (int i = 0; i < count; i++)
		fake_complete_one(requests, i);
}

MPI_Status *fake_fortran_status(void *status)
{
	return status == &fake_status_ignore_ || status == fake_statuses_ignore ? MPI_STATUS_IGNORE : status;
}

void fake_fortran_indices(int *indices, int count)
{
	for (int i = 0; i < count; i++)
		indices[i] += indices[i] != MPI_UNDEFINED;
}

void fake_Comm_rank(MPI_Comm comm, int *rank)
{
	*rank = comm == MPI_COMM_WORLD ? fake->rank : comm == MPI_COMM_SELF ? 0 : fake->other_rank;
}

void fake_Comm_size(MPI_Comm comm, int *size)
{
	*size = comm == MPI_COMM_WORLD ? fake->size : comm == MPI_COMM_SELF ? 1 : fake->other_size;
}

void fake_Comm_remote_size(MPI_Comm comm, int *size)
{
	fake_Comm_size(comm, size);
	if (fake->remote_size)
		*size = fake->remote_size;
}

void fake_Comm_group(MPI_Comm comm, MPI_Group *group)
{
	*group = comm | GROUP_OF;
}

void fake_Comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
	*group = comm | GROUP_OF;
}

void fake_Comm_test_inter(MPI_Comm comm, int *flag)
{
	*flag = comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF && fake->inter;
}

void fake_Group_size(MPI_Group group, int *size)
{
	fake_Comm_size(group & ~GROUP_OF, size);
}

/* Rank 0 of a communicator with one process is this process. Other communicators have the ranks of the world. */
void fake_Group_translate_ranks(MPI_Group from, int count, const int *ranks, MPI_Group to, int *translated)
{
	(void)to;
	for (int i = 0; i < count; i++)
		translated[i] = from == (MPI_COMM_SELF | GROUP_OF) ? fake->rank : ranks[i];
}

void fake_Topo_test(MPI_Comm comm, int *topology)
{
	*topology = comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF ? MPI_UNDEFINED : fake->topology;
}

void fake_Cartdim_get(MPI_Comm comm, int *ndims)
{
	(void)comm;
	*ndims = fake->neighbours / 2;
}

void fake_Graph_neighbors_count(MPI_Comm comm, int rank, int *count)
{
	(void)comm;
	(void)rank;
	*count = fake->neighbours;
}

void fake_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted)
{
	(void)comm;
	*indegree = *outdegree = fake->neighbours;
	*weighted = 0;
}

void fake_Type_size(MPI_Datatype type, int *size)
{
	*size = type >> 8 == MPI_BYTE >> 8 ? type & 0xff : fake->type_bytes;
}

void fake_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *size)
{
	(void)comm;
	fake_Type_size(type, size);
	*size *= count;
}

void fake_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *types, int *combiner)
{
	(void)type;
	*integers = *addresses = *combiner = 0;
	*types = fake->envelope_types;
}

void fake_Type_size_x(MPI_Datatype type, MPI_Count *size)
{
	int bytes;

	fake_Type_size(type, &bytes);
	*size = bytes;
}

void fake_Type_get_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent)
{
	*lb = 0;
	fake_Type_size_x(type, extent);
}

void fake_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent)
{
	fake_Type_get_extent_x(type, lb, extent);
}

/* The last two digits of a code above 100 are its class. */
void fake_Error_class(int code, int *class)
{
	*class = code % 100;
}

void fake_Query_thread(int *level)
{
	*level = fake->thread_level;
}

void fake_Get_version(int *version, int *subversion)
{
	*version = MPI_VERSION;
	*subversion = MPI_SUBVERSION;
}

void fake_Get_library_version(char *version, int *length)
{
	*length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "fake MPI 1.0\nsecond line");
}

int PMPI_T_init_thread(int required, int *provided)
{
	*provided = required;
	fake->tool_uses++;
	return MPI_SUCCESS;
}

int PMPI_T_finalize(void)
{
	fake->tool_uses--;
	return MPI_SUCCESS;
}

int PMPI_T_cvar_get_index(const char *name, int *index)
{
	*index = 5;
	return fake->eager_limit && strcmp(name, "fake_eager_limit") == 0 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int PMPI_T_cvar_get_info(int index, char *name, int *name_room, int *verbosity, MPI_Datatype *type,
                         MPI_T_enum *names, char *text, int *text_room, int *bind, int *scope)
{
	(void)name, (void)name_room, (void)text, (void)text_room;
	*verbosity = *bind = *scope = *names = 0;
	*type = MPI_UNSIGNED_LONG;
	return index == 5 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int PMPI_T_cvar_handle_alloc(int index, void *object, MPI_T_cvar_handle *handle, int *count)
{
	(void)object;
	*handle = 9;
	*count = 1;
	return index == 5 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *value)
{
	memcpy(value, &fake->eager_limit, sizeof fake->eager_limit);
	return handle == 9 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int PMPI_T_cvar_handle_free(MPI_T_cvar_handle *handle)
{
	*handle = 0;
	return MPI_SUCCESS;
}
