#include "job/record/wrap.h"

#include "base/libc_dlsym.h"
#include "job/mpi/comm_shape.h"

const void *(*called_through)(const void *return_address);

EXPORT void tarry_called_through(const void *(*site)(const void *return_address));
EXPORT void tarry_called_through(const void *(*site)(const void *return_address))
{
	called_through = site;
}

static void *chained;
static void *(*find_other)(const char *name);

/* Called before tarry_record_chain(), because libtarry-coll calls the other tools. */
EXPORT void tarry_chain_others(void *(*find)(const char *name));
EXPORT void tarry_chain_others(void *(*find)(const char *name))
{
	find_other = find;
	for (const struct record_next *next = record_nexts; next->name; next++) {
		void *found = chained && dlsym(chained, next->name) ? NULL : find(next->name);
		if (found)
			memcpy(next->place, &found, sizeof found);
	}
	arguments_hook();
}

/* Called before the program's first call. */
EXPORT void tarry_record_chain(void *library);
EXPORT void tarry_record_chain(void *library)
{
	chained = library;
	for (const struct record_next *next = record_nexts; next->name; next++) {
		void *found = dlsym(library, next->name);
		if (found)
			memcpy(next->place, &found, sizeof found);
	}
	arguments_hook();
}

void *record_fortran_next(void **next, const char *name)
{
	if (!*next && chained)
		*next = dlsym(chained, name);
	if (!*next && find_other)
		*next = find_other(name);
	return *next = arguments_fortran_next(name, fortran_next(next, name));
}

void *record_fortran_finalize;

int record_call_fortran_finalize(void)
{
	MPI_Fint rc = MPI_SUCCESS;

	((void (*)(void *))(uintptr_t)record_fortran_finalize)(&rc);
	return rc;
}

int64_t thread_level_value(int level)
{
	static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
	                             MPI_THREAD_MULTIPLE};

	for (size_t i = 0; i < COUNT_OF(levels); i++)
		if (level == levels[i])
			return (int64_t)i;
	return ABSENT;
}

int64_t assert_value(int64_t assertion)
{
	static const struct {
		int mpi, trace;
	} bits[] = {
		{MPI_MODE_NOCHECK, 1},   {MPI_MODE_NOSTORE, 2},    {MPI_MODE_NOPUT, 4},
		{MPI_MODE_NOPRECEDE, 8}, {MPI_MODE_NOSUCCEED, 16},
	};
	int64_t value = 0;

	for (size_t i = 0; i < COUNT_OF(bits); i++)
		if (assertion & bits[i].mpi)
			value |= bits[i].trace;
	return value;
}

/* A handle that may be invalid may be used only if it is predefined. */
static bool is_predefined(MPI_Datatype type)
{
	const MPI_Datatype known[] = {MPI_BYTE,
	                              MPI_CHAR,
	                              MPI_INT,
	                              MPI_DOUBLE,
	                              MPI_FLOAT,
	                              MPI_LONG,
	                              MPI_LONG_LONG,
	                              MPI_UNSIGNED,
	                              MPI_UNSIGNED_LONG,
	                              MPI_INT32_T,
	                              MPI_INT64_T,
	                              MPI_UINT64_T,
	                              MPI_UNSIGNED_CHAR,
	                              MPI_SHORT,
	                              MPI_PACKED,
	                              MPI_C_DOUBLE_COMPLEX,
	                              MPI_INTEGER,
	                              MPI_REAL,
	                              MPI_DOUBLE_PRECISION};

	for (size_t i = 0; i < COUNT_OF(known); i++)
		if (type == known[i])
			return true;
	return false;
}

int64_t known_bytes(struct recording_stream *s, int64_t count, MPI_Datatype type)
{
	const struct handle_cache_entry *entry = cached(&s->types, HANDLE(type));

	if (entry->handle == HANDLE(type))
		return count * entry->value;
	if (!is_predefined(type))
		return ABSENT;
	s->failed = false;
	count *= type_size(s, type);
	s->failed = true;
	return count;
}

int64_t op_value(MPI_Op op)
{
	const MPI_Op known[] = {MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD,   MPI_LAND,   MPI_BAND,    MPI_LOR,
	                        MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP};

	for (size_t i = 0; i < COUNT_OF(known); i++)
		if (op == known[i])
			return (int64_t)i + 1;
	return 0;
}

static const int error_classes[] = {
#define ERROR_CLASS(name) MPI_ERR_##name,
#include "job/mpi/error_classes.def"
};

int error_value(int rc)
{
	enum { OTHER = 16 };
	int class = rc;

	PMPI_Error_class(rc, &class);
	for (size_t i = 0; i < COUNT_OF(error_classes); i++)
		if (class == error_classes[i])
			return (int)i + 1;
	return OTHER;
}

bool failed_late(int rc)
{
	int class = rc;

	PMPI_Error_class(rc, &class);
	return class == MPI_ERR_TRUNCATE;
}

int64_t message_made(MPI_Message handle, const void *place)
{
	if (handle == MPI_MESSAGE_NULL || handle == MPI_MESSAGE_NO_PROC)
		return ABSENT;
	return request_add(MESSAGE_HANDLE(handle), place, 0);
}

int64_t message_taken(MPI_Message handle, const void *place)
{
	uint32_t number = request_find(MESSAGE_HANDLE(handle), place);

	if (number == NO_REQUEST)
		return ABSENT;
	request_remove(number);
	return number;
}

int64_t request_number(MPI_Request handle, const void *place)
{
	uint32_t number = request_find(HANDLE(handle), place);

	return number == NO_REQUEST ? ABSENT : (int64_t)number;
}

int64_t request_made_for_comm(struct recording_stream *s, int64_t number, void *new_comm, MPI_Comm parent,
                              bool fortran)
{
	uint64_t identity = comm_promised(s, parent);

	if (number != ABSENT) {
		struct request *request = request_get((uint32_t)number);
		if (!request->promised && !(request->promised = process_table(1, sizeof *request->promised)))
			return number;
		request->traits |= REQUEST_MAKES_COMM | (fortran ? (uint32_t)REQUEST_FORTRAN : 0);
		*request->promised = (struct promised_comm){new_comm, comm_number(s, parent), identity};
	}
	return number;
}

void request_freed(int64_t number)
{
	if (number != ABSENT)
		request_remove((uint32_t)number);
}

void completion_group(struct completion *done, const struct win *w, MPI_Group group)
{
	int size = 0, own[1], there[1];

	if (!w->identity) /* its creation was not seen, so it has no group to compare with */
		return;
	PMPI_Group_size(group, &size);
	if (!completion_room(done, size))
		return;
	for (int i = 0; i < size; i++) {
		own[0] = i;
		PMPI_Group_translate_ranks(group, 1, own, w->group, there);
		completion_pair(done, FIELD_MEMBER, rank_value(there[0]));
	}
}

void completion_sources(struct completion *done, MPI_Comm handle)
{
	struct topology_neighbours lists;

	if (handle == MPI_COMM_NULL)
		return;
	neighbours_find(&lists, handle, &comm_get(done->s, handle)->shape);
	if (completion_room(done, lists.source_count))
		for (int i = 0; i < lists.source_count; i++)
			if (lists.sources[i] >= 0)
				completion_pair(done, FIELD_MEMBER, lists.sources[i]);
	neighbours_release(&lists);
}
