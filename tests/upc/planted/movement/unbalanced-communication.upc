/* Thread 3 fetches five times as much as the others: here the runtime takes 100 ms for 10,000 bytes. The mean is 200 ms.
 *
 * tarry-example: threads=4 bad=1 good=0 bad-env=UPC_STANDIN_BYTES_PER_SECOND=100000 */
#include "planted.h"

enum { UNIT = 10000, ROOM = 5 * UNIT };

int main(int argc, char **argv)
{
	int is_uneven = delay_of(argc, argv);
	int next = (MYTHREAD + 1) % THREADS;
	int units = !is_uneven ? 2 : MYTHREAD == 3 ? 5 : 1;
	shared void *room = upc_all_alloc(THREADS, ROOM);
	char *mine = malloc(ROOM);

	upc_barrier;
	upc_memget(mine, ON_THREAD(room, ROOM, next), (size_t)units * UNIT);
	/* @upc.unbalanced-communication rank=3 total=0.3 count=1 partner= */
	free(mine);
	return 0;
}
