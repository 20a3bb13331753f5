/* One line transfers far more than the others.
 *
 * tarry-example: threads=3 bad=1048576 good=256 env=UPC_STANDIN_BYTES_PER_SECOND=10000000 */
#include "planted.h"

enum { PLANE = 1 << 20 };

int main(int argc, char **argv)
{
	size_t bytes = (size_t)delay_of(argc, argv);
	shared void *room = upc_all_alloc(THREADS, PLANE);
	char *plane = calloc(1, PLANE);
	int next = (MYTHREAD + 1) % THREADS;

	upc_barrier;
	for (int i = 0; i < 10; i++)
		upc_memput(ON_THREAD(room, PLANE, next), plane, 64);
	upc_memget(plane, ON_THREAD(room, PLANE, next), 128);
	upc_barrier;
	for (int i = 0; i < 2; i++)
		upc_memget(plane, ON_THREAD(room, PLANE, next), bytes);
	/* @upc.large-messages rank=0,1,2 total=0.629 count=3 */
	free(plane);
	return 0;
}
