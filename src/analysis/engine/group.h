/* Groups whose members come together in a block, and aggregates over them: a value for each group, or for each member where
 * `mine` is used. */
#ifndef TARRY_ANALYSIS_ENGINE_GROUP_H
#define TARRY_ANALYSIS_ENGINE_GROUP_H

#include "analysis/engine/aggregate.h"
#include "analysis/engine/compile.h"

/* Which members an aggregate is over; aggregates that agree in it partition it. */
struct member_filter {
	struct member_filter *next;
	struct conditions conditions;
	struct row_selection chosen;
	uint64_t stamp; /* of the groups for which it was chosen */
};

/* An aggregate of a group: the folded value, and the members that it covers. */
struct group_aggregate {
	struct group_aggregate *next;
	struct table *table;
	enum aggregate aggregate;
	struct node *value; /* by member; NULL: they are only counted */
	struct member_filter *filter;
	struct scratch scratch;
	/* Only members for which `theirs op mine` holds; OP_NONE: for all. */
	enum operator op;
	struct node *theirs, *mine;
	struct node *result; /* by group or, with `op`, by member; of those that pick a member, its row */
};

/* The rows of a group's members, then the groups that meet its conditions, then their members. */
void group_run(struct table *table);
void group_release(struct table *table);

/* Where the members of a group begin in member_rows, which are in the order of their groups. */
uint32_t group_first_member(const struct table *table, uint32_t group);

struct member_filter *find_member_filter(struct table *table, const struct conditions *conditions);
struct node *group_aggregate_result(struct table *table, const struct group_aggregate *wanted);
/* node_gather() of a member: what all members of a group have in common is its own. */
struct node *group_gather(struct node *index, struct node *values, const struct row_selection *selection,
                          union word absent);

#endif
