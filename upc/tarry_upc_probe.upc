/* Uses all instrumentation of the user's sources, so that 'tarry upcc' can tell the cause if a source does
 * not compile. */
#include <upc.h>
#if defined(__UPC_COLLECTIVE__) && !defined(__BERKELEY_UPC_PTHREADS__)
#include <upc_collective.h>
#endif
#ifdef __UPC_ATOMIC__
#include <upc_atomic.h>
#endif

extern void tarry_upc_probe(shared void *there);

void tarry_upc_probe(shared void *there)
{
	upc_fence;
#ifdef __UPC_ATOMIC__
	upc_atomic_strict(0, 0, UPC_GET, there, 0, 0);
#else
	(void)there;
#endif
}
