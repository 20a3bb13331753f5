/* Each thread fetches a neighbour's border element by element, and thread 3, which has five borders, waits for far more data than
 * the others.
 *
 * tarry-example: threads=4 bad-env=UPC_STANDIN_BYTES_PER_SECOND=2000 */
#include "../portable.h"

enum { ELEMENTS = 101, BORDER = ELEMENTS * (int)sizeof(double), EXTRA = 1000 };

int main(void)
{
	int next = (MYTHREAD + 1) % THREADS;
	int extra = MYTHREAD == 3 ? EXTRA : EXTRA / 5;
	shared void *grid = upc_all_alloc(THREADS, BORDER + EXTRA);
	double border[ELEMENTS];
	char more[EXTRA];
	int i;

	upc_barrier;
	for (i = 0; i < ELEMENTS; i++)
		upc_memget(&border[i], (shared [] double *)ON_THREAD(grid, BORDER + EXTRA, next) + i, sizeof(double));
	/* @upc.frequent-communication rank=0,1,2,3 total=1.6 */
	upc_memget(more, ON_THREAD(grid, BORDER + EXTRA, next), (size_t)extra);
	/* @upc.unbalanced-communication rank=3 total=0.3 count=1 */
	return 0;
}
