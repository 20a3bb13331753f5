/* Rules with memory: composites of several members, runs, and groups that close at the end. Ports pass the
 * rows of the members as tuples of words to an operator (engine/operator.h), whose results are collected into
 * blocks of a separate space. Tuples contain only the values that are needed.
 *
 * Members are joined one after the other: the second to the first, the third to their results, and so on. A
 * condition `x.a = y.b` is a key of the step in which both members are present. Other conditions on the
 * members joined so far are evaluated for each pair. Members that are the last before or the first after
 * another one use as-of joins. */
#ifndef TARRY_ANALYSIS_ENGINE_STATEFUL_H
#define TARRY_ANALYSIS_ENGINE_STATEFUL_H

#include "analysis/engine/compile.h"
#include "analysis/engine/operator.h"

struct pick_plan;

/* The sessions that evaluate an operator (engine/rule_owners.h). */
enum rule_owner {
	OWNER_EACH,         /* each session, for its ranks */
	OWNER_ALL_TOGETHER, /* all sessions; they exchange their sums */
	OWNER_ALL,          /* all sessions, which have the same rows */
	OWNER_LEADER
};

/* Converts rows of a table to tuples: keys first, then the carried values. */
struct port {
	struct stateful *stateful;
	struct table *source;
	uint32_t number; /* among the ports of the stateful */
	bool is_shared;
	struct row_selection selection;
	struct conditions conditions;
	struct node **keys; /* of the source's space */
	uint32_t key_count;
	struct node **carried;
	uint32_t *columns; /* by carried value: its column in the space of the stateful */
	uint32_t carried_count;
	int64_t *tuples;
	size_t tuple_room;
};

/* How the member of a port is joined to the members of earlier ports. */
struct join_step {
	struct stateful *stateful;
	uint32_t number;     /* of its port */
	uint32_t *left_keys; /* columns */
	bool is_asof;
	enum member_order order;
	uint32_t left_time, right_time;         /* columns */
	uint32_t left_identity, right_identity; /* columns; UINT32_MAX: members of different kinds */
	bool is_of_process, is_of_thread;       /* a key is the process, or the thread, of a call */
	bool is_of_call;                        /* a key is the identity of calls */
	struct conditions accepted;             /* in the space of pairs */
	struct join *join;
	struct asof *asof;
	uint32_t key_count;  /* of its port */
	uint32_t left_words; /* words carried by earlier ports */
	int64_t *scratch;    /* left tuples */
	size_t scratch_room;
};

/* An aggregate of a group or run over its members. */
struct key_aggregate {
	enum aggregate aggregate;
	struct node *value, *filter, *result; /* of the source's space; each may be NULL */
	union word absent;                    /* the value if no member is picked */
};

struct column_origin {
	uint32_t port, index; /* of the carried value */
	uint32_t word;        /* among the words of all ports */
};

struct stateful {
	struct partition *partition;
	struct table *table;
	struct space *pair; /* with one row: two tuples for which a condition is evaluated */
	struct port **ports;
	uint32_t port_count;
	struct join_step *steps; /* by port; the first has none */
	struct key_aggregate *aggregates;
	uint32_t aggregate_count;
	struct groups *groups;
	struct conditions going_on;    /* of a run, in the space of pairs */
	enum rule_owner owner;         /* for sessions with peers */
	struct column_origin *origins; /* by column */
	uint32_t column_count;
	bool is_open;
	/* its results */
	union word **columns;
	uint32_t width, rows;
};

/* The number of results that are processed as one block. */
enum { GIVEN_ROWS = 512 };

/* Columns of `previous` in the space of pairs. */
#define PREVIOUS_COLUMN (UINT32_C(1) << 31)

enum status stateful_make(struct partition *partition, const struct event_type *type,
                          struct table **table) MUST_CHECK;
void stateful_free(struct stateful *stateful);
/* Call it after the last row: closes open groups. */
void stateful_finish(struct stateful *stateful);

struct port *port_add(struct stateful *stateful, struct table *source, const struct member *member);
/* Carries a column of the source; returns its column in the space of the stateful, or of its pairs. `flag` is
 * 0 or PREVIOUS_COLUMN. */
struct node *port_carry(struct port *port, struct space *space, struct node *node, uint32_t flag);
uint32_t port_column(struct port *port, struct node *node);
void port_key(struct port *port, struct node *node);
/* Passes on the selected rows of its table. */
void port_push(struct port *port);
void port_release(struct port *port);
/* The view of an event after a port. */
const struct view *port_view(struct port *port, struct space *space, const struct view *view, uint32_t flag);

/* Call it when a row of the space is filled. */
void given_row_done(struct stateful *stateful);

/* joins.c: a chain of operators; stateful.c: one operator for groups. */
enum status joins_make(struct stateful *stateful) MUST_CHECK;
void joins_open(struct stateful *stateful);
void joins_add(struct port *port, const int64_t *tuples, size_t count);
void joins_finish(struct stateful *stateful);
void joins_free(struct stateful *stateful);
uint64_t joins_dropped(const struct stateful *stateful);
/* Tuples that were lost because of the limits of operators. */
uint64_t stateful_dropped(const struct stateful *stateful);

/* An aggregate of a group or run. `picked`: the requested value of the picked member; NULL: the computed
 * value. */
struct node *stateful_aggregate(const struct expr *expr, const struct scope *inner,
                                const struct expr *picked);
const struct view *stateful_event_aggregate(const struct expr *expr, const struct scope *inner,
                                            const struct expr *picked);
/* A column of the picked member. */
struct node *pick_column(struct pick_plan *plan, struct node *node, union word absent);

/* True if the type contains transfers, directly or indirectly. All other rows arrive in order. */
bool type_has_messages(const struct event_type *type);

#endif
