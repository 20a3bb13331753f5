/* What a session does before it measures: looks at the machine, sets the clocks and tests them. */
#ifndef TARRY_BENCH_RUN_SESSION_START_H
#define TARRY_BENCH_RUN_SESSION_START_H

#include "bench/run/session.h"

/* Collective over the session's world. */
enum status session_start(struct session *session) MUST_CHECK;

/* Whether those who will measure share processors; collective over `comm`. In others, with MPI_COMM_NULL, nothing changes: they
 * sleep. */
void session_judge_crowd(struct session *session, MPI_Comm comm);

#endif
