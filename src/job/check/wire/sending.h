/* From the ring of events (unsent_events.h) to the analysers: who has to know of a word, and in which form. What is for matching goes to the analyser that is
 * responsible, the course of the process to the first; each analyser hears of a call, type or communicator before the first event that names it. With
 * the lock of service.c. */
#ifndef TARRY_JOB_CHECK_WIRE_SENDING_H
#define TARRY_JOB_CHECK_WIRE_SENDING_H

#include "job/check/wire/connection.h"

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Of service.c: the connection to an analyser, made when it is needed first; NULL: it cannot be reached. */
struct analyser_connection *service_analyser(uint32_t number);
void service_lose_analyser(void);
void service_send_all(void);

/* Sends what is in the ring to so many analysers, and only then says that it was: what is left when the process vanishes was not sent. */
void sending_drain(uint32_t analysers);

#pragma GCC visibility pop

#endif
