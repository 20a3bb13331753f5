/* A clock that is not reported to tools. */
#ifndef UPC_TICK_H
#define UPC_TICK_H

#include <stdint.h>

typedef uint64_t upc_tick_t;

upc_tick_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(upc_tick_t ticks);

#endif
