/* How long a message takes between two nodes: latency + bytes / bandwidth, as the fastest messages of the run show it.
 * docs/rule-language.md says how. What is known before all is told is a word for a size and two nodes; in the end it
 * becomes a time.
 *
 *	struct estimates *estimates = estimates_new(nodes, (struct link){0}, slot);
 *	estimates_add(estimates, completion);                  for each
 *	int64_t word = estimate_word(from_node, to_node, bytes);
 *	estimates_fit(estimates);                              all was told
 *	if (estimate_time(estimates, word, &ns)) …
 *	estimates_free(estimates); */
#ifndef TARRY_ENGINE_ESTIMATES_H
#define TARRY_ENGINE_ESTIMATES_H

#include "model/nodes.h"
#include "model/relations.h"

struct link {
	double latency; /* ns; 0: as measured */
	double rate;    /* bytes per ns; 0: as measured, or without a limit */
};

struct estimates *estimates_new(const struct nodes *nodes, struct link known, uint32_t bytes_slot);
void estimates_add(struct estimates *estimates, const struct completion *completion);
/* The same if this message was received last. */
void estimates_add_message(struct estimates *estimates, const struct sides *message,
                           const struct occurrence *wait);
/* May be given none. */
void estimates_fit(struct estimates *estimates);
void estimates_free(struct estimates *estimates);

/* ABSENT: there are more nodes than it can tell apart. */
int64_t estimate_word(uint32_t from, uint32_t to, int64_t bytes);
/* False: no message was measured that tells. */
bool estimate_time(const struct estimates *estimates, int64_t word, double *ns);

#endif
