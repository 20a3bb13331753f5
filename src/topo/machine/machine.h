/* The machine of a job as a tree: network, switches, nodes; in a node sockets, caches and cores.
 *
 *	struct machine *machine;
 *	TRY(machine_open("switch:2 node:4 socket:2 core:8", &machine));      or a file, or NULL: find one
 *	uint32_t node = machine_find_node(machine, "n3");                    NO_NODE: unknown name
 *	int level = machine_level(machine, (struct core){0, 3}, (struct core){node, 0});
 *	double weight = level_weight(level);
 *	machine_free(machine);
 *
 * Switches and nodes are parts, in depth-first order: the descendants of part i are parts i + 1 to `end` - 1, and parts[0] is the
 * root. Equal nodes share a `node_shape`. The distance of two cores is the level of their lowest common ancestor.
 *
 * The syntax of machine files follows Slurm's topology.conf and slurm.conf; docs/machine.md describes it:
 *
 *	SwitchName=s0 Nodes=n[0-7]
 *	NodeName=n[0-15] Sockets=2 CoresPerSocket=8 */
#ifndef TARRY_TOPO_MACHINE_MACHINE_H
#define TARRY_TOPO_MACHINE_MACHINE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_NODE UINT32_MAX

/* Above the size of the largest machines. */
enum { MACHINE_NODES_MAX = 1 << 18, NODE_CORES_MAX = 4096, SWITCH_TIERS_MAX = 16 };
#define MACHINE_CORES_MAX ((uint64_t)1 << 26)

/* The level of the lowest common ancestor of two cores. A switch of tier t has level LEVEL_SWITCH + t - 1;
 * a switch above nodes has tier 1. */
enum { LEVEL_CORE, LEVEL_CACHE, LEVEL_SOCKET, LEVEL_NODE, LEVEL_SWITCH };
enum { MACHINE_LEVELS_MAX = LEVEL_SWITCH + SWITCH_TIERS_MAX };

enum part_kind { PART_NETWORK, PART_SWITCH, PART_NODE };

struct machine_part {
	enum part_kind kind;
	uint32_t parent; /* of the root: itself */
	uint32_t end;    /* first part after its descendants */
	uint32_t depth;
	uint32_t tier;                   /* 0: a node; 1 or more: a switch; the network has the highest */
	uint32_t first_node, node_count; /* in this subtree */
	uint32_t shape;                  /* of a node */
	const char *name;
};

/* Sockets and caches are runs of consecutive cores; each cache belongs to one socket. */
struct node_shape {
	uint32_t sockets, caches, cores;
	const uint32_t *socket_of, *cache_of; /* by core */
	const char *cache_name;               /* "L3"; NULL: one per socket, not shown */
	bool is_assumed;                      /* the user did not give the size */
};

/* Cost of a message between two cores of a level. */
struct level_cost {
	double latency_s, bytes_per_s;
	bool is_known;
};

struct machine {
	struct arena arena;
	bool is_chosen;     /* the user named it */
	bool is_this_host;  /* fallback: no machine is described */
	bool is_synthetic;  /* from machine_from_spec() */
	const char *source; /* for messages: "file 'm.conf'" */
	struct machine_part *parts;
	uint32_t part_count;
	uint32_t *nodes; /* part of each node */
	uint32_t node_count;
	struct node_shape *shapes;
	uint32_t shape_count;
	uint64_t core_count;
	uint32_t tiers; /* of switches; 0: a single node */
	struct level_cost costs[MACHINE_LEVELS_MAX];
	bool has_costs;
	const char *costs_source;    /* NULL: no costs */
	struct text_map names;       /* full name of a node to its part */
	struct text_map short_names; /* the same up to the first dot; ambiguous names are missing */
};

struct core {
	uint32_t node;
	uint32_t core; /* number in the node */
};

/* `name` is a file or a specification such as "switch:2 node:4 socket:2 core:8". NULL takes the first of:
 * the variable TARRY_MACHINE, Slurm's topology file, the measured file, this node alone. */
enum status machine_open(const char *name, struct machine **machine) MUST_CHECK;
/* `name` is the file's name, for messages. */
enum status machine_parse(const char *name, const char *bytes, size_t size,
                          struct machine **machine) MUST_CHECK;
enum status machine_from_spec(const char *spec, struct machine **machine) MUST_CHECK;
/* The node of this process. */
enum status machine_of_host(struct machine **machine) MUST_CHECK;
void machine_free(struct machine *machine);

/* Adds measured costs to a machine that has none. OK without a measurement. */
enum status machine_add_measured_costs(struct machine *machine) MUST_CHECK;
/* Checks the measured file. OK without a measurement. */
enum status machine_check_measured(void) MUST_CHECK;
/* Path of the file that `tarry coll calibrate` writes. False: no cache folder is known. */
bool machine_measured_path(char *path, size_t size);

/* Accepts the full name, or the part before the first dot. */
uint32_t machine_find_node(const struct machine *machine, const char *name);
const struct machine_part *machine_node(const struct machine *machine, uint32_t node);
const struct node_shape *machine_shape(const struct machine *machine, uint32_t node);
static inline uint32_t machine_node_cores(const struct machine *machine, uint32_t node)
{
	return machine_shape(machine, node)->cores;
}

int machine_level(const struct machine *machine, struct core a, struct core b);
/* For two different nodes. */
int machine_node_level(const struct machine *machine, uint32_t a, uint32_t b);
static inline int machine_top_level(const struct machine *machine)
{
	return machine->tiers ? LEVEL_SWITCH + (int)machine->tiers - 1 : LEVEL_NODE;
}

/* Relative distance: 0 for the same core, 16 and more through switches. */
double level_weight(int level);
/* "same socket", "same switch", "2nd tier of switches". */
const char *level_name(int level);

#endif
