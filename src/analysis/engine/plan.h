/* Rules, compiled: for each event type a table, that is rows of a space with a condition; the results of a table are used by
 * others, and by problems.
 *
 * A partition is what one thread does: a graph with the tables of some event types. Types that are made of each other are in
 * one partition. The relations of the model are the roots; each partition has tables of its own for them. */
#ifndef TARRY_ANALYSIS_ENGINE_PLAN_H
#define TARRY_ANALYSIS_ENGINE_PLAN_H

#include "analysis/engine/batch.h"
#include "analysis/engine/graph.h"
#include "analysis/rules/rulebook.h"
#include "base/status.h"

#include "calls/calls.h"
#include <string.h>

struct view;
struct problem_totals;
struct stateful;

/* What all parts have in common. */
struct engine {
	const struct rulebook *book;
	const char *lang; /* of texts for people; NULL: English */
	struct batch batches[RELATIONS_END];
	struct fact_plan facts;
	struct fact_table facts_of;       /* by the number of the distinct call */
	bool called[ALL_CALLS + 1];       /* functions whose calls rules look at, as in a row_sink */
	const struct rule_facts *nowhere; /* of no call; has all slots */
	/* Conditions that a distinct call answers: columns of its facts. */
	struct graph *answers;
	struct space *answer_space;
	struct node *answer_facts;
	struct answer *answer_list;
	uint32_t answer_count;
	struct answer *derived_list;
	uint32_t derived_count;
	struct truth_word {
		uint32_t slot, count; /* bits given out; 0: of a new one */
	} truths[2];                  /* by `is_early` */
	const struct word_set **sets; /* that rules name: the same ones once */
	uint32_t set_count;
	bool is_ordered;  /* a rule depends on the order of events */
	bool has_threads; /* a process of the trace has several */
	double run_figures[RUN_FIGURES_END];
	const struct surveyed *surveys; /* by their number in the book; NULL: none were made */
	int64_t (*text_number)(void *context, const char *text);
	int64_t (*function_number)(void *context, const char *name);
	int64_t (*region)(void *context, uint32_t phase);
	/* A word from which estimates.h computes at the end how long such a message takes. */
	int64_t (*estimate)(void *context, uint32_t from, uint32_t to, int64_t bytes);
	bool has_estimates; /* a rule asks for one */
	int64_t (*delay)(void *context, uint32_t process, uint32_t thread,
	                 int64_t start); /* NULL: nothing is delayed */
	int64_t (*waited_delay)(void *context, uint32_t process, uint32_t thread,
	                        int64_t start); /* with `delay`, as the next */
	int64_t (*exit_delay)(void *context, uint32_t process, uint32_t thread, int64_t end);
	bool wants_delays;
	void *context;
	struct arena arena;
};

#define VALUE_ALONE UINT32_MAX

struct answer {
	uint32_t slot, bit; /* VALUE_ALONE: all of the slot */
	struct node *value; /* in `answers` */
	bool is_early;      /* needs facts that are the call's own */
};

/* Bits that a row has to have of one source. */
struct bit_filter {
	struct node *bits;
	uint64_t need;
};

/* Conjuncts, in the order in which they are best asked. */
struct conditions {
	uint64_t need; /* bits of the rows of a relation: of all filters together */
	struct bit_filter *filters;
	uint32_t filter_count;
	struct node **nodes;
	uint32_t count;
};

enum table_kind {
	TABLE_RELATION, /* all rows that the model hands over */
	TABLE_FILTER, /* rows of `source` that meet conditions: calls of some functions, composites of one member */
	TABLE_GROUP,    /* of rows that are handed over together; its space is that of the groups */
	TABLE_STATEFUL, /* what an operator gives */
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
	struct view **members; /* by member of the type, as its parameters see them */
	struct view **inner;   /* of a group or run: as aggregates see them */
	/* Columns of the type, as far as they were asked for. */
	struct node **columns;
	const struct view **events;
	/* RELATION: what is being looked at, and the space of its groups */
	struct space *groups;
	struct batch *batch;
	const struct row_block *block;
	/* GROUP: its members */
	struct row_selection
		member_groups; /* may have members: all that these have in common meets conditions */
	struct conditions group_conditions;
	struct row_selection member_rows;
	struct conditions member_conditions;
	struct row_selection each_rows; /* members of groups that meet the conditions */
	bool has_each;
	struct group_aggregate *aggregates;
	struct member_filter *filters;
	/* STATEFUL */
	struct stateful *stateful;
	/* who wants the rows */
	struct table **wanted_by;
	uint32_t wanted_count;
	struct port **ports;
	uint32_t port_count;
	struct compiled_rule **rules;
	uint32_t rule_count;
};

/* Rows that a session with peers looks at (engine/shared_rules.h). */
enum row_origin {
	ROWS_OF_ALL,    /* one session has all rows */
	ROWS_OF_OWN,    /* of its own ranks, not the leader */
	ROWS_OF_OTHERS, /* the leader's, of ranks of others */
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
	enum row_origin origin; /* of the blocks that come */
	struct arena *arena;    /* the graph's */
};

/* Calls that a finding is about, as columns; without their positions. */
struct call_nodes {
	struct node *parts[CALL_PARTS];
};

/* A problem or metric that looks at the rows of a table. */
struct compiled_rule {
	const struct problem *problem;
	struct table *table;
	struct space *space;
	const struct compiled_rule *wider; /* one before it that chooses at least these rows; NULL: none */
	struct row_selection selection;
	struct conditions conditions;
	struct node *duration;
	struct node *occurrences; /* NULL: each row is one */
	struct call_nodes at, partner;
	bool has_partner;
	/* of the worst instance */
	const struct template *advice;
	struct node **values;    /* of the template; of an estimate, the times added to it */
	struct node **estimates; /* by value: NULL, if there is none in it */
	struct call_nodes *actions;
	uint32_t action_count;
	const struct table *group;         /* that its table is, or has the rows of; NULL: none */
	struct call_nodes *member_actions; /* of each member of `group` */
	uint32_t member_action_count;
	struct problem_totals *totals;
	void (*found)(struct compiled_rule *rule); /* what to do with chosen rows */
};

struct partition *partition_new(struct engine *engine);
void partition_free(struct partition *partition);
/* Compiles the problem and all events that it uses. Refuses operations that the engine does not support. */
enum status partition_add(struct partition *partition, const struct problem *problem) MUST_CHECK;
/* A block of the relation is full. */
void partition_run(struct partition *partition, const struct row_block *block);
/* All rows were handed over. */
void partition_finish(struct partition *partition);

/* Between the files of the compiler. */
enum status table_get(struct partition *partition, const struct event_type *type,
                      struct table **table) MUST_CHECK;
struct table *table_new(struct partition *partition, enum table_kind kind, const struct event_type *type);
/* A column of the relation that a table is of: of its rows, or of their groups for what these have in common. */
struct node *table_input(struct table *relation, enum input_kind kind, enum row_part part, uint32_t offset);
void table_run(struct table *table);

/* Conditions on rows of `source`: those that can be answered before become bits, and those on groups are broadcast. If they select
 * what is wanted, other rows need not be copied. */
void conditions_push_down(struct table *source, struct conditions *conditions, bool is_wanted);
void conditions_apply(const struct conditions *conditions, struct row_selection *selection);
/* Of the only row of a space. */
bool conditions_hold(const struct conditions *conditions, struct space *space);

#endif
