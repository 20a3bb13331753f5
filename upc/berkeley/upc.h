/* Berkeley UPC's own <upc.h>, followed by the instrumentation of the atomic operations that older versions
 * declare. */
#if defined(__BERKELEY_UPC_SECOND_PREPROCESS__) && defined(__has_include_next)
#if __has_include_next(<upc.h>)
#include_next <upc.h>
#endif
#else
#include_next <upc.h>
#endif

#if defined(TARRY_UPC_SOURCE) && defined(_BUPC_ATOMIC_DECL) && !defined(TARRY_UPC_UPCALL)
#include "../tarry_upc_bupc_atomic.h"
#endif
