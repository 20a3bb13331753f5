/* One call of each kind that is recorded. Prints the results, which must not depend on the recorder, and ends with exit code 3. Its argument is an
 * empty folder, in which the PEs meet. */
#include <fcntl.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WORDS = 8 };

static long from[WORDS], to[4 * WORDS], counter, lock, is_ready;
static int small;
static double real;
static long work[WORDS / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE], reduction_sync[SHMEM_REDUCE_SYNC_SIZE],
	broadcast_sync[SHMEM_BCAST_SYNC_SIZE], collect_sync[SHMEM_COLLECT_SYNC_SIZE],
	barrier_sync[SHMEM_BARRIER_SYNC_SIZE], alltoall_sync[SHMEM_ALLTOALL_SYNC_SIZE];

static void prepare(long *sync, int count)
{
	while (count--)
		sync[count] = SHMEM_SYNC_VALUE;
}

static void access_others(int other)
{
	shmem_ctx_t context;

	shmem_long_p(&to[0], 7, other);
	shmem_int_p(&small, 5, other);
	shmem_long_put(to, from, WORDS, other);
	shmem_putmem(to, from, 3, other);
	shmem_put64(to, from, 2, other);
	shmem_long_iput(to, from, 2, 1, 4, other);
	shmem_long_put_nbi(to, from, WORDS, other);
	shmem_fence();
	shmem_quiet();
	if (shmem_ctx_create(0, &context) == 0) {
		shmem_ctx_double_p(context, &real, 0.5, other);
		shmem_ctx_quiet(context);
		shmem_ctx_destroy(context);
	}
	shmem_long_get(to, from, WORDS, other);
	shmem_getmem(to, from, 5, other);
	shmem_long_iget(to, from, 1, 2, 4, other);
	shmem_long_get_nbi(to, from, WORDS, other);
	shmem_quiet();
}

static long change_counter(int other)
{
	long sum = 0;

	shmem_long_atomic_set(&counter, 1, other);
	shmem_long_atomic_add(&counter, 2, other);
	shmem_long_atomic_inc(&counter, other);
	sum += shmem_long_atomic_fetch(&counter, other);
	sum += shmem_long_atomic_fetch_add(&counter, 10, other);
	sum += shmem_long_atomic_fetch_inc(&counter, other);
	sum += shmem_long_atomic_compare_swap(&counter, 15, 3, other);
	sum += shmem_long_atomic_swap(&counter, 12, other);
	sum += (long)shmem_ulong_atomic_fetch_and((unsigned long *)&counter, 6, other);
	shmem_long_fadd(&counter, 1, other);
	return sum + shmem_long_g(&counter, other);
}

/* The launcher kills all PEs as soon as one has ended with an exit code, so none ends before all have left shmem_finalize. */
static void meet(const char *folder, int me, int count)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%d", folder, me);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	for (int other = 0; other < count; other++) {
		snprintf(path, sizeof path, "%s/%d", folder, other);
		while (access(path, F_OK))
			usleep(1000);
	}
}

int main(int argc, char **argv)
{
	int me, count;
	long *table, sum;

	if (argc != 2)
		return 1;
	shmem_init();
	me = shmem_my_pe();
	count = shmem_n_pes();
	prepare(reduction_sync, SHMEM_REDUCE_SYNC_SIZE);
	prepare(broadcast_sync, SHMEM_BCAST_SYNC_SIZE);
	prepare(collect_sync, SHMEM_COLLECT_SYNC_SIZE);
	prepare(barrier_sync, SHMEM_BARRIER_SYNC_SIZE);
	prepare(alltoall_sync, SHMEM_ALLTOALL_SYNC_SIZE);
	for (int i = 0; i < WORDS; i++)
		from[i] = 10 * me + i;
	table = shmem_malloc(100 * sizeof *table);
	shmem_barrier_all();

	access_others((me + 1) % count);
	shmem_sync_all();
	sum = change_counter((me + 1) % count);
	shmem_barrier_all();

	shmem_broadcast64(to, from, 4, 1, 0, 0, count, broadcast_sync);
	shmem_barrier_all();
	shmem_long_max_to_all(to + WORDS, from, 2, 0, 0, count, work, reduction_sync);
	shmem_fcollect64(to + 2 * WORDS, from, 2, 0, 0, count, collect_sync);
	shmem_barrier_all();
	shmem_alltoall64(to + 3 * WORDS, from, 1, 0, 0, count, alltoall_sync);
	if (me % 2 == 0) /* PEs 0 and 2 */
		shmem_barrier(0, 1, (count + 1) / 2, barrier_sync);

	if (me == 0) {
		shmem_set_lock(&lock);
		shmem_clear_lock(&lock);
		printf("test_lock %d\n", shmem_test_lock(table + 1));
		shmem_clear_lock(table + 1);
		shmem_long_p(&is_ready, 1, 1);
	} else if (me == 1) {
		shmem_long_wait_until(&is_ready, SHMEM_CMP_NE, 0);
		printf("test %d\n", shmem_long_test(&is_ready, SHMEM_CMP_EQ, 1));
	}
	shmem_barrier_all();
	printf("%d of %d: %ld %ld %ld %ld %ld, %d %g\n", me, count, sum, to[1], to[WORDS], to[2 * WORDS + 3],
	       to[3 * WORDS], small, real);
	fflush(stdout);
	shmem_free(table);
	shmem_finalize();
	meet(argv[1], me, count);
	return 3;
}
