/* From the ring of events (unsent_events.h) to the analyser of the node, which gets the definition of a call, type or communicator before the first event
 * that names it. The caller holds the lock of service.c. */
#ifndef TARRY_JOB_CHECK_WIRE_SENDING_H
#define TARRY_JOB_CHECK_WIRE_SENDING_H

#include "job/check/wire/connection.h"

#include <stdint.h>

/* Of service.c: the connection to the analyser; NULL: it cannot be reached. */
struct analyser_connection *service_connection(void);
void service_lose_analyser(void);
void service_send_all(void);

/* Sends the contents of the ring, and only then marks them as sent: the rest in the ring of a process that vanished was not sent. */
void sending_drain(void);

#endif
