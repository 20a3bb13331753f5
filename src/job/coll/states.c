#include "job/coll/states.h"

#include "job/coll/coll.h"
#include "job/coll/location.h"

#include <pthread.h>
#include <stdlib.h>

/* The maximum number of states of a process: MPICH has about 2,000 communicators, and each state uses two. */
enum { STATES_MAX = 64 };
/* The number of the collective call at which a communicator gets its state. */
enum { CALL_OF_STATE = 4 };

/* The attribute of a communicator: a pointer to its state, or an odd number (twice the number of calls, plus 1). */
static void *const LEFT_TO_MPI = (void *)(uintptr_t)-1; /* not an address */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct coll_state *states; /* sorted by number, descending */
static int state_count;
static int64_t last_number;
static int keyval = MPI_KEYVAL_INVALID;
/* Written once before any state exists, and at the end. */
static enum { LIFE_NOT_BEGUN, LIFE_ON, LIFE_OVER } life;

/* The last lookup of each thread. When a communicator is freed, it becomes invalid for all threads. */
static uint32_t generation;
static __thread struct {
	uint32_t generation;
	MPI_Comm comm;
	struct coll_state *state; /* NULL: the communicator is left to MPI */
} last_found __attribute__((tls_model("initial-exec")));

static bool is_state(const void *value)
{
	return value && !((uintptr_t)value & 1);
}

static void write_outcomes(const struct coll_state *state)
{
	if (state->coll.rank)
		return;
	for (int operation = 0; operation < COLL_OPERATIONS; operation++)
		for (int class = 0; class < SIZE_CLASSES; class ++)
			if (state->entries[operation][class].calls)
				outcome_write(state, operation, class);
}

/* The program frees its communicator, or MPI_Finalize does. */
static int end_state(MPI_Comm comm, int key, void *value, void *unused)
{
	(void)comm;
	(void)key;
	(void)unused;
	__atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
	if (is_state(value)) {
		struct coll_state *state = value;
		struct coll_state **place = &states;
		pthread_mutex_lock(&lock);
		while (*place && *place != state)
			place = &(*place)->next;
		if (*place) {
			*place = state->next;
			state_count--;
		}
		pthread_mutex_unlock(&lock);
		write_outcomes(state);
		coll_comm_release(&state->coll);
		free(state);
	}
	return MPI_SUCCESS;
}

/* MPI_Finalize first deletes the attributes of MPI_COMM_SELF, while MPI still works. Members of a communicator
 * arrive here at different times, but process the communicators that they share in the same order. */
static int end_all(MPI_Comm comm, int key, void *value, void *unused)
{
	(void)comm;
	(void)key;
	(void)value;
	(void)unused;
	while (states)
		if (PMPI_Comm_delete_attr(states->of, keyval) != MPI_SUCCESS)
			break;
	__atomic_store_n(&life, LIFE_OVER, __ATOMIC_RELEASE);
	return MPI_SUCCESS;
}

void states_begin(void)
{
	int self_keyval;
	bool is_made = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_state, &keyval, NULL) ==
	                       MPI_SUCCESS &&
	               PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_all, &self_keyval, NULL) ==
	                       MPI_SUCCESS &&
	               PMPI_Comm_set_attr(MPI_COMM_SELF, self_keyval, LEFT_TO_MPI) == MPI_SUCCESS;

	if (is_made)
		__atomic_store_n(&life, LIFE_ON, __ATOMIC_RELEASE);
}

bool coll_is_alive(void)
{
	return __atomic_load_n(&life, __ATOMIC_ACQUIRE) == LIFE_ON;
}

/* NULL: out of memory, or too many states. */
static struct coll_state *reserve(int64_t *number)
{
	struct coll_state *state = NULL;

	pthread_mutex_lock(&lock);
	*number = ++last_number;
	if (state_count < STATES_MAX)
		state = calloc(1, sizeof *state);
	state_count += state != NULL;
	pthread_mutex_unlock(&lock);
	return state;
}

static void describe_shape(struct coll_state *state)
{
	const struct layout *layout = &state->coll.layout;

	state->shape = (struct coll_shape){.processes = layout->size, .nodes = layout->nodes};
	if (layout_is_regular(layout))
		state->shape.per_node = layout->per_node;
	else
		for (int node = 0; node < layout->nodes; node++)
			if (layout_node_size(layout, node) > state->shape.per_node)
				state->shape.per_node = layout_node_size(layout, node);
}

/* Succeeds on all members or on none: members tell each other whether they failed. */
static struct coll_state *make_together(MPI_Comm comm)
{
	int64_t mine[2], all[2] = {1, 0};
	struct coll_state *state = reserve(&mine[1]);

	mine[0] = !state;
	if (PMPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_MAX, comm) == MPI_SUCCESS && !all[0] && state) {
		pthread_mutex_lock(&lock);
		if (last_number < all[1])
			last_number = all[1];
		pthread_mutex_unlock(&lock);
		mine[0] = coll_comm_make_at(&state->coll, comm, location_get()) != MPI_SUCCESS;
		if (PMPI_Allreduce(mine, all, 1, MPI_INT64_T, MPI_MAX, comm) == MPI_SUCCESS && !all[0]) {
			state->of = comm;
			state->number = all[1];
			describe_shape(state);
			return state;
		}
		if (!mine[0])
			coll_comm_release(&state->coll);
	}
	if (state) {
		pthread_mutex_lock(&lock);
		state_count--;
		pthread_mutex_unlock(&lock);
		free(state);
	}
	return NULL;
}

/* Errors of these MPI calls must not call the program's error handler. */
static struct coll_state *make_state(MPI_Comm comm)
{
	MPI_Errhandler handler;
	struct coll_state *state;

	if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
		return NULL;
	PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	state = make_together(comm);
	PMPI_Comm_set_errhandler(comm, handler);
	PMPI_Errhandler_free(&handler);
	return state;
}

/* Spawned or connected processes may have other settings or lack this library. All members get the same result. */
static bool is_within_world(MPI_Comm comm, int size)
{
	enum { AT_ONCE = 64 };
	int ranks[AT_ONCE], in_world[AT_ONCE];
	MPI_Group members, world;
	bool is_within = true;

	if (comm == MPI_COMM_WORLD)
		return true;
	PMPI_Comm_group(comm, &members);
	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	for (int first = 0; first < size && is_within; first += AT_ONCE) {
		const int count = size - first < AT_ONCE ? size - first : AT_ONCE;
		for (int i = 0; i < count; i++)
			ranks[i] = first + i;
		PMPI_Group_translate_ranks(members, count, ranks, world, in_world);
		for (int i = 0; i < count && is_within; i++)
			is_within = in_world[i] != MPI_UNDEFINED;
	}
	PMPI_Group_free(&members);
	PMPI_Group_free(&world);
	return is_within;
}

/* The first calls are only counted. */
static struct coll_state *count_call(MPI_Comm comm, void *value, int size)
{
	const uintptr_t calls = value ? (uintptr_t)value >> 1 : 0;
	struct coll_state *state = NULL;
	int is_inter = 0;
	void *kept = LEFT_TO_MPI;

	PMPI_Comm_test_inter(comm, &is_inter);
	if (!is_inter && size > 1) {
		if (comm != MPI_COMM_WORLD && calls + 1 < CALL_OF_STATE)
			kept = (void *)((calls + 1) << 1 | 1); /* not an address */
		else if (is_within_world(comm, size) && (state = make_state(comm)))
			kept = state;
	}
	if (state) {
		struct coll_state **place = &states;
		pthread_mutex_lock(&lock);
		while (*place && (*place)->number > state->number)
			place = &(*place)->next;
		state->next = *place;
		*place = state;
		pthread_mutex_unlock(&lock);
	}
	PMPI_Comm_set_attr(comm, keyval, kept);
	return state;
}

static struct coll_state *look_up(MPI_Comm comm, const struct coll_call *call)
{
	const uint32_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
	void *value = NULL;
	struct coll_state *state;
	int found = 0, rank = 0, size = 1;

	if (comm == MPI_COMM_NULL || PMPI_Comm_get_attr(comm, keyval, &value, &found) != MPI_SUCCESS)
		return NULL;
	if (!found)
		value = NULL;
	if (is_state(value) || value == LEFT_TO_MPI) {
		last_found.generation = now;
		last_found.comm = comm;
		last_found.state = value == LEFT_TO_MPI ? NULL : value;
		return last_found.state;
	}
	PMPI_Comm_rank(comm, &rank);
	PMPI_Comm_size(comm, &size);
	/* Calls that MPI rejects are not counted. */
	if (!coll_arguments_are_good(call, rank, size))
		return NULL;
	state = count_call(comm, value, size);
	return state;
}

struct coll_state *state_find(MPI_Comm comm, const struct coll_call *call)
{
	struct coll_state *state;

	if (__builtin_expect(!coll_is_alive(), 0))
		return NULL;
	if (last_found.comm == comm &&
	    last_found.generation == __atomic_load_n(&generation, __ATOMIC_ACQUIRE))
		state = last_found.state;
	else
		state = look_up(comm, call);
	if (state && !coll_arguments_are_good(call, state->coll.rank, state->coll.size))
		return NULL;
	return state;
}
