/* Every operation that gives a request, those with neighbours, and one-sided ones with all kinds of synchronisation: with solid types, types with gaps and elements that interleave, in place or not,
 * with the first and the last rank as root, with counts for each peer, some of them 0, between two groups and in topologies. Persistent ones run twice. A
 * checksum of all buffers, gaps and all, is written for each: it has to be the same under `tarry check --buffers=all`.
 *
 *	operations FILE EVERY   runs one in EVERY of them, and writes FILE.RANK */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROOM = 1 << 15,
	START = 1 << 12,
	RANKS = 32,
	COUNT = 3,
	PARTITIONS = 2,
	COLUMN = 512,
	TOTAL = 40,
	REPEATS = 2,
	REFERENCES = 4096
};
enum in_place { NEVER, SEND, SEND_AT_ROOT, RECEIVE_AT_ROOT };
enum group {
	CLASS_POINT_TO_POINT,
	CLASS_PERSISTENT,
	CLASS_PARTITIONED,
	CLASS_PROBE,
	CLASS_COLLECTIVE,
	CLASS_NEIGHBOURHOOD,
	CLASS_ONE_SIDED,
	CLASS_FILE_DATA
};

struct operands {
	void *sbuf, *rbuf;
	int count, scount, rcount;
	MPI_Datatype type, stype, rtype, target_type;
	MPI_Datatype stypes[RANKS], rtypes[RANKS];
	struct {
		int scounts[RANKS], rcounts[RANKS], sdispls[RANKS], rdispls[RANKS];
	} plain;
	struct {
		MPI_Count scounts[RANKS], rcounts[RANKS];
		MPI_Aint sdispls[RANKS], rdispls[RANKS];
	} large;
	int dest, source, root;
	MPI_Comm comm;
	MPI_Op op;
	MPI_Win win;
	MPI_File file;
	MPI_Offset offset;
	MPI_Message message;
};

struct operation {
	const char *name, *moves;
	enum group group;
	enum in_place in_place;
	int (*call)(struct operands *o, MPI_Request *request);
	bool gives_request, persistent, has_op, has_root, sends, receives, one_type, bytes_apart, needs_intra,
		partitioned;
};

#include "operations.h"

/* The participants, and the partners of each. */
struct peers {
	const char *name;
	MPI_Comm comm;
	int rank, size, destinations, sources;
	int destination[RANKS], source[RANKS];
	bool is_inter, is_topology;
	bool is_first; /* of the two groups of an intercommunicator */
};

/* An element has 8 bytes: two ints, or one number. */
struct element {
	const char *name;
	MPI_Datatype type;
	int extent, offsets[2];
};

struct test_case {
	const struct operation *operation;
	const struct peers *peers;
	const struct element *sent, *received;
	bool in_place;
	int root;
};

static struct element number, solid, gaps, columns;
static unsigned char *sent_bytes, *received_bytes, *window_bytes;
static const struct element *added; /* that add() adds */
static MPI_Op op_add;
static MPI_Win window;
static MPI_File file;
static FILE *results;
static int world_rank, world_size, every;

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *count; i++)
		for (int j = 0; j < 2; j++) {
			const int at = i * added->extent + added->offsets[j];

			*(int *)((char *)inout + at) += *(int *)((char *)in + at);
		}
}

/* MPICH 4.0 loses a reference to the type in each MPI_Isendrecv and each start of a persistent collective operation, until the type is freed: types made of
 * it keep it. It may crash when a request of a collective operation is started a second time, and MPI_Isendrecv_replace sends garbage of types with gaps. */
#if defined MPICH_NUMVERSION && MPICH_NUMVERSION < 40100000
#define HAS_FAULTS_OF_MPICH true
#else
#define HAS_FAULTS_OF_MPICH false
#endif

static void keep_type(MPI_Datatype type)
{
	MPI_Datatype made;

	MPI_Type_commit(&type);
	for (int i = 0; i < REFERENCES && HAS_FAULTS_OF_MPICH; i++)
		PMPI_Type_contiguous(1, type, &made); /* their end is never queried */
}

static void make_types(void)
{
	const MPI_Aint apart[] = {0, 12}, column[] = {0, COLUMN};
	MPI_Datatype inner;

	number = (struct element){"number", MPI_LONG_LONG, 8, {0, 4}};
	solid = (struct element){"solid", MPI_DATATYPE_NULL, 8, {0, 4}};
	gaps = (struct element){"gaps", MPI_DATATYPE_NULL, 24, {0, 12}};
	columns = (struct element){"columns", MPI_DATATYPE_NULL, 4, {0, COLUMN}};
	MPI_Type_contiguous(2, MPI_INT, &solid.type);
	MPI_Type_create_hindexed_block(2, 1, apart, MPI_INT, &inner);
	MPI_Type_create_resized(inner, 0, gaps.extent, &gaps.type);
	MPI_Type_free(&inner);
	MPI_Type_create_hindexed_block(2, 1, column, MPI_INT, &inner);
	MPI_Type_create_resized(inner, 0, columns.extent, &columns.type);
	MPI_Type_free(&inner);
	keep_type(solid.type);
	keep_type(gaps.type);
	keep_type(columns.type);
}

static void fill(unsigned char *bytes, unsigned seed)
{
	for (int i = 0; i < ROOM; i++) {
		seed = seed * 1103515245 + 12345;
		bytes[i] = (unsigned char)(seed >> 16);
	}
}

static uint64_t checksum(const unsigned char *bytes)
{
	uint64_t sum = 14695981039346656037u;

	for (int i = 0; i < ROOM; i++)
		sum = (sum ^ bytes[i]) * 1099511628211u;
	return sum;
}

static void write_result(const struct test_case *t, int repeat)
{
	fprintf(results, "%s %s %s>%s%s root %d, %d: %016llx %016llx %016llx\n", t->operation->name,
	        t->peers->name, t->sent->name, t->received->name, t->in_place ? " in place" : "", t->root,
	        repeat, (unsigned long long)checksum(sent_bytes),
	        (unsigned long long)checksum(received_bytes), (unsigned long long)checksum(window_bytes));
	fflush(results);
}

/* How much each rank has of what all share; some have nothing. */
static int share_of(const struct test_case *t, int rank)
{
	const struct peers *p = t->peers;

	/* both groups of an intercommunicator have the same sum */
	if (p->is_inter && t->operation->has_op)
		return rank ? 1 : TOTAL - (p->size - 1);
	return (rank * 3 + 2) % 4;
}

static int pair_count(const struct test_case *t, int from, int to)
{
	return t->in_place ? (from + to) % 4 : (from + 2 * to) % 4;
}

/* `shared`: of the same number wherever it goes to, by the rank that has it; otherwise of pairs. */
static void set_blocks(const struct test_case *t, struct operands *o, bool sends, bool shared)
{
	const struct peers *p = t->peers;
	const int count = sends ? p->destinations : p->sources;
	const int extent = (sends ? t->sent : t->received)->extent;

	for (int i = 0; i < count; i++) {
		const int peer = sends ? p->destination[i] : p->source[i];
		const int elements = shared ? share_of(t, peer)
		                            : pair_count(t, sends ? p->rank : peer, sends ? peer : p->rank);
		/* blocks in reverse order, with room between them */
		const int place = (count - 1 - i) * 4 * (t->operation->bytes_apart ? extent : 1);

		*(sends ? &o->plain.scounts[i] : &o->plain.rcounts[i]) = elements;
		*(sends ? &o->large.scounts[i] : &o->large.rcounts[i]) = elements;
		*(sends ? &o->plain.sdispls[i] : &o->plain.rdispls[i]) = place;
		*(sends ? &o->large.sdispls[i] : &o->large.rdispls[i]) = place;
	}
}

static bool is_root(const struct test_case *t)
{
	return t->peers->is_inter ? t->root == MPI_ROOT : t->root == t->peers->rank;
}

static bool ends_with(const char *text, const char *end)
{
	const size_t length = strlen(text), wanted = strlen(end);

	return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static void set_counts(const struct test_case *t, struct operands *o)
{
	const struct peers *p = t->peers;
	const char *moves = t->operation->moves;
	const bool is_gather = ends_with(moves, "gatherv"), is_scatter = strcmp(moves, "scatterv") == 0;

	o->count = o->scount = o->rcount = COUNT;
	set_blocks(t, o, true, is_scatter);
	set_blocks(t, o, false, is_gather);
	if (is_gather)
		o->scount = share_of(t, p->rank);
	if (is_scatter)
		o->rcount = share_of(t, p->rank);
	if (strcmp(moves, "reduce_scatter") == 0)
		for (int i = 0; i < p->size; i++)
			o->large.rcounts[i] = o->plain.rcounts[i] = share_of(t, i);
	if (strcmp(moves, "reduce_scatter_block") == 0 && p->is_inter)
		o->rcount = p->sources;
}

static struct operands operands_of(const struct test_case *t)
{
	const bool at_root = is_root(t);
	struct operands o = {.sbuf = sent_bytes + START,
	                     .rbuf = received_bytes + START,
	                     .comm = t->peers->comm,
	                     .root = t->root,
	                     .win = window,
	                     .file = file,
	                     .op = MPI_SUM};

	set_counts(t, &o);
	o.stype = t->sent->type;
	o.rtype = o.type = t->received->type;
	o.target_type = t->operation->receives && !t->operation->sends ? o.stype : o.rtype;
	if (strcmp(t->operation->moves, "send") == 0 || strcmp(t->operation->moves, "put") == 0 ||
	    strcmp(t->operation->moves, "write") == 0 ||
	    (strcmp(t->operation->moves, "bcast") == 0 && at_root))
		o.type = t->sent->type;
	for (int i = 0; i < RANKS; i++) {
		o.stypes[i] = o.stype;
		o.rtypes[i] = o.rtype;
	}
	added = t->received;
	if (t->operation->group == CLASS_COLLECTIVE && t->received != &number)
		o.op = op_add;
	if (t->in_place && t->operation->in_place == RECEIVE_AT_ROOT && at_root)
		o.rbuf = MPI_IN_PLACE;
	if (t->in_place &&
	    (t->operation->in_place == SEND || (t->operation->in_place == SEND_AT_ROOT && at_root)))
		o.sbuf = MPI_IN_PLACE;
	return o;
}

/* In one of several ways. */
static void complete(MPI_Request *request)
{
	static unsigned number_of_calls;
	int flag = 0;

	switch (number_of_calls++ % 3) {
	case 0:
		MPI_Wait(request, MPI_STATUS_IGNORE);
		break;
	case 1:
		MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
		break;
	default:
		while (!flag)
			MPI_Test(request, &flag, MPI_STATUS_IGNORE);
	}
}

static void prepare(const struct test_case *t, int repeat)
{
	const unsigned seed = (unsigned)(t->operation - operations) * 1000 + (unsigned)world_rank * 10 +
	                      (unsigned)repeat;

	fill(sent_bytes, seed);
	fill(received_bytes, seed + 7);
}

static void begin(const struct test_case *t, struct operands *o, MPI_Request *request, int repeat)
{
	if (!repeat || !t->operation->persistent) {
		*request = MPI_REQUEST_NULL;
		t->operation->call(o, request);
	}
	if (t->operation->persistent)
		MPI_Start(request);
}

static void end(const struct test_case *t, MPI_Request *request)
{
	if (t->operation->gives_request)
		complete(request);
}

static bool begins_with(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

static bool is_left_out(const struct test_case *t)
{
	const bool needs_number = strcmp(t->operation->moves, "fetch") == 0;

	if (needs_number && t->received != &number)
		return true;
	return HAS_FAULTS_OF_MPICH && begins_with(t->operation->name, "Isendrecv_replace") &&
	       t->received != &number;
}

static int starts_of(const struct test_case *t)
{
	return t->operation->persistent && !HAS_FAULTS_OF_MPICH ? REPEATS : 1;
}

static void run_collective(const struct test_case *t)
{
	struct operands o = operands_of(t);
	MPI_Request request;

	for (int repeat = 0; repeat < starts_of(t); repeat++) {
		prepare(t, repeat);
		begin(t, &o, &request, repeat);
		end(t, &request);
		write_result(t, repeat);
	}
	if (t->operation->persistent)
		MPI_Request_free(&request);
}

/* To the next rank, from the one before. The other side of the message is a plain one; the second message is shorter than its receive. */
static void run_message(const struct test_case *t)
{
	struct operands o = operands_of(t);
	const bool only_sends = strcmp(t->operation->moves, "send") == 0,
		   only_receives = strcmp(t->operation->moves, "recv") == 0;
	MPI_Request request, other = MPI_REQUEST_NULL;

	o.dest = (world_rank + 1) % world_size;
	o.source = (world_rank + world_size - 1) % world_size;
	for (int repeat = 0; repeat < REPEATS; repeat++) {
		prepare(t, repeat);
		if (only_sends)
			MPI_Irecv(o.rbuf, COUNT + repeat, o.rtype, o.source, 0, o.comm, &other);
		else if (only_receives)
			MPI_Isend(o.sbuf, COUNT - repeat, o.stype, o.dest, 0, o.comm, &other);
		MPI_Barrier(o.comm); /* a ready send needs a receive */
		if (t->operation->group == CLASS_PROBE)
			MPI_Mprobe(o.source, 0, o.comm, &o.message, MPI_STATUS_IGNORE);
		begin(t, &o, &request, repeat);
		end(t, &request);
		MPI_Wait(&other, MPI_STATUS_IGNORE);
		write_result(t, repeat);
	}
	if (t->operation->persistent)
		MPI_Request_free(&request);
}

#if MPI_VERSION >= 4
static const struct operation *partitioned_send(void)
{
	const struct operation *found = operations;

	while (!found->partitioned || !found->sends)
		found++;
	return found;
}

static void run_partitioned(const struct test_case *t)
{
	const struct operation *sends = partitioned_send();
	struct operands o = operands_of(t);
	MPI_Request requests[2];

	o.dest = (world_rank + 1) % world_size;
	o.source = (world_rank + world_size - 1) % world_size;
	t->operation->call(&o, &requests[0]);
	o.type = t->sent->type;
	sends->call(&o, &requests[1]);
	for (int repeat = 0; repeat < REPEATS; repeat++) {
		prepare(t, repeat);
		MPI_Startall(2, requests);
		MPI_Pready_range(0, PARTITIONS - 1, requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		write_result(t, repeat);
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}
#endif

/* Ways to begin and to complete one-sided operations. Those with requests need a lock. */
enum synchronisation {
	LOCK_ALL,
	LOCK,
	FLUSH,
	FLUSH_LOCAL,
	FLUSH_ALL,
	FLUSH_LOCAL_ALL,
	FENCE,
	POST,
	SYNCHRONISATIONS
};

static void open_epoch(enum synchronisation way, int target, MPI_Group targets, MPI_Group origins)
{
	if (way == FENCE) {
		MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
	} else if (way == POST) {
		MPI_Win_post(origins, 0, window);
		MPI_Win_start(targets, 0, window);
	} else if (way == LOCK || way == FLUSH || way == FLUSH_LOCAL) {
		MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window);
	} else {
		MPI_Win_lock_all(0, window);
	}
}

/* The program's data right after the call that completes the operation at the origin. */
static uint64_t completed(enum synchronisation way, int target)
{
	if (way == FLUSH)
		MPI_Win_flush(target, window);
	else if (way == FLUSH_LOCAL)
		MPI_Win_flush_local(target, window);
	else if (way == FLUSH_ALL)
		MPI_Win_flush_all(window);
	else if (way == FLUSH_LOCAL_ALL)
		MPI_Win_flush_local_all(window);
	else
		return 0;
	return checksum(received_bytes);
}

static void close_epoch(enum synchronisation way, int target)
{
	if (way == FENCE) {
		MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
	} else if (way == POST) {
		MPI_Win_complete(window);
		MPI_Win_wait(window);
	} else if (way == LOCK || way == FLUSH || way == FLUSH_LOCAL) {
		MPI_Win_unlock(target, window);
	} else {
		MPI_Win_unlock_all(window);
	}
}

static void run_synchronised(const struct test_case *t, enum synchronisation way)
{
	struct operands o = operands_of(t);
	MPI_Group all, targets, origins;
	MPI_Request request = MPI_REQUEST_NULL;
	const int before = (world_rank + world_size - 1) % world_size;
	uint64_t early;

	o.dest = (world_rank + 1) % world_size;
	prepare(t, 0);
	MPI_Comm_group(o.comm, &all);
	MPI_Group_incl(all, 1, &o.dest, &targets);
	MPI_Group_incl(all, 1, &before, &origins);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, world_rank, 0, window);
	fill(window_bytes, (unsigned)world_rank);
	MPI_Win_unlock(world_rank, window);
	MPI_Barrier(o.comm);
	open_epoch(way, o.dest, targets, origins);
	begin(t, &o, &request, 0);
	end(t, &request);
	early = completed(way, o.dest);
	close_epoch(way, o.dest);
	if (early && early != checksum(received_bytes))
		fprintf(results, "MPI wrote to the buffer later\n");
	MPI_Barrier(o.comm);
	write_result(t, (int)way);
	MPI_Group_free(&all);
	MPI_Group_free(&targets);
	MPI_Group_free(&origins);
}

/* Many processes on few processors wait long for locks of MPICH. */
static void run_one_sided(const struct test_case *t)
{
	const int ways = world_size > 4 ? LOCK : t->operation->gives_request ? FENCE : SYNCHRONISATIONS;

	for (int way = 0; way < ways; way++)
		run_synchronised(t, (enum synchronisation)way);
}

/* Every rank has a file of its own, as they would take turns at shared pointers. */
static void run_file(const struct test_case *t)
{
	struct operands o = operands_of(t);
	MPI_Request request;
	MPI_Status status;

	prepare(t, 0);
	fill(window_bytes, 5);
	MPI_File_write_at(file, 0, window_bytes, ROOM, MPI_BYTE, &status);
	MPI_File_seek(file, 40, MPI_SEEK_SET);
	MPI_File_seek_shared(file, 48, MPI_SEEK_SET);
	o.offset = 56;
	begin(t, &o, &request, 0);
	end(t, &request);
	MPI_File_read_at(file, 0, window_bytes, ROOM, MPI_BYTE, &status);
	write_result(t, 0);
}

static void run(const struct test_case *t)
{
	static int cases;

	if (cases++ % every || is_left_out(t))
		return;
	switch (t->operation->group) {
	case CLASS_COLLECTIVE:
	case CLASS_NEIGHBOURHOOD:
		run_collective(t);
		break;
	case CLASS_PARTITIONED:
#if MPI_VERSION >= 4
		if (t->operation->receives)
			run_partitioned(t);
#endif
		break;
	case CLASS_ONE_SIDED:
		run_one_sided(t);
		break;
	case CLASS_FILE_DATA:
		run_file(t);
		break;
	default:
		run_message(t);
	}
}

static void run_roots(struct test_case t)
{
	const struct peers *p = t.peers;

	if (p->is_inter) { /* one in each group */
		for (int first = 0; first < 1 + t.operation->has_root; first++) {
			t.root = p->is_first != first ? 0 : p->rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
			run(&t);
		}
		return;
	}
	for (t.root = 0; t.root<p->size; t.root += p->size> 1 ? p->size - 1 : 1) {
		run(&t);
		if (!t.operation->has_root)
			return;
	}
}

static void run_types(struct test_case t)
{
	const struct element *const pairs[][2] = {{&number, &number}, {&gaps, &gaps}, {&solid, &columns}};

	for (int i = 0; i < 3; i++) {
		t.received = pairs[i][1];
		/* reductions and in-place operations have only one type */
		t.sent = (t.operation->has_op && t.operation->group == CLASS_COLLECTIVE) ? t.received
		                                                                         : pairs[i][0];
		for (int in_place = 0; in_place < (t.operation->in_place && !t.peers->is_inter ? 2 : 1);
		     in_place++) {
			t.in_place = in_place;
			run_roots(t);
		}
	}
}

static void run_operations(const struct peers *p)
{
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
		const struct operation *operation = &operations[i];
		const struct test_case t = {.operation = operation, .peers = p};
		const bool is_for_neighbours = operation->group == CLASS_NEIGHBOURHOOD;

		if (is_for_neighbours != p->is_topology ||
		    (p->is_inter && (operation->needs_intra || operation->group != CLASS_COLLECTIVE)))
			continue;
		run_types(t);
	}
}

static struct peers all_of(const char *name, MPI_Comm comm)
{
	struct peers p = {.name = name, .comm = comm};
	int is_inter;

	MPI_Comm_rank(comm, &p.rank);
	MPI_Comm_size(comm, &p.size);
	MPI_Comm_test_inter(comm, &is_inter);
	p.is_inter = is_inter;
	p.destinations = p.sources = p.size;
	if (p.is_inter)
		MPI_Comm_remote_size(comm, &p.destinations), p.sources = p.destinations;
	for (int i = 0; i < p.sources; i++)
		p.source[i] = p.destination[i] = i;
	return p;
}

static void run_two_groups(void)
{
	const int colour = world_rank % 2;
	MPI_Comm half, both;
	struct peers p;

	MPI_Comm_split(MPI_COMM_WORLD, colour, 0, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !colour, 1, &both);
	p = all_of("groups", both);
	p.is_first = colour;
	run_operations(&p);
	MPI_Comm_free(&both);
	MPI_Comm_free(&half);
}

static void run_ring(void)
{
	const int periodic = 1;
	MPI_Comm ring;
	struct peers p;

	MPI_Cart_create(MPI_COMM_WORLD, 1, &world_size, &periodic, 0, &ring);
	p = all_of("ring", ring);
	p.is_topology = true;
	p.destinations = p.sources = 2;
	MPI_Cart_shift(ring, 0, 1, &p.source[0], &p.source[1]);
	memcpy(p.destination, p.source, sizeof p.source);
	run_operations(&p);
	MPI_Comm_free(&ring);
}

/* Everybody gives to the two ranks after it, and the first one to itself as well. */
static void run_graph(void)
{
	MPI_Comm graph;
	struct peers p = all_of("graph", MPI_COMM_WORLD);

	p.name = "graph";
	p.is_topology = true;
	p.destinations = p.sources = 0;
	for (int i = 1; i <= 2; i++) {
		p.destination[p.destinations++] = (p.rank + i) % p.size;
		p.source[p.sources++] = (p.rank + i * (p.size - 1)) % p.size;
	}
	if (p.rank == 0)
		p.destination[p.destinations++] = p.source[p.sources++] = 0;
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, p.sources, p.source, MPI_UNWEIGHTED, p.destinations,
	                               p.destination, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
	p.comm = graph;
	run_operations(&p);
	MPI_Comm_free(&graph);
}

static void open_all(const char *path)
{
	static char attached[ROOM];
	char name[4096];

	MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
	MPI_Comm_size(MPI_COMM_WORLD, &world_size);
	snprintf(name, sizeof name, "%s.%d", path, world_rank);
	results = fopen(name, "w");
	if (!results)
		MPI_Abort(MPI_COMM_WORLD, 1);
	snprintf(name, sizeof name, "%s.data.%d", path, world_rank);
	sent_bytes = malloc(ROOM);
	received_bytes = malloc(ROOM);
	MPI_Win_allocate(ROOM, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window_bytes, &window);
	fill(window_bytes, 0);
	MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
	              MPI_INFO_NULL, &file);
	MPI_Buffer_attach(attached, sizeof attached);
	MPI_Op_create(add, 1, &op_add);
	make_types();
}

static void close_all(void)
{
	void *attached;
	int bytes;

	MPI_Type_free(&solid.type);
	MPI_Type_free(&gaps.type);
	MPI_Type_free(&columns.type);
	MPI_Op_free(&op_add);
	MPI_Buffer_detach(&attached, &bytes);
	MPI_File_close(&file);
	MPI_Win_free(&window);
	free(sent_bytes);
	free(received_bytes);
	fclose(results);
}

int main(int argc, char **argv)
{
	struct peers world;

	MPI_Init(&argc, &argv);
	if (argc != 3 || (every = atoi(argv[2])) < 1)
		MPI_Abort(MPI_COMM_WORLD, 1);
	open_all(argv[1]);
	world = all_of("world", MPI_COMM_WORLD);
	run_operations(&world);
	if (world_size > 1)
		run_two_groups();
	run_ring();
	run_graph();
	close_all();
	MPI_Finalize();
	return 0;
}
