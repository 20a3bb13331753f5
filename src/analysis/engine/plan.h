/* Compiled rules. Each event type has a table: the rows of a space that meet a condition. Other tables and
 * problems use the rows of a table.
 *
 * A partition is the work of one thread: a graph with the tables of some event types. Types that contain each
 * other are in one partition. The relations of the model are the roots; each partition has its own tables for
 * them. */
#ifndef TARRY_ANALYSIS_ENGINE_PLAN_H
#define TARRY_ANALYSIS_ENGINE_PLAN_H

#include "analysis/engine/batch.h"
#include "analysis/engine/graph.h"
#include "analysis/rules/rulebook.h"
#include "base/status.h"
#include "base/text.h"

#include "calls/calls.h"
#include <string.h>

struct view;
struct problem_totals;
struct stateful;
struct session_peers;

/* Shared by all partitions. */
struct engine {
	const struct rulebook *book;
	const char *lang; /* of texts for people; NULL: English */
	struct batch batches[RELATIONS_END];
	struct fact_plan facts;
	struct fact_table facts_of;       /* by the number of the distinct call */
	bool called[ALL_CALLS + 1];       /* functions whose calls rules need, as in a row_sink */
	const struct rule_facts *nowhere; /* the facts of no call; has all slots */
	/* Conditions that depend only on a distinct call: columns of its facts. */
	struct graph *answers;
	struct space *answer_space;
	struct node *answer_facts;
	struct answer *answer_list;
	uint32_t answer_count;
	struct answer *derived_list;
	uint32_t derived_count;
	struct truth_word {
		uint32_t slot, count; /* bits in use; 0: a new slot is needed */
	} truths[2];                  /* by `is_early` */
	const struct word_set **sets; /* the sets in rules, without duplicates */
	uint32_t set_count;
	bool is_ordered;  /* a rule depends on the order of events */
	bool has_threads; /* a process of the trace has several */
	double run_figures[RUN_FIGURES_END];
	const struct surveyed *surveys; /* by number in the book; NULL: none were computed */
	int64_t (*text_number)(void *context, const char *text);
	int64_t (*function_number)(void *context, const char *name);
	int64_t (*region)(void *context, uint32_t phase);
	/* A word from which estimates.h computes the time of such a message at the end. */
	int64_t (*estimate)(void *context, uint32_t from, uint32_t to, int64_t bytes);
	bool has_estimates; /* a rule needs one */
	int64_t (*delay)(void *context, uint32_t process, uint32_t thread,
	                 int64_t start); /* NULL: no delays */
	int64_t (*waited_delay)(void *context, uint32_t process, uint32_t thread,
	                        int64_t start); /* this and the next are set if `delay` is */
	int64_t (*exit_delay)(void *context, uint32_t process, uint32_t thread, int64_t end);
	bool wants_delays;
	void *context;
	struct arena arena;
};

#define VALUE_ALONE UINT32_MAX

struct answer {
	uint32_t slot, bit; /* VALUE_ALONE: all of the slot */
	struct node *value; /* in `answers` */
	bool is_early;      /* needs private facts of the call */
};

/* The bits from one source that a row must have. */
struct bit_filter {
	struct node *bits;
	uint64_t need;
};

/* Conjuncts, in the best order of evaluation. */
struct conditions {
	uint64_t need; /* bits that rows of a relation need: the union of all filters */
	struct bit_filter *filters;
	uint32_t filter_count;
	struct node **nodes;
	uint32_t count;
};

enum table_kind {
	TABLE_RELATION, /* all rows from the model */
	TABLE_FILTER, /* rows of `source` that meet conditions: calls of some functions, composites of one member */
	TABLE_GROUP,    /* groups of rows that arrive together; the rows of its space are the groups */
	TABLE_STATEFUL, /* the results of an operator */
};

struct table {
	enum table_kind kind;
	const struct event_type *type;
	struct partition *partition;
	struct table *source; /* of FILTER and GROUP */
	struct space *space;
	struct row_selection selection;
	struct conditions conditions;
	struct view *self;
	struct view **members; /* by member of the type, for its parameters */
	struct view **inner;   /* by member of a group or run, for aggregates */
	/* The columns of the type that were requested so far. */
	struct node **columns;
	const struct view **events;
	/* RELATION: the present block, and the space of its groups */
	struct space *groups;
	struct batch *batch;
	const struct row_block *block;
	/* GROUP: its members */
	struct row_selection
		member_groups; /* groups whose common values meet the conditions: they may have members */
	struct conditions group_conditions;
	struct row_selection member_rows;
	struct conditions member_conditions;
	struct row_selection each_rows; /* members of groups that meet the conditions */
	bool has_each;
	struct group_aggregate *aggregates;
	struct member_filter *filters;
	/* STATEFUL */
	struct stateful *stateful;
	/* users of the rows */
	struct table **wanted_by;
	uint32_t wanted_count;
	struct port **ports;
	uint32_t port_count;
	struct compiled_rule **rules;
	uint32_t rule_count;
};

/* The rows that a session with peers evaluates (engine/shared_rules.h). */
enum row_origin {
	ROWS_OF_ALL,    /* one session has all rows */
	ROWS_OF_OWN,    /* rows of its own ranks; not for the leader */
	ROWS_OF_OTHERS, /* at the leader: rows of the ranks of other sessions */
};

struct partition {
	struct engine *engine;
	struct graph *graph;
	struct table *relations[RELATIONS_END];
	struct table **tables;       /* by number of the type */
	struct stateful **statefuls; /* in the order in which results flow */
	uint32_t stateful_count;
	struct compiled_rule **rules;
	uint32_t rule_count;
	enum row_origin origin;      /* of the next blocks */
	struct session_peers *peers; /* NULL: none */
	/* In sessions that do not lead: rows that operators of the leader need, and which rows of the present block these are. */
	struct text rows_for_leader;
	bool *is_chosen;
	uint32_t chosen, chosen_room;
	struct arena *arena; /* the graph's */
};

/* A call of a finding, as columns; without its position. */
struct call_nodes {
	struct node *parts[CALL_PARTS];
};

/* A problem or metric that is evaluated for the rows of a table. */
struct compiled_rule {
	const struct problem *problem;
	struct table *table;
	struct space *space;
	const struct compiled_rule *wider; /* an earlier rule that selects at least these rows; NULL: none */
	struct row_selection selection;
	struct conditions conditions;
	struct node *duration;
	struct node *occurrences; /* NULL: each row is one occurrence */
	struct call_nodes at, partner;
	bool has_partner;
	/* of the worst instance */
	const struct template *advice;
	struct node **values;    /* of the template; for an estimate, the times added to it */
	struct node **estimates; /* by value; NULL: the value has no estimate */
	struct call_nodes *actions;
	uint32_t action_count;
	const struct table *group; /* its table, or the table with its rows, if that is a group; NULL: none */
	struct call_nodes *member_actions; /* of each member of `group` */
	uint32_t member_action_count;
	struct problem_totals *totals;
	void (*found)(struct compiled_rule *rule); /* processes the selected rows */
};

struct partition *partition_new(struct engine *engine);
void partition_free(struct partition *partition);
/* Compiles the problem and all events that it uses. Fails for operations that the engine does not support. */
enum status partition_add(struct partition *partition, const struct problem *problem) MUST_CHECK;
/* Evaluates a block of a relation. */
void partition_run(struct partition *partition, const struct row_block *block);
/* Call it after the last row. */
void partition_finish(struct partition *partition);

/* Used only by the files of the compiler. */
enum status table_get(struct partition *partition, const struct event_type *type,
                      struct table **table) MUST_CHECK;
struct table *table_new(struct partition *partition, enum table_kind kind, const struct event_type *type);
/* A column of a relation: of its rows or, for values that the rows of a group share, of its groups. */
struct node *table_input(struct table *relation, enum input_kind kind, enum row_part part, uint32_t offset);
void table_run(struct table *table);

/* Optimizes conditions on rows of `source`: conditions that can be evaluated earlier become bits, and
 * conditions on groups are broadcast. With `is_wanted`, rows that do not meet them need not be copied. */
void conditions_push_down(struct table *source, struct conditions *conditions, bool is_wanted);
void conditions_apply(const struct conditions *conditions, struct row_selection *selection);
/* For a space with one row. */
bool conditions_hold(const struct conditions *conditions, struct space *space);

#endif
