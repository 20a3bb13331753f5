/* Messages and bytes that the program sends, by receiver, from the parameters of its calls. Compiled for one MPI
 * library, but not linked with it: an auditor lives in a name space of its own, where this would be a second copy. */
#include "count.h"

#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <string.h>

enum { PREPARED = 64, ONE = -1 };

enum action { SENDS, PREPARES, STARTS, STARTS_ALL };

/* Where a function has which parameter. */
static const struct sender {
	const char *name; /* without MPI_ */
	enum action action;
	int count, type, dest, comm;
	int request; /* PREPARES, STARTS, STARTS_ALL */
} functions[] = {
	{"Send", SENDS, 1, 2, 3, 5, 0},          {"Bsend", SENDS, 1, 2, 3, 5, 0},
	{"Ssend", SENDS, 1, 2, 3, 5, 0},         {"Rsend", SENDS, 1, 2, 3, 5, 0},
	{"Isend", SENDS, 1, 2, 3, 5, 0},         {"Ibsend", SENDS, 1, 2, 3, 5, 0},
	{"Issend", SENDS, 1, 2, 3, 5, 0},        {"Irsend", SENDS, 1, 2, 3, 5, 0},
	{"Sendrecv", SENDS, 1, 2, 3, 10, 0},     {"Sendrecv_replace", SENDS, 1, 2, 3, 7, 0},
	{"Send_init", PREPARES, 1, 2, 3, 5, 6},  {"Bsend_init", PREPARES, 1, 2, 3, 5, 6},
	{"Ssend_init", PREPARES, 1, 2, 3, 5, 6}, {"Rsend_init", PREPARES, 1, 2, 3, 5, 6},
	{"Start", STARTS, ONE, 0, 0, 0, 0},      {"Startall", STARTS_ALL, 0, 0, 0, 0, 1},
};
enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

/* The same functions as Fortran has them: parameters are references, handles are numbers. */
static struct sender fortran_functions[FUNCTIONS];

struct message {
	int peer; /* in MPI_COMM_WORLD; negative: none */
	uint64_t bytes;
};

/* Persistent sends. A request is known only after the call that prepares it: until the thread's next call that
 * sends or prepares, there is just the place where it will stand. */
static struct prepared {
	const void *place;
	uint64_t request;
	struct message message;
} prepared[PREPARED];
static int prepared_count;
static pthread_mutex_t prepared_lock = PTHREAD_MUTEX_INITIALIZER;

const struct sender *sender_find(const char *function)
{
	for (int i = 0; i < FUNCTIONS; i++) {
		const char *name = functions[i].name;
		size_t length = strlen(name);

		if (strncasecmp(function + 4, name, length) != 0)
			continue;
		if (function[0] == 'M' && !function[4 + length])
			return &functions[i];
		fortran_functions[i] = functions[i];
		for (const char **end = (const char *[]){"_", "__", "_f08_", "_f08ts_", NULL}; *end; end++)
			if (function[0] == 'm' && strcmp(function + 4 + length, *end) == 0)
				return &fortran_functions[i];
	}
	return NULL;
}

static bool is_fortran(const struct sender *sender)
{
	return sender < functions || sender >= functions + FUNCTIONS;
}

/* The function PMPI_name of the program's MPI library. */
#define REAL(mpi, name) ((__typeof__(&PMPI_##name))dlsym((mpi), "PMPI_" #name))

/* Open MPI's handles are addresses of objects, MPICH's are numbers, the same in Fortran. */
#ifdef OPEN_MPI
/* On x86-64 the program may have the object itself: a copy of the library's, which the library uses too then. */
static MPI_Comm world(void *mpi)
{
	void *program = dlmopen(LM_ID_BASE, NULL, RTLD_LAZY | RTLD_NOLOAD);
	MPI_Comm copy = program ? dlsym(program, "ompi_mpi_comm_world") : NULL;

	return copy ? copy : dlsym(mpi, "ompi_mpi_comm_world");
}

static MPI_Comm comm_from_fortran(void *mpi, MPI_Fint comm)
{
	return REAL(mpi, Comm_f2c)(comm);
}

static MPI_Datatype type_from_fortran(void *mpi, MPI_Fint type)
{
	return REAL(mpi, Type_f2c)(type);
}
#else
static MPI_Comm world(void *mpi)
{
	(void)mpi;
	return MPI_COMM_WORLD;
}

static MPI_Comm comm_from_fortran(void *mpi, MPI_Fint comm)
{
	(void)mpi;
	return comm;
}

static MPI_Datatype type_from_fortran(void *mpi, MPI_Fint type)
{
	(void)mpi;
	return type;
}
#endif

/* Rank in MPI_COMM_WORLD of a communicator's (or its remote group's) member, -1 if it has none. */
static int world_rank(void *mpi, MPI_Comm comm, int rank)
{
	MPI_Group group, all;
	int inter, size, found = -1;

	REAL(mpi, Comm_test_inter)(comm, &inter);
	if (inter)
		REAL(mpi, Comm_remote_group)(comm, &group);
	else
		REAL(mpi, Comm_group)(comm, &group);
	REAL(mpi, Comm_group)(world(mpi), &all);
	REAL(mpi, Group_size)(group, &size);
	if (rank >= 0 && rank < size)
		REAL(mpi, Group_translate_ranks)(group, 1, &rank, all, &found);
	REAL(mpi, Group_free)(&group);
	REAL(mpi, Group_free)(&all);
	return found;
}

static int number(const struct sender *sender, const struct arguments *a, int index)
{
	const uint64_t value = argument(a, index);

	return is_fortran(sender) ? *(const MPI_Fint *)value : (int)value;
}

static MPI_Comm comm_of(const struct sender *sender, const struct arguments *a, void *mpi)
{
	if (is_fortran(sender))
		return comm_from_fortran(mpi, number(sender, a, sender->comm));
	return (MPI_Comm)argument(a, sender->comm);
}

static MPI_Datatype type_of(const struct sender *sender, const struct arguments *a, void *mpi)
{
	if (is_fortran(sender))
		return type_from_fortran(mpi, number(sender, a, sender->type));
	return (MPI_Datatype)argument(a, sender->type);
}

/* MPI libraries are not all prepared for groups that several threads make and free at once: one asks at a time. */
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;

static struct message read_message(const struct sender *sender, const struct arguments *a, void *mpi)
{
	const int count = number(sender, a, sender->count), peer = number(sender, a, sender->dest);
	struct message message = {.peer = -1};
	int size = 0;

	if (count < 0 || peer < 0)
		return message;
	pthread_mutex_lock(&asking);
	message.peer = world_rank(mpi, comm_of(sender, a, mpi), peer);
	REAL(mpi, Type_size)(type_of(sender, a, mpi), &size);
	pthread_mutex_unlock(&asking);
	message.bytes = (uint64_t)count * (uint64_t)size;
	return message;
}

static void add_message(struct counts *counts, struct message message)
{
	if (message.peer < 0)
		return;
	if (message.peer >= PEERS) {
		__atomic_fetch_add(&counts->lost, 1, __ATOMIC_RELAXED);
		return;
	}
	__atomic_fetch_add(&counts->messages[message.peer], 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&counts->bytes[message.peer], message.bytes, __ATOMIC_RELAXED);
}

static uint64_t request_at(const struct sender *sender, const void *place)
{
	if (is_fortran(sender))
		return (uint64_t) * (const MPI_Fint *)place;
	return (uint64_t) * (const MPI_Request *)place;
}

static size_t request_bytes(const struct sender *sender)
{
	return is_fortran(sender) ? sizeof(MPI_Fint) : sizeof(MPI_Request);
}

static void prepare(const void *place, struct message message, struct counts *counts)
{
	if (prepared_count == PREPARED) {
		counts->lost++;
		return;
	}
	prepared[prepared_count++] = (struct prepared){.place = place, .message = message};
}

/* By now the requests stand where they were announced. */
static void learn_requests(const struct sender *sender)
{
	for (int i = prepared_count - 1; i >= 0 && prepared[i].place; i--) {
		prepared[i].request = request_at(sender, prepared[i].place);
		prepared[i].place = NULL;
	}
}

/* The newest, as requests are given again after they were freed. A receive is not found. */
static struct message message_of(uint64_t request)
{
	for (int i = prepared_count - 1; i >= 0; i--)
		if (prepared[i].request == request)
			return prepared[i].message;
	return (struct message){.peer = -1};
}

static void start(const struct sender *sender, const struct arguments *a, struct counts *counts)
{
	const char *requests = (const char *)argument(a, sender->request);
	const int many = sender->count == ONE ? 1 : number(sender, a, sender->count);

	for (int i = 0; i < many; i++)
		add_message(counts,
		            message_of(request_at(sender, requests + (size_t)i * request_bytes(sender))));
}

void sender_count(const struct sender *sender, const struct arguments *a, void *mpi, struct counts *counts)
{
	struct message message = {.peer = -1};

	if (sender->action == SENDS || sender->action == PREPARES)
		message = read_message(sender, a, mpi);
	if (sender->action == SENDS) {
		add_message(counts, message);
		return;
	}
	pthread_mutex_lock(&prepared_lock);
	learn_requests(sender);
	if (sender->action == PREPARES)
		prepare((const void *)argument(a, sender->request), message, counts);
	else
		start(sender, a, counts);
	pthread_mutex_unlock(&prepared_lock);
}
