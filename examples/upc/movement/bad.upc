/* Each thread smooths a part of a field, for which it needs the first row of the next thread's in every step. It fetches that
 * element by element, and at the end it gives the next thread a copy of its whole part, and waits until that is done.
 *
 * tarry-example: threads=3 bad-env=UPC_STANDIN_BYTES_PER_SECOND=1000000 */
#include "../portable.h"

enum { WIDTH = 64, HEIGHT = 512, STEPS = 4 };

enum { ROW = WIDTH * sizeof(double), PART = HEIGHT * ROW };

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

	field[0][1] = MYTHREAD + 1;
	for (int step = 0; step < STEPS; step++) {
		upc_memput(ON_THREAD(edges, ROW, MYTHREAD), field[0], ROW);
		upc_barrier;
		for (int x = 0; x < WIDTH; x++)
			upc_memget(&field[HEIGHT][x], BEHIND(ON_THREAD(edges, ROW, next), x * sizeof(double)),
			           sizeof(double));
		/* @upc.frequent-communication rank=0,1,2 */
		upc_barrier;
		smooth();
	}
	upc_memput(ON_THREAD(copies, PART, next), field, PART); /* @upc.large-messages rank=0,1,2 total=0.78 count=3 */
	return 0;
}
