/* One thread has ten times as much to fetch as the others.
 *
 * tarry-example: threads=4 bad=10 good=1 env=UPC_STANDIN_BYTES_PER_SECOND=1000000 */
#include "planted.h"

enum { ROW = 4000, PLANE = 10 * ROW };

int main(int argc, char **argv)
{
	size_t bytes = MYTHREAD == 2 ? (size_t)(ROW * delay_of(argc, argv)) : ROW;
	shared void *room = upc_all_alloc(THREADS, PLANE);
	char *plane = calloc(1, PLANE);

	upc_barrier;
	for (int i = 0; i < 10; i++)
		upc_memget(plane, ON_THREAD(room, PLANE, (MYTHREAD + 1) % THREADS), bytes);
	/* @upc.unbalanced-communication rank=2 total=0.27 count=1 */
	free(plane);
	return 0;
}
