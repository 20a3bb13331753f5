#include "bench/run/trial.h"

#include "base/memory.h"
#include "bench/run/agreement.h"
#include "bench/run/buffers.h"
#include "bench/run/communicators.h"
#include "bench/run/parts.h"
#include "bench/run/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_RESERVE = 10 }; /* the reciprocal of the share that stays free */

static bool has(const struct trial *trial, unsigned trait)
{
	return trial->operation->traits & trait;
}

static bool fits_an_int(const struct trial *trial, uint64_t count)
{
	uint64_t most = INT32_MAX;

	if (count > most)
		return false;
	if (has(trial, HAS_BYTE_PLACES))
		most /= trial->datatype.extent;
	return !has(trial, IS_UNEVEN) || count + count / 2 <= most / (uint64_t)trial->ranks;
}

static enum status check_count(const struct trial *trial, uint64_t count)
{
	if (fits_an_int(trial, count))
		return OK;
	return fail("%s uses 32-bit counts, and %llu bytes%s are more: take smaller '--sizes', or a larger "
	            "'--datatype'",
	            trial->operation->name, (unsigned long long)trial->bytes,
	            has(trial, IS_UNEVEN) ? " for each process" : "");
}

static const char *usual_type(const struct trial *trial)
{
	if (trial->how)
		return reduction_usual_type(trial->how);
	return has(trial, IS_ONE_ELEMENT) ? "int" : "byte";
}

static enum status check_element(const struct trial *trial)
{
	if (has(trial, IS_ONE_ELEMENT) && trial->datatype.make)
		return fail("%s does not accept a derived type such as '%s': choose a basic one",
		            trial->operation->name, trial->datatype.name);
	if (has(trial, IS_FOR_WHOLE_NUMBERS) &&
	    !(trial->datatype.pieces[0].basic->kind & (KIND_INTEGER | KIND_BYTE)))
		return fail("%s is not defined for '%s': choose an integer or byte", trial->operation->name,
		            trial->datatype.name);
	return OK;
}

/* Checks that need no MPI; `bytes` is the requested size. */
static enum status read_plan(struct trial *trial)
{
	const struct bench_plan *wanted = trial->wanted;
	uint64_t count;

	TRY(topology_check(wanted->topology));
	if (has(trial, REDUCES))
		TRY(reduction_find(wanted->reduction, &trial->how));
	TRY(datatype_read(wanted->datatype ? wanted->datatype : usual_type(trial), &trial->arena,
	                  &trial->datatype));
	TRY(plan_root(has(trial, HAS_ROOT) ? wanted->root : NULL, trial->ranks, &trial->root));
	if (trial->how)
		TRY(reduction_check(trial->how, &trial->datatype));
	TRY(check_element(trial));
	count = has(trial, IS_ONE_ELEMENT) ? 1 : datatype_count(&trial->datatype, trial->bytes);
	TRY(check_count(trial, count));
	trial->count = (int)count;
	trial->bytes = count * trial->datatype.size;
	trial->in_place = wanted->in_place && has(trial, CAN_BE_IN_PLACE);
	return OK;
}

/* Uneven blocks have up to 1.5 times the size of even ones. */
static bool buffer_bytes(const struct trial *trial, enum blocks blocks, uint64_t *bytes)
{
	uint64_t count = (uint64_t)trial->count + (has(trial, IS_UNEVEN) ? (uint64_t)trial->count / 2 : 0);

	return !__builtin_mul_overflow(count * trial->datatype.extent, (uint64_t)blocks_in(trial, blocks),
	                               bytes);
}

static bool plan_slots(const struct trial *trial, int sharers, struct slots *slots)
{
	uint64_t send, receive;

	if (!buffer_bytes(trial, trial->operation->send, &send) ||
	    !buffer_bytes(trial, trial->operation->receive, &receive))
		return false;
	if (trial->in_place && receive < send)
		receive = send;
	return slots_plan(trial->wanted, send, receive, sharers, slots);
}

static int smaller_of(int a, int b)
{
	return a < b ? a : b;
}

/* A root with a block per process reuses its slots long before the others, and most processes of a pair
 * are idle: so they contribute little to filling the cache. */
static int helpers(const struct trial *trial, int sharers)
{
	const struct bench_operation *operation = trial->operation;
	bool has_all = operation->send == BLOCK_EACH || operation->receive == BLOCK_EACH;

	/* The target of an access must use the same slot, so all processes have equally many. */
	if (has(trial, IS_ONE_SIDED) || (has(trial, HAS_ROOT) && has_all && trial->rank == trial->root))
		return 1;
	if (has(trial, IS_PAIR) && (trial->rank == 0 || trial->rank == trial->ranks - 1))
		return smaller_of(sharers, 2);
	return sharers;
}

static uint64_t memory_as(struct trial *trial, int rank)
{
	int sharers = smaller_of(trial->ranks, sharers_of(surroundings.node_peer_count));
	struct slots slots;

	trial->rank = rank;
	return plan_slots(trial, helpers(trial, sharers), &slots) ? slots_bytes(&slots) : UINT64_MAX;
}

static struct trial draft(const struct bench_operation *operation, const struct bench_plan *wanted,
                          uint64_t bytes, int ranks)
{
	return (struct trial){.operation = operation, .wanted = wanted, .bytes = bytes, .ranks = ranks};
}

uint64_t trial_memory(const struct bench_operation *operation, const struct bench_plan *wanted,
                      uint64_t bytes, int ranks)
{
	struct trial trial = draft(operation, wanted, bytes, ranks);
	uint64_t memory = read_plan(&trial) == OK ? memory_as(&trial, trial.root) : 0;

	arena_release(&trial.arena);
	return memory;
}

static enum status refuse_memory(const struct trial *trial, uint64_t needed, uint64_t there, const char *whom)
{
	bool grows = trial->operation->send == BLOCK_EACH || trial->operation->receive == BLOCK_EACH;
	struct text need = {0}, have = {0};
	enum status status;

	text_add_size(&need, needed);
	text_add_size(&have, there);
	status = fail(
		"buffers of %s for %llu bytes and %d processes need %s %s, but %s are available: take smaller '--sizes'%s",
		trial->operation->name, (unsigned long long)trial->bytes, trial->ranks,
		needed == UINT64_MAX ? "more than can be counted" : text_get(&need), whom, text_get(&have),
		grows ? " or fewer '--ranks', with which they grow" : ", or '--cache warm'");
	text_release(&need);
	text_release(&have);
	return status;
}

static enum status check_memory(struct trial *trial)
{
	uint64_t together = (uint64_t)smaller_of(surroundings.node_processes, trial->ranks), others, on_node;
	uint64_t root = memory_as(trial, trial->root),
		 other = memory_as(trial, trial->root ? 0 : trial->ranks - 1);

	if (root > surroundings.process_memory - surroundings.process_memory / MEMORY_RESERVE)
		return refuse_memory(trial, root, surroundings.process_memory, "in a process");
	if (__builtin_mul_overflow(other, together - 1, &others) ||
	    __builtin_add_overflow(root, others, &on_node))
		on_node = UINT64_MAX;
	if (on_node > surroundings.node_memory - surroundings.node_memory / MEMORY_RESERVE)
		return refuse_memory(trial, on_node, surroundings.node_memory, "on a node");
	return OK;
}

/* Open MPI (4.1) ends the job for accumulates of other pairs. */
static bool ends_the_job(const struct trial *trial)
{
#ifdef OPEN_MPI
	return trial->how && trial->datatype.pieces[0].basic->kind == KIND_PAIR &&
	       strcmp(trial->datatype.pieces[0].basic->name, "2int") != 0;
#else
	(void)trial;
	return false;
#endif
}

static enum status check_access(const struct trial *trial)
{
	if (trial->how && !trial->how->op)
		return fail("%s does not accept a user-defined operation: choose another '--reduction'",
		            trial->operation->name);
	if (ends_the_job(trial))
		return fail("Open MPI has no %s of '%s', and would end the job: take '2int'",
		            trial->operation->name, trial->datatype.name);
	return OK;
}

static enum status check(struct trial *trial)
{
	const struct bench_operation *operation = trial->operation;

	if (!operation->run)
		return fail("this MPI library has no %s", operation->name);
	if (trial->ranks < operation->ranks_min)
		return fail("%s needs at least %d processes: start the job with more", operation->name,
		            operation->ranks_min);
	TRY(read_plan(trial));
	if (has(trial, IS_ONE_SIDED))
		TRY(check_access(trial));
	return check_memory(trial);
}

enum status trial_check_words(const struct bench_plan *wanted)
{
	const struct reduction *reduction;
	struct datatype datatype;
	struct arena arena = {0};
	enum status status = wanted->datatype ? datatype_read(wanted->datatype, &arena, &datatype) : OK;

	arena_release(&arena);
	TRY(status);
	TRY(reduction_find(wanted->reduction, &reduction));
	TRY(topology_check(wanted->topology));
	return communicator_check(wanted->communicator);
}

enum status trial_check(const struct bench_operation *operation, const struct bench_plan *wanted,
                        uint64_t bytes, int ranks)
{
	struct trial trial = draft(operation, wanted, bytes, ranks);
	enum status status = check(&trial);

	arena_release(&trial.arena);
	return status;
}

void trial_look_around(MPI_Comm world)
{
	surroundings_find(world);
}

static void say_rounding(struct trial *trial, uint64_t asked)
{
	if (has(trial, HAS_SIZE) && trial->bytes != asked)
		snprintf(trial->note, sizeof trial->note, "%llu %s measured as %llu: '%.40s' has %zu",
		         (unsigned long long)asked, asked == 1 ? "byte is" : "bytes are",
		         (unsigned long long)trial->bytes, trial->datatype.name, trial->datatype.size);
}

static enum status make_buffers(struct trial *trial)
{
	int sharers = surroundings_sharers(trial->comm);
	struct slots slots;

	if (!plan_slots(trial, helpers(trial, sharers), &slots))
		return fail("%s with %llu bytes: the memory size overflows", trial->operation->name,
		            (unsigned long long)trial->bytes);
	trial->buffers = arena_new(&trial->arena, struct buffers);
	return buffers_init(trial->buffers, &slots, trial->wanted, trial->datatype.pieces[0].basic);
}

static enum status make_alone(struct trial *trial)
{
	uint64_t asked = trial->bytes;

	TRY(read_plan(trial));
	say_rounding(trial, asked);
	trial->type = datatype_make(&trial->datatype);
	if (trial->how)
		trial->reduction = reduction_make(trial->how, &trial->datatype);
	return make_buffers(trial);
}

static enum status make_together(struct trial *trial)
{
	struct neighbour_lists neighbours = {0};

	if (has(trial, IN_NEIGHBOURHOOD)) {
		trial->call_on = MPI_COMM_NULL;
		TRY(mpi_status(topology_make(trial->wanted->topology, trial->comm, &trial->arena, &neighbours,
		                             &trial->call_on),
		               "making a topology"));
	}
	parts_make(trial, &neighbours);
	return trial->operation->prepare ? trial->operation->prepare(trial) : OK;
}

static void begin(struct trial *trial, const struct bench_operation *operation,
                  const struct bench_plan *wanted, MPI_Comm comm, uint64_t bytes)
{
	int ranks;

	MPI_Comm_size(comm, &ranks);
	*trial = draft(operation, wanted, bytes, ranks);
	MPI_Comm_rank(comm, &trial->rank);
	trial->comm = trial->call_on = comm;
	trial->type = MPI_DATATYPE_NULL;
	trial->reduction = MPI_OP_NULL;
	trial->request = MPI_REQUEST_NULL;
}

enum status trial_can_be_silent(const struct bench_operation *operation)
{
	if (operation->run && (operation->traits & IN_NEIGHBOURHOOD || operation->prepare))
		return fail("the first call of %s is not measured: processes must communicate to prepare it",
		            operation->name);
	return OK;
}

enum status trial_prepare_silently(struct trial *trial, const struct bench_operation *operation,
                                   const struct bench_plan *wanted, MPI_Comm comm, uint64_t bytes)
{
	begin(trial, operation, wanted, comm, bytes);
	TRY(trial_check(operation, wanted, bytes, trial->ranks));
	TRY(make_alone(trial));
	return make_together(trial);
}

enum status trial_prepare(struct trial *trial, const struct bench_operation *operation,
                          const struct bench_plan *wanted, MPI_Comm comm, uint64_t bytes)
{
	enum status status;

	begin(trial, operation, wanted, comm, bytes);
	status = agree(comm, make_alone(trial));
	if (status == OK)
		status = agree(comm, make_together(trial));
	if (status == OK && wanted->verify)
		status = agree(comm, trial_verify(trial));
	if (status != OK)
		trial_release(trial);
	return status;
}

static void choose_in_place(struct trial *trial)
{
	bool scatters = has(trial, HAS_ROOT) && trial->operation->send == BLOCK_EACH;

	if (!trial->in_place || (has(trial, HAS_ROOT) && trial->rank != trial->root))
		return;
	*(scatters ? &trial->receive : &trial->send) = MPI_IN_PLACE;
}

void trial_freshen(struct trial *trial, int64_t runs)
{
	/* One turn before each run, and one after the last. */
	buffers_freshen(trial->buffers, (size_t)runs + 1);
}

void trial_turn(struct trial *trial)
{
	buffers_turn(trial->buffers);
	trial->send = trial->buffers->send;
	trial->receive = trial->buffers->receive;
	choose_in_place(trial);
	if (trial->operation->turn)
		trial->trouble = trial->operation->turn(trial);
}

void trial_release(struct trial *trial)
{
	if (trial->operation->release)
		trial->operation->release(trial);
	if (trial->call_on != trial->comm && trial->call_on != MPI_COMM_NULL)
		MPI_Comm_free(&trial->call_on);
	if (trial->buffers)
		buffers_release(trial->buffers);
	reduction_free(trial->how, &trial->reduction);
	if (trial->datatype.count)
		datatype_free(&trial->datatype, &trial->type);
	arena_release(&trial->arena);
	*trial = (struct trial){0};
}

static void tell_cache(const struct bench_plan *wanted, struct results *results)
{
	struct text cache = {0}, walked = {0};

	text_add_size(&cache, surroundings.cache_bytes);
	text_add_size(&walked, bytes_to_walk(sharers_of(surroundings.node_peer_count)));
	if (surroundings.cache_bytes)
		results_fact(results, "buffers", "last cache", "%s, of %d processes", text_get(&cache),
		             surroundings.node_peer_count);
	else
		results_fact(results, "buffers", "last cache", "unknown");
	if (is_warm(wanted))
		results_fact(results, "buffers", "walked through", "nothing: all runs have the same buffers");
	else
		results_fact(results, "buffers", "walked through",
		             "at least %s in each process for each line", text_get(&walked));
	text_release(&cache);
	text_release(&walked);
}

void trial_facts(const struct trial *trial, struct results *results)
{
	if (!has(trial, HAS_SIZE) || results_find_fact(results, "buffers", "pages"))
		return;
	results_fact(results, "buffers", "pages", "%s", trial->buffers->pages);
	tell_cache(trial->wanted, results);
}
