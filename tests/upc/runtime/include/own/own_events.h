/* Events of the program's own, where the compiler has a header for them: what clang-upc installs has none. */
#ifndef OWN_EVENTS_H
#define OWN_EVENTS_H

#if __has_include(<pupc.h>)
#include <pupc.h>
#else
#define pupc_control(on) 1
#define pupc_create_event(name, description) 0u
#define pupc_event_start(event, ...) ((void)(event))
#define pupc_event_end(event, ...) ((void)(event))
#define pupc_event_atomic(event, ...) ((void)(event))
#endif

#endif
