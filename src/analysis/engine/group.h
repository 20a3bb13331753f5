/* Groups whose members are together in a block, and aggregates over them. An aggregate has a value for each
 * group or, with `mine`, for each member. */
#ifndef TARRY_ANALYSIS_ENGINE_GROUP_H
#define TARRY_ANALYSIS_ENGINE_GROUP_H

#include "analysis/engine/aggregate.h"
#include "analysis/engine/compile.h"

/* The members of groups over which an aggregate is computed. Aggregates with the same members share it. */
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
	struct node *value; /* by member; NULL: members are only counted */
	struct member_filter *filter;
	struct scratch scratch;
	/* Only members for which `theirs op mine` holds; OP_NONE: all members. */
	enum operator op;
	struct node *theirs, *mine;
	struct node *result; /* by group or, with `op`, by member; if a member is picked, its row */
};

/* Selects the rows of the members, then the groups that meet the conditions, then the members of these
 * groups. */
void group_run(struct table *table);
void group_release(struct table *table);

/* The index in member_rows of the first member of a group; member_rows are in the order of the groups. */
uint32_t group_first_member(const struct table *table, uint32_t group);

struct member_filter *find_member_filter(struct table *table, const struct conditions *conditions);
struct node *group_aggregate_result(struct table *table, const struct group_aggregate *wanted);
/* node_gather() for a member. A value that all members of a group share is taken from the group. */
struct node *group_gather(struct node *index, struct node *values, const struct row_selection *selection,
                          union word absent);

#endif
