/* The memory of rules: composites of several members, runs, and groups that close at the end. Rows of the members
 * go through a port as tuples of words to an operator (engine/operator.h), and its results are collected into blocks of a
 * space of its own. Only what somebody asks for goes through.
 *
 * Members are joined one after the other: the second to the first, the third to their results. A condition `x.a = y.b`
 * is a key of the step where both are there, others on members that are joined so far are asked of each pair, and
 * joins for the last member before, or the first member after, those already found. */
#ifndef TARRY_ANALYSIS_ENGINE_STATEFUL_H
#define TARRY_ANALYSIS_ENGINE_STATEFUL_H

#include "analysis/engine/compile.h"
#include "analysis/engine/operator.h"

struct pick_plan;

/* Here rows of a table become tuples: keys first, then the carried values. */
struct port {
	struct stateful *stateful;
	struct table *source;
	uint32_t number; /* among the stateful's */
	bool is_shared;
	struct row_selection selection;
	struct conditions conditions;
	struct node **keys; /* of the source's space */
	uint32_t key_count;
	struct node **carried;
	uint32_t *columns; /* by carried value: its number in the stateful's space */
	uint32_t carried_count;
	int64_t *tuples;
	size_t tuple_room;
};

/* How the member of a port is joined to those of the ports before it. */
struct join_step {
	struct stateful *stateful;
	uint32_t number;     /* of its port */
	uint32_t *left_keys; /* columns */
	bool is_asof;
	enum member_order order;
	uint32_t left_time, right_time;         /* columns */
	uint32_t left_identity, right_identity; /* columns; UINT32_MAX: of different kinds */
	bool is_of_process, is_of_thread;       /* one of its keys is that of a call */
	bool is_of_call;                        /* a key is the identity of calls */
	struct conditions accepted;             /* in the space of pairs */
	struct join *join;
	struct asof *asof;
	uint32_t key_count;  /* of its port */
	uint32_t left_words; /* that the ports before it carried */
	int64_t *scratch;    /* left tuples */
	size_t scratch_room;
};

/* A value that a group or run has of its members. */
struct key_aggregate {
	enum aggregate aggregate;
	struct node *value, *filter, *result; /* of the source's space; each may be NULL */
	union word absent;                    /* its value if no member is picked */
};

struct column_origin {
	uint32_t port, index; /* of the carried value */
	uint32_t word;        /* among what all ports bring */
};

struct stateful {
	struct partition *partition;
	struct table *table;
	struct space *pair; /* of one row: two tuples that are looked at together */
	struct port **ports;
	uint32_t port_count;
	struct join_step *steps; /* by port; the first has none */
	struct key_aggregate *aggregates;
	uint32_t aggregate_count;
	struct groups *groups;
	struct conditions going_on;    /* of a run, in the space of pairs */
	bool is_of_one;                /* puts together rows of one process only; see rules_divide() */
	struct column_origin *origins; /* by column */
	uint32_t column_count;
	bool is_open;
	/* its results */
	union word **columns;
	uint32_t width, rows;
};

/* Rows of a stateful's space are looked at when there are so many. */
enum { GIVEN_ROWS = 512 };

/* Columns of `previous` in the space of pairs. */
#define PREVIOUS_COLUMN (UINT32_C(1) << 31)

enum status stateful_make(struct partition *partition, const struct event_type *type,
                          struct table **table) MUST_CHECK;
void stateful_free(struct stateful *stateful);
/* All rows were handed over: closes open groups. */
void stateful_finish(struct stateful *stateful);

struct port *port_add(struct stateful *stateful, struct table *source, const struct member *member);
/* The column of the stateful's space, or of its pairs, that gets this one. `flag` is 0 or PREVIOUS_COLUMN. */
struct node *port_carry(struct port *port, struct space *space, struct node *node, uint32_t flag);
uint32_t port_column(struct port *port, struct node *node);
void port_key(struct port *port, struct node *node);
/* Rows of its table were found. */
void port_push(struct port *port);
void port_release(struct port *port);
/* An event as it is after a port. */
const struct view *port_view(struct port *port, struct space *space, const struct view *view, uint32_t flag);

/* A row of the space, to be filled; given_row_done() when it is. */
void given_row_done(struct stateful *stateful);

/* joins.c: a chain of operators; stateful.c: one operator for groups. */
enum status joins_make(struct stateful *stateful) MUST_CHECK;
void joins_open(struct stateful *stateful);
void joins_add(struct port *port, const int64_t *tuples, size_t count);
void joins_finish(struct stateful *stateful);
void joins_free(struct stateful *stateful);
uint64_t joins_dropped(const struct stateful *stateful);
/* Losses by the bounds of operators. */
uint64_t stateful_dropped(const struct stateful *stateful);

/* Of a group or run; `picked` is the value of a member, NULL for an aggregate's own value. */
struct node *stateful_aggregate(const struct expr *expr, const struct scope *inner,
                                const struct expr *picked);
const struct view *stateful_event_aggregate(const struct expr *expr, const struct scope *inner,
                                            const struct expr *picked);
/* A column of the member that an aggregate picks. */
struct node *pick_column(struct pick_plan *plan, struct node *node, union word absent);

/* Is made of transfers, directly or not: other rows come in order anyway. */
bool type_has_messages(const struct event_type *type);

#endif
