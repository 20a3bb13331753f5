/* The waits of a finding, in the order in which it is drawn: as text (wait_text.c) and as a
 * drawing (findings_svg.c).
 *
 * A cycle begins with its lowest rank; each process waits for the next one, the last for the first. A
 * chain ends with a process that has finished. In any other knot, processes in the same call that wait
 * for the same processes are one node. In a hang, and among processes that wait for a knot, those at the
 * same place are one node. */
#ifndef TARRY_OUTPUT_FINDINGS_WAIT_PICTURE_H
#define TARRY_OUTPUT_FINDINGS_WAIT_PICTURE_H

#include "output/findings/findings.h"

enum picture_shape { PICTURE_CYCLE, PICTURE_CHAIN, PICTURE_KNOT, PICTURE_STATES };

/* Some of the waits of a node: for the same reason, for all or (`is_one_of`) any of these. */
struct picture_wait {
	const char *why; /* WAIT_… */
	bool is_one_of;
	bool is_of_others; /* processes of the node are among these, and none waits for itself */
	struct finding_ranks ranks;
	size_t *nodes; /* nodes with these ranks */
	size_t node_count;
};

/* A call that began an awaited operation. */
struct picture_begin {
	const struct check_call *call;
	const struct shown_call *shown;
};

struct picture_node {
	const struct check_call *call; /* of the first of its processes */
	const struct shown_call *shown;
	bool arguments_vary;
	struct finding_ranks ranks;
	struct picture_begin *began;
	size_t began_count;
	struct picture_wait *waits;
	size_t wait_count;
};

struct wait_picture {
	enum picture_shape shape;
	struct picture_node *nodes; /* of the knot, or all states of a hang, late ones first */
	size_t count;
	/* In a cycle that is too long, the nodes from `summed_from` to before `summed_to` are not drawn,
	 * but grouped by place. */
	size_t summed_from, summed_to;
	struct picture_node *summed;
	size_t summed_count;
	struct picture_node *behind; /* that wait for the knot, by place */
	size_t behind_count;
	const char
		*more_behind; /* all ranks that wait for it, if they are more than in `behind`; else NULL */
	uint64_t missing;     /* processes of the knot, or of the hang, without a call in the finding */
};

/* NULL: this finding has no waits. In the arena. */
struct wait_picture *wait_picture_new(struct findings *findings, const struct shown_finding *shown);

/* "rank 0", "ranks 1, 2". */
void picture_node_name(const struct findings *findings, const struct picture_node *node, struct text *out);
/* "MPI_Recv, app.c:12 (exchange)". */
void picture_node_place(const struct findings *findings, const struct picture_node *node, struct text *out);
/* "count=1, source=1, tag=0"; empty without arguments. */
void picture_node_arguments(const struct findings *findings, const struct picture_node *node,
                            struct text *out);
void call_arguments_describe(const struct check_call *call, struct text *out);
/* "the request is from MPI_Irecv, app.c:10: source=1": the call that began the awaited operation, by its
 * number. Short: without arguments. */
void picture_began_describe(const struct findings *findings, const struct picture_node *node, size_t number,
                            bool is_short, struct text *out);
/* "waits for a message from rank 1". */
void picture_wait_describe(const struct findings *findings, const struct picture_node *node,
                           const struct picture_wait *wait, struct text *out);
/* A sentence about several waits: all of them, or one; NULL: there is only one. */
const char *picture_waits_heading(const struct findings *findings, const struct picture_node *node);
/* Why others wait for it, if it does not wait itself: it has finished, or is late; NULL: neither. */
const char *picture_node_state(const struct findings *findings, const struct picture_node *node);
/* The process has finished. */
bool picture_node_is_end(const struct picture_node *node);

/* The value of this name; NULL: the finding has none. */
const char *finding_value(const struct check_finding *finding, const char *name);

#endif
