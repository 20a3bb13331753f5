/* The clock of a session: chosen, tested, kept right, and told about. */
#ifndef TARRY_BENCH_RUN_SESSION_CLOCK_H
#define TARRY_BENCH_RUN_SESSION_CLOCK_H

#include "bench/run/session.h"

/* By the user's words. */
enum status clock_choose(struct session *session) MUST_CHECK;

/* Tests the timer and synchronises. Collective over the session's world, as all that follows. */
enum status clock_start(struct session *session) MUST_CHECK;

/* Synchronises once more if the clocks have run apart or may have. */
void clock_refresh(struct session *session);

/* Among those who took part in what was just measured: the error now, in ns. */
double clock_look(struct session *session, MPI_Comm comm);

/* What is known at the end. */
void clock_facts_at_end(struct session *session);

#endif
