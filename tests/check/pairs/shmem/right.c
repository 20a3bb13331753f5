/* pair: check=none ranks=4
 *
 * Ways to order accesses, and what is allowed without an order */
#include "../shmem_pair.h"

static long p_sync[4][SHMEM_REDUCE_SYNC_SIZE];
static long lock, flag, token, ticket, sum, table[16], same, go, half_sync[SHMEM_BARRIER_SYNC_SIZE];
static long to[16], from[4], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];

static void locks(void)
{
	for (int i = 0; i < 5; i++) {
		long values[16];

		shmem_set_lock(&lock);
		shmem_getmem(values, table, sizeof values, 0);
		for (int k = 0; k < 16; k++)
			values[k] += 1;
		shmem_putmem(table, values, sizeof values, 0);
		shmem_clear_lock(&lock);
	}
	shmem_barrier_all();
	expect(me || table[7] == 5 * count);
}

/* Every PE gives the token to the next one. */
static void ring(void)
{
	for (long round = 1; round < 4; round++) {
		long values[16];

		if (me || round > 1)
			shmem_long_wait_until(&token, SHMEM_CMP_EQ, me ? round : round - 1);
		for (int k = 0; k < 16; k++)
			values[k] = 100 * round + me;
		shmem_long_put(table, values, 16, 1);
		shmem_quiet();
		shmem_long_p(&token, round, (me + 1) % count);
	}
	if (!me)
		shmem_long_wait_until(&token, SHMEM_CMP_EQ, 3);
	shmem_barrier_all();
	expect(me != 1 || table[3] == 300 + count - 1);
}

/* Tickets by an atomic operation; the last PE continues. */
static void tickets(void)
{
	long values[16] = {me};

	if (shmem_long_atomic_fetch_inc(&ticket, 2) == count - 1)
		shmem_long_put(table, values, 16, 3);
	shmem_barrier_all();
	/* Polling with shmem_g */
	if (!me) {
		shmem_long_put(table, values, 16, 2);
		shmem_fence();
		shmem_quiet();
		shmem_long_p(&flag, 1, 3);
	} else if (me == 1) {
		while (!shmem_long_g(&flag, 3))
			;
		shmem_long_put(table, values, 16, 2);
	}
	shmem_barrier_all();
}

/* A put is itself the flag: its effect was seen. */
static void answers(void)
{
	if (!me) {
		shmem_long_p(&go, 1, 2);
	} else if (me == 2) {
		shmem_long_wait_until(&go, SHMEM_CMP_EQ, 1);
		shmem_long_p(&go, 1, 1);
	} else if (me == 1) {
		shmem_long_wait_until(&go, SHMEM_CMP_EQ, 1);
		shmem_long_p(&go, 2, 2);
	}
	shmem_barrier_all();
	expect(me != 2 || go == 2);
}

static void collectives(void)
{
	from[0] = me + 1;
	shmem_broadcast64(to, from, 1, 1, 0, 1, 2 - (count < 4), p_sync[0]);
}

static void all(void)
{
	shmem_long_p(&same, 77, 0); /* everyone writes the same value */
	shmem_long_atomic_add(&sum, me, 0);
	shmem_barrier_all();
	expect(me || (same == 77 && sum == count * (count - 1) / 2));
	from[0] = me + 1;
	shmem_long_sum_to_all(to, from, 1, 0, 0, count, work, p_sync[0]);
	expect(to[0] == count * (count + 1) / 2);
	shmem_fcollect64(to, from, 1, 0, 0, count, p_sync[1]);
	expect(to[count - 1] == count);
	/* Contributions may differ. */
	from[1] = from[0];
	shmem_collect64(to, from, (size_t)(1 + me % 2), 0, 0, count, p_sync[2]);
	expect(to[2] == 2);
	if (me % 2 == 0) {
		collectives();
		shmem_barrier(0, 1, count / 2, half_sync);
	}
	shmem_barrier_all();
	shmem_free(NULL);
	shmem_free(shmem_realloc(shmem_malloc(10), 20));
}

int main(void)
{
	start();
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < SHMEM_REDUCE_SYNC_SIZE; k++)
			p_sync[i][k] = SHMEM_SYNC_VALUE;
	clear_sync(half_sync, SHMEM_BARRIER_SYNC_SIZE);
	locks();
	ring();
	tickets();
	answers();
	all();
	return finish();
}
