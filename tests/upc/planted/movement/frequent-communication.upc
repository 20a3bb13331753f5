/* Elements of another thread one by one: here the runtime takes 4 ms for each. The good program fetches them at once.
 *
 * tarry-example: threads=4 bad=1 good=0 bad-env=UPC_STANDIN_BYTES_PER_SECOND=2000 */
#include "planted.h"

enum { ELEMENTS = 101, ROOM = ELEMENTS * (int)sizeof(double) };

int main(int argc, char **argv)
{
	int is_one_by_one = delay_of(argc, argv);
	int next = (MYTHREAD + 1) % THREADS;
	shared void *room = upc_all_alloc(THREADS, ROOM);
	double mine[ELEMENTS];
	int i;

	upc_barrier;
	for (i = 0; is_one_by_one && i < ELEMENTS; i++)
		upc_memget(&mine[i], (shared [] double *)ON_THREAD(room, ROOM, next) + i, sizeof(double));
	/* @upc.frequent-communication rank=0,1,2,3 total=1.6 */
	if (!is_one_by_one)
		upc_memget(mine, ON_THREAD(room, ROOM, next), ROOM);
	return 0;
}
