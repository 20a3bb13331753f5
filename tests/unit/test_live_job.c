/* Processes of a live job, written like the recorder does: their states and waits. */
#include "analysis/live/live_job.h"
#include "analysis/live/live_parts.h"

#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
	CHUNK = 1 << 16,
	CALLS = 64,
	RANKS = 4,
	PART_BYTES = PART_PAGE + 2 * RANKS * CHUNK,
	WORLD = 7,
	COMM = 99,
	WIN = 77,
	PATH = 78,
	SECOND = 1000000000
};

/* The clock of all processes begins with 1 s after 1970 and ticks in nanoseconds. */
enum { START = SECOND };

struct written_process {
	char path[300];
	struct part_header *header;
	uint32_t number; /* in its table */
	uint8_t *memory;
	struct encoder process, thread;
	uint32_t successors[CALLS];
};

struct written_job {
	char folder[64];
	bool shares; /* one part for all */
	size_t count;
	struct written_process ranks[RANKS];
	struct live_job *live;
};

static void tell_clock(struct encoder *e)
{
	uint8_t body[64], *at = put_varint(body, SECOND);

	at = put_varint(at, 1);
	at = put_varint(at, 0);
	at = put_varint(at, START);
	at = put_bytes(at, "test", 4);
	encode_long(e, RECORD_CLOCK, body, (size_t)(at - body));
}

/* Only rank 0 reports the members. */
static void tell_comm(struct encoder *e, uint32_t rank)
{
	uint8_t body[128], *at = put_u64(body, COMM);

	at = put_u64(at, 0);
	at = put_varint(at, COMM_INTRA);
	at = put_varint(at, rank);
	at = put_varint(at, RANKS);
	at = put_varint(at, 0);
	at = put_varint(at, rank == 0);
	if (rank == 0) {
		at = put_u64(at, WORLD);
		at = put_varint(at, 0);
		at = put_signed(at, 1);
		at = put_varint(at, RANKS);
	}
	encode_long(e, RECORD_COMM, body, (size_t)(at - body));
}

/* A window and a file, made on the communicator of all. */
static void tell_object(struct encoder *e, int kind, uint64_t identity)
{
	uint8_t body[64], *at = put_varint(body, (uint64_t)kind);

	at = put_u64(at, identity);
	at = put_u64(at, COMM);
	at = put_varint(at, 8);
	at = put_varint(at, 1);
	encode_long(e, RECORD_OBJECT, body, (size_t)(at - body));
}

static void tell_world(struct encoder *e, uint32_t rank)
{
	uint8_t body[64], *at = put_u64(body, WORLD);

	at = put_varint(at, rank);
	at = put_varint(at, RANKS);
	at = put_u64(at, 1);
	encode_long(e, RECORD_WORLD, body, (size_t)(at - body));
}

static struct written_process *start_rank(struct written_job *w, uint32_t rank, const char *host, int pid)
{
	struct written_process *p = &w->ranks[rank];
	struct chunk_identity own = {WORLD, rank, STREAM_PROCESS, 0}, thread = {WORLD, rank, 0, 1};
	char folder[sizeof w->folder];
	uint64_t offset;
	int fd;

	memcpy(folder, w->folder, sizeof folder);
	snprintf(p->path, sizeof p->path, "%s/%s-%08" PRIx32 ".part", folder, host, w->shares ? 0 : rank);
	fd = open(p->path, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, PART_BYTES), 0);
	p->header = mmap(NULL, PART_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(p->header != MAP_FAILED);
	close(fd);
	p->number = (uint32_t)part_join(p->header, (uint32_t)pid, 1);
	part_set_rank(&p->header->processes[p->number], WORLD, rank, RANKS);
	assert_true(part_take(p->header, 2 * CHUNK, &offset));
	p->memory = (uint8_t *)p->header + offset;
	p->thread.successor = p->successors;
	p->thread.call_limit = CALLS;
	encoder_open(&p->process, p->memory, CHUNK, &own, 0);
	encoder_open(&p->thread, p->memory + CHUNK, CHUNK, &thread, 0);
	tell_clock(&p->process);
	tell_world(&p->process, rank);
	tell_comm(&p->process, rank);
	tell_object(&p->process, RECORDED_WIN, WIN);
	tell_object(&p->process, RECORDED_FILE, PATH);
	w->count++;
	return p;
}

static struct written_process *start_on(struct written_job *w, const char *host, int pid)
{
	return start_rank(w, (uint32_t)w->count, host, pid);
}

static char here[65];

static struct written_process *start(struct written_job *w)
{
	return start_on(w, here, (int)getpid());
}

static void begin(struct written_job *w)
{
	memset(w, 0, sizeof *w);
	snprintf(w->folder, sizeof w->folder, "/tmp/tarry-live-XXXXXX");
	assert_non_null(mkdtemp(w->folder));
	w->live = live_job_new(w->folder);
}

static void end(struct written_job *w)
{
	live_job_free(w->live);
	for (size_t i = 0; i < w->count; i++) {
		munmap(w->ranks[i].header, PART_BYTES);
		unlink(w->ranks[i].path);
	}
	assert_int_equal(rmdir(w->folder), 0);
}

static void look_at(struct written_job *w, uint64_t tick)
{
	live_job_look(w->live, START + (int64_t)tick);
}

static const struct live_process *rank_of(const struct written_job *w, uint32_t rank)
{
	for (size_t i = 0; i < w->live->processes.count; i++)
		if (w->live->processes.items[i]->rank == rank)
			return w->live->processes.items[i];
	fail_msg("there is not a rank %u", rank);
	return NULL;
}

static bool is_partner(const struct written_job *w, const struct live_process *process, uint32_t rank)
{
	for (uint32_t i = 0; i < process->partner_count; i++)
		if (w->live->processes.items[process->partners[i]]->rank == rank)
			return true;
	return false;
}

/* "1,2" of the ranks that it waits for. */
static const char *waits_for(const struct written_job *w, uint32_t rank)
{
	static char text[128];
	const struct live_process *process = rank_of(w, rank);

	text[0] = 0;
	for (uint32_t i = 0; i < RANKS; i++)
		if (is_partner(w, process, i))
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", *text ? "," : "",
			         i);
	return text;
}

static uint32_t define(struct written_process *p, const char *name, size_t count, const struct field *fields)
{
	return encode_call(&p->thread, encode_name(&p->thread, name), NO_SITE, fields, count);
}

static uint32_t define_p2p(struct written_process *p, const char *name, int64_t peer)
{
	const struct field fields[] = {{FIELD_COMM, COMM}, {FIELD_PEER, peer}, {FIELD_TAG, 1}};

	return define(p, name, 3, fields);
}

static uint32_t define_coll(struct written_process *p, const char *name, int64_t root)
{
	const struct field fields[] = {{FIELD_COMM, COMM}, {FIELD_ROOT, root}};

	return define(p, name, root < 0 ? 1 : 2, fields);
}

static uint32_t define_request(struct written_process *p, const char *name, int64_t peer, int64_t request)
{
	const struct field fields[] = {{FIELD_COMM, COMM}, {FIELD_PEER, peer}, {FIELD_REQUEST, request}};

	return define(p, name, peer == RANK_NULL ? 0 : 3, fields);
}

static void start_all(struct written_job *w)
{
	begin(w);
	while (w->count < RANKS)
		start(w);
}

static void a_message_is_waited_for(void **state)
{
	struct written_job w;
	const struct live_site *site;

	(void)state;
	start_all(&w);
	encode_event(&w.ranks[2].thread, define_coll(&w.ranks[2], "MPI_Barrier", -1), 100, 200);
	encode_open(&w.ranks[0].thread, define_p2p(&w.ranks[0], "MPI_Recv", 2), SECOND);
	encode_open(&w.ranks[1].thread, define_p2p(&w.ranks[1], "MPI_Ssend", 0), 2 * (uint64_t)SECOND);
	look_at(&w, 4 * (uint64_t)SECOND);
	assert_int_equal(w.live->size, RANKS);
	assert_int_equal(rank_of(&w, 0)->state, LIVE_IN_CALL);
	assert_int_equal(rank_of(&w, 0)->for_ns, 3 * (int64_t)SECOND);
	assert_string_equal(waits_for(&w, 0), "2");
	assert_string_equal(waits_for(&w, 1), "0");
	assert_int_equal(rank_of(&w, 2)->state, LIVE_COMPUTING);
	assert_int_equal(rank_of(&w, 2)->for_ns, 4 * (int64_t)SECOND - 200);
	assert_string_equal(w.live->sites.items[rank_of(&w, 2)->site].function, "MPI_Barrier");
	/* In the end both wait for rank 2, and none for rank 3. */
	assert_int_equal(w.live->awaited_count, 1);
	assert_int_equal(w.live->processes.items[w.live->awaited[0].process]->rank, 2);
	assert_int_equal(w.live->awaited[0].waiter_count, 2);
	assert_int_equal(w.live->circle_count, 0);
	site = &w.live->sites.items[rank_of(&w, 0)->site];
	assert_int_equal(site->calls, 0);
	assert_int_equal(site->open_calls, 1);
	assert_int_equal((int64_t)site->open_ns, 3 * (int64_t)SECOND);
	end(&w);
}

/* A file system may list files in any order: here the last rank is seen first. */
static void the_order_of_files_does_not_matter(void **state)
{
	struct written_job w;

	(void)state;
	begin(&w);
	for (uint32_t rank = RANKS; rank--;) {
		start_rank(&w, rank, here, (int)getpid());
		look_at(&w, 0);
	}
	encode_open(&w.ranks[0].thread, define_p2p(&w.ranks[0], "MPI_Recv", 1), SECOND);
	encode_open(&w.ranks[2].thread, define_p2p(&w.ranks[2], "MPI_Recv", 3), SECOND);
	look_at(&w, 4 * (uint64_t)SECOND);
	assert_int_equal(w.live->processes.items[0]->rank, RANKS - 1);
	assert_int_equal(w.live->awaited_count, 2);
	assert_int_equal(w.live->processes.items[w.live->awaited[0].process]->rank, 1);
	assert_int_equal(w.live->processes.items[w.live->awaited[1].process]->rank, 3);
	end(&w);
}

/* A shorter call is not a wait, and neither is a receive from any source. */
static void nobody_waits(void **state)
{
	struct written_job w;

	(void)state;
	start_all(&w);
	encode_open(&w.ranks[0].thread, define_p2p(&w.ranks[0], "MPI_Recv", 2), SECOND);
	encode_open(&w.ranks[1].thread, define_p2p(&w.ranks[1], "MPI_Recv", RANK_ANY), 10);
	look_at(&w, SECOND + 1000);
	assert_int_equal(rank_of(&w, 0)->state, LIVE_IN_CALL);
	assert_int_equal(rank_of(&w, 0)->partner_count, 0);
	assert_int_equal(rank_of(&w, 1)->partner_count, 0);
	assert_int_equal(w.live->awaited_count, 0);
	end(&w);
}

/* Rank 3 has been in more of them, rank 2 in fewer. */
static void a_barrier_waits_for_those_that_are_missing(void **state)
{
	struct written_job w;

	(void)state;
	start_all(&w);
	for (size_t i = 0; i < RANKS; i++) {
		uint32_t barrier = define_coll(&w.ranks[i], "MPI_Barrier", -1);
		encode_event(&w.ranks[i].thread, barrier, 100, 200);
		if (i == 3)
			encode_event(&w.ranks[i].thread, barrier, 300, 400);
		if (i < 2)
			encode_open(&w.ranks[i].thread, barrier, 500);
	}
	look_at(&w, SECOND);
	assert_string_equal(waits_for(&w, 0), "2");
	assert_string_equal(waits_for(&w, 1), "2");
	assert_int_equal(w.live->awaited_count, 1);
	assert_int_equal(w.live->awaited[0].waiter_count, 2);
	end(&w);
}

/* A process that has just arrived does not wait yet, but the others do. */
static void who_comes_late_changes_nothing(void **state)
{
	struct written_job w;

	(void)state;
	start_all(&w);
	for (size_t i = 0; i < 3; i++)
		encode_open(&w.ranks[i].thread, define_coll(&w.ranks[i], "MPI_Barrier", -1),
		            i ? 500 : SECOND - 1000);
	look_at(&w, SECOND);
	assert_string_equal(waits_for(&w, 0), "");
	assert_string_equal(waits_for(&w, 1), "3");
	assert_string_equal(waits_for(&w, 2), "3");
	end(&w);
}

static void a_broadcast_waits_for_its_root(void **state)
{
	struct written_job w;

	(void)state;
	start_all(&w);
	for (size_t i = 0; i < 2; i++)
		encode_open(&w.ranks[i].thread, define_coll(&w.ranks[i], "MPI_Bcast", 3), 500);
	encode_open(&w.ranks[2].thread, define_coll(&w.ranks[2], "MPI_Reduce", 2), 500);
	look_at(&w, SECOND);
	assert_string_equal(waits_for(&w, 0), "3");
	assert_string_equal(waits_for(&w, 1), "3");
	assert_string_equal(waits_for(&w, 2),
	                    "3"); /* the others are in a collective call, if in another one */
	end(&w);
}

static void requests_name_their_partners(void **state)
{
	struct written_job w;
	const struct field both[] = {{FIELD_REQUEST, 0}, {FIELD_REQUEST, 1}};

	(void)state;
	start_all(&w);
	for (size_t i = 0; i < 2; i++) {
		struct written_process *p = &w.ranks[i];
		encode_event(&p->thread, define_request(p, "MPI_Irecv", 2, 0), 100, 110);
		encode_event(&p->thread, define_request(p, "MPI_Isend", 3, 1), 120, 130);
	}
	encode_open(&w.ranks[0].thread, define(&w.ranks[0], "MPI_Waitall", 2, both), 200);
	encode_open(&w.ranks[1].thread, define(&w.ranks[1], "MPI_Waitany", 2, both), 200);
	look_at(&w, SECOND);
	assert_string_equal(waits_for(&w, 0), "2,3");
	assert_false(rank_of(&w, 0)->needs_one);
	assert_string_equal(waits_for(&w, 1), "2,3");
	assert_true(rank_of(&w, 1)->needs_one);
	assert_int_equal(w.live->awaited_count, 2); /* by rank 0 only: the other one may continue */
	assert_int_equal(w.live->awaited[0].waiter_count, 1);
	end(&w);
}

/* The number of a request that is over is used again, by a collective operation. */
static void a_request_has_no_partner_of_an_earlier_one(void **state)
{
	struct written_job w;
	struct written_process *p = &w.ranks[0];
	const struct field one[] = {{FIELD_REQUEST, 0}};
	const struct field barrier[] = {{FIELD_COMM, COMM}, {FIELD_REQUEST, 0}};

	(void)state;
	start_all(&w);
	encode_event(&p->thread, define_request(p, "MPI_Irecv", 2, 0), 100, 110);
	encode_event(&p->thread, define(p, "MPI_Ibarrier", 2, barrier), 120, 130);
	encode_open(&p->thread, define(p, "MPI_Wait", 1, one), 200);
	look_at(&w, SECOND);
	assert_string_equal(waits_for(&w, 0), "");
	end(&w);
}

/* A receive from any source, and a request for one while another is open. */
static void a_wildcard_is_any_rank(void **state)
{
	struct written_job w;
	const struct field both[] = {{FIELD_REQUEST, 0}, {FIELD_REQUEST, 1}};

	(void)state;
	start_all(&w);
	encode_open(&w.ranks[0].thread, define_p2p(&w.ranks[0], "MPI_Recv", RANK_ANY), 200);
	for (size_t i = 1; i < 3; i++) {
		struct written_process *p = &w.ranks[i];
		encode_event(&p->thread, define_request(p, "MPI_Irecv", RANK_ANY, 0), 100, 110);
		encode_event(&p->thread, define_request(p, "MPI_Irecv", 3, 1), 120, 130);
		encode_open(&p->thread, define(p, i == 1 ? "MPI_Waitall" : "MPI_Waitany", 2, both), 200);
	}
	encode_open(&w.ranks[3].thread, define_p2p(&w.ranks[3], "MPI_Recv", 1), 200);
	look_at(&w, SECOND);
	assert_true(rank_of(&w, 0)->needs_any);
	assert_string_equal(waits_for(&w, 0), "");
	assert_true(rank_of(&w, 1)->needs_any);
	assert_false(rank_of(&w, 1)->needs_one);
	assert_string_equal(waits_for(&w, 1), "3");
	assert_true(rank_of(&w, 2)->needs_any && rank_of(&w, 2)->needs_one);
	assert_false(rank_of(&w, 3)->needs_any);
	end(&w);
}

static uint32_t define_on(struct written_process *p, const char *name, enum field_key key, int64_t identity)
{
	const struct field fields[] = {{key, identity}};

	return define(p, name, 1, fields);
}

static uint32_t define_win(struct written_process *p, const char *name, enum field_key key, int64_t rank,
                           int64_t lock)
{
	const struct field fields[] = {{FIELD_WIN, WIN}, {key, rank}, {FIELD_LOCK, lock}};

	return define(p, name, lock ? 3 : 2, fields);
}

/* Rank 2 has not reached the fence, and rank 0 is in a call on the file; each object has
 * its own order of calls. */
static void windows_and_files_wait_for_those_that_are_missing(void **state)
{
	struct written_job w;

	(void)state;
	start_all(&w);
	for (size_t i = 0; i < RANKS; i++) {
		struct written_process *p = &w.ranks[i];
		encode_event(&p->thread, define_on(p, "MPI_File_write_all", FIELD_FILE, PATH), 50, 60);
		if (i == 1 || i == 3)
			encode_open(&p->thread, define_on(p, "MPI_Win_fence", FIELD_WIN, WIN), 100);
	}
	encode_open(&w.ranks[0].thread, define_on(&w.ranks[0], "MPI_File_write_all", FIELD_FILE, PATH), 100);
	look_at(&w, SECOND);
	assert_string_equal(waits_for(&w, 0), "1,2,3");
	assert_string_equal(waits_for(&w, 1), "0,2");
	assert_string_equal(waits_for(&w, 3), "0,2");
	assert_string_equal(waits_for(&w, 2), "");
	end(&w);
}

/* Rank 1 has the lock of rank 3's window, which rank 0 wants; rank 2 only waits for rank 3 to take part. */
static void a_lock_is_waited_for(void **state)
{
	struct written_job w;

	(void)state;
	start_all(&w);
	encode_event(&w.ranks[1].thread,
	             define_win(&w.ranks[1], "MPI_Win_lock", FIELD_TARGET, 3, LOCK_EXCLUSIVE), 100, 110);
	encode_open(&w.ranks[0].thread, define_win(&w.ranks[0], "MPI_Win_lock", FIELD_TARGET, 3, LOCK_SHARED),
	            200);
	encode_open(&w.ranks[2].thread, define_win(&w.ranks[2], "MPI_Get_accumulate", FIELD_TARGET, 3, 0),
	            200);
	look_at(&w, SECOND);
	assert_string_equal(waits_for(&w, 0), "1");
	assert_string_equal(waits_for(&w, 2), "3");
	encode_event(&w.ranks[1].thread, define_win(&w.ranks[1], "MPI_Win_unlock", FIELD_TARGET, 3, 0), 300,
	             310);
	look_at(&w, 2 * (uint64_t)SECOND);
	assert_string_equal(waits_for(&w, 0), "3");
	end(&w);
}

/* A process that only wants the lock does not have it, whatever its library returned: no two
 * wait for each other. */
static void locks_that_are_taken_late_are_no_circle(void **state)
{
	struct written_job w;

	(void)state;
	start_all(&w);
	for (size_t i = 0; i < 2; i++) {
		struct written_process *p = &w.ranks[i];
		encode_event(&p->thread, define_win(p, "MPI_Win_lock", FIELD_TARGET, 3, LOCK_EXCLUSIVE), 100,
		             110);
		encode_open(&p->thread, define_win(p, "MPI_Win_unlock", FIELD_TARGET, 3, 0), 200);
	}
	look_at(&w, SECOND);
	assert_string_equal(waits_for(&w, 0), "3");
	assert_string_equal(waits_for(&w, 1), "3");
	assert_int_equal(w.live->circle_count, 0);
	end(&w);
}

/* Rank 0 accesses ranks 1 and 2, of which rank 1 has posted; rank 3 has posted for rank 2, which has not completed. */
static void epochs_wait_for_their_group(void **state)
{
	struct written_job w;
	const struct field group[] = {{FIELD_WIN, WIN}, {FIELD_MEMBER, 1}, {FIELD_MEMBER, 2}};

	(void)state;
	start_all(&w);
	encode_event(&w.ranks[1].thread, define_win(&w.ranks[1], "MPI_Win_post", FIELD_MEMBER, 0, 0), 100,
	             110);
	encode_event(&w.ranks[3].thread, define_win(&w.ranks[3], "MPI_Win_post", FIELD_MEMBER, 2, 0), 100,
	             110);
	encode_open(&w.ranks[0].thread, define(&w.ranks[0], "MPI_Win_start", 3, group), 200);
	encode_open(&w.ranks[1].thread, define_on(&w.ranks[1], "MPI_Win_wait", FIELD_WIN, WIN), 200);
	encode_open(&w.ranks[3].thread, define_on(&w.ranks[3], "MPI_Win_wait", FIELD_WIN, WIN), 200);
	look_at(&w, SECOND);
	assert_string_equal(waits_for(&w, 0), "2");
	assert_string_equal(waits_for(&w, 1), "0");
	assert_string_equal(waits_for(&w, 3), "2");
	encode_event(&w.ranks[2].thread, define_win(&w.ranks[2], "MPI_Win_start", FIELD_MEMBER, 3, 0), 300,
	             310);
	encode_event(&w.ranks[2].thread, define_on(&w.ranks[2], "MPI_Win_complete", FIELD_WIN, WIN), 320,
	             330);
	look_at(&w, 2 * (uint64_t)SECOND);
	assert_string_equal(waits_for(&w, 3), "");
	end(&w);
}

/* A UPC barrier whose first half is not written yet. With split halves, it is unknown which
 * threads have notified. */
static void a_barrier_of_upc_waits_for_threads(void **state)
{
	struct written_job w;
	const struct field team[] = {{FIELD_COMM, COMM}};

	(void)state;
	start_all(&w);
	for (size_t i = 0; i < RANKS; i++)
		encode_event(&w.ranks[i].thread, define(&w.ranks[i], "upc_barrier", 1, team), 100, 110);
	for (size_t i = 0; i < 3; i++)
		encode_open(&w.ranks[i].thread, define(&w.ranks[i], "upc_wait", 1, team), 200);
	look_at(&w, SECOND);
	assert_string_equal(waits_for(&w, 0), "3");
	assert_string_equal(waits_for(&w, 2), "3");
	encode_event(&w.ranks[3].thread, define(&w.ranks[3], "upc_notify", 1, team), 300, 310);
	look_at(&w, 2 * (uint64_t)SECOND);
	assert_string_equal(waits_for(&w, 0), "");
	end(&w);
}

static void the_end_of_mpi_is_waited_for(void **state)
{
	struct written_job w;

	(void)state;
	start_all(&w);
	for (size_t i = 0; i < 2; i++)
		encode_open(&w.ranks[i].thread, define(&w.ranks[i], "MPI_Finalize", 0, NULL), 200);
	encode_event(&w.ranks[3].thread, define(&w.ranks[3], "MPI_Finalize", 0, NULL), 100, 200);
	look_at(&w, SECOND);
	assert_string_equal(waits_for(&w, 0), "2");
	assert_string_equal(waits_for(&w, 1), "2");
	assert_int_equal(w.live->awaited_count, 1);
	end(&w);
}

/* A file system that cannot be mapped: the file is there, and nothing in it. */
static void silent_parts_are_counted(void **state)
{
	struct written_job w;

	(void)state;
	start_all(&w);
	memset(w.ranks[1].memory, 0, 2 * CHUNK);
	live_job_look(w.live, START);
	assert_int_equal(w.live->silent, 0); /* it may have just begun */
	live_job_look(w.live, START);
	assert_int_equal(w.live->silent, 1);
	assert_int_equal(w.live->processes.count, RANKS - 1);
	end(&w);
}

static void a_circle_is_found(void **state)
{
	struct written_job w;

	(void)state;
	start_all(&w);
	for (size_t i = 0; i < 2; i++)
		encode_open(&w.ranks[i].thread, define_p2p(&w.ranks[i], "MPI_Ssend", 1 - (int64_t)i), 200);
	encode_open(&w.ranks[2].thread, define_p2p(&w.ranks[2], "MPI_Recv", 3), 200);
	look_at(&w, SECOND);
	assert_int_equal(w.live->circle_count, 2);
	assert_int_equal(w.live->awaited_count, 1);
	assert_int_equal(w.live->processes.items[w.live->awaited[0].process]->rank, 3);
	end(&w);
}

static void ends_are_told_apart(void **state)
{
	struct written_job w;
	pid_t child = fork();

	(void)state;
	if (child == 0) {
		pause();
		_exit(0);
	}
	begin(&w);
	start(&w); /* finished MPI */
	encode_event(&w.ranks[0].thread, define(&w.ranks[0], "MPI_Finalize", 0, NULL), 100, 200);
	start_on(&w, here, (int)child); /* was killed */
	start(&w);                      /* says that it is done, in the table */
	start(&w);                      /* pauses recording */
	encode_record(&w.ranks[3].thread, RECORD_PAUSE, &(struct pause){100, false, false});
	look_at(&w, SECOND);
	assert_int_equal(rank_of(&w, 1)->state, LIVE_COMPUTING);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	part_leave(w.ranks[2].header, w.ranks[2].number, PART_FINISHED, false);
	look_at(&w, SECOND);
	assert_int_equal(w.live->processes.count, RANKS);
	assert_int_equal(rank_of(&w, 0)->state, LIVE_FINISHED);
	assert_int_equal(rank_of(&w, 1)->state, LIVE_GONE);
	assert_int_equal(rank_of(&w, 2)->state, LIVE_FINISHED);
	assert_int_equal(rank_of(&w, 3)->state, LIVE_UNRECORDED);
	end(&w);
}

/* Where the file system is not this machine's, processes of others are counted and not read. */
static void other_nodes_are_not_guessed(void **state)
{
	struct written_job w;

	(void)state;
	begin(&w);
	w.live->is_local = false;
	start(&w);
	start_on(&w, "node-d", 17);
	start_on(&w, "node-b", 18);
	start_on(&w, "node-c", 17);
	look_at(&w, SECOND);
	assert_int_equal(w.live->processes.count, 1);
	assert_int_equal(w.live->hidden, 3);
	assert_string_equal(text_get(&w.live->hidden_hosts), "node-b, node-c, node-d");
	end(&w);
}

/* Chunks of several processes alternate, a page is taken and not written yet, and only the table has the rank of a process. */
static void a_part_is_shared(void **state)
{
	struct written_job w;
	uint64_t hole;

	(void)state;
	begin(&w);
	w.shares = true;
	start(&w);
	assert_true(part_take(w.ranks[0].header, CHUNK, &hole));
	start_on(&w, here, (int)getppid());
	chunk_identify(w.ranks[1].process.chunk, part_token(w.ranks[1].number), PROCESS_UNKNOWN);
	chunk_identify(w.ranks[1].thread.chunk, part_token(w.ranks[1].number), PROCESS_UNKNOWN);
	encode_open(&w.ranks[0].thread, define_p2p(&w.ranks[0], "MPI_Recv", 1), 200);
	encode_open(&w.ranks[1].thread, define_p2p(&w.ranks[1], "MPI_Recv", 0), 200);
	look_at(&w, SECOND);
	assert_int_equal(w.live->parts.count, 1);
	assert_int_equal(w.live->processes.count, 2);
	assert_string_equal(waits_for(&w, 0), "1");
	assert_string_equal(waits_for(&w, 1), "0");
	part_leave(w.ranks[1].header, w.ranks[1].number, PART_FINISHED, false);
	look_at(&w, SECOND);
	assert_int_equal(rank_of(&w, 0)->state, LIVE_IN_CALL);
	assert_int_equal(rank_of(&w, 1)->state, LIVE_FINISHED);
	end(&w);
}

static void sums_of_sites_grow(void **state)
{
	struct written_job w;
	uint32_t send, barrier;

	(void)state;
	begin(&w);
	start(&w);
	send = define_p2p(&w.ranks[0], "MPI_Send", 1);
	barrier = define_coll(&w.ranks[0], "MPI_Barrier", -1);
	encode_event(&w.ranks[0].thread, send, 100, 150);
	look_at(&w, SECOND);
	encode_event(&w.ranks[0].thread, send, 200, 270);
	encode_event(&w.ranks[0].thread, barrier, 300, 310);
	look_at(&w, SECOND);
	assert_int_equal(w.live->sites.count, 2);
	assert_string_equal(w.live->sites.items[0].function, "MPI_Send");
	assert_int_equal(w.live->sites.items[0].calls, 2);
	assert_int_equal((int)w.live->sites.items[0].ns, 120);
	assert_int_equal((int)w.live->sites.items[1].ns, 10);
	assert_int_equal(w.live->skipped_bytes, 0);
	end(&w);
}

static void names_of_parts_are_understood(void **state)
{
	char host[PART_HOST_ROOM];

	(void)state;
	assert_true(part_name_parse("my-node-1a2b3c4d5e6f7081.part", host));
	assert_string_equal(host, "my-node");
	assert_false(part_name_parse("notes", host));
	assert_false(part_name_parse("x.part", host));
	assert_false(part_name_parse("meet-claim-1", host));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_is_waited_for),
		cmocka_unit_test(the_order_of_files_does_not_matter),
		cmocka_unit_test(nobody_waits),
		cmocka_unit_test(a_barrier_waits_for_those_that_are_missing),
		cmocka_unit_test(who_comes_late_changes_nothing),
		cmocka_unit_test(a_broadcast_waits_for_its_root),
		cmocka_unit_test(requests_name_their_partners),
		cmocka_unit_test(a_request_has_no_partner_of_an_earlier_one),
		cmocka_unit_test(a_wildcard_is_any_rank),
		cmocka_unit_test(windows_and_files_wait_for_those_that_are_missing),
		cmocka_unit_test(a_lock_is_waited_for),
		cmocka_unit_test(locks_that_are_taken_late_are_no_circle),
		cmocka_unit_test(epochs_wait_for_their_group),
		cmocka_unit_test(a_barrier_of_upc_waits_for_threads),
		cmocka_unit_test(the_end_of_mpi_is_waited_for),
		cmocka_unit_test(silent_parts_are_counted),
		cmocka_unit_test(a_part_is_shared),
		cmocka_unit_test(a_circle_is_found),
		cmocka_unit_test(ends_are_told_apart),
		cmocka_unit_test(other_nodes_are_not_guessed),
		cmocka_unit_test(sums_of_sites_grow),
		cmocka_unit_test(names_of_parts_are_understood),
	};

	gethostname(here, sizeof here - 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
