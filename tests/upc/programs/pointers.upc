/* Calls by pointer, which have no place and need none, between two stores that have a line though the runtime reports none. They are more than the
 * recorder unwinds the stack for: if that failed for them, the second store would have no line.
 *
 * tarry-test: threads=1 shown=upc_put */
#include "portable.h"

#include <upc_collective.h>

enum { TIMES = 20000 };

static void store_twice(shared void *to, shared void *from)
{
	void (*broadcast)(shared void *, shared const void *, size_t, upc_flag_t) = upc_all_broadcast;

	WRITE(int, from, 1);
	for (int i = 0; i < TIMES; i++)
		broadcast(to, from, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
	WRITE(int, from, 2);
}

int main(void)
{
	store_twice(upc_all_alloc(THREADS, sizeof(int)), upc_all_alloc(THREADS, sizeof(int)));
	return 0;
}
