/* How much earlier threads call MPI in scenarios that change teams of OpenMP threads: threads share their work evenly, all
 * threads share work that one does alone, or no thread waits for a lock. Internal to this layer.
 *
 *	struct team_gains *gains = team_gains_new(session, &threads, &changes, &places, scenarios);    NULL: no scenario changes a team
 *	if (team_gains_next(gains, thread, gains_ns))          for each call of MPI, in the order of its thread
 *		call.gains = event_graph_gains(graph, gains_ns);
 *	team_gains_free(gains);
 *
 * A replay of the trace before that of the whole run. Its event graph has the threads of teams: regions begin after their fork, barriers end
 * after the last arrival, locks after their release. Calls of MPI take as long as recorded. So the whole run need not be
 * replayed by threads: each computing between two calls of MPI takes less time. */
#ifndef TARRY_ANALYSIS_WHATIF_TEAM_GAINS_H
#define TARRY_ANALYSIS_WHATIF_TEAM_GAINS_H

#include "analysis/whatif/graph_threads.h"
#include "analysis/whatif/placed_changes.h"

struct team_gains;

struct team_gains *team_gains_new(struct analysis_session *session, const struct graph_threads *threads,
                                  const struct placed_changes *changes, struct places *places,
                                  uint32_t scenarios);
/* The gains of the computing before the next call, by scenario. False: there are none. */
bool team_gains_next(struct team_gains *gains, uint32_t thread, int64_t *gains_ns);
/* Whether the teams of the run could not be replayed completely. */
bool team_gains_incomplete(const struct team_gains *gains);
void team_gains_free(struct team_gains *gains);

#endif
