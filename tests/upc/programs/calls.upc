/* Every kind of call once.
 *
 * tarry-test: threads=3 */
#include "portable.h"

#include <own_events.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_nb.h>

enum { BLOCK = 64, ALL = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC, MINE = UPC_IN_MYSYNC | UPC_OUT_MYSYNC };

static int failures;

static void expect(int value, int expected, const char *what)
{
	if (value == expected)
		return;
	fprintf(stderr, "thread %d: %s: %d, not %d\n", (int)MYTHREAD, what, value, expected);
	failures++;
}

static void synchronisation(void)
{
	upc_lock_t *lock = upc_all_lock_alloc();
	upc_lock_t *own = upc_global_lock_alloc();

	upc_barrier;
	upc_barrier 42;
	upc_notify 7;
	upc_wait 7;
	upc_notify;
	upc_wait;
	upc_fence;
	upc_lock(lock);
	upc_unlock(lock);
	expect(upc_lock_attempt(own), 1, "lock attempt");
	upc_unlock(own);
	upc_lock_free(own);
	upc_barrier;
	if (MYTHREAD == 0)
		upc_lock_free(lock);
}

static void movement(void)
{
	int next = (MYTHREAD + 1) % THREADS;
	int before = (MYTHREAD + THREADS - 1) % THREADS;
	shared void *room = upc_all_alloc(THREADS, BLOCK);
	shared void *copy = upc_all_alloc(THREADS, BLOCK);
	int value = MYTHREAD;
	int got = -1;

	upc_memset(ON_THREAD(room, BLOCK, MYTHREAD), 0, BLOCK);
	upc_barrier;
	upc_memput(ON_THREAD(room, BLOCK, next), &value, sizeof(value));
	upc_barrier;
	upc_memget(&got, ON_THREAD(room, BLOCK, MYTHREAD), sizeof(got));
	expect(got, before, "put of the thread before");
	upc_barrier;
	upc_memcpy(ON_THREAD(copy, BLOCK, next), ON_THREAD(room, BLOCK, MYTHREAD), sizeof(value));
	upc_barrier;
	expect(READ(int, ON_THREAD(copy, BLOCK, MYTHREAD)), (before + THREADS - 1) % THREADS, "copy");
	upc_barrier;
	WRITE(int, ON_THREAD(room, BLOCK, next), 5);
	WRITE_STRICT(int, ON_THREAD(room, BLOCK, MYTHREAD), 5);
	upc_barrier;
	upc_all_free(copy);
	upc_all_free(room);
}

static void nonblocking(void)
{
	int next = (MYTHREAD + 1) % THREADS;
	shared void *room = upc_global_alloc(THREADS, BLOCK);
	shared void *own = upc_alloc(BLOCK);
	int value = MYTHREAD;
	upc_handle_t handle;

	handle = upc_memput_nb(ON_THREAD(room, BLOCK, next), &value, sizeof(value));
	upc_sync(handle);
	handle = upc_memget_nb(&value, ON_THREAD(room, BLOCK, next), sizeof(value));
	while (!upc_sync_attempt(handle))
		work(1);
	expect(value, MYTHREAD, "get without waiting");
	upc_memcpy_nbi(own, ON_THREAD(room, BLOCK, next), sizeof(value));
	upc_synci();
	upc_free(own);
	upc_free(room);
}

static void collectives(void)
{
	shared void *from = upc_all_alloc(THREADS, BLOCK);
	shared void *to = upc_all_alloc(THREADS, BLOCK);
	shared void *all = upc_all_alloc(THREADS, BLOCK);

	WRITE(int, ON_THREAD(from, BLOCK, MYTHREAD), (MYTHREAD + 1) % THREADS);
	upc_barrier;
	upc_all_broadcast(to, from, sizeof(int), MINE);
	expect(READ(int, ON_THREAD(to, BLOCK, MYTHREAD)), 1 % THREADS, "broadcast");
	upc_all_scatter(to, all, sizeof(int), ALL);
	upc_all_gather(ON_THREAD(all, BLOCK, 1), from, sizeof(int), 0);
	upc_all_gather_all(all, from, sizeof(int), ALL);
	upc_all_exchange(to, all, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);
	expect(READ(int, ON_THREAD(to, BLOCK, MYTHREAD)), (MYTHREAD + 1) % THREADS, "exchange");
	upc_barrier;
	upc_all_permute(to, from, (shared int *)from, sizeof(int), ALL);
	expect(READ(int, ON_THREAD(to, BLOCK, MYTHREAD)), MYTHREAD, "permute");
	upc_barrier;
	upc_all_free(all);
	upc_all_free(to);
	upc_all_free(from);
}

static void reductions(void)
{
	shared void *from = upc_all_alloc(THREADS, sizeof(int));
	shared void *to = upc_all_alloc(THREADS, sizeof(int));

	WRITE(int, ON_THREAD(from, sizeof(int), MYTHREAD), MYTHREAD + 1);
	upc_all_reduceI(to, from, UPC_ADD, THREADS, 1, NULL, ALL);
	expect(READ(int, to), THREADS * (THREADS + 1) / 2, "sum");
	upc_barrier;
	upc_all_reduceI(to, from, UPC_MAX, THREADS, 1, NULL, MINE);
	upc_barrier;
	expect(READ(int, to), THREADS, "maximum");
	upc_barrier;
	upc_all_prefix_reduceI(to, from, UPC_ADD, THREADS, 1, NULL, ALL);
	expect(READ(int, ON_THREAD(to, sizeof(int), MYTHREAD)), (MYTHREAD + 1) * (MYTHREAD + 2) / 2, "prefix sum");
	upc_barrier;
	upc_all_free(to);
	upc_all_free(from);
}

static void others(void)
{
	upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET, 0);
	shared void *counter = upc_all_alloc(1, sizeof(int));
	unsigned phase = pupc_create_event("phase", "iteration %d");
	int one = 1;
	int mine = 0;
	int i;

	if (MYTHREAD == 0)
		WRITE(int, counter, 0);
	upc_barrier;
	upc_atomic_strict(domain, NULL, UPC_ADD, counter, &one, NULL);
	upc_barrier;
	upc_atomic_relaxed(domain, &mine, UPC_GET, counter, NULL, NULL);
	expect(mine, THREADS, "atomic sum");
	pupc_event_start(phase, 1);
	mine = 0;
	upc_forall (i = 0; i < 2 * THREADS; i++; i)
		mine++;
	expect(mine, 2, "share of a loop");
	pupc_event_end(phase, 1);
	pupc_event_atomic(phase, 2);
	free(malloc(10));
	upc_all_free(counter);
	upc_all_atomicdomain_free(domain);
}

struct block {
	char bytes[BLOCK];
};

static void structs(void)
{
	shared void *room = upc_all_alloc(THREADS, BLOCK);
	struct block block = {{1}};

	WRITE(struct block, ON_THREAD(room, BLOCK, (MYTHREAD + 1) % THREADS), block);
	upc_barrier;
	block = READ(struct block, ON_THREAD(room, BLOCK, MYTHREAD));
	expect(block.bytes[0], 1, "a struct");
	upc_barrier;
	upc_all_free(room);
}

int main(void)
{
	synchronisation();
	movement();
	nonblocking();
	collectives();
	reductions();
	others();
	structs();
	upc_barrier;
	return failures != 0;
}
