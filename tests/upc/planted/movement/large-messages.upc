/* One line moves far more at once than the others do, and its thread is blocked for 200 ms: here the runtime takes that long. The
 * good program moves pieces, and completes them later.
 *
 * tarry-example: threads=4 bad=1 good=0 bad-env=UPC_STANDIN_BYTES_PER_SECOND=5242880 */
#include "planted.h"

#include <upc_nb.h>

enum { ROOM = 1048576, PIECE = 4096, HEAD = 64 };

int main(int argc, char **argv)
{
	int is_at_once = delay_of(argc, argv);
	int next = (MYTHREAD + 1) % THREADS;
	shared void *room = upc_all_alloc(THREADS, ROOM);
	char *mine = calloc(1, ROOM);
	int i;

	upc_barrier;
	for (i = 0; i < 4; i++)
		upc_memput(ON_THREAD(room, ROOM, next), mine, HEAD);
	if (is_at_once)
		upc_memput(ON_THREAD(room, ROOM, next), mine, ROOM); /* @upc.large-messages rank=0,1,2,3 total=0.8 */
	for (i = 0; !is_at_once && i < ROOM; i += PIECE)
		upc_memput_nbi((shared [] char *)ON_THREAD(room, ROOM, next) + i, mine + i, PIECE);
	upc_synci();
	free(mine);
	return 0;
}
