/* Requests, from the call that begins each to the call that completes it.
 *
 *	struct request_lives *lives = request_lives_new(process_count, teller, &counts);
 *	if (request_lives_want(occurrence.role))
 *		request_lives_call(lives, &occurrence, event->polls);     in the order of its process
 *	request_lives_finish(lives);
 *
 * A persistent request lives once for each MPI_Start. MPI_Request_free of one under way ends its life as well: nobody
 * will ask for it any more. What never ends is not told but counted. Polls are fruitless tests of any requests by the
 * thread that began this one, while it lives. */
#ifndef TARRY_ANALYSIS_MODEL_REQUEST_LIVES_H
#define TARRY_ANALYSIS_MODEL_REQUEST_LIVES_H

#include "analysis/model/relations.h"

struct request_lives;

/* Requests that were begun and never completed are added to the counts. */
struct request_lives *request_lives_new(size_t process_count, const struct teller *teller,
                                        struct replay_counts *counts);
bool request_lives_want(const struct role *role);
void request_lives_call(struct request_lives *lives, const struct occurrence *call, uint64_t polls);
/* Some of the calls of this process are missing from here on: nothing more can be told of it. */
void request_lives_blind(struct request_lives *lives, uint32_t process);
void request_lives_finish(struct request_lives *lives);

#endif
