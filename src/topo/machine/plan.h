/* A machine while it is being described: switches and nodes in any order, which machine_build() makes a tree. Internal to this folder.
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
	bool is_defined; /* a switch: by a line of its own, not only as part of another one */
	uint32_t line;   /* where it was named first; 0: no file has it */
	uint32_t parent; /* NO_ITEM: none */
	uint32_t first_child, last_child, next; /* NO_ITEM */
	uint32_t shape;                         /* of a node; NO_SHAPE: not told */
	uint32_t shape_line;
	uint32_t tier;
};

struct plan_link {
	uint32_t a, b; /* items */
	double latency_s;
};

struct machine_plan {
	struct machine *machine; /* being made: owns names and shapes */
	const char *file;        /* for messages */
	ARRAY(struct plan_item) items;
	struct text_map switches, nodes; /* name to number + 1 */
	ARRAY(struct plan_link) links;
	uint32_t node_count;
	uint32_t usual_shape;                 /* of nodes without a line of their own; NO_SHAPE */
	struct level_cost costs[LEVELS_MOST]; /* given by name */
	struct level_cost network;            /* of the highest level */
};

void plan_init(struct machine_plan *plan, const char *file);
void plan_release(struct machine_plan *plan);

/* "m.conf:3: …", or without a line "m.conf: …". Returns FAILED. */
enum status plan_fail(const struct machine_plan *plan, uint32_t line, const char *format, ...)
	PRINTF_LIKE(3, 4) MUST_CHECK;
/* NO_ITEM: there are too many. */
uint32_t plan_switch(struct machine_plan *plan, const char *name, uint32_t line);
uint32_t plan_node(struct machine_plan *plan, const char *name, uint32_t line);
enum status plan_put_below(struct machine_plan *plan, uint32_t parent, uint32_t child,
                           uint32_t line) MUST_CHECK;
/* The number of cores is checked: at most NODE_CORES_MOST. `caches` is for each socket, `cores` for each cache. */
uint32_t plan_shape(struct machine_plan *plan, uint32_t sockets, uint32_t caches, uint32_t cores);
/* By the socket and the cache of each core. */
uint32_t plan_uneven_shape(struct machine_plan *plan, const struct node_shape *shape);

/* Nodes whose links have about the same latency come below one switch. */
enum status plan_cluster_links(struct machine_plan *plan) MUST_CHECK;

/* The levels that were named, and what follows from them for others. */
void plan_give_costs(const struct machine_plan *plan, struct machine *machine);
/* As machine_parse(), but only the costs of levels are used. */
enum status machine_parse_costs(const char *name, const char *bytes, size_t size,
                                struct machine *machine) MUST_CHECK;
/* Whether a file says of any node; one with costs alone does not. */
enum status machine_has_nodes(const char *name, const char *bytes, size_t size, bool *has_nodes) MUST_CHECK;

/* The plan keeps nothing of the machine then. */
enum status machine_build(struct machine_plan *plan, struct machine **machine) MUST_CHECK;

/* The inside of the node that this process runs on; texts and lists are in the arena. */
void host_shape(struct arena *arena, struct node_shape *shape);

#endif
