/* Each thread smooths a part of a field, for which it needs the first row of the next thread's in every step. It fetches that
 * at once, and gives the next thread a copy of its part while it computes: a piece in each step.
 *
 * tarry-example: threads=3 */
#include "../portable.h"

#include <upc_nb.h>

enum { WIDTH = 64, HEIGHT = 512, STEPS = 4 };

enum { ROW = WIDTH * sizeof(double), PART = HEIGHT * ROW, PIECE = PART / STEPS };

static double field[HEIGHT + 1][WIDTH];

static void smooth(void)
{
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 1; x < WIDTH - 1; x++)
			field[y][x] = (field[y][x - 1] + field[y][x + 1] + field[y + 1][x]) / 3;
	work(20);
}

int main(void)
{
	shared void *edges = upc_all_alloc(THREADS, ROW);
	shared void *copies = upc_all_alloc(THREADS, PART);
	int next = (MYTHREAD + 1) % THREADS;
	upc_handle_t copied = UPC_COMPLETE_HANDLE;

	field[0][1] = MYTHREAD + 1;
	for (int step = 0; step < STEPS; step++) {
		upc_memput(ON_THREAD(edges, ROW, MYTHREAD), field[0], ROW);
		upc_barrier;
		upc_memget(field[HEIGHT], ON_THREAD(edges, ROW, next), ROW);
		upc_barrier;
		smooth();
		upc_sync(copied);
		copied = upc_memput_nb(BEHIND(ON_THREAD(copies, PART, next), step * PIECE), field[step * HEIGHT / STEPS],
		                       PIECE);
	}
	upc_sync(copied);
	return 0;
}
