/* corpus: ranks=4
 *
 * A hash table in the memory of all ranks, with passive targets: no rank waits for another. A key's home is a rank and a slot
 * there; a rank that inserts it claims the slot (Compare_and_swap) or tries the next, then adds to its counter
 * (Fetch_and_op) in an exclusive lock. How many keys a rank holds is a third counter. Queries read with shared locks.
 *
 * Check: every inserted key is found with the sum of what was added. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 128, KEYS = 24, EMPTY = 0 };

/* A rank's part of the table, all in one window. Its size is a multiple of 16 bytes: otherwise MPICH 4.0 and a rank on the
 * same machine disagree on where the window begins. */
struct part {
	long keys_held;
	long unused;
	long keys[SLOTS];
	long sums[SLOTS];
};

struct table {
	int rank, size;
	struct part *own;
	MPI_Win win;
};

static MPI_Aint place_of_key(long slot)
{
	return 2 + slot;
}

static MPI_Aint place_of_sum(long slot)
{
	return 2 + SLOTS + slot;
}

static void table_init(struct table *t)
{
	MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &t->size);
	MPI_Win_allocate(sizeof(struct part), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &t->own, &t->win);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, t->rank, 0, t->win);
	*t->own = (struct part){0};
	MPI_Win_unlock(t->rank, t->win);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void home_of(const struct table *t, long key, int *rank, long *slot)
{
	unsigned long hash = (unsigned long)key * 11400714819323198485ul;

	*rank = (int)((hash >> 40) % (unsigned long)t->size);
	*slot = (long)((hash >> 20) % SLOTS);
}

/* Finds the key's slot, or claims one for it. Inside an epoch. */
static long claim_slot(struct table *t, long key, int home, long slot)
{
	const long empty = EMPTY, one = 1;
	long found, held;

	for (;; slot = (slot + 1) % SLOTS) {
		MPI_Compare_and_swap(&key, &empty, &found, MPI_LONG, home, place_of_key(slot), t->win);
		MPI_Win_flush(home, t->win);
		if (found == key)
			return slot;
		if (found == EMPTY) {
			MPI_Fetch_and_op(&one, &held, MPI_LONG, home, 0, MPI_SUM, t->win);
			MPI_Win_flush(home, t->win);
			return slot;
		}
	}
}

static void add(struct table *t, long key, long value)
{
	long slot, before;
	int home;

	home_of(t, key, &home, &slot);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, home, 0, t->win);
	slot = claim_slot(t, key, home, slot);
	MPI_Fetch_and_op(&value, &before, MPI_LONG, home, place_of_sum(slot), MPI_SUM, t->win);
	MPI_Win_unlock(home, t->win);
}

/* The sum under a key, or -1. */
static long find(struct table *t, long key)
{
	long slot, keys[SLOTS], sum = -1;
	int home;

	home_of(t, key, &home, &slot);
	MPI_Win_lock(MPI_LOCK_SHARED, home, 0, t->win);
	MPI_Get(keys, SLOTS, MPI_LONG, home, place_of_key(0), SLOTS, MPI_LONG, t->win);
	MPI_Win_flush(home, t->win);
	while (keys[slot] != key && keys[slot] != EMPTY)
		slot = (slot + 1) % SLOTS;
	if (keys[slot] == key)
		MPI_Get(&sum, 1, MPI_LONG, home, place_of_sum(slot), 1, MPI_LONG, t->win);
	MPI_Win_unlock(home, t->win);
	return sum;
}

/* All ranks' numbers of keys, asked of all at once. */
static long count_keys(struct table *t)
{
	long *held = calloc((size_t)t->size, sizeof(long)), sum = 0;

	if (!held)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Win_lock_all(0, t->win);
	for (int i = 0; i < t->size; i++)
		MPI_Get(&held[i], 1, MPI_LONG, i, 0, 1, MPI_LONG, t->win);
	MPI_Win_flush_all(t->win);
	for (int i = 0; i < t->size; i++)
		sum += held[i];
	MPI_Win_unlock_all(t->win);
	free(held);
	return sum;
}

int main(int argc, char **argv)
{
	int wrong = 0, wrong_anywhere;
	long keys;
	struct table t;

	MPI_Init(&argc, &argv);
	table_init(&t);
	/* Each key comes from two ranks: from one at the start, from another at the end. */
	for (long i = 0; i < KEYS; i++)
		add(&t, 1 + t.rank * (KEYS / 2) + i, 100 + t.rank);
	MPI_Barrier(MPI_COMM_WORLD);

	for (long key = 1; key <= (t.size + 1) * (KEYS / 2); key++) {
		long first = (key - 1) / (KEYS / 2), sum = 0;

		if (key % t.size != t.rank)
			continue;
		sum += first < t.size ? 100 + first : 0;
		sum += first > 0 ? 100 + first - 1 : 0;
		wrong += find(&t, key) != sum;
	}
	wrong += find(&t, 987654321) != -1;
	keys = count_keys(&t);
	MPI_Reduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (t.rank == 0)
		printf("%s : %ld keys, %d of them wrong\n",
		       !wrong_anywhere && keys == (t.size + 1) * (KEYS / 2) ? "ok" : "wrong", keys,
		       wrong_anywhere);
	MPI_Win_free(&t.win);
	MPI_Finalize();
	return 0;
}
