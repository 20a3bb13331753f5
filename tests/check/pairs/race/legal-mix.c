/* pair: check=none ranks=3 */
#include "../pair.h"

enum { ROUNDS = 60, SLOTS = 8 };

static MPI_Win win;
static MPI_Group world;
static int *memory;

static void fences(int target)
{
	int value = rank;

	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	MPI_Put(&value, 1, MPI_INT, target, rank, 1, MPI_INT, win);
	MPI_Accumulate(&value, 1, MPI_INT, target, 3, 1, MPI_INT, MPI_SUM, win);
	MPI_Accumulate(&value, 1, MPI_INT, target, 3, 1, MPI_INT, MPI_SUM, win);
	MPI_Win_fence(0, win);
	MPI_Get(&value, 1, MPI_INT, target, 0, 1, MPI_INT, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void exposed(void)
{
	int value = rank, left = (rank + size - 1) % size, right = (rank + 1) % size;
	MPI_Group from, to;

	MPI_Group_incl(world, 1, &left, &from);
	MPI_Group_incl(world, 1, &right, &to);
	for (int i = 0; i < 2; i++) {
		MPI_Win_post(from, 0, win);
		MPI_Win_start(to, 0, win);
		MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
		MPI_Win_complete(win);
		MPI_Win_wait(win);
		expect(memory[0] == left);
	}
	MPI_Group_free(&from);
	MPI_Group_free(&to);
}

static void exclusive(int target)
{
	int value;

	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
	MPI_Get(&value, 1, MPI_INT, target, 5, 1, MPI_INT, win);
	MPI_Win_flush(target, win);
	value++;
	MPI_Put(&value, 1, MPI_INT, target, 5, 1, MPI_INT, win);
	MPI_Win_unlock(target, win);
}

static void shared(int target)
{
	int value = rank, others[3];

	MPI_Win_lock_all(0, win);
	MPI_Put(&value, 1, MPI_INT, target, rank, 1, MPI_INT, win);
	MPI_Win_flush(target, win);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Get(others, 3, MPI_INT, target, 0, 3, MPI_INT, win);
	MPI_Win_flush_local(target, win);
	expect(others[0] == 0 && others[1] == 1 && others[2] == 2);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Put(&value, 1, MPI_INT, target, 2 - rank, 1, MPI_INT, win);
	MPI_Win_unlock_all(win);
}

static void tickets(int target)
{
	int one = 1, ticket = 0, value = rank;

	MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
	MPI_Fetch_and_op(&one, &ticket, MPI_INT, target, 4, MPI_SUM, win);
	MPI_Win_flush(target, win);
	MPI_Put(&value, 1, MPI_INT, target, ticket % 3, 1, MPI_INT, win);
	MPI_Win_unlock(target, win);
}

int main(int argc, char **argv)
{
	unsigned state = 12345;

	start(&argc, &argv);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Win_allocate(SLOTS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memset(memory, 0, SLOTS * sizeof(int));
	MPI_Barrier(MPI_COMM_WORLD);
	for (int round = 0; round < ROUNDS; round++) {
		const int target = (int)((state = state * 1103515245 + 12345) >> 16) % size;

		switch ((state >> 20) % 5) {
		case 0:
			fences(target);
			break;
		case 1:
			exposed();
			break;
		case 2:
			exclusive(target);
			break;
		case 3:
			shared(target);
			break;
		default:
			tickets(target);
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Win_free(&win);
	MPI_Group_free(&world);
	return finish();
}
