/* The time of a message between two nodes: latency + bytes / bandwidth, estimated from the fastest messages
 * of the run. docs/rule-language.md describes the method. Until the end of the trace, an estimate is a word
 * with a size and two nodes; at the end it becomes a time.
 *
 *	struct estimates *estimates = estimates_new(nodes, (struct network_link){0}, &facts, slot);
 *	estimates_add(estimates, block);                       of transfers
 *	int64_t word = estimate_word(from_node, to_node, bytes);
 *	estimates_fit(estimates);                              at the end
 *	if (estimate_time(estimates, word, &ns)) …
 *	estimates_free(estimates); */
#ifndef TARRY_ANALYSIS_ENGINE_ESTIMATES_H
#define TARRY_ANALYSIS_ENGINE_ESTIMATES_H

#include "analysis/engine/facts.h"
#include "analysis/model/processes.h"
#include "analysis/model/propagated_delay.h"
#include "analysis/model/relations.h"
#include "analysis/model/session_peers.h"
#include "base/array.h"
#include "base/map.h"

struct network_link {
	double latency; /* ns; 0: as measured */
	double rate;    /* bytes per ns; 0: as measured, or without a limit */
};

/* The network in the LogGP model: the time of a message is latency + send_overhead + receive_overhead + bytes * gap_per_byte, and a process sends
 * at most one message per gap, and one byte per gap_per_byte. In ns; negative: unknown. Overheads that are unknown are part of the latency. */
struct network_model {
	double latency, send_overhead, receive_overhead, gap, gap_per_byte;
};

/* What a message shows. CLEAR: its whole time, because its receiver was already waiting. DIM: the same, but it needed its receiver, which was
 * late. The others: parts of its time, and the time since the message before it. */
enum sample_kind { CLEAR, DIM, SEND_OVERHEAD, RECEIVE_OVERHEAD, SEND_GAP, SAMPLE_KINDS };

/* The fastest message between two distinct calls so far: slower messages add no information. */
struct fastest_transfer {
	const struct call_semantics *send, *post;
	int64_t below[SAMPLE_KINDS];
};

enum { FASTEST_BITS = 11 };

struct estimates {
	const struct nodes *nodes;
	struct network_link known;
	const struct fact_table *facts; /* NULL: sizes come from the calls themselves */
	uint32_t bytes_slot;
	const struct propagated_delays *delays; /* delays that the network did not cause; NULL: none */
	const int64_t *start_ns;                /* the origin of the times of rows */
	struct map sample_of;                   /* by pair, kind and power of two */
	struct sample *samples;
	uint32_t sample_count, sample_room;
	struct fit *fits; /* by kind and pair, ascending */
	uint32_t fit_count;
	ARRAY(int64_t) last_send;                           /* by process: start */
	struct fastest_transfer fastest[1 << FASTEST_BITS]; /* a cache, by both calls */
};

struct estimates *estimates_new(const struct nodes *nodes, struct network_link known,
                                const struct fact_table *facts, uint32_t bytes_slot);
void estimates_add(struct estimates *estimates, const struct row_block *transfers);
/* Exchanges the fastest messages, so that all peers have those of all. */
void estimates_share(struct estimates *estimates, struct session_peers *peers);
/* `estimates` may be NULL. */
void estimates_fit(struct estimates *estimates);
void estimates_free(struct estimates *estimates);

/* ABSENT: there are too many nodes. */
int64_t estimate_word(uint32_t from, uint32_t to, int64_t bytes);
/* Of all links within nodes, or between them. */
struct network_model estimates_model(const struct estimates *estimates, enum distance distance);

/* False: no such message was measured. */
bool estimate_time(const struct estimates *estimates, int64_t word, double *ns);

#endif
