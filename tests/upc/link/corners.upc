/* Ways to write calls that wrappers of ours must leave as they are: the results are printed, and compared with those of the
 * same program without wrappers.
 *
 * tarry-test: threads=2 */
#include "portable.h"

#include <own_events.h>
#include <upc_atomic.h>
#include <upc_collective.h>

enum { BLOCK = 256, ALL = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC, MINE = UPC_IN_MYSYNC | UPC_OUT_MYSYNC };

#define FENCE upc_fence

static int evaluations;

static size_t once(size_t value)
{
	evaluations++;
	return value;
}

static void fences(int choice)
{
	if (choice)
		upc_fence;
	else
		FENCE;
	for (int i = 0; i < 2; i++)
		upc_fence;
	switch (choice) {
	case 1:
		upc_fence;
		break;
	default:
		upc_fence;
	}
	upc_fence
		;
	do
		upc_fence;
	while (0);
}

/* Members and functions of the program may be called like those of UPC, and those of UPC by a pointer; but Berkeley UPC's own headers
 * make macros of the names. */
#if defined(__BERKELEY_UPC__) || defined(__BERKELEY_UPC_RUNTIME__)
static int members(void)
{
	return 0;
}

static void by_pointer(shared void *to, shared void *from)
{
	upc_all_broadcast(to, from, 8, ALL);
}
#else
struct table {
	int upc_all_broadcast;
	int (*upc_all_gather)(int a, int b, int c, int d);
};

static int add(int a, int b, int c, int d)
{
	return a + b + c + d;
}

static int members(void)
{
	struct table table = {.upc_all_broadcast = 3, .upc_all_gather = add};
	struct table *pointer = &table;

	return table.upc_all_broadcast + pointer->upc_all_gather(1, 2, 3, 4) + (table.upc_all_gather)(5, 6, 7, 8);
}

static void by_pointer(shared void *to, shared void *from)
{
	void (*function)(shared void *dst, shared const void *src, size_t bytes, upc_flag_t flags) = upc_all_broadcast;

	function(to, from, 8, ALL);
	(upc_all_broadcast)(to, from, 12, ALL);
}
#endif

static void collectives(shared void *to, shared void *from)
{
	shared void *sources[2];
	int i = 0;

	sources[0] = from;
	sources[1] = from;
	upc_all_broadcast(to, sources[i++], once(4), ALL);
	upc_all_scatter(to, from, 4, MINE);
	upc_all_gather(ON_THREAD(to, BLOCK, 1), from, 4, 0);
	upc_all_gather_all(to, from, 4, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);
	upc_all_exchange(to,
	                 from,
	                 4, ALL);
	by_pointer(to, from);
	if (i == 1)
		upc_all_broadcast(to, from, sizeof(int[2]), ALL);
	else
		upc_all_scatter(to, from, 4, ALL);
	evaluations += i;
}

#define REDUCE(code) \
	upc_all_reduce##code(to, from, UPC_ADD, once(THREADS), 1, NULL, ALL); \
	upc_all_prefix_reduce##code(to, from, UPC_MAX, THREADS, 1, NULL, MINE)

static void reductions(shared void *to, shared void *from)
{
	REDUCE(C);
	REDUCE(UC);
	REDUCE(S);
	REDUCE(US);
	REDUCE(I);
	REDUCE(UI);
	REDUCE(L);
	REDUCE(UL);
	REDUCE(F);
	REDUCE(D);
	REDUCE(LD);
}

static long atomics(shared void *room)
{
	upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET | UPC_SET, 0);
	shared void *places[3];
	long operand = 5, got = -1;
	int i = 1;

	places[1] = ON_THREAD(room, BLOCK, 1);
	places[2] = ON_THREAD(room, BLOCK, 0);
	if (MYTHREAD == 0)
		upc_atomic_strict(domain, NULL, UPC_SET, places[i++], &operand, NULL);
	else
		i++;
	upc_barrier;
	upc_atomic_relaxed(domain, &got, UPC_ADD, places[1], &operand, NULL);
	upc_barrier;
	upc_atomic_strict(domain, &got, UPC_GET, places[1], NULL, NULL);
	upc_barrier;
	upc_all_atomicdomain_free(domain);
	return got * 10 + i;
}

#ifdef _BUPC_ATOMIC_DECL
static long old_atomics(shared void *room)
{
	shared void *place = ON_THREAD(room, BLOCK, 1);
	int64_t values[2];
	int i = 0;

	if (MYTHREAD == 0)
		bupc_atomicI64_set_strict(place, 40);
	upc_barrier;
	if (MYTHREAD == 0)
		values[i++] = bupc_atomicI64_fetchadd_relaxed(place, (int64_t)once(2)) + 1;
	upc_barrier;
	values[1] = bupc_atomicI64_read_strict(place) + sizeof(bupc_atomicU32_read_strict(place));
	upc_barrier;
	return values[1] * 10 + (i ? values[0] : 0);
}
#else
static long old_atomics(shared void *room)
{
	return room ? 0 : 1;
}
#endif

static void user_events(void)
{
	unsigned event = pupc_create_event("step", "%d");
	int before = pupc_control(0);

	before += 10 * pupc_control(1);
	pupc_event_start(event, 1);
	pupc_event_end(event, 1);
	evaluations += before >= 0;
}

int main(void)
{
	shared void *to = upc_all_alloc(THREADS, BLOCK);
	shared void *from = upc_all_alloc(THREADS, BLOCK);
	long sum, old;

	fences(MYTHREAD);
	collectives(to, from);
	reductions(to, from);
	upc_barrier;
	sum = atomics(to);
	old = old_atomics(to);
	user_events();
	if (MYTHREAD == 0)
		printf("members %d, atomics %ld and %ld, evaluated %d\n", members(), sum, old, evaluations);
	upc_barrier;
	return 3;
}
