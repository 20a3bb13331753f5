/* Each thread fetches a neighbour's border at once, and all of them have as many.
 *
 * tarry-example: threads=4 good-env=UPC_STANDIN_BYTES_PER_SECOND=2000 */
#include "../portable.h"

enum { ELEMENTS = 101, BORDER = ELEMENTS * (int)sizeof(double), EXTRA = 1000 };

int main(void)
{
	int next = (MYTHREAD + 1) % THREADS;
	shared void *grid = upc_all_alloc(THREADS, BORDER + EXTRA);
	double border[ELEMENTS];
	char more[EXTRA];

	upc_barrier;
	upc_memget(border, ON_THREAD(grid, BORDER + EXTRA, next), BORDER);
	upc_memget(more, ON_THREAD(grid, BORDER + EXTRA, next), 2 * EXTRA / 5);
	return 0;
}
