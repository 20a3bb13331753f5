/* Preparations of a session: examines the machine, sets the clocks and tests them. */
#ifndef TARRY_BENCH_RUN_SESSION_START_H
#define TARRY_BENCH_RUN_SESSION_START_H

#include "bench/run/session.h"

/* Collective over the session's world. */
enum status session_start(struct session *session) MUST_CHECK;

/* Whether the measuring processes share cores; collective over `comm`. No effect in processes with
 * MPI_COMM_NULL, which sleep. */
void session_check_crowding(struct session *session, MPI_Comm comm);

#endif
