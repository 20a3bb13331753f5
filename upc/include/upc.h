/* The implementation's own <upc.h>; see tarry_upc.h. */
#include "../tarry_upc.h"

#if defined(__GNUC__) && !defined(TARRY_UPC_BERKELEY)
#pragma GCC system_header
#endif

#if defined(TARRY_UPC_SOURCE) && !defined(TARRY_UPC_PLAIN_FENCE)
#undef upc_fence
/* clang-format off: this is the order */
#include "../tarry_upc_fence.h"
#include_next <upc.h>
/* clang-format on */
#else
#include_next <upc.h>
#endif

#if defined(TARRY_UPC_SOURCE) && defined(_BUPC_ATOMIC_DECL) && !defined(TARRY_UPC_UPCALL)
#include "../tarry_upc_bupc_atomic.h"
#endif
