/* Thread 0 comes late to an allocation of all: it has what the others wait for.
 *
 * tarry-example: threads=4 bad=200 good=0 */
#include "planted.h"

int main(int argc, char **argv)
{
	int delay = delay_of(argc, argv);
	shared void *room;

	upc_barrier;
	if (MYTHREAD == 0)
		work(delay);
	room = upc_all_alloc(THREADS, BLOCK); /* @upc.alloc-wait rank=1,2,3 total=0.6 count=3 partner=0 */
	upc_barrier;
	upc_all_free(room);
	return 0;
}
