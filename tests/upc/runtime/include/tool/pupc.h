/* Functions by which a UPC program reports to a tool. */
#ifndef PUPC_H
#define PUPC_H

#include <upc_keywords.h>

#define pupc_control(on) upcr_control(on)
#define pupc_create_event(name, description) upcr_create_event(name, description)
#define pupc_event_start(...) upcr_user_event(UPCR_HERE, 0, __VA_ARGS__)
#define pupc_event_end(...) upcr_user_event(UPCR_HERE, 1, __VA_ARGS__)
#define pupc_event_atomic(...) upcr_user_event(UPCR_HERE, 2, __VA_ARGS__)

#endif
