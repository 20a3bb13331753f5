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
#ifndef TARRY_ANALYSIS_ENGINE_ESTIMATES_H
#define TARRY_ANALYSIS_ENGINE_ESTIMATES_H

#include "analysis/model/nodes.h"
#include "analysis/model/pair_map.h"
#include "analysis/model/relations.h"

struct link {
	double latency; /* ns; 0: as measured */
	double rate;    /* bytes per ns; 0: as measured, or without a limit */
};

/* How far a message shows the network: its receiver waited already; or it needed its receiver, who was late. */
enum clarity { CLEAR, DIM, CLARITIES };

/* What is known of messages between two distinct calls: those that did not take less than this tell nothing new. */
struct news {
	const struct role *send, *post;
	int64_t below[CLARITIES];
};

enum { NEWS_BITS = 11 };

struct estimates {
	const struct nodes *nodes;
	struct link known;
	uint32_t bytes_slot;
	struct pair_map sample_of; /* by pair, clarity and power of two */
	struct sample *samples;
	uint32_t sample_count, sample_room;
	struct fit *fits; /* by clarity and pair, ascending */
	uint32_t fit_count;
	struct news news[1 << NEWS_BITS]; /* by both calls, of those that were met last */
};

struct estimates *estimates_new(const struct nodes *nodes, struct link known, uint32_t bytes_slot);
void estimates_add(struct estimates *estimates, const struct completion *completion);
/* The same of a message that the call received which posted the receive, and nothing else. */
static inline void estimates_add_own(struct estimates *estimates, const struct occurrence *send,
                                     const struct occurrence *post);
/* May be given none. */
void estimates_fit(struct estimates *estimates);
void estimates_free(struct estimates *estimates);

/* ABSENT: there are more nodes than it can tell apart. */
int64_t estimate_word(uint32_t from, uint32_t to, int64_t bytes);
/* False: no message was measured that tells. */
bool estimate_time(const struct estimates *estimates, int64_t word, double *ns);

/* A message that took so long may be the fastest so far between its calls. */
void estimates_compare(struct estimates *estimates, const struct occurrence *send,
                       const struct occurrence *post, enum clarity clarity, int64_t ns);

static inline struct news *news_at(struct estimates *estimates, const struct occurrence *send,
                                   const struct occurrence *post)
{
	uint64_t both = (uintptr_t)send->role + 33 * (uintptr_t)post->role;

	return &estimates->news[both * 0x9e3779b97f4a7c15 >> (64 - NEWS_BITS)];
}

static inline bool is_news_of(const struct news *news, const struct occurrence *send,
                              const struct occurrence *post)
{
	return news->send == send->role && news->post == post->role;
}

static inline void estimates_add_own(struct estimates *estimates, const struct occurrence *send,
                                     const struct occurrence *post)
{
	enum clarity clarity = post->start <= send->start ? CLEAR : DIM;
	int64_t ns = post->end - (clarity == CLEAR ? send->start : post->start);
	const struct news *news = news_at(estimates, send, post);

	if (ns < news->below[clarity] || !is_news_of(news, send, post))
		estimates_compare(estimates, send, post, clarity, ns);
}

#endif
