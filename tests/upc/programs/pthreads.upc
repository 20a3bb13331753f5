/* Threads that share processes, without collectives, which Berkeley UPC does not have there.
 *
 * tarry-test: threads=4 upcc=-pthreads=2 gupc=-fupc-pthreads-model-tls */
#include "portable.h"

#include <pupc.h>

enum { BLOCK = 64 };

int main(void)
{
	upc_lock_t *lock = upc_all_lock_alloc();
	shared void *room = upc_all_alloc(THREADS, BLOCK);
	unsigned phase = pupc_create_event("phase", "");
	int value = MYTHREAD;

	upc_barrier;
	pupc_event_start(phase);
	upc_memput(ON_THREAD(room, BLOCK, (MYTHREAD + 1) % THREADS), &value, sizeof(value));
	upc_notify 3;
	upc_wait 3;
	upc_lock(lock);
	upc_unlock(lock);
	pupc_event_end(phase);
	upc_memget(&value, ON_THREAD(room, BLOCK, MYTHREAD), sizeof(value));
	upc_barrier;
	return value != (MYTHREAD + THREADS - 1) % THREADS;
}
