/* The clock of a session: selection, test, synchronisation, report. */
#ifndef TARRY_BENCH_RUN_SESSION_CLOCK_H
#define TARRY_BENCH_RUN_SESSION_CLOCK_H

#include "bench/run/session.h"

/* From the user's options. */
enum status clock_choose(struct session *session) MUST_CHECK;

/* Tests the timer and synchronises. Collective over the session's world, like all below. */
enum status clock_start(struct session *session) MUST_CHECK;

/* Synchronises again if the clocks differ too much, or may. */
void clock_refresh(struct session *session);

/* The current clock error in ns, among the processes of the last measurement. */
double clock_look(struct session *session, MPI_Comm comm);

/* The facts at the end. */
void clock_facts_at_end(struct session *session);

#endif
