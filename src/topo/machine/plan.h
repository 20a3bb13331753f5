/* A machine under construction: switches and nodes in any order, from which machine_build() makes the tree.
 * Internal to this folder.
 *
 *	struct machine_plan plan;
 *	plan_init(&plan, "m.conf");
 *	uint32_t node = plan_node(&plan, "n0", line);
 *	plan.items.items[node].shape = plan_shape(&plan, sockets, caches, cores);
 *	status = machine_build(&plan, &machine);
 *	plan_release(&plan); */
#ifndef TARRY_TOPO_MACHINE_PLAN_H
#define TARRY_TOPO_MACHINE_PLAN_H

#include "base/array.h"
#include "topo/machine/machine.h"

#define NO_ITEM UINT32_MAX
#define NO_SHAPE UINT32_MAX

struct plan_item {
	const char *name;
	bool is_node;
	bool is_defined;                        /* a switch: has its own line */
	uint32_t line;                          /* of the first mention; 0: not from a file */
	uint32_t parent;                        /* or NO_ITEM */
	uint32_t first_child, last_child, next; /* or NO_ITEM */
	uint32_t shape;                         /* of a node; NO_SHAPE: unknown */
	uint32_t shape_line;
	uint32_t tier;
};

struct plan_link {
	uint32_t a, b; /* items */
	double latency_s;
};

struct machine_plan {
	struct machine *machine; /* under construction: owns names and shapes */
	const char *file;        /* for messages */
	ARRAY(struct plan_item) items;
	struct text_map switches, nodes; /* name to number + 1 */
	ARRAY(struct plan_link) links;
	uint32_t node_count;
	uint32_t usual_shape;                        /* for nodes without their own line; or NO_SHAPE */
	struct level_cost costs[MACHINE_LEVELS_MAX]; /* by level name */
	struct level_cost network;                   /* of the highest level */
};

void plan_init(struct machine_plan *plan, const char *file);
void plan_release(struct machine_plan *plan);

/* Message "m.conf:3: …", without a line "m.conf: …". Returns FAILED. */
enum status plan_fail(const struct machine_plan *plan, uint32_t line, const char *format, ...)
	PRINTF_LIKE(3, 4) MUST_CHECK;
/* NO_ITEM: too many. */
uint32_t plan_switch(struct machine_plan *plan, const char *name, uint32_t line);
uint32_t plan_node(struct machine_plan *plan, const char *name, uint32_t line);
enum status plan_put_below(struct machine_plan *plan, uint32_t parent, uint32_t child,
                           uint32_t line) MUST_CHECK;
/* At most NODE_CORES_MAX cores; the caller checks. `caches` is per socket, `cores` per cache. */
uint32_t plan_shape(struct machine_plan *plan, uint32_t sockets, uint32_t caches, uint32_t cores);
/* For any assignment of cores to sockets and caches. */
uint32_t plan_uneven_shape(struct machine_plan *plan, const struct node_shape *shape);

/* Groups nodes with similar latencies under switches. */
enum status plan_cluster_links(struct machine_plan *plan) MUST_CHECK;

/* Sets the costs of all levels from the known ones. */
void plan_give_costs(const struct machine_plan *plan, struct machine *machine);
/* Like machine_parse(), but reads only costs. */
enum status machine_parse_costs(const char *name, const char *bytes, size_t size,
                                struct machine *machine) MUST_CHECK;
/* Whether a file describes nodes, not only costs. */
enum status machine_has_nodes(const char *name, const char *bytes, size_t size, bool *has_nodes) MUST_CHECK;

/* On success the plan no longer owns the machine. */
enum status machine_build(struct machine_plan *plan, struct machine **machine) MUST_CHECK;

/* The shape of this process's node; its lists are in the arena. */
void host_shape(struct arena *arena, struct node_shape *shape);

#endif
